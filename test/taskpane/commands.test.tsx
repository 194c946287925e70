/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react/pure";
import type { CellValue, CopyStep, FeedCell, FrozenCell, Place, Scope, Workbook } from "../../src/contract/workbook";
import type { Call } from "../../src/session/calls";
import type { CommandId } from "../../src/taskpane/commands/command";
import { readNamespace } from "../../src/taskpane/formula-text";
import { checkPage } from "./access";
import { toCall } from "./call";
import CASES from "./commands.json";
import { openAndRun, openWholePane, toCell } from "./open-whole-pane";
import { press, receive, said, serveSessions, session } from "./pane-sessions";

serveSessions();

/** Adds a live formula with an error of its arguments. */
const addCall = (more: Partial<Call>) =>
  session.calls.add(toCall({ error: new Error("FEED_ARGUMENT"), shown: { code: "#VALUE!" }, ...more }));

/** Presses Repair on cells with these formulas and values, and gives the addresses that are entered again. */
async function pressRepair(
  cells: readonly (readonly [string, string, CellValue])[],
  answer: string | RegExp,
  isManual = false,
) {
  const asked: string[] = [];
  const repair = async (streamless: readonly Place[]) => {
    asked.push(...streamless.map(({ address }) => address));
    return { formulas: streamless.length, refused: [] };
  };
  const feedCells = cells.map(([address, formula, value]) => ({ ...toCell(address, value), formula }));
  await openAndRun("repair", answer, { cells: feedCells, workbook: { repair, isManual: async () => isManual } });
  return asked;
}

describe("Repair formulas", () => {
  it.each([
    ["an address", "[Book1]Sheet1!A2"],
    ["no address, as some hosts leave it out", null],
  ])("leaves out formulas that are live, which have %s", async (_what, address) => {
    addCall({ given: { start: "-1d" }, address });
    const cells = [0, 1, 2].map((day) => [`A${day + 1}`, `=FEED.RANKING("-${day}d")`, "#VALUE!"] as const);
    expect(await pressRepair(cells, "2 FEED formulas entered again.")).toEqual(["A1", "A3"]);
  });

  it("leaves formulas alone that may be live, and counts those that show no value", async () => {
    const given = { company: "c1" };
    addCall({ name: "COMPANY", given, address: "Sheet1!A1", shown: { code: "#VALUE!" } });
    const cells = (["#VALUE!", "#BUSY!", "#VALUE!", "Toyota"] as const).map(
      (value, row) => [`A${row + 1}`, "=FEED.COMPANY([@Id])", value] as const,
    );
    const answer =
      "2 FEED formulas could not be told from live ones and were left alone: Sheet1!A2, Sheet1!A3. Press Ctrl+Alt+F9";
    expect(await pressRepair(cells, answer)).toEqual([]);
  });

  it.each(CASES.lost as [string, Call["shown"], string[]][])(
    "enters a live formula again if its cell shows %s and Excel was given %j: %j",
    async (value, shown, expected) => {
      addCall({ given: { start: "-7d" }, shown });
      const answer =
        expected.length > 0 ? "1 FEED formula entered again." : "No FEED formula in this workbook needs repair";
      expect(await pressRepair([["A1", '=FEED.RANKING("-7d")', value]], answer)).toEqual(expected);
    },
  );

  it("leaves a live formula alone if the rest of the cell's formula may be wrong, or its match is uncertain", async () => {
    addCall({ given: { start: "-7d" }, shown: [["text"]] });
    addCall({ name: "COMPANY", given: { company: "c1" }, shown: [["x"]], address: "Sheet1!A2" });
    const cells = [
      ["A1", '=FEED.RANKING("-7d")*2', "#VALUE!"],
      ["A2", "=FEED.COMPANY([@Id])", "#VALUE!"],
    ] as const;
    expect(await pressRepair(cells, "2 FEED formulas could not be told from live ones")).toEqual([]);
  });

  it("takes no output for lost while calculation is manual", async () => {
    addCall({ given: { start: "-7d" }, shown: [[1200]] });
    const answer = "1 FEED formula could not be told from live ones";
    expect(await pressRepair([["A1", '=FEED.RANKING("-7d")', "#BUSY!"]], answer, true)).toEqual([]);
  });

  it("names the cells that Excel refused", async () => {
    const repair = async () => ({ formulas: 1, refused: [toCell("B2", "#VALUE!")] });
    await openAndRun("repair", /1 FEED formula entered again\..* Excel refused 1 FEED formula: Sheet1!B2\./, {
      workbook: { repair },
    });
  });

  it("enters the others again meanwhile", async () => {
    addCall({ name: "COMPANY", given: { company: "c1" } });
    const cells = [
      ["A1", '=FEED.COMPANY(B1&"")', "#BUSY!"],
      ["A2", "=FEED.RANKING([@Start])", "#BUSY!"],
    ] as const;
    const answer = /1 FEED formula entered again\..*1 FEED formula could not be told .* was left alone: Sheet1!A1\./;
    expect(await pressRepair(cells, answer)).toEqual(["A2"]);
  });
});

describe("Help", () => {
  it("leads to the page of the selected formula, in the person's language", async () => {
    session.formulas.offer({ RANKING: () => {} });
    const { fake, press: pressRibbon } = openWholePane(session, { language: "ja-JP" });
    fake.cells.set("Sheet1!A1", { formula: '=FEED.RANKNG(A1)+FEED.RANKING("-7d")' });
    pressRibbon("help");
    const link = await screen.findByRole("link", { name: "FEED.RANKING のヘルプを開く" });
    expect(link.getAttribute("href")).toMatch(/\/reference\/ja\/RANKING\.html$/);
    expect(link.getAttribute("target")).toBe("_blank");
  });

  it("leads to the list of all formulas if the workbook cannot be read", async () => {
    const { fake, press: pressRibbon } = openWholePane(session);
    fake.refuse("editing");
    pressRibbon("help");
    const link = await screen.findByRole("link", { name: "Open the list of all formulas" });
    expect(link.getAttribute("href")).toMatch(/\/reference\/index\.html$/);
  });
});

describe("the pane's own buttons", () => {
  it("equal the ribbon's, and return focus", async () => {
    openWholePane(session);
    const menu = screen.getByRole("button", { name: "Menu" });
    expect(menu.getAttribute("aria-expanded")).toBe("false");
    fireEvent.click(menu);
    expect(menu.getAttribute("aria-expanded")).toBe("true");
    await checkPage("region");
    press("Repair formulas");
    expect(document.activeElement).toBe(menu);
    expect(screen.queryByRole("group", { name: "Menu" })).toBeNull();
    await receive("No FEED formula in this workbook needs repair");
  });

  it.each(["selection", "sheet", "workbook"])("have Thaw %s beside Freeze", (scope) => {
    openWholePane(session);
    fireEvent.click(screen.getByRole("button", { name: "Menu" }));
    const freeze = screen.getByRole("button", { name: `Freeze ${scope}` });
    const group = [...(freeze.parentElement?.children ?? [])];
    expect(group.indexOf(freeze) % 2).toBe(0); // the first of two columns
    expect(freeze.nextElementSibling?.textContent).toBe(`Thaw ${scope}`);
  });

  it("close with Escape", () => {
    openWholePane(session);
    const menu = screen.getByRole("button", { name: "Menu" });
    fireEvent.click(menu);
    const first = screen.getByRole("group", { name: "Menu" }).querySelector("button") as HTMLElement;
    first.focus();
    fireEvent.keyDown(first, { key: "Escape" });
    expect(screen.queryByRole("group", { name: "Menu" })).toBeNull();
    expect(document.activeElement).toBe(menu);
  });
});

describe("the namespace", () => {
  it.each(CASES.namespaces as [string, string][])("of a pane at %j is %s", (search, namespace) => {
    expect(readNamespace(search)).toBe(namespace);
  });
});

serveSessions(10);

const toFrozen = (address: string, isAsFrozen = true): FrozenCell => ({
  sheet: "Sheet1",
  address,
  formula: "=FEED.STATUS()",
  isAsFrozen,
});

/** A workbook whose formulas can be frozen and thawed; lists what was. */
function createFreezer({ places = ["A1", "A2"], left = [] as FeedCell[], changed = [] as string[], gone = 0 } = {}) {
  const done: Scope[] = [];
  const formulas = places.length;
  const others = changed.map((address) => toFrozen(address, false));
  const workbook: Partial<Workbook> = {
    async freeze(scope) {
      done.push(scope);
      return { formulas, left };
    },
    listFrozen: async () => [...places.map((address) => toFrozen(address)), ...others],
    async thaw(scope) {
      done.push(scope);
      return { formulas, left: others, gone };
    },
  };
  return { done, workbook, cells: places.map((address) => toCell(address)) };
}

const SCOPES = [
  ["selection", "in the selection?"],
  ["sheet", "on this sheet?"],
  ["workbook", "in the whole workbook?"],
] as const;
const toCommand = (verb: "freeze" | "thaw", scope: Scope) =>
  `${verb}${scope[0]?.toUpperCase()}${scope.slice(1)}` as CommandId;

describe("Freeze", () => {
  it.each(SCOPES)(
    "asks first, and explains that formulas are stored and how to thaw them: %s",
    async (scope, where) => {
      const { done, ...whole } = createFreezer();
      await openAndRun(toCommand("freeze", scope), `in the place of 2 FEED formulas ${where}`, whole);
      expect(said()).toContain("The workbook keeps the formulas: Thaw, in the menu (⋯), brings them back.");
      expect(done).toEqual([]);
      press("Freeze 2 FEED formulas");
      await receive("2 formulas are values now.");
      expect(done).toEqual([scope]);
    },
  );

  it("changes nothing when the question is closed", async () => {
    const { done, ...whole } = createFreezer();
    await openAndRun("freezeSelection", "2 FEED formulas in the selection?", whole);
    press("Close");
    await waitFor(() => expect(said()).not.toContain("FEED formula"));
    expect(done).toEqual([]);
  });

  it("names the formulas it skipped, since they show no value", async () => {
    const left = ["B1", "B2", "B3", "B4", "B5", "B6"].map((address) => toCell(address, "#BUSY!", "My sheet"));
    await openAndRun("freezeSelection", "FEED formula", createFreezer({ places: ["A1"], left }));
    press("Freeze 1 FEED formula");
    await receive(/1 formula is a value now\. 6 formulas were left.*'My sheet'!B1, .*'My sheet'!B5 and others\./);
  });

  it("says what to do while a cell is being edited", async () => {
    const { fake, run } = openWholePane(session, { cells: [toCell("A1")] });
    fake.refuse("editing");
    await run("freezeSelection", "A cell is being edited. Press Enter or Esc in it, then try again.");
  });
});

describe("Thaw", () => {
  it.each(SCOPES)("asks first: %s", async (scope, where) => {
    const { done, workbook } = createFreezer();
    const question = `Put 2 FEED formulas back in the place of the values ${where}`;
    await openAndRun(toCommand("thaw", scope), question, { workbook });
    expect(done).toEqual([]);
    press("Thaw 2 FEED formulas");
    await receive("2 FEED formulas are back.");
    expect(done).toEqual([scope]);
  });

  it("lists the cells that it leaves, before and after, and reports deleted ones", async () => {
    const { workbook } = createFreezer({ places: ["A1"], changed: ["B1", "B2"], gone: 3 });
    const question = /Put 1 FEED formula back.*2 values are left, .*: Sheet1!B1, Sheet1!B2\./;
    await openAndRun("thawSheet", question, { workbook });
    press("Thaw 1 FEED formula");
    await receive(/1 FEED formula is back\. 2 values are left.*3 FEED formulas are no longer kept/);
  });

  it("offers nothing if no formula is frozen, or all frozen cells have changed", async () => {
    await openAndRun("thawWorkbook", "This workbook holds no value that was frozen and whose formula is kept.");
    cleanup();
    const { workbook } = createFreezer({ places: [], changed: ["B1"] });
    await openAndRun("thawWorkbook", /1 value is left, .*Sheet1!B1/, { workbook });
    expect(screen.queryByRole("button", { name: /^Thaw \d/ })).toBeNull();
  });

  it("explains how to thaw a protected sheet", async () => {
    const refusal = Object.assign(new Error("protected"), { fault: "protected", place: toFrozen("A1") });
    const thaw = () => Promise.reject(refusal);
    await openAndRun("thawSheet", "Put 2 FEED formulas back", { workbook: { ...createFreezer().workbook, thaw } });
    press("Thaw 2 FEED formulas");
    await receive("Sheet1!A1 is protected. Unprotect it (Review tab), or choose another place.");
  });
});

describe.each([
  ["Freeze", "freezeSelection", "in the selection?", "2 formulas are values now."],
  ["Thaw", "thawSelection", "back in the place of the values in the selection?", "2 FEED formulas are back."],
] as const)("%s", (verb, command, question, done) => {
  it("asks again if the cells have changed since", async () => {
    let cells = [{ ...toFrozen("A1"), value: 1 }];
    const change = async (_: Scope, places: readonly Place[] = []) => {
      if (places !== cells) throw Object.assign(new Error("other cells"), { fault: "missing" });
      return { formulas: cells.length, left: [], gone: 0 };
    };
    const list = async () => cells;
    const workbook = { listFeedCells: list, freeze: change, listFrozen: list, thaw: change };
    await openAndRun(command, question, { workbook });
    cells = ["C1", "C2"].map((address) => ({ ...toFrozen(address), value: 1 }));
    press(`${verb} 1 FEED formula`);
    fireEvent.click(await screen.findByRole("button", { name: `${verb} 2 FEED formulas` }));
    await receive(done);
  });
});

describe("Copy as values", () => {
  it("shows each step, and the result of the copy", async () => {
    let next = () => {};
    const copyValues = async (notify: (step: CopyStep) => void) => {
      for (const step of ["freezing", "reading", "thawing", "opening"] as const) {
        notify(step);
        await new Promise<void>((resolve) => {
          next = resolve;
        });
      }
      return { left: [], changed: [] };
    };
    openWholePane(session, { workbook: { copyValues } }).press("copyValues");
    for (const step of [1, 2, 3, 4]) {
      await receive(`Copy as values, step ${step} of 4`);
      next();
    }
    await receive("The copy is open in a window of its own and shows values only.");
  });

  it("lists the cells without a value in the copy, and the formulas that did not come back", async () => {
    const copyValues = async () => ({ left: [toCell("B1", "#N/A")], changed: [toFrozen("C3", false)] });
    const answer =
      /1 FEED formula shows no value and stands in the copy as before: Sheet1!B1\..*1 value is left.*Sheet1!C3/;
    await openAndRun("copyValues", answer, { workbook: { copyValues } });
  });

  it("explains a refusal of the workbook", async () => {
    const refusal = Object.assign(new Error("No second workbook."), { fault: "refused" });
    const workbook = { copyValues: () => Promise.reject(refusal) };
    await openAndRun("copyValues", "The workbook did not take it: No second workbook.", { workbook });
  });

  it("is not to be tried again in a host that opens no copies", async () => {
    const refusal = Object.assign(new Error("No second workbook."), { fault: "noCopies" });
    const workbook = { copyValues: () => Promise.reject(refusal) };
    const answer = /\nThe playground holds one workbook only\. In Excel, this opens a copy of it\.✕/;
    await openAndRun("copyValues", answer, { workbook });
  });
});

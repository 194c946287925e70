/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { fireEvent, screen, waitFor } from "@testing-library/react/pure";
import axe from "axe-core";
import type { CellValue, Place, Scope } from "../../src/contract/workbook";
import type { Call } from "../../src/session/calls";
import type { Session } from "../../src/session/session";
import { readNamespace } from "../../src/taskpane/formula-text";
import { openWholePane, toCell } from "./open-whole-pane";
import { openSessions, receive, said } from "./pane-sessions";

const opened = openSessions(100);

/** Adds a live formula with an error of its arguments. */
const addCall = (session: Session, more: Partial<Call>) =>
  session.calls.add({
    name: "RANKING",
    given: {},
    address: null,
    queries: [],
    error: new Error("FEED_ARGUMENT"),
    shown: { code: "#VALUE!" },
    findOrigin: () => ({ error: null, places: [] }),
    reread() {},
    ...more,
  });

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole("button", { name }));

describe("Freeze", () => {
  it.each([
    ["freezeSelection", "in the selection?"],
    ["freezeSheet", "on this sheet?"],
    ["freezeWorkbook", "in the whole workbook?"],
  ] as const)("asks first: %s", async (command, where) => {
    const frozen: Scope[] = [];
    const freeze = async (scope: Scope) => {
      frozen.push(scope);
      return { formulas: 2, left: [] };
    };
    openWholePane(opened.session, { cells: [toCell("A1"), toCell("A2")], workbook: { freeze } }).press(command);
    await receive(`in the place of 2 FEED formulas ${where}`);
    expect(frozen).toEqual([]);
    press("Freeze 2 FEED formulas");
    await receive("2 formulas are values now.");
    expect(frozen).toHaveLength(1);
  });

  it("explains that the formulas are stored, and how to thaw them", async () => {
    openWholePane(opened.session, { cells: [toCell("A1")] }).press("freezeSheet");
    await receive("The workbook keeps the formulas: Thaw, in the menu (⋯), brings them back.");
  });

  it("changes nothing when the question is closed", async () => {
    const freeze = () => Promise.reject(new Error("frozen"));
    openWholePane(opened.session, { cells: [toCell("A1")], workbook: { freeze } }).press("freezeSelection");
    await receive("1 FEED formula in the selection?");
    press("Close");
    await waitFor(() => expect(said()).not.toContain("FEED formula"));
  });

  it("names the formulas it skipped, since they show no value", async () => {
    const left = ["B1", "B2", "B3", "B4", "B5", "B6"].map((address) => toCell(address, "#BUSY!", "My sheet"));
    const freeze = async () => ({ formulas: 1, left });
    openWholePane(opened.session, { cells: [toCell("A1")], workbook: { freeze } }).press("freezeSelection");
    await receive("FEED formula");
    press("Freeze 1 FEED formula");
    await receive(/1 formula is a value now\. 6 formulas were left.*'My sheet'!B1, .*'My sheet'!B5 and others\./);
  });

  it("asks again if the selection has changed", async () => {
    let selected = [toCell("A1")];
    const frozen: number[] = [];
    const workbook = {
      listFeedCells: async () => selected,
      freeze: async (_: Scope, places: readonly Place[] = []) => {
        if (places !== selected) throw Object.assign(new Error("other cells"), { fault: "missing" });
        frozen.push(selected.length);
        return { formulas: selected.length, left: [] };
      },
    };
    openWholePane(opened.session, { workbook }).press("freezeSelection");
    await receive("1 FEED formula in the selection?");
    selected = [toCell("C1"), toCell("C2")];
    press("Freeze 1 FEED formula");
    await receive("2 FEED formulas in the selection?");
    expect(frozen).toEqual([]);
    press("Freeze 2 FEED formulas");
    await receive("2 formulas are values now.");
  });

  it("reports that there is nothing to freeze", async () => {
    openWholePane(opened.session).press("freezeSheet");
    await receive("This sheet holds no FEED formula to freeze.");
  });

  it("says what to do while a cell is being edited", async () => {
    const { fake, press: pressRibbon } = openWholePane(opened.session, { cells: [toCell("A1")] });
    fake.refuse("editing");
    pressRibbon("freezeSelection");
    await receive("A cell is being edited. Press Enter or Esc in it, then try again.");
  });
});

describe("Repair formulas", () => {
  it("reports the number of formulas that were entered again", async () => {
    openWholePane(opened.session, { cells: [toCell("A1", "#NAME?"), toCell("A2", "#NAME?")] }).press("repair");
    await receive("2 FEED formulas entered again.");
  });

  it("reports that there was none", async () => {
    openWholePane(opened.session).press("repair");
    await receive("No FEED formula in this workbook needs repair");
  });

  it.each([
    ["an address", "[Book1]Sheet1!A2"],
    ["no address, as some hosts leave it out", null],
  ])("leaves out formulas that are live, which have %s", async (_what, address) => {
    const cells = ["A1", "A2", "A3"].map((cell, index) => ({
      ...toCell(cell, "#VALUE!"),
      formula: `=FEED.RANKING("-${index}d")`,
    }));
    const asked: (readonly Place[])[] = [];
    const repair = async (streamless: readonly Place[]) => {
      asked.push(streamless);
      return { formulas: streamless.length, refused: [] };
    };
    addCall(opened.session, { given: { start: "-1d" }, address });
    openWholePane(opened.session, { cells, workbook: { repair } }).press("repair");
    await receive("2 FEED formulas entered again.");
    expect(asked.map((streamless) => streamless.map((cell) => cell.address))).toEqual([["A1", "A3"]]);
  });

  /** Presses Repair on cells with these formulas and values, and gives the addresses that are entered again. */
  async function pressRepair(cells: readonly (readonly [string, string, CellValue])[], answer: string | RegExp) {
    const asked: string[] = [];
    const repair = async (streamless: readonly Place[]) => {
      asked.push(...streamless.map(({ address }) => address));
      return { formulas: streamless.length, refused: [] };
    };
    const feedCells = cells.map(([address, formula, value]) => ({ ...toCell(address, value), formula }));
    openWholePane(opened.session, { cells: feedCells, workbook: { repair } }).press("repair");
    await receive(answer);
    return asked;
  }

  it("leaves formulas alone that may be live, and counts those that show no value", async () => {
    const given = { company: "c1" };
    addCall(opened.session, { name: "COMPANY", given, address: "Sheet1!A1", shown: { code: "#VALUE!" } });
    const cells = (["#VALUE!", "#BUSY!", "#VALUE!", "Toyota"] as const).map(
      (value, row) => [`A${row + 1}`, "=FEED.COMPANY([@Id])", value] as const,
    );
    const answer =
      "2 FEED formulas could not be told from live ones and were left alone: Sheet1!A2, Sheet1!A3. Press Ctrl+Alt+F9";
    expect(await pressRepair(cells, answer)).toEqual([]);
  });

  it.each([
    ["#VALUE!", [[1200]], ["A1"]],
    ["#BUSY!", [["Rank"], [1]], ["A1"]],
    ["#VALUE!", { code: "#N/A" }, ["A1"]],
    ["#N/A", [[1200]], []],
    ["#VALUE!", { code: "#VALUE!" }, []],
    ["#VALUE!", [[{ type: "Error", basicType: "Error", basicValue: "#VALUE!" }]], []],
    ["#BUSY!", null, []],
  ])("enters a live formula again if its cell shows %s and Excel was given %j: %j", async (value, shown, expected) => {
    addCall(opened.session, { given: { start: "-7d" }, shown });
    const answer =
      expected.length > 0 ? "1 FEED formula entered again." : "No FEED formula in this workbook needs repair";
    expect(await pressRepair([["A1", '=FEED.RANKING("-7d")', value]], answer)).toEqual(expected);
  });

  it("leaves a live formula alone if the rest of the cell's formula may be wrong, or its match is uncertain", async () => {
    addCall(opened.session, { given: { start: "-7d" }, shown: [["text"]] });
    addCall(opened.session, { name: "COMPANY", given: { company: "c1" }, shown: [["x"]], address: "Sheet1!A2" });
    const cells = [
      ["A1", '=FEED.RANKING("-7d")*2', "#VALUE!"],
      ["A2", "=FEED.COMPANY([@Id])", "#VALUE!"],
    ] as const;
    expect(await pressRepair(cells, "2 FEED formulas could not be told from live ones")).toEqual([]);
  });

  it("takes no output for lost while calculation is manual", async () => {
    addCall(opened.session, { given: { start: "-7d" }, shown: [[1200]] });
    const cells = [toCell("A1", "#BUSY!")];
    openWholePane(opened.session, { cells, workbook: { isManual: async () => true } }).press("repair");
    await receive("1 FEED formula could not be told from live ones");
  });

  it("names the cells that Excel refused", async () => {
    const repair = async () => ({ formulas: 1, refused: [toCell("B2", "#VALUE!")] });
    openWholePane(opened.session, { workbook: { repair } }).press("repair");
    await receive(/1 FEED formula entered again\..* Excel refused 1 FEED formula: Sheet1!B2\./);
  });

  it("enters the others again meanwhile", async () => {
    addCall(opened.session, { name: "COMPANY", given: { company: "c1" } });
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
    opened.session.formulas.offer({ RANKING: () => {} });
    const { fake, press: pressRibbon } = openWholePane(opened.session, { language: "ja-JP" });
    fake.cells.set("Sheet1!A1", { formula: '=FEED.RANKNG(A1)+FEED.RANKING("-7d")' });
    pressRibbon("help");
    const link = await screen.findByRole("link", { name: "FEED.RANKING のヘルプを開く" });
    expect(link.getAttribute("href")).toMatch(/\/reference\/ja\/RANKING\.html$/);
    expect(link.getAttribute("target")).toBe("_blank");
  });

  it("leads to the list of all formulas if the workbook cannot be read", async () => {
    const { fake, press: pressRibbon } = openWholePane(opened.session);
    fake.refuse("editing");
    pressRibbon("help");
    const link = await screen.findByRole("link", { name: "Open the list of all formulas" });
    expect(link.getAttribute("href")).toMatch(/\/reference\/index\.html$/);
  });
});

describe("the pane's own buttons", () => {
  it("equal the ribbon's, and return focus", async () => {
    openWholePane(opened.session);
    const menu = screen.getByRole("button", { name: "Menu" });
    expect(menu.getAttribute("aria-expanded")).toBe("false");
    fireEvent.click(menu);
    expect(menu.getAttribute("aria-expanded")).toBe("true");
    expect((await axe.run(document.body, { rules: { region: { enabled: false } } })).violations).toEqual([]);
    press("Repair formulas");
    expect(document.activeElement).toBe(menu);
    expect(screen.queryByRole("group", { name: "Menu" })).toBeNull();
    await receive("No FEED formula in this workbook needs repair");
  });

  it.each(["selection", "sheet", "workbook"])("have Thaw %s beside Freeze", (scope) => {
    openWholePane(opened.session);
    fireEvent.click(screen.getByRole("button", { name: "Menu" }));
    const freeze = screen.getByRole("button", { name: `Freeze ${scope}` });
    const group = [...(freeze.parentElement?.children ?? [])];
    expect(group.indexOf(freeze) % 2).toBe(0); // the first of two columns
    expect(freeze.nextElementSibling?.textContent).toBe(`Thaw ${scope}`);
  });

  it("close with Escape", () => {
    openWholePane(opened.session);
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
  it.each([
    ["", "FEED"],
    ["?namespace=ACME", "ACME"],
    ["?_host_Info=Excel&namespace=ACME2", "ACME2"],
    ["?namespace=acme", "FEED"],
    ["?namespace=A%2BB", "FEED"],
  ])("of a pane at %j is %s", (search, namespace) => {
    expect(readNamespace(search)).toBe(namespace);
  });
});

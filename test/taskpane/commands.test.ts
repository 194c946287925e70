import { beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { CellValue, CopyStep, FeedCell, FrozenCell, Place, Scope, Workbook } from "../../src/contract/workbook";
import type { Call } from "../../src/session/calls";
import type { Session } from "../../src/session/session";
import { readNamespace } from "../../src/taskpane/formula-text";
import { insert } from "../../src/taskpane/insert";
import { until } from "../support/until";
import { toCall } from "./call";
import CASES from "./commands.json";
import { createIdle, openDesk, toCell } from "./desk";

let session: Session;
beforeEach(() => {
  session = createIdle();
});

/** Repairs a workbook with these formulas and values; gives what is said, and the addresses that are entered again. */
async function repair(cells: readonly (readonly [string, string, CellValue])[], isManual = false) {
  const entered: string[] = [];
  const workbook: Partial<Workbook> = {
    async repair(streamless) {
      entered.push(...streamless.map(({ address }) => address));
      return { formulas: streamless.length, refused: [] };
    },
    isManual: async () => isManual,
  };
  const feedCells = cells.map(([address, formula, value]) => ({ ...toCell(address, value), formula }));
  return { said: await openDesk({ session, cells: feedCells, workbook }).run("repair"), entered };
}

/** Adds a live formula with an error of its arguments. */
const addCall = (more: Partial<Call>) =>
  session.calls.add(toCall({ error: new Error("FEED_ARGUMENT"), shown: { code: "#VALUE!" }, ...more }));

/** A case of commands.json: live formulas, cells with formula and value, and what is said and entered again. */
interface Repair {
  title: string;
  calls: Partial<Call>[];
  cells: [string, string, CellValue][];
  isManual?: boolean;
  says: string[];
  entered: string[];
}

it.each(["refresh", "freeze", "thaw", "copyValues", "repair"] as const)(
  "%s shows the pane before its script has come, so that a failure is seen",
  async (command) => {
    const showAsTaskpane = jest.fn(async () => {});
    Object.assign(globalThis, { Office: { addin: { showAsTaskpane } } });
    const running = openDesk().run(command);
    expect(showAsTaskpane).toHaveBeenCalledTimes(1);
    await running;
    Object.assign(globalThis, { Office: undefined });
  },
);

describe("Repair formulas", () => {
  it.each(CASES.repairs as unknown as Repair[])("$title", async ({ calls, cells, isManual, says, entered }) => {
    for (const call of calls) addCall(call);
    const repaired = await repair(cells, isManual);
    expect(repaired.entered).toEqual(entered);
    for (const text of says) expect(repaired.said).toContain(text);
  });

  it.each(CASES.lost as [string, Call["shown"], string[]][])(
    "enters a live formula again if its cell shows %s and Excel was given %j: %j",
    async (value, shown, entered) => {
      addCall({ given: { start: "-7d" }, shown });
      const repaired = await repair([["A1", '=FEED.RANKING("-7d")', value]]);
      expect(repaired.entered).toEqual(entered);
      const [done, none] = ["1 FEED formula entered again.", "No FEED formula in this workbook needs repair"];
      expect(repaired.said).toContain(entered.length > 0 ? done : none);
    },
  );

  it("names the dead copies that Google Sheets left (formulas #51), and brings their formulas back on request", async () => {
    const dead = { ...toCell("B2", 123), isDead: true as const };
    const workbook: Partial<Workbook> = {
      repair: async () => ({ formulas: 0, refused: [] }),
      listFrozen: async () => [{ ...dead, filled: "B2", label: "", isAsFrozen: true }],
      thaw: async () => ({ formulas: 1, left: [], gone: 0 }),
    };
    const { run, press } = openDesk({ cells: [dead], workbook });
    expect(await run("repair")).toMatch(
      /^1 cell holds a dead copy of a formula, .*: Sheet1!B2\. Thaw brings back each that reads no other cells/,
    );
    await press("Thaw…", "Put FEED formulas back");
    await press("Thaw 1 FEED formula", "1 FEED formula is back.");
  });

  it("names the cells that Excel refused", async () => {
    const workbook = { repair: async () => ({ formulas: 1, refused: [toCell("B2", "#VALUE!")] }) };
    expect(await openDesk({ workbook }).run("repair")).toMatch(
      /1 FEED formula entered again\..* Excel refused 1 FEED formula: Sheet1!B2\./,
    );
  });
});

it.each(CASES.namespaces as [string, string][])("the namespace of a pane at %j is %s", (search, namespace) => {
  expect(readNamespace(search)).toBe(namespace);
});

const FROZEN = { sheet: "Sheet1", formula: "=FEED.STATUS()", label: "Sakura" };
const toFrozen = (address: string, isAsFrozen = true): FrozenCell => ({
  ...FROZEN,
  address,
  filled: address,
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

const SCOPES = { selection: "in the selection", sheet: "on this sheet", workbook: "in the workbook" };
const ORDER = ["selection", "sheet", "workbook"] as const;

describe.each([
  ["freeze", "Freeze", "in the place of FEED formulas?", "2 formulas are values now."],
  ["thaw", "Thaw", "Put FEED formulas back in the place of the values?", "2 FEED formulas are back."],
] as const)("%s", (verb, button, question, outcome) => {
  /** Opens a workbook whose scopes hold so many formulas, of which some have changed since they were frozen. */
  function openScopes(counts: Record<Scope, number>, changed = 0) {
    const { done, workbook } = createFreezer();
    const list = <T>(scope: Scope, toEach: (address: string) => T) =>
      Array.from({ length: counts[scope] }, (_, row) => toEach(`A${row + 1}`));
    const listFeedCells = async (scope: Scope) => list(scope, (address) => toCell(address));
    const listFrozen = async (scope: Scope) => {
      const others = scope === "selection" ? 0 : changed;
      return [...list(scope, (address) => toFrozen(address)), ...Array(others).fill(toFrozen("Z1", false))];
    };
    const desk = openDesk({ workbook: { ...workbook, listFeedCells, listFrozen } });
    const listOffers = () => desk.notices.at(-1)?.actions?.map(({ label }) => label);
    return { done, listOffers, ...desk };
  }

  it.each(ORDER)("asks first and offers one scope where all hold the same: %s", async (first) => {
    const holds = (scope: Scope) => (ORDER.indexOf(scope) < ORDER.indexOf(first) ? 0 : 2);
    const counts = { selection: holds("selection"), sheet: holds("sheet"), workbook: holds("workbook") };
    const { done, run, press, listOffers } = openScopes(counts, 1);
    expect(await run(verb)).toContain(question);
    expect(listOffers()).toEqual([`${button} 2 FEED formulas ${SCOPES[first]}`]);
    expect(done).toEqual([]);
    await press(`${button} 2 FEED formulas`, outcome);
    expect(done).toEqual([first]);
  });

  it("offers each scope that holds more than the one before", async () => {
    const wider = openScopes({ selection: 1, sheet: 1, workbook: 3 });
    await wider.run(verb);
    expect(wider.listOffers()).toEqual([
      `${button} 1 FEED formula in the selection`,
      `${button} 3 FEED formulas in the workbook`,
    ]);
    const all = openScopes({ selection: 1, sheet: 2, workbook: 3 });
    await all.run(verb);
    expect(all.listOffers()).toHaveLength(3);
  });

  it("leaves the selection out where a chart is selected", async () => {
    const { done, cells, workbook } = createFreezer();
    const give = async <T>(scope: Scope, listed: T[]): Promise<T[]> => {
      if (scope === "selection") throw Object.assign(new Error("a chart"), { fault: "missing" });
      return listed;
    };
    const listFrozen = (scope: Scope) => give(scope, [toFrozen("A1"), toFrozen("A2")]);
    const listFeedCells = (scope: Scope) => give(scope, cells);
    const { run, press } = openDesk({ workbook: { ...workbook, listFrozen, listFeedCells } });
    await run(verb);
    await press(`${button} 2 FEED formulas`, outcome);
    expect(done).toEqual(["sheet"]);
  });

  it("asks again if the cells have changed since, and changes none before", async () => {
    let cells = [{ ...toFrozen("A1"), value: 1 }];
    let changed = 0;
    const change = async (_: Scope, places: readonly Place[] = []) => {
      if (places !== cells) throw Object.assign(new Error("other cells"), { fault: "missing" });
      changed += cells.length;
      return { formulas: cells.length, left: [], gone: 0 };
    };
    const list = async () => cells;
    const workbook = { listFeedCells: list, freeze: change, listFrozen: list, thaw: change };
    const { run, press } = openDesk({ workbook });
    await run(verb);
    cells = ["C1", "C2"].map((address) => ({ ...toFrozen(address), value: 1 }));
    await press(`${button} 1 FEED formula`, question);
    expect(changed).toBe(0);
    await press(`${button} 2 FEED formulas`, outcome);
    expect(changed).toBe(2);
  });
});

describe("Freeze", () => {
  it("says how many cells the values fill, where a table fills several", async () => {
    const table = { ...toCell("B2", "Rank"), formula: '=FEED.RANKING("-7d")' };
    addCall({ given: { start: "-7d" }, shown: Array(5).fill([1, 2, 3, 4, 5]) });
    const { run, notices } = openDesk({ session, cells: [table, { ...toCell("A1"), formula: "=FEED.STATUS()" }] });
    await run("freeze");
    expect(notices.at(-1)?.actions?.map(({ label }) => label)).toEqual([
      "Freeze 2 FEED formulas (26 cells) in the selection",
    ]);
  });

  it("explains that formulas are stored and how to thaw them", async () => {
    expect(await openDesk(createFreezer()).run("freeze")).toContain(
      "The workbook keeps the formulas: Thaw, in the menu (⋯), brings them back.",
    );
  });

  it("names the formulas it skipped, since they show no value", async () => {
    const left = ["B1", "B2", "B3", "B4", "B5", "B6"].map((each) => ({ ...toCell(each, "#BUSY!"), sheet: "My sheet" }));
    const { run, press, said } = openDesk(createFreezer({ places: ["A1"], left }));
    await run("freeze");
    await press("Freeze 1 FEED formula", "1 formula is a value now. 6 formulas were left");
    expect(said()).toMatch(/'My sheet'!B1, .*'My sheet'!B5 and others\./);
  });

  it.each(["freeze", "copyValues"] as const)(
    "says of dead copies that it leaves that no refresh helps: %s",
    async (id) => {
      const left = [toCell("B1", "#BUSY!"), { ...toCell("B2", 5), isDead: true as const }];
      const { workbook, cells } = createFreezer({ places: ["A1"], left });
      const desk = openDesk({ cells, workbook: { ...workbook, copyValues: async () => ({ left, changed: [] }) } });
      await desk.run(id);
      if (id === "freeze") await desk.press("Freeze 1 FEED formula", "1 formula is a value now. 1 formula was left");
      expect(desk.said()).toMatch(/Sheet1!B1\. .*1 cell holds a dead copy of a formula, .*: Sheet1!B2\. Thaw/);
      expect(desk.said()).not.toMatch(/Sheet1!B1, Sheet1!B2/);
    },
  );

  it("says what to do while a cell is being edited", async () => {
    const { fake, run } = openDesk({ cells: [toCell("A1")] });
    fake.refuse("editing");
    expect(await run("freeze")).toBe("A cell is being edited. Press Enter or Esc in it, then try again.");
  });
});

describe("Thaw", () => {
  it("lists the cells that it leaves, before and after, and reports deleted ones", async () => {
    const { workbook } = createFreezer({ places: ["A1"], changed: ["B1", "B2"], gone: 3 });
    const { run, press, said } = openDesk({ workbook });
    expect(await run("thaw")).toMatch(/Put FEED formulas back.*2 values are left, /);
    await press("Thaw 1 FEED formula", "1 FEED formula is back.");
    expect(said()).toMatch(/2 values are left.*3 FEED formulas are no longer kept/);
  });

  it("offers nothing if no formula is frozen, or all frozen cells have changed", async () => {
    const none = "This workbook holds no value that was frozen and whose formula is kept.";
    expect(await openDesk().run("thaw")).toBe(none);
    const { run, notices } = openDesk({ workbook: createFreezer({ places: [], changed: ["B1"] }).workbook });
    expect(await run("thaw")).toMatch(/1 value is left, .*press Put back here\./);
    expect(notices.at(-1)?.actions).toEqual([]);
  });

  it("explains how to thaw a protected sheet", async () => {
    const refusal = Object.assign(new Error("protected"), { fault: "protected", place: toFrozen("A1") });
    const { run, press } = openDesk({
      workbook: { ...createFreezer().workbook, thaw: () => Promise.reject(refusal) },
    });
    await run("thaw");
    await press("Thaw 2 FEED formulas", "Sheet1!A1 is protected. Unprotect it (Review tab), or choose another place.");
  });
});

describe("Copy as values", () => {
  it("shows each step, and the result of the copy", async () => {
    const copyValues = async (notify: (step: CopyStep) => void) => {
      for (const step of ["freezing", "reading", "thawing", "opening"] as const) notify(step);
      return { left: [], changed: [] };
    };
    const { run, notices } = openDesk({ workbook: { copyValues } });
    expect(await run("copyValues")).toContain("The copy is open in a window of its own and shows values only.");
    const steps = notices.slice(0, -1).map(({ text }) => String(text).slice(0, 27));
    expect(steps).toEqual([1, 2, 3, 4].map((step) => `Copy as values, step ${step} of 4`));
  });

  it("lists the cells without a value in the copy, and the formulas that did not come back", async () => {
    const copyValues = async () => ({ left: [toCell("B1", "#N/A")], changed: [toFrozen("C3", false)] });
    expect(await openDesk({ workbook: { copyValues } }).run("copyValues")).toMatch(
      /1 FEED formula shows no value and stands in the copy as before: Sheet1!B1\..*1 value is left/,
    );
  });

  it.each([
    ["explains a refusal of the workbook", "refused", /^The workbook did not take it: No second workbook\./],
    [
      "is not to be tried again in a host that opens no copies",
      "noCopies",
      /^The playground holds one workbook only\. In Excel, this opens a copy of it\.$/,
    ],
  ])("%s", async (_, fault, text) => {
    const refusal = Object.assign(new Error("No second workbook."), { fault });
    const { run, notices } = openDesk({ workbook: { copyValues: () => Promise.reject(refusal) } });
    expect(await run("copyValues")).toMatch(text);
    expect(notices.at(-1)?.actions).toBeUndefined();
  });
});

const OCCUPIED = "Sheet1!A1 holds something already. Replace it, or select another cell.";

/** Inserts "new" and "x" into adjacent cells; gives what is said. */
async function insertTwo({ desk, said }: ReturnType<typeof openDesk>): Promise<string> {
  await insert(desk, { cells: [["new", "x"]] });
  return said();
}

describe("inserting", () => {
  it("writes from the active cell on and says where", async () => {
    const opened = openDesk();
    const { fake } = opened;
    fake.select({ sheet: "Sheet1", address: "B2" });
    expect(await insertTwo(opened)).toBe("Inserted at Sheet1!B2.");
    expect([fake.cells.get("Sheet1!B2"), fake.cells.get("Sheet1!C2")]).toEqual(["new", "x"]);
  });

  it("replaces the confirmed cells, whatever is selected by then", async () => {
    const opened = openDesk();
    const { fake, press } = opened;
    fake.cells.set("Sheet1!A1", "old").set("Sheet1!C3", "other");
    expect(await insertTwo(opened)).toBe(OCCUPIED);
    expect(fake.cells.get("Sheet1!A1")).toBe("old");
    fake.select({ sheet: "Sheet1", address: "C3" });
    await press("Replace", "Inserted at Sheet1!A1");
    expect([fake.cells.get("Sheet1!A1"), fake.cells.get("Sheet1!C3")]).toEqual(["new", "other"]);
  });

  it("is no longer reported once the cells are emptied", async () => {
    const opened = openDesk();
    const { fake, notices } = opened;
    await insertTwo(opened);
    let isOver = false;
    notices.at(-1)?.until?.(() => {
      isOver = true;
    });
    fake.select({ sheet: "Sheet1", address: "C3" });
    await new Promise(setImmediate);
    expect(isOver).toBe(false);
    fake.cells.clear();
    fake.select({ sheet: "Sheet1", address: "C4" });
    await until(() => isOver);
  });

  it("writes nothing if the selection is unknown", async () => {
    const opened = openDesk();
    opened.fake.refuse("editing");
    expect(await insertTwo(opened)).toMatch(/^A cell is being edited/);
    expect(opened.fake.cells.size).toBe(0);
  });
});

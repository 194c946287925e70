import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { CellContent } from "../../../src/contract/workbook";
import type { NameMatch } from "../../../src/feed/names";
import { createResolutions, type Resolutions } from "../../../src/feed/resolutions";
import type { Session } from "../../../src/session/session";
import { makeChanges, takeBack } from "../../../src/taskpane/cell-journal";
import { type Decision, openDecisions } from "../../../src/tools/match/decisions";
import { listNames, type NameList } from "../../../src/tools/match/names-in-cells";
import { extendQueue, indexByCompany, listOthers, toCompany, toCounts, toItems } from "../../../src/tools/match/queue";
import { planFormula, planIds } from "../../../src/tools/match/writing";
import { type Clock, createClock } from "../../support/clock";
import { createFakeWorkbook, type FakeWorkbook } from "../../taskpane/fake-workbook";
import { type OfficeSettings, removeOffice, setOffice } from "../../taskpane/office-settings";

const SAKURA = { name: "Sakura", country: "JPN" };
const HILL = { name: "hill", country: "JPN" };
const FOODS: Decision = { kind: "company", company: { id: "a", name: "Sakura Foods" } };
const NONE: Decision = { kind: "none" };
const REVIEW = { sheet: "CRM", sheetId: "1", address: "A2:A51", country: "JPN" };

let office: OfficeSettings;
let clock: Clock;
let resolutions: Resolutions;
let renewed: unknown[];
let restarted: unknown[];
let changes: number;

const NAMED_QUERIES = [
  ["financials", SAKURA],
  ["findNames", "JPN", "hill", "id"],
  ["financials", { name: "Sakura", country: "SGP" }],
  ["matchNames", "JPN", 1, [{ name: "Sakura", hints: [] }]],
];

function open() {
  const queryCache = {
    renew: (key: unknown) => renewed.push(key),
    restart: (isMeant: (key: readonly unknown[]) => boolean) => restarted.push(...NAMED_QUERIES.filter(isMeant)),
  };
  const session = { feed: { resolutions, queryCache }, ports: clock.ports } as unknown as Session;
  return openDecisions(session, () => {
    changes++;
  });
}

beforeEach(() => {
  office = setOffice();
  clock = createClock();
  resolutions = createResolutions();
  [renewed, restarted, changes] = [[], [], 0];
});
afterEach(removeOffice);

describe("a decision", () => {
  it("is what the name means in formulas, which are read again", () => {
    const decisions = open();
    decisions.decide([[SAKURA, FOODS]]);
    expect(resolutions.find(SAKURA)).toEqual({ ...SAKURA, companyId: "a", companyName: "Sakura Foods" });
    expect(decisions.find(SAKURA)).toEqual(FOODS);
    expect(restarted).toEqual([NAMED_QUERIES[0]]);
    expect(changes).toBe(1);
  });

  it("is stored at once, and reaches the formulas that match names with the others of a second", async () => {
    const decisions = open();
    decisions.decide([[SAKURA, FOODS]]);
    decisions.decide([[HILL, NONE]]);
    expect(renewed).toEqual([]);
    await clock.advance(1_000);
    expect([office.saves, renewed]).toEqual([1, [["matchNames"]]]);
  });

  it("for none takes the company from the name, in formulas too", () => {
    const decisions = open();
    decisions.decide([[SAKURA, FOODS]]);
    decisions.decide([[SAKURA, NONE]]);
    expect(resolutions.find(SAKURA)).toEqual({ ...SAKURA, companyId: "", companyName: "" });
    expect(restarted).toEqual([NAMED_QUERIES[0], NAMED_QUERIES[0]]);
    expect(open().find(SAKURA)).toEqual(NONE);
    expect(open().find({ ...SAKURA, country: "SGP" })).toBeNull();
  });

  it("is taken back", () => {
    const decisions = open();
    decisions.decide([
      [SAKURA, FOODS],
      [HILL, NONE],
    ]);
    decisions.decide([
      [SAKURA, null],
      [HILL, null],
    ]);
    expect([decisions.find(SAKURA), decisions.find(HILL)]).toEqual([null, null]);
    expect(resolutions.list()).toEqual([]);
  });
});

describe("the review", () => {
  it("is in the workbook", () => {
    open().begin(REVIEW);
    expect(open().review()).toEqual(REVIEW);
  });

  it("ignores entries that another version or program has written", () => {
    office.file.set("feed-match", { review: { ...REVIEW, address: "somewhere" } });
    expect(open().review()).toBeNull();
    office.file.set("feed-match", "text");
    expect(open().review()).toBeNull();
  });
});

const toMatch = (state: NameMatch["state"], ...ids: string[]): NameMatch => ({
  state,
  candidates: ids.map((companyId) => ({
    company: { companyId, companyName: `Company ${companyId}`, industry: "Retail" },
    score: 0.9,
    evidence: ["city"],
  })),
  alike: 1,
  isDecided: false,
  sameAs: null,
});

const MATCHES = new Map([
  ["exact", toMatch("exact", "a")],
  ["absent", toMatch("none")],
  ["sure", toMatch("sure", "b")],
  ["again", toMatch("sure", "B")],
  ["doubtful", toMatch("doubtful", "c", "d")],
]);
const REVIEWED = [...MATCHES.keys(), "later"].map((text, row) => ({ text, hints: [], rows: [row] }));

const items = (decisions: Record<string, Decision> = {}, out: string[] = []) =>
  toItems(REVIEWED, MATCHES, (text) => decisions[text] ?? null, new Set(out), "en");

const toDecided = (id: string): Decision => ({ kind: "company", company: { id, name: id } });

describe("the names of a review", () => {
  it("are counted by what is to be done about them", () => {
    expect(toCounts(items())).toEqual({ decided: 0, none: 0, sure: 3, doubtful: 1, unknown: 1, unmatched: 1 });
    const decided = items({ exact: toDecided("a"), absent: { kind: "none" }, later: toDecided("z") }, ["sure"]);
    expect(toCounts(decided)).toEqual({ decided: 2, none: 1, sure: 1, doubtful: 2, unknown: 0, unmatched: 0 });
  });

  it("have the company of their decision, else the sure one, never a doubtful one", () => {
    const found = items({ sure: toDecided("x"), absent: { kind: "none" } }).map((item) => toCompany(item)?.id ?? null);
    expect(found).toEqual(["a", null, "x", "B", null, null]);
  });

  it("know the other names of their company, whatever the case of its id", () => {
    const index = indexByCompany(items());
    expect(listOthers(index, "b", "sure")).toEqual(["again"]);
    expect(listOthers(index, "a", "exact")).toEqual([]);
    expect(listOthers(indexByCompany(items({ doubtful: toDecided("a") })), "A", "exact")).toEqual(["doubtful"]);
  });

  it("show each candidate's facts", () => {
    expect(items()[4]?.candidates[0]).toMatchObject({ id: "c", name: "Company c", industry: "Retail", score: 0.9 });
  });
});

describe("the queue of names to decide on", () => {
  it("begins with doubtful names, and ends with those that no company is like", () => {
    expect(extendQueue([], items())).toEqual(["doubtful", "absent"]);
  });

  it("keeps decided names in their places, and takes further ones at its end", () => {
    const queue = extendQueue([], items());
    expect(extendQueue(queue, items({ doubtful: toDecided("c") }, ["exact"]))).toEqual(["doubtful", "absent", "exact"]);
    expect(extendQueue(queue, items({ doubtful: toDecided("c") }))).toBe(queue);
  });
});

const NAMES = ["Sakura", "Hill", "Sakura", "Inaho"];
const LIST: NameList = {
  sheet: "Sheet1",
  sheetId: "Sheet1",
  area: { row: 1, column: 0, rows: 4, columns: 1 },
  headings: 0,
  hidden: 0,
  ...listNames(
    NAMES.map((name) => [name]),
    1,
  ),
};
const SUM = { formula: "=1+1" };
const idOf = (text: string) => `id of ${text}`;

let workbook: FakeWorkbook;

type Row = [name: string, beside?: CellContent | undefined];

/** Sets the rows from row 2 on: a name in A, and what stands beside it in B. */
function setRows(rows: readonly Row[], sheet = "Sheet1") {
  workbook.cells.clear();
  rows.forEach(([name, beside], index) => {
    workbook.cells.set(`${sheet}!A${index + 2}`, name);
    if (beside !== undefined) workbook.cells.set(`${sheet}!B${index + 2}`, beside);
  });
}

const readBeside = (rows: number, sheet = "Sheet1") =>
  Array.from({ length: rows }, (_, row) => workbook.cells.get(`${sheet}!B${row + 2}`) ?? null);

const readRows = () =>
  [2, 3, 4, 5].map((row): Row => [`${workbook.cells.get(`Sheet1!A${row}`)}`, workbook.cells.get(`Sheet1!B${row}`)]);
const inOrder = (rows: readonly Row[], ...order: number[]) => order.map((each) => rows[each] as Row);

const writeIds = async () => makeChanges(workbook, await planIds(workbook, LIST, idOf));

beforeEach(() => {
  workbook = createFakeWorkbook();
  setRows([["Sakura"], ["Hill", "old"], ["Sakura"], ["Inaho", SUM]]);
});

describe("undoing ids", () => {
  it.each<[string, (rows: Row[]) => Row[], number, CellContent[]]>([
    ["gives each cell what it held", (rows) => rows, 4, [null, "old", null, SUM]],
    [
      "leaves a cell that somebody has changed since",
      (rows) => rows.with(1, ["Hill", "mine"]),
      3,
      [null, "mine", null, SUM],
    ],
    [
      "leaves all once a row has come in above",
      (rows) => [["Company", "Id"], ...rows],
      0,
      ["Id", ...["Sakura", "Hill", "Sakura", "Inaho"].map(idOf)],
    ],
    [
      "leaves all once rows have been sorted",
      (rows) => inOrder(rows, 1, 3, 0, 2),
      0,
      ["Hill", "Inaho", "Sakura", "Sakura"].map(idOf),
    ],
  ])("%s", async (_, change, restored, beside) => {
    const written = await writeIds();
    expect(readBeside(4)).toEqual(["id of Sakura", "id of Hill", "id of Sakura", "id of Inaho"]);
    setRows(change(readRows()));
    expect(await takeBack(workbook, written)).toEqual({ sheet: "Sheet1", restored });
    expect(readBeside(beside.length)).toEqual(beside);
  });

  it("finds a sheet that has another name by now", async () => {
    const written = await writeIds();
    setRows(readRows(), "CRM");
    const renamed = { ...workbook, listSheets: async () => [{ id: "Sheet1", name: "CRM" }] };
    expect(await takeBack(renamed, written)).toEqual({ sheet: "CRM", restored: 4 });
    expect(readBeside(4, "CRM")).toEqual([null, "old", null, SUM]);
  });
});

it("undoing a formula gives its cell what it held", async () => {
  setRows([["Sakura", "old"], ["Hill"], ["Sakura"], ["Inaho"]]);
  const written = await makeChanges(workbook, await planFormula(workbook, LIST, null));
  expect(await takeBack(workbook, written)).toMatchObject({ restored: 1 });
  expect(readBeside(4)).toEqual(["old", null, null, null]);
});

/** Names in A2, A3 and A5 with hints in B, as read from A2:B5. */
const HINTED: NameList = {
  sheet: "Sheet1",
  sheetId: null,
  area: { row: 1, column: 0, rows: 4, columns: 2 },
  names: [
    { text: "Sakura", hints: [], rows: [1, 4] },
    { text: "Hill", hints: [], rows: [2] },
  ],
  headings: 0,
  hidden: 0,
  blanks: 1,
  unreadable: 0,
};

const IDS = new Map([["Sakura", "a1"]]);
const findId = (text: string) => IDS.get(text) ?? null;

const column = (workbook: FakeWorkbook) => ["C2", "C3", "C4", "C5"].map((cell) => workbook.cells.get(`Sheet1!${cell}`));

describe("ids beside the names", () => {
  it("stand in each row of a name with a company; other rows stay as they are", async () => {
    const workbook = createFakeWorkbook();
    workbook.cells.set("Sheet1!C4", "a note");
    const writing = await planIds(workbook, HINTED, findId);
    expect([writing.address, writing.occupied]).toEqual(["C2:C5", []]);
    const written = await makeChanges(workbook, writing);
    expect(written.cells).toHaveLength(2);
    expect(column(workbook)).toEqual(["a1", undefined, "a note", "a1"]);
  });

  it("name the cells that hold something else, not those with the same id", async () => {
    const workbook = createFakeWorkbook();
    workbook.cells.set("Sheet1!C2", "a1").set("Sheet1!C5", { formula: "=1+1" });
    const writing = await planIds(workbook, HINTED, findId);
    expect([writing.cells.length, writing.occupied]).toEqual([1, ["C5"]]);
    expect(column(workbook)[0]).toBe("a1");
  });

  it("leave a cell that has changed since they were planned", async () => {
    const workbook = createFakeWorkbook();
    const writing = await planIds(workbook, HINTED, findId);
    workbook.cells.set("Sheet1!C2", "mine");
    expect((await makeChanges(workbook, writing)).cells.map(({ address }) => address)).toEqual(["C5"]);
    expect(column(workbook)).toEqual(["mine", undefined, undefined, "a1"]);
  });
});

it("does not count ids as written that a merged cell has swallowed", async () => {
  const workbook = createFakeWorkbook();
  const writing = await planIds(workbook, HINTED, findId);
  const swap: typeof workbook.swap = async (sheet, swaps) => {
    await workbook.swap(sheet, swaps.slice(0, 1));
    return swaps.map(() => true);
  };
  const written = await makeChanges({ ...workbook, swap }, writing);
  expect(written.cells.map(({ address }) => address)).toEqual(["C2"]);
});

describe("a formula beside the names", () => {
  it("takes names, hints and another country than the settings'", async () => {
    const workbook = createFakeWorkbook();
    await makeChanges(workbook, await planFormula(workbook, HINTED, "SGP"));
    expect(column(workbook)[0]).toEqual({ formula: '=FEED.COMPANY.MATCH(A2:A5, "SGP", B2:B5, , FALSE)' });
    const names = { ...HINTED, area: { ...HINTED.area, columns: 1 } };
    await makeChanges(workbook, await planFormula(workbook, names, null));
    expect(workbook.cells.get("Sheet1!B2")).toEqual({ formula: "=FEED.COMPANY.MATCH(A2:A5, , , , FALSE)" });
  });

  it("is refused where cells that it fills hold something", async () => {
    const workbook = createFakeWorkbook();
    expect((await planFormula(workbook, HINTED, null)).isSpilled).toBe(false);
    workbook.cells.set("Sheet1!F4", "note");
    expect((await planFormula(workbook, HINTED, null)).isSpilled).toBe(true);
  });
});

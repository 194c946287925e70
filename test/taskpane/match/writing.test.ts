import { describe, expect, it } from "@jest/globals";
import type { NameList } from "../../../src/taskpane/match/names-in-cells";
import { planFormula, planIds, write } from "../../../src/taskpane/match/writing";
import { createFakeWorkbook, type FakeWorkbook } from "../fake-workbook";

/** Names in A2, A3 and A5 with hints in B, as read from A2:B5. */
const LIST: NameList = {
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
const idOf = (text: string) => IDS.get(text) ?? null;

const column = (workbook: FakeWorkbook) => ["C2", "C3", "C4", "C5"].map((cell) => workbook.cells.get(`Sheet1!${cell}`));

describe("ids beside the names", () => {
  it("stand in each row of a name with a company; other rows stay as they are", async () => {
    const workbook = createFakeWorkbook();
    workbook.cells.set("Sheet1!C4", "a note");
    const writing = await planIds(workbook, LIST, idOf);
    expect([writing.address, writing.occupied]).toEqual(["C2:C5", []]);
    const written = await write(workbook, writing);
    expect(written.cells).toHaveLength(2);
    expect(column(workbook)).toEqual(["a1", undefined, "a note", "a1"]);
  });

  it("name the cells that hold something else, not those with the same id", async () => {
    const workbook = createFakeWorkbook();
    workbook.cells.set("Sheet1!C2", "a1").set("Sheet1!C5", { formula: "=1+1" });
    const writing = await planIds(workbook, LIST, idOf);
    expect([writing.cells.length, writing.occupied]).toEqual([1, ["C5"]]);
    expect(column(workbook)[0]).toBe("a1");
  });

  it("leave a cell that has changed since they were planned", async () => {
    const workbook = createFakeWorkbook();
    const writing = await planIds(workbook, LIST, idOf);
    workbook.cells.set("Sheet1!C2", "mine");
    expect((await write(workbook, writing)).cells.map(({ address }) => address)).toEqual(["C5"]);
    expect(column(workbook)).toEqual(["mine", undefined, undefined, "a1"]);
  });
});

it("does not count ids as written that a merged cell has swallowed", async () => {
  const workbook = createFakeWorkbook();
  const writing = await planIds(workbook, LIST, idOf);
  const swap: typeof workbook.swap = async (sheet, swaps) => {
    await workbook.swap(sheet, swaps.slice(0, 1));
    return swaps.map(() => true);
  };
  const written = await write({ ...workbook, swap }, writing);
  expect(written.cells.map(({ address }) => address)).toEqual(["C2"]);
});

describe("a formula beside the names", () => {
  it("takes names, hints and another country than the settings'", async () => {
    const workbook = createFakeWorkbook();
    await write(workbook, await planFormula(workbook, LIST, "SGP"));
    expect(column(workbook)[0]).toEqual({ formula: '=FEED.COMPANY.MATCH(A2:A5, "SGP", B2:B5, , FALSE)' });
    const names = { ...LIST, area: { ...LIST.area, columns: 1 } };
    await write(workbook, await planFormula(workbook, names, null));
    expect(workbook.cells.get("Sheet1!B2")).toEqual({ formula: "=FEED.COMPANY.MATCH(A2:A5, , , , FALSE)" });
  });

  it("is refused where cells that it fills hold something", async () => {
    const workbook = createFakeWorkbook();
    expect((await planFormula(workbook, LIST, null)).isSpilled).toBe(false);
    workbook.cells.set("Sheet1!F4", "note");
    expect((await planFormula(workbook, LIST, null)).isSpilled).toBe(true);
  });
});

import { describe, expect, it } from "@jest/globals";
import type { NameList } from "../../../src/taskpane/match/names-in-cells";
import { planFormula, planIds, undo, write } from "../../../src/taskpane/match/writing";
import { createFakeWorkbook, type FakeWorkbook } from "../fake-workbook";

/** Names in A2, A3 and A5 with hints in B, as read from A2:B5. */
const LIST: NameList = {
  sheet: "Sheet1",
  area: { row: 1, column: 0, rows: 4, columns: 2 },
  names: [
    { text: "Sakura", hints: [], rows: [1, 4] },
    { text: "Hill", hints: [], rows: [2] },
  ],
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
    expect([writing.address, writing.occupied]).toEqual(["C2:C5", 0]);
    const written = await write(workbook, writing);
    expect(written.swaps).toHaveLength(2);
    expect(column(workbook)).toEqual(["a1", undefined, "a note", "a1"]);
  });

  it("count the cells that hold something else, not those with the same id", async () => {
    const workbook = createFakeWorkbook();
    workbook.cells.set("Sheet1!C2", "a1").set("Sheet1!C5", { formula: "=1+1" });
    const writing = await planIds(workbook, LIST, idOf);
    expect([writing.swaps.length, writing.occupied]).toEqual([1, 1]);
    expect(column(workbook)[0]).toBe("a1");
  });

  it("are taken back: each cell is as before, but for those that changed since", async () => {
    const workbook = createFakeWorkbook();
    workbook.cells.set("Sheet1!C2", "old").set("Sheet1!C5", { formula: "=1+1" });
    const written = await write(workbook, await planIds(workbook, LIST, idOf));
    expect(column(workbook)).toEqual(["a1", undefined, undefined, "a1"]);
    workbook.cells.set("Sheet1!C2", "mine");
    expect(await undo(workbook, written)).toBe(1);
    expect(column(workbook)).toEqual(["mine", undefined, undefined, { formula: "=1+1" }]);
  });
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

  it("is taken back", async () => {
    const workbook = createFakeWorkbook();
    workbook.cells.set("Sheet1!C2", "old");
    const writing = await planFormula(workbook, LIST, null);
    expect(writing.occupied).toBe(1);
    expect(await undo(workbook, await write(workbook, writing))).toBe(0);
    expect(column(workbook)).toEqual(["old", undefined, undefined, undefined]);
  });
});

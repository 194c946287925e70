import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { type OpenedWorkbook, openWorkbook, prepareEngine } from "./open-workbook";

let opened: OpenedWorkbook;

beforeAll(prepareEngine);

const select = (col: number, row: number) =>
  opened.model.selection.selectZone({ cell: { col, row }, zone: { left: col, top: row, right: col, bottom: row } });
const at = (address: string) => ({ sheet: "Sheet1", address });

describe("thawing", () => {
  const freezeAll = async () => expect((await opened.pane.freeze("workbook")).left).toEqual([]);
  const shift = (dimension: "ROW" | "COL", base: number, quantity: number) =>
    opened.model.dispatch("ADD_COLUMNS_ROWS", {
      sheetId: "sheet1",
      sheetName: "Sheet1",
      dimension,
      base,
      quantity,
      position: "before",
    });

  beforeEach(() => {
    opened = openWorkbook();
    opened.model.dispatch("CREATE_SHEET", { sheetId: "other", name: "Other", position: 1, cols: 26, rows: 100 });
    opened.enter(
      ["A1", "number"],
      ["Other!A1", "text"],
      ["B3", "=FEED.SAY($A$1)"],
      ["B4", "=FEED.SAY(Other!A1)"],
      ["D1", '=FEED.SAY("table")'],
    );
  });

  it("brings formulas back, spilled ones too, as one undo step, and leaves no stored data", async () => {
    await freezeAll();
    expect(await opened.pane.listFrozen("workbook")).toEqual([
      { ...at("B3"), formula: "=FEED.SAY($A$1)", isAsFrozen: true },
      { ...at("B4"), formula: "=FEED.SAY(Other!A1)", isAsFrozen: true },
      { ...at("D1"), formula: '=FEED.SAY("table")', isAsFrozen: true },
    ]);
    expect(await opened.pane.thaw("workbook")).toEqual({ formulas: 3, left: [], gone: 0 });
    expect(["B3", "D1", "E2"].map((cell) => opened.read(cell))).toEqual(["=FEED.SAY($A$1)", '=FEED.SAY("table")', ""]);
    expect(await opened.pane.readValues("E2")).toEqual([["@SUM(1)"]]);
    expect(await opened.pane.listFrozen("workbook")).toEqual([]);
    opened.model.dispatch("REQUEST_UNDO");
    expect(opened.read("D1")).toBe("Rank");
    expect(await opened.pane.listFrozen("workbook")).toHaveLength(3);
    opened.model.dispatch("REQUEST_UNDO");
    expect(opened.read("B3")).toBe("=FEED.SAY($A$1)");
    expect(await opened.pane.listFrozen("workbook")).toEqual([]);
  });

  it("finds cells and their references after rows and columns were inserted and sheets renamed", async () => {
    await freezeAll();
    shift("ROW", 0, 1);
    shift("ROW", 2, 2);
    shift("COL", 0, 1);
    opened.model.dispatch("RENAME_SHEET", { sheetId: "other", oldName: "Other", newName: "My inputs" });
    const left = [{ ...at("E2"), formula: '=FEED.SAY("table")', isAsFrozen: false }]; // rows came in between
    expect(await opened.pane.thaw("workbook")).toEqual({ formulas: 2, left, gone: 0 });
    expect(["C6", "C7"].map((cell) => opened.read(cell))).toEqual(["=FEED.SAY($B$2)", "=FEED.SAY('My inputs'!A1)"]);
  });

  it("reads the snapshot of the workbook", async () => {
    await freezeAll();
    opened = openWorkbook(JSON.parse(JSON.stringify(opened.model.exportData())));
    expect(await opened.pane.thaw("workbook")).toEqual({ formulas: 3, left: [], gone: 0 });
    expect(opened.read("B4")).toBe("=FEED.SAY(Other!A1)");
    expect(opened.model.exportData()).toMatchObject({ frozenFormulas: {} });
  });

  it("leaves overwritten cells, drops deleted ones, and brings back the last frozen formula", async () => {
    await freezeAll();
    opened.enter(["E3", "Sakura"], ["B4", '=FEED.SAY("number")']);
    await opened.pane.freeze("workbook");
    opened.model.dispatch("REMOVE_COLUMNS_ROWS", {
      sheetId: "sheet1",
      sheetName: "Sheet1",
      dimension: "ROW",
      elements: [2],
    });
    const left = [{ ...at("D1"), formula: '=FEED.SAY("table")', isAsFrozen: false }];
    expect(await opened.pane.thaw("workbook")).toEqual({ formulas: 1, left, gone: 1 });
    expect(["B3", "D1"].map((cell) => opened.read(cell))).toEqual(['=FEED.SAY("number")', "Rank"]);
    expect(await opened.pane.listFrozen("workbook")).toEqual(left);
  });

  it("works in batches", async () => {
    await freezeAll();
    select(4, 1);
    expect((await opened.pane.thaw("selection")).formulas).toBe(1);
    expect(["B3", "D1"].map((cell) => opened.read(cell))).toEqual(["42", '=FEED.SAY("table")']);
    expect((await opened.pane.thaw("sheet")).formulas).toBe(2);
  });
});

describe("thawing after rows were sorted", () => {
  const toFormula = (row: number) => `=FEED.SAY("number")*(${row}>0)`;
  const enterRows = (names: readonly string[]) => {
    opened = openWorkbook();
    names.forEach((name, row) => {
      opened.enter([`A${row + 1}`, name], [`B${row + 1}`, toFormula(row + 1)]);
    });
  };
  const sort = (sortDirection: "asc" | "desc") =>
    opened.model.dispatch("SORT_CELLS", {
      sheetId: "sheet1",
      col: 0,
      row: 0,
      zone: { left: 0, top: 0, right: 1, bottom: 2 },
      sortDirection,
    });
  const readRows = () => [1, 2, 3].map((row) => opened.read(`B${row}`));

  it("lists exchanged rows of equal values until they are back in place", async () => {
    enterRows(["Akane", "Fuji", "Sakura"]);
    await opened.pane.freeze("workbook");
    sort("desc");
    expect(await opened.pane.thaw("workbook")).toMatchObject({ formulas: 1, left: [at("B1"), at("B3")] });
    expect(readRows()).toEqual(["42", toFormula(2), "42"]);
    sort("asc");
    expect(await opened.pane.thaw("workbook")).toMatchObject({ formulas: 2, left: [] });
  });

  it("lists equal values without neighbours once another cell of their column has changed", async () => {
    enterRows(["", "", ""]);
    await opened.pane.freeze("workbook");
    opened.enter(["B1", "7"]);
    expect(await opened.pane.thaw("workbook")).toMatchObject({ formulas: 0, left: [at("B1"), at("B2"), at("B3")] });
    opened.enter(["B1", "42"]);
    expect((await opened.pane.thaw("workbook")).formulas).toBe(3);
  });

  it("brings back formulas that refer to their own row", async () => {
    opened = openWorkbook();
    for (const row of [1, 2, 3]) opened.enter([`A${row}`, "number"], [`B${row}`, `=FEED.SAY($A${row})`]);
    await opened.pane.freeze("workbook");
    opened.enter(["A2", "text"], ["B3", "7"]);
    expect(await opened.pane.thaw("workbook")).toMatchObject({ formulas: 2, left: [at("B3")] });
  });
});

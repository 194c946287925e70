import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { FrozenCell } from "../../src/contract/workbook";
import { putBack } from "../../src/taskpane/frozen-cells";
import { type OpenedWorkbook, openWorkbook, prepareEngine } from "./open-workbook";

let opened: OpenedWorkbook;

beforeAll(prepareEngine);
beforeEach(() => {
  opened = openWorkbook();
});

const select = (left: number, top: number, right = left, bottom = top) =>
  opened.model.selection.selectZone({ cell: { col: left, row: top }, zone: { left, top, right, bottom } });
const at = (address: string, sheet = "Sheet1") => ({ sheet, address });
const dispatch = (type: string, given: object = {}) => opened.model.dispatch(type as "REQUEST_UNDO", given as never);
const createSheet = (name: string, sheetId = "other") =>
  dispatch("CREATE_SHEET", { sheetId, name, position: opened.model.getters.getSheetIds().length, cols: 26, rows: 100 });
/** Sets the format of a cell on the first sheet. */
const setFormat = (col: number, format: string) =>
  dispatch("SET_FORMATTING", { sheetId: "sheet1", target: [{ left: col, right: col, top: 0, bottom: 0 }], format });
const evaluate = (col: number, row = 0) => opened.model.getters.getEvaluatedCell({ sheetId: "sheet1", col, row });
const read = (...cells: string[]) => cells.map((cell) => opened.read(cell));
const readRange = (reference: string) => opened.pane.readValues(reference);

describe("the selection", () => {
  it("has a place and the formula of its active cell", async () => {
    opened.enter(["B2", '=FEED.SAY("number")']);
    select(1, 1, 2, 4);
    const cell = { cell: "B2", formula: '=FEED.SAY("number")' };
    expect(await opened.pane.readSelection()).toEqual({ ...at("B2:C5"), ...cell });
  });

  it("has no formula where its cell holds a text or a spilled value", async () => {
    opened.enter(["A1", '=FEED.SAY("table")'], ["D1", "text"]);
    select(3, 0);
    expect((await opened.pane.readSelection()).formula).toBe("");
    select(0, 1);
    expect((await opened.pane.readSelection()).formula).toBe("");
  });

  it("has rows that are hidden", async () => {
    dispatch("HIDE_COLUMNS_ROWS", { sheetId: "sheet1", dimension: "ROW", elements: [1, 3, 9] });
    expect(await opened.pane.listHiddenRows(at("B2:C5"))).toEqual([1, 3]);
  });

  it("notifies of changes until it is unsubscribed", () => {
    const places: unknown[] = [];
    const stop = opened.pane.onSelection(() => places.push(opened.model.getters.getActivePosition().row));
    select(0, 3);
    opened.enter(["A1", "text"]);
    select(0, 4);
    stop();
    select(0, 5);
    expect(places).toEqual([3, 4]);
  });

  it("is set and shown by the pane", async () => {
    createSheet("Sales 2024");
    await opened.pane.show(at("B3:C4", "Sales 2024"));
    expect(await opened.pane.readSelection()).toEqual({ ...at("B3:C4", "Sales 2024"), cell: "B3", formula: "" });
    await expect(opened.pane.show(at("A1", "Nowhere"))).rejects.toMatchObject({ fault: "missing" });
    await expect(opened.pane.show(at("nothing"))).rejects.toMatchObject({ fault: "missing" });
  });
});

describe("values", () => {
  it("are read row by row, an error as its code, an empty cell as null", async () => {
    opened.enter(["A1", "text"], ["B1", "1.5"], ["A2", "TRUE"], ["B2", '=FEED.SAY("none")']);
    expect(await readRange("A1:B3")).toEqual([
      ["text", 1.5],
      [true, "#N/A"],
      [null, null],
    ]);
  });

  it("of a whole column end with its last filled cell", async () => {
    opened.enter(["B2", "b"], ["C4", "c"]);
    expect(await readRange("Sheet1!B:B")).toEqual([[null], ["b"], [null], [null]]);
    expect(await readRange("$B$2")).toEqual([["b"]]);
  });

  it("of another sheet are read by its name, and refused if there is none", async () => {
    createSheet("Sales 2024");
    opened.enter(["'Sales 2024'!A1", "there"]);
    expect(await readRange("'Sales 2024'!A1")).toEqual([["there"]]);
    await expect(readRange("Nowhere!A1")).rejects.toMatchObject({ fault: "missing" });
    await expect(readRange("nothing at all")).rejects.toMatchObject({ fault: "missing" });
  });
});

it("sheets are read by name, up to their used range", async () => {
  createSheet("Sales 2024");
  createSheet("Empty", "empty");
  opened.enter(["B2", '=FEED.SAY("gaps")'], ["C4", "c"], ["'Sales 2024'!A1", "7"]);
  expect(await opened.pane.readSheets(["Sheet1", "Empty", "Gone", "Sales 2024"])).toEqual([
    {
      sheet: "Sheet1",
      row: 1,
      column: 1,
      values: [
        [1, null],
        ["#N/A", null],
        [null, "c"],
      ],
    },
    { sheet: "Sales 2024", row: 0, column: 0, values: [[7]] },
  ]);
});

describe("a block of cells", () => {
  const HOSTILE = ["=1+1", "+1", "-1m", "@SUM(1)", "'quoted", "0012", "1e5", "2024-01-31", "12:30", "50%", "TRUE"];

  it("stores what looks like a formula or a number as text", async () => {
    await opened.pane.write({ at: at("A1"), cells: HOSTILE.map((text) => [text]) });
    expect(await readRange(`A1:A${HOSTILE.length}`)).toEqual(HOSTILE.map((text) => [text]));
    expect(new Set(HOSTILE.map((_, row) => evaluate(0, row).type))).toEqual(new Set(["text"]));
  });

  it("stores numbers, booleans and formulas, skips null, and is removed by one undo", async () => {
    opened.enter(["B2", "kept"]);
    select(2, 7);
    const cells = [
      [1.5, true],
      [{ formula: "=A1*2" }, null],
    ];
    expect(await opened.pane.write({ at: at("A1"), cells })).toEqual(at("A1:B2"));
    expect(await readRange("A1:B2")).toEqual([
      [1.5, true],
      [3, "kept"],
    ]);
    expect((await opened.pane.readSelection()).cell).toBe("C8");
    dispatch("REQUEST_UNDO");
    expect(await readRange("A1:B2")).toEqual([
      [null, null],
      [null, "kept"],
    ]);
  });

  it("gives a formula its number format where the cell has none", async () => {
    const content = { formula: "=1200", format: "#,##0" };
    await opened.pane.write({ at: at("A1"), cells: [[content]] });
    setFormat(1, "0.00");
    await opened.pane.write({ at: at("B1"), cells: [[content]] });
    expect([0, 1].map((col) => evaluate(col).formattedValue)).toEqual(["1,200", "1200.00"]);
  });

  it("widens columns of the sheet's own width where they are too narrow, and one undo takes that back", async () => {
    const { getters } = opened.model;
    const sheetId = getters.getActiveSheetId();
    const readWidths = () => [0, 1, 2, 3].map((column) => getters.getColSize(sheetId, column));
    const [own] = readWidths();
    dispatch("RESIZE_COLUMNS_ROWS", { sheetId, dimension: "COL", elements: [2], size: 40 });
    await opened.pane.write({ at: at("A1"), cells: [["x"]], widths: [30, 4, 30, 38] });
    expect(readWidths()).toEqual([215, own, 40, 271]);
    await opened.pane.write({ at: at("GR3"), cells: [["last"]], widths: [30, 30] }); // the sheet ends with it
    dispatch("REQUEST_UNDO");
    dispatch("REQUEST_UNDO");
    expect(readWidths()).toEqual([own, own, 40, own]);
  });

  it("begins at the active cell by default", async () => {
    select(2, 3);
    expect(await opened.pane.write({ cells: [["x", "y"]] })).toEqual(at("C4:D4"));
  });

  it("replaces no value or spilled cell without permission", async () => {
    opened.enter(["A1", '=FEED.SAY("table")']);
    const block = { at: at("A2"), cells: [[null], ["x"]] };
    await expect(opened.pane.write(block)).rejects.toMatchObject({ fault: "occupied", place: at("A2:A3") });
    expect(await readRange("A3")).toEqual([[2]]);
    await opened.pane.write({ ...block, isReplacing: true });
    expect(await readRange("A3")).toEqual([["x"]]);
  });

  it("is refused beyond the end of the sheet, and during a cell's edit", async () => {
    await expect(opened.pane.write({ at: at("GR1"), cells: [["x", "y"]] })).rejects.toMatchObject({ fault: "missing" });
    opened.edit(true);
    await expect(opened.pane.write({ cells: [["x"]] })).rejects.toMatchObject({ fault: "editing" });
    opened.edit(false);
    expect(await readRange("A1:Z1")).toEqual([Array(26).fill(null)]);
  });
});

describe("formulas that call a FEED function", () => {
  beforeEach(() => {
    createSheet("Other");
    opened.enter(
      ["A1", '=FEED.SAY("table")'],
      ["D1", '="FEED.SAY(1)"'],
      ["E1", '=IF(TRUE,feed.say("number")*2)'],
      ["F1", '=FEED.SAY("none")'],
      ["Other!A1", '=FEED.SAY("unknown")'],
      ["Other!A2", '=FEED.SAY("for ever")'],
    );
  });

  it("are found in the workbook, the sheet and the selection, by a spilled cell too", async () => {
    const list = async (scope: "selection" | "sheet" | "workbook") =>
      (await opened.pane.listFeedCells(scope)).map(({ sheet, address, value }) => [sheet, address, value]);
    const onSheet = [
      ["Sheet1", "A1", "Rank"],
      ["Sheet1", "E1", 84],
      ["Sheet1", "F1", "#N/A"],
    ];
    expect(await list("sheet")).toEqual(onSheet);
    expect(await list("workbook")).toEqual([...onSheet, ["Other", "A1", "#NAME?"], ["Other", "A2", "#BUSY!"]]);
    select(1, 2);
    expect(await list("selection")).toEqual([["Sheet1", "A1", "Rank"]]);
    select(3, 0);
    expect(await list("selection")).toEqual([]);
  });

  it("freeze to their values, texts and spilled ones too; those without a value stay", async () => {
    const before = await readRange("A1:F4");
    const { formulas, left } = await opened.pane.freeze("workbook");
    expect(formulas).toBe(2);
    expect(left.map(({ address, value }) => [address, value])).toEqual([
      ["F1", "#N/A"],
      ["A1", "#NAME?"],
      ["A2", "#BUSY!"],
    ]);
    expect(await readRange("A1:F4")).toEqual(before.map((row) => row.map((value) => (value === "" ? null : value))));
    expect(await opened.pane.listFeedCells("workbook")).toHaveLength(3);
    expect(read("A1", "B2", "E1")).toEqual(["Rank", "@SUM(1)", "84"]);
    dispatch("REQUEST_UNDO");
    expect(opened.read("A1")).toBe('=FEED.SAY("table")');
  });

  it("freeze with the errors among their values", async () => {
    opened.enter(["H1", '=FEED.SAY("gaps")']);
    const { left } = await opened.pane.freeze("sheet");
    expect(left.map(({ address }) => address)).toEqual(["F1"]);
    expect(read("H1", "H2")).toEqual(["1", "#N/A"]);
  });

  it("retain the number format of their value when frozen", async () => {
    opened.enter(["A9", '=FEED.SAY("date")']);
    await opened.pane.freeze("sheet");
    expect(evaluate(0, 8)).toMatchObject({ value: 45_000, formattedValue: "2023-03-15" });
  });

  it("are entered again unchanged where they show #NAME?", async () => {
    expect(await opened.pane.repair([])).toEqual({ formulas: 1, refused: [] });
    expect(opened.read("Other!A1")).toBe('=FEED.SAY("unknown")');
  });

  it("are entered again as formulas where cells are formatted as text", async () => {
    opened.enter(["H1", '=FEED.SAY("value")']);
    setFormat(7, "@");
    expect(await opened.pane.repair([at("H1")])).toEqual({ formulas: 2, refused: [] });
    expect(opened.model.getters.getCell({ sheetId: "sheet1", col: 7, row: 0 })).toMatchObject({ isFormula: true });
  });

  it("are entered again where they show #VALUE! or #BUSY! and have no live stream", async () => {
    opened.enter(["H1", '=FEED.SAY("value")'], ["H2", '=FEED.SAY("value")'], ["I1", '=FEED.SAY("spilled value")']);
    const entered: string[] = [];
    opened.model.on("command-dispatched", opened, (dispatched) => {
      const command = dispatched as { type: string; content?: string };
      if (command.type === "UPDATE_CELL" && command.content) entered.push(command.content);
    });
    const streamless = [at("H1"), at("I1"), at("I2"), at("F1"), at("A2", "Other")];
    expect(await opened.pane.repair(streamless)).toEqual({ formulas: 4, refused: [] });
    expect(entered.toSorted()).toEqual([
      '=FEED.SAY("for ever")',
      '=FEED.SAY("spilled value")',
      '=FEED.SAY("unknown")',
      '=FEED.SAY("value")',
    ]);
    expect(await readRange("H1:I2")).toEqual([
      ["#VALUE!", "#VALUE!"],
      ["#VALUE!", 2],
    ]);
  });
});

describe("thawing", () => {
  beforeEach(async () => {
    opened.enter(["A1", "text"], ["B3", '=FEED.SAY("number")'], ["D1", '=FEED.SAY("table")']);
    expect((await opened.pane.freeze("workbook")).left).toEqual([]);
  });

  it("is one step to undo, and so is freezing", async () => {
    expect((await opened.pane.thaw("workbook")).formulas).toBe(2);
    expect(read("B3", "D1", "E2")).toEqual(['=FEED.SAY("number")', '=FEED.SAY("table")', ""]);
    expect(await opened.pane.readValues("E2")).toEqual([["@SUM(1)"]]);
    dispatch("REQUEST_UNDO");
    expect(opened.read("D1")).toBe("Rank");
    expect(await opened.pane.listFrozen("workbook")).toHaveLength(2);
    dispatch("REQUEST_UNDO");
    expect(opened.read("B3")).toBe('=FEED.SAY("number")');
    expect(await opened.pane.listFrozen("workbook")).toEqual([]);
  });

  it("is one step to undo, too, where a formula is put back elsewhere", async () => {
    const [first] = await opened.pane.listFrozen("workbook");
    select(5, 8);
    await putBack(opened.pane, first as FrozenCell);
    expect(await opened.pane.listFrozen("workbook")).toHaveLength(1);
    dispatch("REQUEST_UNDO");
    expect(await opened.pane.listFrozen("workbook")).toHaveLength(2);
    expect((await opened.pane.readSelection()).formula).toBe("");
  });

  it("reads the snapshot of the workbook, labels included", async () => {
    opened.enter(["A1", "Fuji"]);
    opened = openWorkbook(JSON.parse(JSON.stringify(opened.model.exportData())));
    const left = [
      {
        ...at("D1"),
        filled: "D1:E4",
        formula: '=FEED.SAY("table")',
        label: "text",
        isAsFrozen: false,
        frozenAtMs: expect.any(Number),
      },
    ];
    expect(await opened.pane.thaw("workbook")).toEqual({ formulas: 1, left, gone: 0 });
    opened.enter(["A1", "text"]);
    expect((await opened.pane.thaw("workbook")).formulas).toBe(1);
    expect(opened.model.exportData()).toMatchObject({ frozenCells: {} });
  });

  it("works in batches", async () => {
    select(4, 1);
    expect((await opened.pane.thaw("selection")).formulas).toBe(1);
    expect(read("B3", "D1")).toEqual(["42", '=FEED.SAY("table")']);
    expect((await opened.pane.thaw("sheet")).formulas).toBe(1);
  });

  it("lists what the engine's own sort has exchanged", async () => {
    for (const [row, name] of [
      [5, "Akane"],
      [6, "Sakura"],
    ] as const)
      opened.enter([`A${row}`, name], [`B${row}`, `=FEED.SAY("number")*(${row}>0)`]);
    await opened.pane.freeze("workbook");
    const zone = { left: 0, top: 4, right: 1, bottom: 5 };
    dispatch("SORT_CELLS", { sheetId: "sheet1", col: 0, row: 4, sortDirection: "desc", zone });
    expect(await opened.pane.thaw("workbook")).toMatchObject({ formulas: 2, left: [at("B5"), at("B6")] });
  });
});

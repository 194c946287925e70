import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { setTranslationMethod } from "@odoo/o-spreadsheet";
import type { SheetPlan } from "../../src/contract/workbook";
import { translateEngine } from "../../src/playground/formulas";
import { readCellView } from "../../src/playground/workbook";
import { type OpenedWorkbook, openWorkbook, prepareEngine, SAY_RESULTS } from "./open-workbook";
import plan from "./sheet-plan.json";

const PLAN = plan as SheetPlan;

let opened: OpenedWorkbook;
beforeAll(prepareEngine);

const cell = (col: number, row: number) => {
  const { getters } = opened.model;
  return { sheetId: getters.getActiveSheetId(), col, row };
};

/** A sheet has 5,000 rows, which take their time: one serves all tests. */
describe("a planned sheet", () => {
  let name: string;
  beforeAll(async () => {
    opened = openWorkbook();
    name = await opened.pane.addSheet(PLAN);
  });

  it("is added after the active one, shown, and has its first input selected", async () => {
    expect(name).toBe("Ranking 12024");
    const { getters } = opened.model;
    expect(getters.getSheetIds().map((id) => getters.getSheetName(id))).toEqual(["Sheet1", "Ranking 12024"]);
    expect(await opened.pane.readSelection()).toMatchObject({ sheet: "Ranking 12024", cell: "B2" });
    expect(await opened.pane.readValues("A1:B5")).toEqual([
      ["=Title", null],
      ["Top", 10],
      [null, "2024"],
      ["Rank", "Company"],
      [1, "@SUM(1)"],
    ]);
  });

  it("keeps what is typed into a cell for texts, such as a month", async () => {
    opened.enter([`'${name}'!B3`, "2024-03"]);
    expect(await opened.pane.readValues("B3")).toEqual([["2024-03"]]);
    opened.model.dispatch("REQUEST_UNDO");
  });

  it("has the planned outline, and styles by rule that follow the values", () => {
    const { getters } = opened.model;
    expect(getters.getHeaderGroups(getters.getActiveSheetId(), "COL")).toMatchObject([{ start: 2, end: 2 }]);
    const isBold = (row: number) => getters.getCellComputedStyle(cell(0, row)).bold === true;
    expect([4, 5].map(isBold)).toEqual([true, false]);
  });

  it("has the planned styles", () => {
    const { getters } = opened.model;
    expect(getters.getCellStyle(cell(0, 0))).toMatchObject({ bold: true, fontSize: 16 });
    expect(getters.getCellStyle(cell(1, 3))).toMatchObject({ bold: true, fillColor: "#1F4E79" });
    expect(getters.getEvaluatedCell(cell(0, 4)).formattedValue).toBe("1.00");
    expect(getters.getColSize(cell(0, 0).sheetId, 0)).toBe(145);
    expect(getters.getPaneDivisions(cell(0, 0).sheetId)).toEqual({ xSplit: 0, ySplit: 4 });
  });

  it("has a name for what is printed", () => {
    const { getters } = opened.model;
    const names = getters.getNamedRanges().map(({ name, range }) => [name, getters.getRangeString(range)]);
    expect(names).toEqual([["Ranking_12024.Print_Area", "'Ranking 12024'!A1:C9"]]);
  });

  it("has the planned chart over the named cells", () => {
    const { getters } = opened.model;
    const [chartId = ""] = getters.getChartIds(cell(0, 0).sheetId);
    expect(getters.getChartDefinition(chartId)).toMatchObject({
      type: "bar",
      horizontal: true,
      title: { text: "Top ten" },
      dataSource: { dataSets: [{ dataRange: "A5:A7" }], labelRange: "B5:B7" },
    });
    expect(getters.getFigures(cell(0, 0).sheetId)).toMatchObject([{ col: 3, row: 3, width: 672, height: 391 }]);
  });

  it("takes further rules, which go again", async () => {
    const { getters } = opened.model;
    const fillOf = () => getters.getCellComputedStyle(cell(1, 1)).fillColor;
    const before = fillOf();
    const remove = await opened.pane.addRules(name, [{ range: "B2", formula: "=B2=10", style: "warm" }]);
    expect(fillOf()).toBe("#FBE3C6");
    opened.enter(["B2", "11"]);
    expect(fillOf()).toBe(before);
    opened.enter(["B2", "10"]);
    await remove();
    expect(fillOf()).toBe(before);
    for (let step = 0; step < 4; step++) opened.model.dispatch("REQUEST_UNDO");
  });

  it("is removed by one undo", () => {
    opened.model.dispatch("REQUEST_UNDO");
    expect(opened.model.getters.getSheetIds()).toEqual(["sheet1"]);
    expect(opened.model.getters.getNamedRanges()).toEqual([]);
  });

  it("gets a number if its name is taken, and at most 31 characters", async () => {
    const name = "A name that is longer than a sheet's may be";
    const first = await opened.pane.addSheet({ ...PLAN, name });
    const second = await opened.pane.addSheet({ ...PLAN, name: name.toUpperCase() });
    expect([first, second]).toEqual(["A name that is longer than a sh", "A NAME THAT IS LONGER THAN A 2"]);
    expect(await opened.pane.addSheet({ ...PLAN, name: "[:]" })).toBe("Sheet");
  });
});

const rowsOf = (count: number) =>
  ({
    kind: "array",
    rows: Array.from({ length: count }, (_, row) => [{ kind: "value", value: row + 1 }]),
  }) as const;

Object.assign(SAY_RESULTS, { long: rowsOf(4_001) });

/** As the engine's own button does. */
function addSheet(): void {
  const sheetIdFrom = opened.model.getters.getActiveSheetId();
  const sheetId = opened.model.uuidGenerator.smallUuid();
  opened.model.dispatch("CREATE_SHEET", { sheetId, position: 1, name: "Sheet2" });
  opened.model.dispatch("ACTIVATE_SHEET", { sheetIdFrom, sheetIdTo: sheetId });
}

describe("a sheet made by the grid's own button", () => {
  beforeAll(() => {
    opened = openWorkbook("new");
  });

  it("is as large as a new workbook's", () => {
    const { getters } = opened.model;
    const size = getters.getSheetSize(getters.getActiveSheetId());
    addSheet();
    expect(getters.getSheetSize(getters.getActiveSheetId())).toEqual(size);
  });

  it("goes with one undo, and comes back as large", () => {
    opened.model.dispatch("REQUEST_UNDO");
    expect(opened.model.getters.getSheetIds()).toHaveLength(1);
    opened.model.dispatch("REQUEST_REDO");
    const [, added = ""] = opened.model.getters.getSheetIds();
    expect(opened.model.getters.getNumberRows(added)).toBe(5_000);
  });

  it("takes a table of 4,001 rows", () => {
    opened.enter(["Sheet2!A1", '=FEED.SAY("long")']);
    expect(readCellView(opened.model, "Sheet2!A4001").value).toBe(4_001);
  });
});

describe.each([
  ["en", /^The sheet ends before the table does\./, /^Other cells are in the way of the table\./],
  ["ja", /^シートの端を超えるため/, /^ほかのセルに内容があるため/],
] as const)("a table that cannot spill, in %s,", (language, edge, blocked) => {
  beforeAll(() => {
    translateEngine(language);
    opened = openWorkbook();
  });
  afterAll(() => setTranslationMethod((...[text]) => text));

  it("says that the sheet ends", () => {
    opened.enter(["A1", '=FEED.SAY("long")']);
    const { value, error } = readCellView(opened.model, "A1");
    expect([value, error?.message]).toEqual(["#SPILL!", expect.stringMatching(edge)]);
  });

  it("says that cells are in the way", () => {
    opened.enter(["C3", "mine"], ["C1", '=FEED.SAY("table")']);
    expect(readCellView(opened.model, "C1").error?.message).toMatch(blocked);
  });
});

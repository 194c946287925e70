import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { SheetPlan } from "../../src/contract/workbook";
import { type OpenedWorkbook, openWorkbook, prepareEngine } from "./open-workbook";

const PLAN: SheetPlan = {
  name: "Ranking: 1/2024",
  cells: [
    { at: "A1", content: "=Title" },
    { at: "A2", content: "Top" },
    { at: "B2", content: 10 },
    { at: "B3", content: null },
    { at: "A4", content: { formula: '=FEED.SAY("table")' } },
  ],
  styles: [
    { range: "A1", style: "title" },
    { range: "B2", style: "input" },
    { range: "A4:B4", style: "heading" },
  ],
  formats: [
    { range: "A5:A9", format: "#,##0.00" },
    { range: "C:C", format: "yyyy-mm-dd" },
  ],
  widths: { A: 20 },
  grouped: ["C"],
  rules: [{ range: "A5:A9", formula: "=$A5=1", style: "subtotal" }],
  frozenRows: 4,
  printed: "A1:C9",
  selected: "B2",
  chart: { title: "Top ten", categories: "B5:B7", values: "A5:A7", at: "D4:J20" },
};

let opened: OpenedWorkbook;
beforeAll(prepareEngine);
beforeEach(() => {
  opened = openWorkbook();
});

const cell = (col: number, row: number) => {
  const { getters } = opened.model;
  return { sheetId: getters.getActiveSheetId(), col, row };
};

describe("a planned sheet", () => {
  it("is added after the active one, shown, and has its first input selected", async () => {
    expect(await opened.pane.addSheet(PLAN)).toBe("Ranking 12024");
    const { getters } = opened.model;
    expect(getters.getSheetIds().map((id) => getters.getSheetName(id))).toEqual(["Sheet1", "Ranking 12024"]);
    expect(await opened.pane.readSelection()).toMatchObject({ sheet: "Ranking 12024", cell: "B2" });
    expect(await opened.pane.readValues("A1:B5")).toEqual([
      ["=Title", null],
      ["Top", 10],
      [null, null],
      ["Rank", "Company"],
      [1, "@SUM(1)"],
    ]);
  });

  it("has the planned outline, and styles by rule that follow the values", async () => {
    await opened.pane.addSheet(PLAN);
    const { getters } = opened.model;
    expect(getters.getHeaderGroups(getters.getActiveSheetId(), "COL")).toMatchObject([{ start: 2, end: 2 }]);
    const isBold = (row: number) => getters.getCellComputedStyle(cell(0, row)).bold === true;
    expect([4, 5].map(isBold)).toEqual([true, false]);
  });

  it("has the planned styles", async () => {
    await opened.pane.addSheet(PLAN);
    const { getters } = opened.model;
    expect(getters.getCellStyle(cell(0, 0))).toMatchObject({ bold: true, fontSize: 16 });
    expect(getters.getCellStyle(cell(1, 3))).toMatchObject({ bold: true, fillColor: "#1F4E79" });
    expect(getters.getEvaluatedCell(cell(0, 4)).formattedValue).toBe("1.00");
    expect(getters.getColSize(cell(0, 0).sheetId, 0)).toBe(145);
    expect(getters.getPaneDivisions(cell(0, 0).sheetId)).toEqual({ xSplit: 0, ySplit: 4 });
  });

  it("has the planned chart over the named cells", async () => {
    await opened.pane.addSheet(PLAN);
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

  it("gets a number if its name is taken, and at most 31 characters", async () => {
    const name = "A name that is longer than a sheet's may be";
    const first = await opened.pane.addSheet({ ...PLAN, name });
    const second = await opened.pane.addSheet({ ...PLAN, name: name.toUpperCase() });
    expect([first, second]).toEqual(["A name that is longer than a sh", "A NAME THAT IS LONGER THAN A 2"]);
    expect(await opened.pane.addSheet({ ...PLAN, name: "[:]" })).toBe("Sheet");
  });

  it("is removed by one undo", async () => {
    await opened.pane.addSheet(PLAN);
    opened.model.dispatch("REQUEST_UNDO");
    expect(opened.model.getters.getSheetIds()).toEqual(["sheet1"]);
  });
});

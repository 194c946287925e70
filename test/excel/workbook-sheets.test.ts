import { beforeEach, describe, expect, it } from "@jest/globals";
import type { SheetPlan } from "../../src/contract/workbook";
import { openExcel } from "../office/adapter-page";
import type { ExcelWorkbook, ExcelWorkbookOptions } from "../office/workbook";

const PLAN: SheetPlan = {
  name: "Ranking",
  cells: [
    { at: "A1", content: "=Ranking of the week" },
    { at: "A3", content: "From" },
    { at: "B3", content: "-7d" },
    { at: "B4", content: 46_000 },
    { at: "A6", content: { formula: "=FEED.RANKING(B3,,10)" } },
  ],
  styles: [
    { range: "A1", style: "title" },
    { range: "A2", style: "note" },
    { range: "A3", style: "label" },
    { range: "B3:B4", style: "input" },
    { range: "A6", style: "heading" },
    { range: "B6:C6", style: "numberHeading" },
    { range: "A9", style: "section" },
  ],
  formats: [
    { range: "B4", format: "yyyy-mm-dd" },
    { range: "C7:C9", format: "#,##0" },
  ],
  widths: { A: 24, C: 8.43 },
  grouped: ["C"],
  rules: [{ range: "A7:C9", formula: "=ISERROR(A7)", style: "missing" }],
  frozenRows: 6,
  printed: "A1:C16",
  selected: "B3",
};

const CHART = { title: "Top ten", categories: "B7:B16", values: "C7:C16", at: "K6:S24" };

const { open, workbook } = openExcel();
let excel: ExcelWorkbook;

beforeEach(() => {
  excel = open();
});

const listNames = () => excel.sheets.map(({ name }) => name);

describe("a new sheet, on the genuine Office.js", () => {
  it("is laid out as planned, in three requests, and shown with its first input selected", async () => {
    expect(await workbook.addSheet(PLAN)).toBe("Ranking");
    const seen = (address: string) => {
      const { formula, value, format, style } = excel.cell(`Ranking!${address}`);
      return [formula ?? value, format, style];
    };
    expect(seen("A1")).toEqual(["=Ranking of the week", "@", "SheetTitle"]);
    expect(seen("A3")).toEqual(["From", "General", "Normal"]);
    expect(seen("B3")).toEqual(["-7d", "@", "Input"]);
    expect(seen("B4")).toEqual([46_000, "yyyy-mm-dd", "Input"]);
    expect(seen("A6")).toEqual(["=FEED.RANKING(B3,,10)", "General", "Heading3"]);
    expect(["A2", "C6", "A9"].map((address) => seen(address)[2])).toEqual(["ExplanatoryText", "Heading3", "Heading4"]);
    expect(excel.cell("Ranking!B6").alignment).toBe("Right");
    expect(excel.cell("Ranking!C9").format).toBe("#,##0");
    expect(excel.requests).toBe(3);
    const { frozenRows, widths, charts, grouped, conditionalFormats, pageLayout } = excel.sheet("Ranking");
    expect({ grouped, conditionalFormats, pageLayout }).toEqual({
      grouped: ["C:C"],
      conditionalFormats: [{ range: "A7:C9", formula: "=ISERROR(A7)", set: { "Font.Color": "#7A828E" } }],
      pageLayout: {
        PrintArea: "A1:C16",
        PrintTitleRows: "1:6",
        Orientation: "Landscape",
        Zoom: { horizontalFitToPages: 1, verticalFitToPages: 0 },
      },
    });
    expect({ frozenRows, widths, charts }).toEqual({
      frozenRows: 6,
      widths: { "A:A": 129.75, "C:C": expect.closeTo(48, 0) },
      charts: [],
    });
    expect(await workbook.readSelection()).toMatchObject({ sheet: "Ranking", address: "B3" });
  });

  it.each<[string, ExcelWorkbookOptions]>([
    ["before its values are there", {}],
    [
      "once they are there",
      {
        calculate: () => [
          ["Rank", "Name", "Views"],
          [1, "Sakura", 900],
          [2, "Fuji", 700],
        ],
      },
    ],
  ])("has a bar chart of one series, the first row on top, %s", async (_, options) => {
    excel = open(options);
    await workbook.addSheet({ ...PLAN, chart: CHART });
    expect(excel.sheet("Ranking").charts).toEqual([
      {
        type: "BarClustered",
        place: "K6:S24",
        series: [{ name: "Top ten", values: "Ranking!C7:C16", categories: "Ranking!B7:B16", set: { GapWidth: 45 } }],
        set: {
          "Title.Text": "Top ten",
          "Legend.Visible": false,
          "Axes.CategoryAxis.ReversePlotOrder": true,
          "Axes.ValueAxis.MajorGridlines.Visible": false,
        },
      },
    ]);
  });

  it.each([
    ["Ranking", "Ranking (3)"],
    ["ranking", "ranking (3)"],
    ["a/b\\c?d*e[f]g:h", "a b c d e f g h"],
    ["'quoted'", "quoted"],
    ["History", "History (2)"],
    ["  ", "FEED"],
    ["x".repeat(40), "x".repeat(31)],
    ["Taken by a name of 31 characters", "Taken by a name of 31 chara (2)"],
    [`${"x".repeat(30)}😀`, "x".repeat(30)],
    ["株式会社さくら", "株式会社さくら"],
  ])("requested as %j is named %j", async (name, given) => {
    for (const taken of ["Ranking", "RANKING (2)", "Taken by a name of 31 character"]) excel.addSheet(taken);
    expect(await workbook.addSheet({ ...PLAN, name })).toBe(given);
    expect(listNames()).toContain(given);
  });

  it("is created as a whole or not at all; the previous sheet stays and is shown again", async () => {
    excel.addSheet("Model");
    const plan = { ...PLAN, styles: [...PLAN.styles, { range: "no range", style: "title" as const }] };
    await expect(workbook.addSheet(plan)).rejects.toMatchObject({ fault: "refused" });
    expect(listNames()).toEqual(["Sheet1", "Model"]);
    expect(await workbook.readSelection()).toMatchObject({ sheet: "Sheet1" });
  });

  it("is refused as protected if the workbook's structure is", async () => {
    excel.isStructureProtected = true;
    await expect(workbook.addSheet(PLAN)).rejects.toMatchObject({ fault: "protected" });
    expect(listNames()).toEqual(["Sheet1"]);
  });

  it("is refused while a cell is being edited", async () => {
    const end = excel.edit();
    await expect(workbook.addSheet(PLAN)).rejects.toMatchObject({ fault: "editing" });
    end();
    expect(listNames()).toEqual(["Sheet1"]);
  });
});

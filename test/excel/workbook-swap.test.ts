import { beforeEach, describe, expect, it } from "@jest/globals";
import type { CellState } from "../../src/contract/workbook";
import { openExcel } from "../office/adapter-page";
import type { ExcelWorkbook } from "../office/workbook";

const FORMULA = '=FEED.FINANCIAL($A2, 2023, "Revenue")';

const { open, workbook } = openExcel();
let excel: ExcelWorkbook;

beforeEach(() => {
  excel = open();
});

const toState = (value: CellState["value"], formula = "", format = "General"): CellState => ({
  value,
  formula,
  format,
});
const toFormula = (format = "General") => toState(null, FORMULA, format);

describe("swapping contents, on the genuine Office.js", () => {
  it("reads values, formulas and formats, and marks the cells of a spill", async () => {
    excel.enter("A1", "Sakura");
    excel.enter("B1", 12.5);
    excel.cell("B1").format = "#,##0.0";
    excel.enterFormula("A2", "=SUM(B1)", 12.5);
    excel.enterFormula("D1", '=FEED.RANKING("-7d")', [["Rank"], [1]]);
    expect(await workbook.readCells("Sheet1!A1:D2")).toEqual([
      [toState("Sakura"), toState(12.5, "", "#,##0.0"), toState(null), toState("Rank", '=FEED.RANKING("-7d")')],
      [toState(12.5, "=SUM(B1)"), toState(null), toState(null), toState(1, "=")],
    ]);
  });

  it("writes formulas under the cell's own format, and restores numbers and texts as they were", async () => {
    excel.enter("B2", 12.5);
    excel.cell("B2").format = "#,##0.0";
    excel.enter("C4", "(12)");
    excel.cell("C4").format = "@";
    const [number, text] = [toState(12.5, "", "#,##0.0"), toState("(12)", "", "@")];
    expect(
      await workbook.swap("Sheet1", [
        { address: "B2", before: number, after: toFormula("#,##0.0") },
        { address: "C4", before: text, after: toFormula() },
      ]),
    ).toEqual([true, true]);
    expect(excel.cell("B2")).toMatchObject({ formula: FORMULA, format: "#,##0.0" });
    expect(excel.cell("C4")).toMatchObject({ formula: FORMULA, format: "General" });
    expect(
      await workbook.swap("Sheet1", [
        { address: "C4", before: toFormula(), after: text },
        { address: "B2", before: toFormula("#,##0.0"), after: number },
      ]),
    ).toEqual([true, true]);
    expect(excel.cell("B2")).toMatchObject({ formula: null, value: 12.5, format: "#,##0.0" });
    expect(excel.cell("C4")).toMatchObject({ formula: null, value: "(12)", format: "@" });
  });

  it("keeps a text a text under a format that would read it as a number", async () => {
    excel.enterFormula("B2", FORMULA, 5);
    await workbook.swap("Sheet1", [{ address: "B2", before: toFormula(), after: toState("1234567") }]);
    expect(excel.cell("B2")).toMatchObject({ formula: null, value: "1234567", format: "General" });
  });

  it("leaves a cell that holds another value or formula, and all cells around", async () => {
    excel.enter("B2", 13);
    excel.enterFormula("B3", "=SUM(1)", 1);
    excel.enter("B4", 7);
    excel.enter("C3", "between");
    const swap = (address: string, before: CellState) => ({ address, before, after: toFormula() });
    expect(
      await workbook.swap("Sheet1", [swap("B2", toState(12)), swap("B3", toState(1)), swap("B4", toState(7))]),
    ).toEqual([false, false, true]);
    expect(["B2", "B3", "B4", "C3"].map((each) => excel.cell(each).formula ?? excel.cell(each).value)).toEqual([
      13,
      "=SUM(1)",
      FORMULA,
      "between",
    ]);
  });

  it("leaves a cell that a formula elsewhere spills into", async () => {
    excel.enterFormula("B2", '=FEED.RANKING("-7d")', [[1], [2], [3]]);
    expect(await workbook.swap("Sheet1", [{ address: "B4", before: toState(3), after: toFormula() }])).toEqual([false]);
    expect(excel.cell("B4")).toMatchObject({ value: 3 });
  });

  it("rejects as missing where the sheet is gone", async () => {
    const swaps = [{ address: "B2", before: toState(1), after: toFormula() }];
    await expect(workbook.swap("Gone", swaps)).rejects.toMatchObject({ fault: "missing" });
  });
});

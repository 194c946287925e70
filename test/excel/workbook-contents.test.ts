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

describe("reading a whole workbook for a check, on the genuine Office.js", () => {
  it("gives values and formulas of all sheets, names and tables, in three requests", async () => {
    excel.addSheet("Model");
    excel.enter("B2", "Revenue");
    excel.enterFormula("C2", '=FEED.FINANCIAL("a",2024,"Revenue")', 12);
    excel.enterFormula("Model!A1", "=Sheet1!C2*2", 24);
    excel.names.set("Sales", {
      sheet: excel.sheet("Sheet1"),
      block: { top: 2, left: 3, bottom: 2, right: 3 },
      isVisible: true,
    });
    excel.tables.push({ name: "Peers", sheet: "Sheet1", address: "B2:C4", columns: ["Company", "Revenue"] });
    const before = excel.requests;
    expect(await workbook.readContents()).toEqual({
      sheets: [
        {
          id: "{sheet-1}",
          sheet: "Sheet1",
          row: 1,
          column: 1,
          values: [["Revenue", 12]],
          formulas: [[null, '=FEED.FINANCIAL("a",2024,"Revenue")']],
        },
        { id: "{sheet-2}", sheet: "Model", row: 0, column: 0, values: [[24]], formulas: [["=Sheet1!C2*2"]] },
      ],
      names: [{ name: "Sales", sheet: null, formula: "=Sheet1!$C$2" }],
      tables: [
        {
          name: "Peers",
          sheet: "Sheet1",
          address: "B2:C4",
          columns: ["Company", "Revenue"],
          hasHeaders: true,
          hasTotals: false,
        },
      ],
    });
    expect(excel.requests - before).toBe(3);
  });

  it("reads a spilled table's formula in its own cell alone, though the host repeats it", async () => {
    excel = open({ repeatsSpilledFormulas: true });
    excel.enterFormula("A1", "=B1:B2*2", [[2], [4]]);
    const { sheets } = await workbook.readContents();
    expect(sheets[0]?.formulas).toEqual([["=B1:B2*2"], [null]]);
  });

  it("tells which cells another cell's formula fills", async () => {
    excel.enterFormula("A1", "=B1:B2*2", [[2], [4]]);
    excel.enter("C1", 7);
    const places = ["A1", "A2", "C1"].map((address) => ({ sheet: "Sheet1", address }));
    expect(await workbook.listSpilled(places)).toEqual([{ sheet: "Sheet1", address: "A2" }]);
  });

  it("takes one request for each 20,000 cells", async () => {
    for (let row = 1; row <= 44; row++) {
      for (let column = 0; column < 26; column++) excel.enter(`${String.fromCharCode(65 + column)}${row * 40}`, row);
    }
    const before = excel.requests;
    await workbook.readContents();
    expect(excel.requests - before).toBe(2 + Math.ceil((26 * (43 * 40 + 1)) / 20_000));
  });
});

const list = (address: string) => workbook.listHiddenRows({ sheet: "Sheet1", address });

describe("the hidden rows of a place, on the genuine Office.js", () => {
  it("are those inside it, counted from 0", async () => {
    for (const row of [1, 4, 5, 12, 200, 301]) excel.sheet("Sheet1").hiddenRows.add(row);
    expect(await list("B2:C300")).toEqual([3, 4, 11, 199]);
  });

  it("take one request where none or all are hidden", async () => {
    const before = excel.requests;
    expect(await list("A1:A5000")).toEqual([]);
    for (let row = 1; row <= 3; row++) excel.sheet("Sheet1").hiddenRows.add(row);
    expect(await list("A1:A3")).toEqual([0, 1, 2]);
    expect(excel.requests - before).toBe(2);
  });
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

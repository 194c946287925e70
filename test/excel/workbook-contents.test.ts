import { beforeEach, describe, expect, it } from "@jest/globals";
import { openExcel } from "../office/adapter-page";
import type { ExcelWorkbook } from "../office/workbook";

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

import { beforeEach, describe, expect, it } from "@jest/globals";
import { openExcel } from "../office/adapter-page";
import type { ExcelWorkbook } from "../office/workbook";

const FINANCIAL = '=ACME.FINANCIAL("c1",2024,"Revenue")';

const { open, workbook } = openExcel("?namespace=ACME");
let excel: ExcelWorkbook;

beforeEach(() => {
  excel = open();
});

describe("the formulas of a pane under another namespace, on the genuine Office.js", () => {
  it("are those that call its functions, under their usual names", async () => {
    excel.enterFormula("A1", FINANCIAL, 1200);
    excel.enterFormula("A2", "=FEED.STATUS()", "ready");
    excel.enterFormula("A3", "=_xldudf_ACME_RANKING_PAGES(1)", 5);
    expect(await workbook.listFeedCells("workbook")).toEqual([
      { sheet: "Sheet1", address: "A1", formula: FINANCIAL, value: 1200 },
      { sheet: "Sheet1", address: "A3", formula: "=ACME.RANKING.PAGES(1)", value: 5 },
    ]);
    expect(await workbook.readSelection()).toMatchObject({ formula: FINANCIAL });
  });

  it("are frozen, and repaired if their name was lost", async () => {
    excel.enterFormula("A1", FINANCIAL, 1200);
    excel.enterFormula("A2", "=_xldudf_ACME_STATUS()", "#NAME?");
    await workbook.repair([]);
    expect(excel.cell("A2").formula).toBe("=ACME.STATUS()");
    await workbook.freeze("workbook");
    expect(excel.cell("A1")).toMatchObject({ formula: null, value: 1200 });
  });
});

import { beforeEach, describe, expect, it } from "@jest/globals";
import { openExcel } from "../office/adapter-page";
import type { ExcelWorkbook } from "../office/workbook";

const { open, workbook } = openExcel();
let excel: ExcelWorkbook;

beforeEach(() => {
  excel = open();
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

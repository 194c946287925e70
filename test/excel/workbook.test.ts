import { beforeEach, describe, expect, it } from "@jest/globals";
import type { CellContent } from "../../src/contract/workbook";
import { openExcel } from "../office/adapter-page";
import type { ExcelWorkbook } from "../office/workbook";

const { open, workbook } = openExcel();
let excel: ExcelWorkbook;

beforeEach(() => {
  excel = open();
});

/** A cell's formula or value, with its type and format. */
function look(reference: string) {
  const { formula, value, type, format } = excel.cell(reference);
  return { content: formula ?? value, type, format };
}

describe("writing cells, on the genuine Office.js", () => {
  it("starts at the active cell, in two requests, and leaves the selection", async () => {
    await excel.select("C4:E9");
    const before = excel.requests;
    expect(
      await workbook.write({
        cells: [
          ["Revenue", 12.5, true],
          [null, { formula: "=FEED.COMPANY.ID(C4)" }, "Ltd"],
        ],
      }),
    ).toEqual({
      sheet: "Sheet1",
      address: "C4:E5",
    });
    expect(look("C4")).toEqual({ content: "Revenue", type: "String", format: "General" });
    expect(look("D4")).toEqual({ content: 12.5, type: "Double", format: "General" });
    expect(look("E4")).toEqual({ content: true, type: "Boolean", format: "General" });
    expect(look("D5")).toEqual({ content: "=FEED.COMPANY.ID(C4)", type: "Error", format: "General" });
    expect(look("C5").type).toBe("Empty");
    expect(excel.requests - before).toBe(2);
    expect(await workbook.readSelection()).toMatchObject({ address: "C4:E9", cell: "C4" });
  });

  it.each([
    "=1+1",
    "+81 3 1234",
    "-7d",
    "@SUM(A1)",
    "'quoted",
    "007",
    "１２３",
    "1/2",
    "2024-01-31",
    "May 5",
    "5%",
    "1e5",
    "TRUE",
    "#N/A",
    " =1",
  ])("shows the text %j unchanged", async (text) => {
    await workbook.write({ cells: [[text]] });
    expect(look("A1")).toEqual({ content: text, type: "String", format: "@" });
  });

  it.each(["Sakura Holdings", "株式会社さくら", "", "Über & Söhne (GmbH)"])(
    "leaves the format of the text %j, which Excel does not parse",
    async (text) => {
      await workbook.write({ cells: [[text]] });
      expect(look("A1")).toMatchObject({ content: text, format: "General" });
    },
  );

  it.each<[CellContent, unknown]>([
    [{ formula: "=FEED.STATUS()" }, { content: "=FEED.STATUS()", type: "Error", format: "General" }],
    [7, { content: 7, type: "Double", format: "General" }],
    ["007", { content: "007", type: "String", format: "@" }],
  ])("makes no text of %j in a cell formatted as text", async (content, seen) => {
    excel.cell("A1").format = "@";
    await workbook.write({ cells: [[content]] });
    expect(look("A1")).toEqual(seen);
  });

  it("gives a formula its number format where the cell has none", async () => {
    const content = { formula: '=FEED.FINANCIAL("1", 2023, "Revenue")', format: "#,##0" };
    excel.cell("A2").format = "@";
    excel.cell("A3").format = "0.00";
    await workbook.write({ cells: [[content], [content], [content]] });
    expect(["A1", "A2", "A3"].map((address) => look(address).format)).toEqual(["#,##0", "#,##0", "0.00"]);
  });

  it("keeps the number format of overwritten cells", async () => {
    excel.cell("A1").format = "#,##0";
    await workbook.write({ cells: [[1200]] });
    expect(look("A1").format).toBe("#,##0");
  });

  it("truncates a text at a cell's length", async () => {
    await workbook.write({ cells: [["a".repeat(40_000)]] });
    expect(look("A1").content).toHaveLength(32_767);
  });

  it.each<[string, () => void]>([
    ["a value", () => excel.enter("B3", 5)],
    ["a formula", () => excel.enter("B3", "=A1")],
    ["a formula that shows an empty text", () => excel.enterFormula("B3", '=""', "")],
    ["a spill", () => excel.enterFormula("B1", "=FEED.RANKING()", [["a"], ["b"], [""]])],
  ])("refuses to replace %s until it is allowed to", async (_, prepare) => {
    prepare();
    const block = { at: { sheet: "Sheet1", address: "A3" }, cells: [["Id", "Name"]] };
    const place = { sheet: "Sheet1", address: "A3:B3" };
    await expect(workbook.write(block)).rejects.toMatchObject({ fault: "occupied", place });
    expect(look("A3").type).toBe("Empty");
    expect(await workbook.write({ ...block, isReplacing: true })).toEqual(place);
    expect(look("B3")).toMatchObject({ content: "Name", type: "String" });
  });

  it("writes beside cells that it leaves alone", async () => {
    excel.enter("A1", "kept");
    await workbook.write({ cells: [[null, "new"]] });
    expect([look("A1").content, look("B1").content]).toEqual(["kept", "new"]);
  });

  it("sends a large block in parts that the host accepts", async () => {
    excel = open({ payload: 3_000_000 });
    const cells = Array.from({ length: 300 }, (_, row) => [
      `Company number ${row}`,
      row,
      "x".repeat(12_000),
      true,
      null,
      0.5,
    ]);
    expect(await workbook.write({ cells })).toEqual({ sheet: "Sheet1", address: "A1:F300" });
    expect([look("A1").content, look("A300").content]).toEqual(["Company number 0", "Company number 299"]);
    expect(excel.requests).toBeLessThan(12);
  });
});

describe("an Excel error, on the genuine Office.js", () => {
  const cells = [["Revenue"]];

  it.each<[string, () => void, object]>([
    [
      "protected",
      () => {
        excel.active.isProtected = true;
      },
      { place: { sheet: "Sheet1", address: "A1" }, message: "You cannot perform the requested operation." },
    ],
    ["editing", () => void excel.edit(), { message: expect.stringContaining("cell-editing mode") }],
    [
      "tooLarge",
      () => {
        excel.enter("A1", "x".repeat(20_000));
        Object.assign(excel, { payload: 10_000 });
      },
      { message: "The response payload size has exceeded the limit." },
    ],
  ])("is reported as %s at once, with the place and Excel's words", async (fault, prepare, report) => {
    prepare();
    await expect(workbook.write({ cells })).rejects.toMatchObject({ fault, ...report });
  });

  it("names the missing place", async () => {
    const at = { sheet: "Gone", address: "B3" };
    await expect(workbook.write({ at, cells })).rejects.toMatchObject({ fault: "missing", place: at });
    await expect(workbook.show(at)).rejects.toMatchObject({ fault: "missing", place: at });
    await expect(workbook.readValues("Gone!B3")).rejects.toMatchObject({ fault: "missing", place: at });
    await expect(workbook.readValues("no reference")).rejects.toMatchObject({ fault: "missing" });
  });

  it("has Excel's words if nothing else is known", async () => {
    const at = { sheet: "Sheet1", address: "XFD1048576" };
    const report = { fault: "refused", message: expect.stringContaining("argument is invalid") };
    await expect(workbook.write({ at, cells: [["two", "cells"]] })).rejects.toMatchObject(report);
  });

  it("ends when the cell is no longer edited", async () => {
    const end = excel.edit();
    await expect(workbook.readSelection()).rejects.toMatchObject({ fault: "editing" });
    end();
    expect(await workbook.readSelection()).toMatchObject({ cell: "A1" });
  });
});

import { beforeEach, describe, expect, it } from "@jest/globals";
import type { CellContent, CellState } from "../../src/contract/workbook";
import { openExcel } from "../office/adapter-page";
import type { ExcelWorkbook } from "../office/workbook";
import CASES from "./cases.json";
import CONTENTS from "./contents.json";

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
    const cells = [
      ["Revenue", 12.5, true],
      [null, { formula: "=FEED.COMPANY.ID(C4)" }, "Ltd"],
    ];
    expect(await workbook.write({ cells })).toEqual({ sheet: "Sheet1", address: "C4:E5" });
    expect(look("C4")).toEqual({ content: "Revenue", type: "String", format: "General" });
    expect(look("D4")).toEqual({ content: 12.5, type: "Double", format: "General" });
    expect(look("E4")).toEqual({ content: true, type: "Boolean", format: "General" });
    expect(look("D5")).toEqual({ content: "=FEED.COMPANY.ID(C4)", type: "Error", format: "General" });
    expect(look("C5").type).toBe("Empty");
    expect(excel.requests - before).toBe(2);
    expect(await workbook.readSelection()).toMatchObject({ address: "C4:E9", cell: "C4" });
  });

  it.each(CASES.parsedTexts)("shows the text %j unchanged", async (text) => {
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

  it("widens columns of the sheet's own width where they are too narrow, also beyond the block", async () => {
    excel.active.widths["C:C"] = 20;
    excel.active.widths["D:D"] = 300;
    const widths = [30, 4, 30, 30, 38];
    await workbook.write({ cells: [[{ formula: "=FEED.PEERS(1)" }]], widths });
    expect(excel.active.widths).toEqual({ "A:A": 161.25, "C:C": 20, "D:D": 300, "E:E": 203.25 });
    const before = excel.requests;
    await workbook.write({ at: { sheet: "Sheet1", address: "A3" }, cells: [["Id"]], widths });
    expect(excel.requests - before).toBe(2); // they are wide enough
  });

  it("writes cells where the sheet is protected from new widths", async () => {
    excel.active.isWidthProtected = true;
    await workbook.write({ cells: [["Id"]], widths: [30] });
    expect(look("A1").content).toBe("Id");
    expect(excel.active.widths).toEqual({});
  });

  it("sends a large block in parts that the host accepts", async () => {
    excel = open({ payload: 3_000_000 });
    const others = ["x".repeat(12_000), true, null, 0.5];
    const cells = Array.from({ length: 300 }, (_, row) => [`Company number ${row}`, row, ...others]);
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
      () => void Object.assign(excel.active, { isProtected: true }),
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

const FORMULA = '=FEED.FINANCIAL($A2, 2023, "Revenue")';

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
    expect(await workbook.readContents()).toEqual(CONTENTS);
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

const listHidden = (address: string) => workbook.listHiddenRows({ sheet: "Sheet1", address });

describe("the hidden rows of a place, on the genuine Office.js", () => {
  it("are those inside it, counted from 0", async () => {
    for (const row of [1, 4, 5, 12, 200, 301]) excel.sheet("Sheet1").hiddenRows.add(row);
    expect(await listHidden("B2:C300")).toEqual([3, 4, 11, 199]);
  });

  it("take one request where none or all are hidden", async () => {
    const before = excel.requests;
    expect(await listHidden("A1:A5000")).toEqual([]);
    for (let row = 1; row <= 3; row++) excel.sheet("Sheet1").hiddenRows.add(row);
    expect(await listHidden("A1:A3")).toEqual([0, 1, 2]);
    expect(excel.requests - before).toBe(2);
  });
});

const toState = (value: CellState["value"], formula = "", format = "General"): CellState => {
  return { value, formula, format };
};
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
    const swaps = [
      { address: "B2", before: number, after: toFormula("#,##0.0") },
      { address: "C4", before: text, after: toFormula() },
    ];
    expect(await workbook.swap("Sheet1", swaps)).toEqual([true, true]);
    expect(excel.cell("B2")).toMatchObject({ formula: FORMULA, format: "#,##0.0" });
    expect(excel.cell("C4")).toMatchObject({ formula: FORMULA, format: "General" });
    const undos = swaps.map(({ address, before, after }) => ({ address, before: after, after: before }));
    expect(await workbook.swap("Sheet1", undos.toReversed())).toEqual([true, true]);
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
    const swaps = [swap("B2", toState(12)), swap("B3", toState(1)), swap("B4", toState(7))];
    expect(await workbook.swap("Sheet1", swaps)).toEqual([false, false, true]);
    expect(["B2", "B3", "B4", "C3"].map((each) => look(each).content)).toEqual([13, "=SUM(1)", FORMULA, "between"]);
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

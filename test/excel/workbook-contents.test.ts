import { beforeEach, describe, expect, it } from "@jest/globals";
import type { CellState } from "../../src/contract/workbook";
import { openExcel } from "../office/adapter-page";
import type { ExcelWorkbook } from "../office/workbook";
import { until } from "../support/until";
import contents from "./contents.json";

const FORMULA = '=FEED.FINANCIAL($A2, 2023, "Revenue")';

const { open, page, workbook } = openExcel();
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
    expect(await workbook.readContents()).toEqual(contents);
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

describe("the selection, on the genuine Office.js", () => {
  it("is the area with the active cell, and that cell's formula", async () => {
    excel.addSheet("Sales 2024");
    excel.enterFormula("'Sales 2024'!D7", '=FEED.FINANCIAL("c1",2024,"Revenue")', 12);
    await excel.select("'Sales 2024'!A1:A3", "'Sales 2024'!D7:E9");
    expect(await workbook.readSelection()).toEqual({
      sheet: "Sales 2024",
      address: "D7:E9",
      cell: "D7",
      formula: '=FEED.FINANCIAL("c1",2024,"Revenue")',
    });
  });

  it("can be whole columns", async () => {
    await excel.select("B:C");
    expect(await workbook.readSelection()).toMatchObject({ address: "B:C", cell: "B1", formula: "" });
  });

  it("is missing if a chart is selected", async () => {
    await excel.select();
    await expect(workbook.readSelection()).rejects.toMatchObject({ fault: "missing" });
  });

  it.each<[string, string, () => void]>([
    [
      "as FEED if the file stores another name",
      "=FEED.RANKING.PAGES(1)",
      () => excel.enter("A1", "=_xldudf_FEED_RANKING_PAGES(1)"),
    ],
    [
      "of a text that only looks like one as none",
      "",
      () => {
        excel.cell("A1").format = "@";
        excel.enter("A1", "=FEED.STATUS()");
      },
    ],
    ["of a value as none", "", () => excel.enter("A1", 5)],
  ])("has the formula %s", async (_, formula, prepare) => {
    prepare();
    expect(await workbook.readSelection()).toMatchObject({ formula });
  });

  it.each([true, false])("has no formula if another cell spills (repeated by the host: %s)", async (repeats) => {
    excel = open({ repeatsSpilledFormulas: repeats });
    excel.enterFormula("A1", "=FEED.RANKING()", [["Name"], ["Sakura"]]);
    await excel.select("A2");
    expect(await workbook.readSelection()).toMatchObject({ formula: "" });
    await excel.select("A1");
    expect(await workbook.readSelection()).toMatchObject({ formula: "=FEED.RANKING()" });
  });

  it("notifies of changes until it is unsubscribed", async () => {
    const tab = page();
    await tab.evaluate(() => {
      const state = { events: 0, end: () => {} };
      state.end = window.workbook.onSelection(() => {
        state.events += 1;
      });
      Object.assign(window, { state });
    });
    const countEvents = () => tab.evaluate(() => (window as unknown as { state: { events: number } }).state.events);
    await until(async () => {
      await excel.select("B2");
      return (await countEvents()) > 0;
    });
    const before = await countEvents();
    const [requestsBefore, endEdit] = [excel.requests, excel.edit()]; // so that Excel releases it later
    await tab.evaluate(() => (window as unknown as { state: { end: () => void } }).state.end());
    await excel.select("C3");
    expect(await countEvents()).toBe(before);
    endEdit();
    await until(() => excel.requests > requestsBefore);
    await excel.select("D4");
    expect(await countEvents()).toBe(before);
  });
});

describe("reading and showing places, on the genuine Office.js", () => {
  it("reads values row by row, with null for empty cells and codes for errors", async () => {
    excel.addSheet("My sheet");
    excel.enter("'My sheet'!B3", "Sakura");
    excel.enter("'My sheet'!C4", 7);
    excel.enterFormula("'My sheet'!B4", "=FEED.COMPANY.ID(B3)", "#N/A");
    await excel.select("'My sheet'!A1");
    const values = [
      ["Sakura", null],
      ["#N/A", 7],
    ];
    expect(await workbook.readValues("B3:C4")).toEqual(values);
    expect(await workbook.readValues("'My sheet'!$B$3:$C$4")).toEqual(values);
    expect(await workbook.readValues("Sheet1!A1")).toEqual([[null]]);
  });

  it("reads whole columns up to their last used row", async () => {
    excel.enter("B2", "first");
    excel.enter("B4", "last");
    expect(await workbook.readValues("B:B")).toEqual([["first"], [null], ["last"]]);
    expect(await workbook.readValues("D:E")).toEqual([]);
  });

  it("reads whole sheets by name, in two requests", async () => {
    excel.addSheet("My sheet");
    excel.addSheet("Empty");
    excel.enter("C3", "Sakura");
    excel.enterFormula("D4", "=FEED.COMPANY.ID(C3)", "#N/A");
    excel.enterFormula("'My sheet'!A1", '=""', "");
    expect(await workbook.readSheets(["Sheet1", "my sheet", "Empty", "Gone", "Sheet1"])).toEqual([
      {
        sheet: "Sheet1",
        row: 2,
        column: 2,
        values: [
          ["Sakura", null],
          [null, "#N/A"],
        ],
      },
      { sheet: "my sheet", row: 0, column: 0, values: [[""]] },
    ]);
    expect(excel.requests).toBe(2);
  });

  it("reads a sheet that is too large for one answer", async () => {
    excel = open({ payload: 1_000_000 });
    for (let row = 1; row <= 30_000; row += 1) excel.enter(`A${row}`, `Company number ${row}`);
    const [read] = await workbook.readSheets(["Sheet1"]);
    expect([read?.values.length, read?.values[29_999]]).toEqual([30_000, ["Company number 30000"]]);
  });

  it("shows a place on any sheet, and selects it", async () => {
    excel.addSheet("Model");
    await workbook.show({ sheet: "Model", address: "B3:C4" });
    expect(await workbook.readSelection()).toMatchObject({ sheet: "Model", address: "B3:C4", cell: "B3" });
  });

  it("outputs under automatic calculation, and restores manual calculation even if a cell is edited", async () => {
    excel.calculationMode = "Manual";
    await page().exposeFunction("readMode", () => excel.calculationMode);
    await page().exposeFunction("editCell", () => void setTimeout(excel.edit(), 100));
    const pushed = await page().evaluate(() =>
      window.workbook.deliver(async () => {
        const host = window as unknown as { readMode(): Promise<string>; editCell(): Promise<void> };
        await host.editCell();
        return host.readMode();
      }),
    );
    expect([pushed, excel.calculationMode]).toEqual(["Automatic", "Manual"]);
  });

  it("restores manual calculation if nothing could be output", async () => {
    excel.calculationMode = "Manual";
    const pushing = page().evaluate(() => window.workbook.deliver(() => Promise.reject(new Error("no answer"))));
    await expect(pushing).rejects.toThrow("no answer");
    expect(excel.calculationMode).toBe("Manual");
  });

  it("outputs directly under automatic calculation", async () => {
    expect(await page().evaluate(() => window.workbook.deliver(async () => "pushed"))).toBe("pushed");
    expect(excel.requests).toBe(1);
  });

  it.each(["Automatic", "Manual"] as const)("detects the calculation mode: %s", async (mode) => {
    excel.calculationMode = mode;
    expect(await workbook.isManual()).toBe(mode === "Manual");
  });

  it.each([1900, 1904] as const)(
    "detects that dates count from %s, even while a cell is being edited",
    async (first) => {
      excel = open({ dateSystem: first });
      const end = excel.edit();
      const reading = workbook.readDateSystem();
      end();
      expect(await reading).toBe(first);
    },
  );
});

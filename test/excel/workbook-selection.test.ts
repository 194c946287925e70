import { beforeEach, describe, expect, it } from "@jest/globals";
import { openExcel } from "../office/adapter-page";
import type { ExcelWorkbook } from "../office/workbook";
import { until } from "../support/until";

const { open, page, workbook } = openExcel();
let excel: ExcelWorkbook;

beforeEach(() => {
  excel = open();
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

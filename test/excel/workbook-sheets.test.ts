import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Copied, CopyStep, SheetPlan } from "../../src/contract/workbook";
import { openExcel } from "../office/adapter-page";
import type { ExcelWorkbook, ExcelWorkbookOptions } from "../office/workbook";
import { until } from "../support/until";
import NEW_SHEET from "./new-sheet.json";

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

  it("tells the separators of the person's Excel by a formula with arguments, as live formulas do", async () => {
    const readKnown = () => page().evaluate(() => window.adapter.separators.known());
    const before = await readKnown(); // of an earlier test
    excel.local = { decimal: ",", show: (formula) => formula.replaceAll(",", ";").replace("SUM", "SUMME") };
    excel.enterFormula("A1", '=FEED.RANKING("2024-01")', 1);
    excel.enterFormula("A2", "=SUM(B1,B2)", 1);
    excel.enterFormula("Sheet1!A3", '=FEED.FINANCIAL("c1",2024,"Revenue")', 12);
    await workbook.write({ at: { sheet: "Sheet1", address: "A4" }, cells: [["Tokyo, Japan"]] });
    for (const cell of ["A1", "A4", "B9"]) {
      await excel.select(cell);
      await workbook.readSelection();
    }
    expect(await readKnown()).toBe(before);
    await excel.select("A2");
    expect(await workbook.readSelection()).toMatchObject({ formula: "=SUM(B1,B2)" });
    expect(await readKnown()).toBe(";,\\");
    excel.local = { decimal: ".", show: (formula) => formula.replaceAll(",", ";") };
    await page().evaluate(() => {
      const calls = { list: () => [{ address: "[Book1]Sheet1!A3" }, { address: null }] };
      const ports = { after: (_: number, read: () => void) => read() };
      window.adapter.readLocalFormulas({ calls, ports } as never);
    });
    await until(async () => (await readKnown()) === ";.,");
  });

  it("can be whole columns", async () => {
    await excel.select("B:C");
    expect(await workbook.readSelection()).toMatchObject({ address: "B:C", cell: "B1", formula: "" });
  });

  it("is missing if a chart is selected", async () => {
    await excel.select();
    await expect(workbook.readSelection()).rejects.toMatchObject({ fault: "missing" });
  });

  it.each<[string, string, string | number, string]>([
    ["as FEED if the file stores another name", "=FEED.RANKING.PAGES(1)", "=_xldudf_FEED_RANKING_PAGES(1)", "General"],
    ["of a text that only looks like one as none", "", "=FEED.STATUS()", "@"],
    ["of a value as none", "", 5, "General"],
  ])("has the formula %s", async (_, formula, entered, format) => {
    excel.cell("A1").format = format;
    excel.enter("A1", entered);
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
    const diagonal = [
      ["Sakura", null],
      [null, "#N/A"],
    ];
    expect(await workbook.readSheets(["Sheet1", "my sheet", "Empty", "Gone", "Sheet1"])).toEqual([
      { sheet: "Sheet1", row: 2, column: 2, values: diagonal },
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

const PLAN = NEW_SHEET.plan as SheetPlan;

const listNames = () => excel.sheets.map(({ name }) => name);

describe("a new sheet, on the genuine Office.js", () => {
  it("is laid out as planned, in three requests, and shown with its first input selected", async () => {
    expect(await workbook.addSheet(PLAN)).toBe("Ranking");
    const seen = (address: string) => {
      const { formula, value, format, style } = excel.cell(`Ranking!${address}`);
      return [formula ?? value, format, style];
    };
    expect(NEW_SHEET.cells.map(([address]) => [address, ...seen(String(address))])).toEqual(NEW_SHEET.cells);
    expect(["A2", "C6", "A9"].map((address) => seen(address)[2])).toEqual(["ExplanatoryText", "Heading3", "Heading4"]);
    expect(excel.cell("Ranking!B6").alignment).toBe("Right");
    expect(excel.cell("Ranking!C9").format).toBe("#,##0");
    expect(excel.requests).toBe(3);
    const { grouped, conditionalFormats, pageLayout, frozenRows, charts, widths } = excel.sheet("Ranking");
    expect({ grouped, conditionalFormats, pageLayout, frozenRows, charts }).toEqual(NEW_SHEET.laidOut);
    expect(widths).toEqual({ "A:A": 129.75, "C:C": expect.closeTo(48, 0) });
    expect(await workbook.readSelection()).toMatchObject({ sheet: "Ranking", address: "B3" });
  });

  it.each<[string, ExcelWorkbookOptions]>([
    ["before its values are there", {}],
    ["once they are there", { calculate: () => NEW_SHEET.results }],
  ])("has a bar chart of one series, the first row on top, %s", async (_, options) => {
    excel = open(options);
    await workbook.addSheet({ ...PLAN, chart: NEW_SHEET.chart });
    expect(excel.sheet("Ranking").charts).toEqual([NEW_SHEET.drawn]);
  });

  it("takes further rules, which go again but for those that the person has removed", async () => {
    const rules = ["B2", "B3", "B4"].map((range) => ({ range, formula: `=${range}=1`, style: "warm" as const }));
    const listRules = () =>
      excel.sheet("Sheet1").conditionalFormats.flatMap(({ range, formula }) => [[range, formula]]);
    await page().evaluate(async (rules) => {
      Object.assign(window, { removeRules: await window.workbook.addRules("Sheet1", rules) });
    }, rules);
    expect(listRules()).toEqual(rules.map(({ range, formula }) => [range, formula]));
    expect(excel.sheet("Sheet1").conditionalFormats[0]?.set).toMatchObject({ "Fill.Color": "#FBE3C6" });
    Reflect.deleteProperty(excel.sheet("Sheet1").conditionalFormats, 1);
    excel.sheet("Sheet1").name = "Model";
    await page().evaluate("removeRules()");
    expect(excel.sheet("Model").conditionalFormats.flatMap(({ range }) => range)).toEqual([]);
  });

  it("gets a number if others have its name", async () => {
    for (const taken of ["Ranking", "RANKING (2)"]) excel.addSheet(taken);
    expect(await workbook.addSheet(PLAN)).toBe("Ranking (3)");
    expect(listNames()).toContain("Ranking (3)");
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

describe("a copy of values, on the genuine Office.js", () => {
  const STATUS = "=FEED.STATUS()";
  /** Gives the length of Excel's file; null where Excel gives none. */
  let giveFile: () => number | null;

  /** Makes Excel give its file in slices, by the numbers of its calls: 77 opens, 80 reads, 81 closes. */
  beforeAll(async () => {
    await page().exposeFunction("giveFile", () => giveFile());
    await page().evaluate(() => {
      const host = window as unknown as { giveFile(): Promise<number | null>; released: number; external: object };
      let bytes: number[] = [];
      host.released = 0;
      const answer = async (id: number, [, offset = 0, size = 0]: number[]) => {
        if (id === 81) host.released += 1;
        if (id !== 77) return [0, bytes.slice(offset, offset + size), size];
        const length = await host.giveFile();
        bytes = Array.from({ length: length ?? 0 }, (_, index) => index % 256);
        return length === null ? [5001] : [0, 7, length];
      };
      Object.assign(host.external, {
        Execute: (id: number, given: number[], done?: (results: object) => void) =>
          void answer(id, given).then((results) => done?.({ toArray: () => results })),
      });
    });
  }, 60_000);

  beforeEach(() => {
    excel = open({ calculate: () => [[1]] });
    giveFile = () => 4;
  });

  const look = (reference: string) => excel.cell(reference).formula ?? excel.cell(reference).value;

  const copyValues = (): Promise<Copied & { steps: CopyStep[] }> =>
    page().evaluate(async () => {
      const steps: CopyStep[] = [];
      return { ...(await window.workbook.copyValues((step) => steps.push(step))), steps };
    });

  it("is Excel's own file of the frozen workbook; then the formulas come back", async () => {
    excel = open({ payload: 10_000_000 });
    excel.enterFormula("A1", STATUS, 5);
    excel.enter("A2", "kept");
    const seen: unknown[] = [];
    giveFile = () => {
      seen.push(look("A1"), look("A2"));
      return 5 * 1024 * 1024;
    };
    const steps = ["freezing", "reading", "thawing", "opening"];
    expect(await copyValues()).toEqual({ left: [], changed: [], steps });
    expect(seen).toEqual([5, "kept"]);
    expect(look("A1")).toBe(STATUS);
    const [file = ""] = excel.copies;
    const bytes = Buffer.from(file, "base64");
    expect([bytes.length, bytes[4 * 1024 * 1024 + 255]]).toEqual([5 * 1024 * 1024, 255]);
    expect(await page().evaluate(() => (window as unknown as { released: number }).released)).toBe(1);
    expect([excel.xmlParts.size, excel.names.size]).toEqual([0, 0]);
  });

  it("leaves earlier frozen cells frozen", async () => {
    excel.enterFormula("A1", STATUS, 5);
    await workbook.freeze("workbook");
    excel.enterFormula("A2", STATUS, 6);
    await copyValues();
    expect([look("A1"), look("A2")]).toEqual([5, STATUS]);
    expect(await workbook.listFrozen("workbook")).toHaveLength(1);
  });

  it("is not opened if Excel gives no file, and the formulas come back", async () => {
    excel.enterFormula("A1", STATUS, 5);
    giveFile = () => null;
    await expect(copyValues()).rejects.toThrow();
    expect([look("A1"), excel.copies]).toEqual([STATUS, []]);
  });

  it("is not opened if a sheet is protected, and earlier sheets are unchanged", async () => {
    excel.addSheet("Sheet2");
    excel.enterFormula("A1", STATUS, 5);
    excel.enterFormula("Sheet2!A1", STATUS, 6);
    excel.sheet("Sheet2").isProtected = true;
    await expect(copyValues()).rejects.toThrow("You cannot perform the requested operation.");
    expect([look("A1"), look("Sheet2!A1"), excel.copies]).toEqual([STATUS, STATUS, []]);
    expect([excel.xmlParts.size, excel.names.size]).toEqual([0, 0]);
  });

  it("lists cells without a value and cells changed meanwhile; formulas come back after a cell's edit", async () => {
    excel.enterFormula("A1", STATUS, 5);
    excel.enterFormula("A2", STATUS, 6);
    excel.enterFormula("A3", STATUS, "#N/A");
    giveFile = () => {
      excel.enter("A2", "mine");
      setTimeout(excel.edit(), 100);
      return 4;
    };
    expect(await copyValues()).toMatchObject({
      left: [{ address: "A3" }],
      changed: [{ address: "A2", formula: STATUS }],
    });
    expect([look("A1"), look("A2"), look("A3")]).toEqual([STATUS, "mine", STATUS]);
  });
});

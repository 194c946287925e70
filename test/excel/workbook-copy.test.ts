import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Copied, CopyStep } from "../../src/contract/workbook";
import { openExcel } from "../office/adapter-page";
import type { ExcelWorkbook } from "../office/workbook";

const STATUS = "=FEED.STATUS()";

const { open, page, workbook } = openExcel();
let excel: ExcelWorkbook;
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

describe("a copy of values, on the genuine Office.js", () => {
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

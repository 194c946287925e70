/**
 * Needs LibreOffice and Python with openpyxl and XlsxWriter: Debian's packages libreoffice-calc-nogui, python3-openpyxl
 * and python3-xlsxwriter.
 *
 * @jest-environment ./test/support/jsdom-environment.cjs
 */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { registerFormulas } from "../../src/playground/formulas";
import { readCellView, readFormula } from "../../src/playground/workbook";
import { readXlsx, writeXlsx } from "../../src/playground/xlsx";
import { createFunctionNames } from "../../src/xlsx/names";
import { openWorkbook, prepareEngine, SAY_RESULTS } from "./open-workbook";

const NAMES = createFunctionNames("FEED", ["FINANCIAL", "SAY"]);
const ADD_IN = { id: "e5e98938-6bbc-4356-824e-1329b3cfb00d", version: "1.2.3.4" };

const folder = mkdtempSync(join(tmpdir(), "feed-programs-"));
afterAll(() => rmSync(folder, { recursive: true }));

const runOffice = (...options: string[]) =>
  execFileSync("soffice", [`-env:UserInstallation=file://${folder}/office`, "--headless", ...options], {
    cwd: folder,
    stdio: "pipe",
    timeout: 120_000,
  });
const runPython = (program: string, ...given: string[]) =>
  execFileSync("/usr/bin/python3", ["-c", program, ...given], { cwd: folder, encoding: "utf8", timeout: 60_000 });

beforeAll(() => {
  prepareEngine();
  const figures = { functions: [{ id: "FINANCIAL", name: "FINANCIAL", parameters: [{ name: "company" }] }] };
  registerFormulas(
    "FEED",
    figures,
    (_evaluation, _name, [company]) => SAY_RESULTS[String(company)] ?? { kind: "busy" },
  );
});

/** Figures, what depends on them, and formulas without any. */
const CELLS = {
  A1: '=FEED.FINANCIAL("number")',
  A2: '=FEED.FINANCIAL("text")',
  A3: '=IFERROR(FEED.FINANCIAL("none"),7)',
  A4: '=FEED.FINANCIAL("number")/3',
  A5: "=SUM(A1:A4)*2",
  A6: '=A2&"!"',
  A7: '=IF(A1>40,"yes","no")',
  A8: "plain",
  A9: "'001",
  A10: "=SUM(C2:C4)/2",
};
const VALUES = [42, "=1+1", 7, 14, 126, "=1+1!", "yes", "plain", "001", 3];

describe("a downloaded workbook, where FEED is not installed", () => {
  beforeAll(async () => {
    const { model, enter } = openWorkbook();
    enter(...Object.entries(CELLS), ["C1", '=FEED.SAY("table")']);
    writeFileSync(join(folder, "download.xlsx"), await writeXlsx(model, { names: NAMES, addIn: ADD_IN }));
  });

  it("shows its figures, and what depends on them and on its tables, in LibreOffice", () => {
    runOffice("--convert-to", "csv", "download.xlsx");
    const rows = readFileSync(join(folder, "download.csv"), "utf8").split("\n");
    expect(rows.slice(0, VALUES.length).map((row) => row.split(",")[0])).toEqual(VALUES.map(String));
  });

  it("keeps them in what LibreOffice saves", () => {
    runOffice("--convert-to", "xlsx", "--outdir", "saved", "download.xlsx");
    expect(readValues("saved/download.xlsx").slice(0, VALUES.length)).toEqual(VALUES);
  });

  it("has all its values for openpyxl, those of tables too", () => {
    expect(readValues("download.xlsx")).toEqual(VALUES);
    expect(readValues("download.xlsx", "D")).toEqual(["Company", "@SUM(1)", null, "2024-01-31"]);
  });
});

describe("a workbook of another program opens", () => {
  const FILL = `
sheet.title = "Prices & so"
sheet["A1"], sheet["A2"], sheet["A3"], sheet["A4"] = "name", 12.5, "=A2*2", True
sheet["B1"] = datetime.date(2024, 2, 29)
sheet["B2"] = '=_xldudf_FEED_SAY("number")'
book.create_sheet("Second")["A1"] = "=1"
book.save("other.xlsx")`;
  const OPENPYXL = "import datetime, openpyxl\nbook = openpyxl.Workbook()\nsheet = book.active\n";
  const XLSXWRITER = `
import datetime, sys, xlsxwriter
book = xlsxwriter.Workbook("other.xlsx", {"date_1904": sys.argv[1] == "1904"})
sheet = book.add_worksheet("Prices & so")
for row, value in enumerate(["name", 12.5, "=A2*2", True]): sheet.write(row, 0, value)
sheet.write_datetime("B1", datetime.datetime(2024, 2, 29), book.add_format({"num_format": "yyyy-mm-dd"}))
sheet.write_formula("B2", '=_xldudf_FEED_SAY("number")', None, 42)
book.add_worksheet("Second").write("A1", "=1")
book.close()`;

  it.each<[string, () => void]>([
    ["openpyxl", () => runPython(OPENPYXL + FILL)],
    [
      "openpyxl, from 1904",
      () => runPython(`${OPENPYXL}book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904${FILL}`),
    ],
    ["XlsxWriter", () => runPython(XLSXWRITER, "1900")],
    ["XlsxWriter, from 1904", () => runPython(XLSXWRITER, "1904")],
    [
      "LibreOffice",
      () => {
        runPython(OPENPYXL + FILL);
        runOffice("--convert-to", "ods", "other.xlsx");
        runOffice("--convert-to", "xlsx", "other.ods");
      },
    ],
    [
      "LibreOffice, as Office Open XML",
      () => {
        runPython(OPENPYXL + FILL);
        runOffice("--convert-to", "xlsx:Calc Office Open XML", "--outdir", "open", "other.xlsx");
        renameSync(join(folder, "open/other.xlsx"), join(folder, "other.xlsx"));
      },
    ],
  ])("%s", (_, write) => {
    write();
    const { model } = openWorkbook(readXlsx(readFileSync(join(folder, "other.xlsx")), NAMES));
    const show = (xc: string) => readCellView(model, `'Prices & so'!${xc}`).text;
    expect(["A1", "A2", "A3", "A4", "B1"].map(show)).toEqual(["name", "12.5", "25", "TRUE", "2024-02-29"]);
    expect(readFormula(model, "'Prices & so'!B2")).toBe('=FEED.SAY("number")');
    expect([show("B2"), readCellView(model, "Second!A1").value]).toEqual(["42", 1]);
  });
});

/** The values of a column as openpyxl reads them. */
const readValues = (file: string, column = "A") =>
  JSON.parse(
    runPython(
      "import json, openpyxl, sys\n" +
        "cells = openpyxl.load_workbook(sys.argv[1], data_only=True).worksheets[0][sys.argv[2]]\n" +
        "values = [cell.value for cell in cells]\n" +
        "while values and values[-1] is None: values.pop()\n" +
        "print(json.dumps(values))",
      file,
      column,
    ),
  ) as unknown[];

/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */

import { beforeAll, describe, expect, it, jest } from "@jest/globals";
import { type CellPosition, helpers, type Model } from "@odoo/o-spreadsheet";
import { strToU8, zipSync } from "fflate";
import { registerFormulas } from "../../src/playground/formulas";
import type { Saved } from "../../src/playground/playground";
import { createSampleWorkbook } from "../../src/playground/sample-workbook";
import { readCellView, readFormula, readView } from "../../src/playground/workbook";
import { readXlsx, writeXlsx } from "../../src/playground/xlsx";
import { createFunctionNames } from "../../src/xlsx/names";
import type { XlsxRefused } from "../../src/xlsx/package";
import { openWorkbook, prepareEngine, SAY_RESULTS } from "./open-workbook";
import data from "./xlsx.json";
import { listFaults, readParts } from "./xlsx-structure";

const NAMES = createFunctionNames("FEED", ["SAY", "RANKING.PAGES", "FINANCIAL"]);
const ADD_IN = { id: "e5e98938-6bbc-4356-824e-1329b3cfb00d", version: "1.2.3.4" };
/** As the pane stores them, with what XML must encode. */
const SETTINGS = { feed: { sheets: [{ name: 'A & "B" <C>\n', template: "ranking" }] }, "feed-match": ["東京", null] };

const NUMBER = { kind: "value", value: 42 } as const;

const SHEETS = data.sheets;
const SNAPSHOT = { sheets: SHEETS, styles: { 1: { bold: true } }, formats: { 1: "#,##0.00" } };

let model: Model;
let bytes: Uint8Array;
beforeAll(async () => {
  prepareEngine();
  const figures = { functions: [{ id: "FINANCIAL", name: "FINANCIAL", parameters: [{ name: "company" }] }] };
  registerFormulas("FEED", figures, (_evaluation, _name, [company]) => SAY_RESULTS[String(company)] ?? NUMBER);
  const { version } = openWorkbook().model.exportData();
  model = openWorkbook({ version, ...SNAPSHOT }).model;
  bytes = await writeXlsx(model, { names: NAMES, settings: SETTINGS, addIn: ADD_IN });
});

const readCell = (xc: string, file = bytes) => {
  const cells = readParts(file).get("xl/worksheets/sheet0.xml")?.getElementsByTagName("c");
  return [...(cells ?? [])].find((cell) => cell.getAttribute("r") === xc);
};
const readTag = (xc: string, tag: string) => readCell(xc)?.getElementsByTagName(tag)[0]?.textContent;

describe("a workbook as .xlsx", () => {
  it("has parts that parse, types for each, and relations that resolve", () => {
    expect(listFaults(bytes)).toEqual([]);
  });

  it("has the add-in's formulas as Excel stores them, and texts as they are", () => {
    expect(readTag("A2", "f")).toBe('_xldudf_FEED_SAY("table")');
    expect(readTag("D2", "f")).toBe('_xldudf_FEED_SAY("number")*2');
    expect(readTag("D6", "f")).toBe('IF(_xldudf_FEED_SAY("12-5")="a""b","FEED.SAY(",1)');
    expect(readTag("D9", "f")).toBe("_xlfn.XLOOKUP(1,B3:B5,A3:A5)+_xlfn.IFS(TRUE,1)");
  });

  it("has a spilled table as a dynamic array", () => {
    const formula = readCell("A2")?.getElementsByTagName("f")[0];
    expect([formula?.getAttribute("t"), formula?.getAttribute("ref"), readCell("A2")?.getAttribute("cm")]).toEqual([
      "array",
      "A2:B5",
      "1",
    ]);
  });

  it.each(data.values as [string, string | null, string][])("has the last value of %s", (xc, type, value) => {
    expect([readCell(xc)?.getAttribute("t"), readTag(xc, "v")]).toEqual([type, value]);
  });

  it.each([
    ["E1", "=1+1"],
    ["E2", "001"],
  ])("has in %s the text %s, which looks like a formula or a number, as a text", (xc, text) => {
    const cell = [readCell(xc)?.getAttribute("t"), readTag(xc, "t"), readTag(xc, "f")];
    expect(cell).toEqual(["inlineStr", text, undefined]);
  });

  it("gives the same formulas, values, formats, widths, panes and sheets when it is opened again", () => {
    const { version, ...again } = readXlsx(bytes, NAMES) as { version: string };
    const opened = openWorkbook({ version, ...again }).model;
    expect(opened.getters.getSheetIds().map((id) => opened.getters.getSheetName(id))).toEqual(["Model", "Other"]);
    const cells = SHEETS.flatMap(({ name, cells }) => Object.keys(cells).map((xc) => `${name}!${xc}`));
    // The engine has no quotes in the texts of formulas.
    const readAlike = (each: Model, xc: string) =>
      readFormula(each, xc).replace(/^'/, "").replace('("a"&CHAR(34)&"b")', '"a\\"b"');
    const look = (each: Model) => cells.map((xc) => [xc, readAlike(each, xc), readCellView(each, xc).value]);
    expect(look(opened)).toEqual(look(model));
    expect(readCellView(opened, "Model!B3").value).toBe("@SUM(1)");
    expect(readCellView(opened, "Model!H2").value).toBe(false);
    const sheetId = opened.getters.getSheetIds()[0] as string;
    expect([opened.getters.getColSize(sheetId, 0), opened.getters.getPaneDivisions(sheetId)]).toEqual([
      expect.closeTo(200, 0),
      { xSplit: 1, ySplit: 2 },
    ]);
    const { E4, D5, A1 } = Object.fromEntries(
      ["E4", "D5", "A1"].map((xc) => [xc, readCellView(opened, `Model!${xc}`).text]),
    );
    expect([E4, D5, A1]).toEqual(["12.50", "2023-03-15", "Title"]);
    expect(opened.getters.getCellStyle({ sheetId, col: 0, row: 0 }).bold).toBe(true);
    expect(opened.getters.getSheetSize(sheetId)).toEqual({ numberOfCols: 200, numberOfRows: 5000 });
  });
});

/** What a sheet looks like, by what a person would call it. */
const LOOKS: Record<string, (model: Model, sheetId: string) => unknown> = {
  "row heights": ({ getters }, id) => ROWS.map((row) => getters.getUserRowSize(id, row) ?? "as its cells need"),
  "column widths": ({ getters }, id) => COLUMNS.map((col) => getters.getColSize(id, col)),
  "hidden rows": ({ getters }, id) => ROWS.filter((row) => getters.isRowHidden(id, row)),
  "hidden columns": ({ getters }, id) => COLUMNS.filter((col) => getters.isColHidden(id, col)),
  "frozen panes": ({ getters }, id) => getters.getPaneDivisions(id),
  "merged cells": ({ getters }, id) => getters.getMerges(id).map((zone) => getters.zoneToXC(id, zone)),
  outline: ({ getters }, id) => [getters.getHeaderGroups(id, "COL"), getters.getHeaderGroups(id, "ROW")],
  "grid lines": ({ getters }, id) => getters.getGridLinesVisibility(id),
  tab: ({ getters }, id) => [getters.getSheetName(id), getters.isSheetVisible(id), getters.getSheet(id).color],
  formulas: readEach((model, cell) => [model.getters.getCellText(cell, { showFormula: true })]),
  "shown texts": readEach((model, cell) => readView(model, cell)),
  styles: readEach((model, cell) => model.getters.getCellStyle(cell)),
  borders: readEach((model, cell) => model.getters.getCellBorder(cell)),
  "conditional formats": ({ getters }, id) =>
    getters.getConditionalFormats(id).map(({ ranges, rule }) => [ranges, rule]),
  "lists of values": ({ getters }, id) => getters.getDataValidationRules(id).map(({ criterion }) => criterion),
  names: ({ getters }) =>
    Object.fromEntries(
      getters.getNamedRanges().map(({ name, range }) => [name, getters.getRangeString(range).replaceAll("$", "")]),
    ),
};
const [ROWS, COLUMNS] = [100, 12].map((count) => Array.from({ length: count }, (_, index) => index)) as [
  number[],
  number[],
];
const CELLS = ["A1", "A5", "B9", "B10", "B11", "B12", "B13", "C9", "C10", "E5", "E21", "F9", "H1"];
function readEach(read: (model: Model, cell: CellPosition) => unknown) {
  return (model: Model, sheetId: string) => CELLS.map((xc) => read(model, { sheetId, ...helpers.toCartesian(xc) }));
}

describe("a workbook that is written and opened again", () => {
  let [before, again]: Model[] = [];
  let file: Uint8Array;
  beforeAll(async () => {
    const { version } = openWorkbook().model.exportData();
    before = openWorkbook({ version, ...data.kept }).model;
    file = await writeXlsx(before, { names: NAMES, addIn: ADD_IN });
    again = openWorkbook({ version, ...readXlsx(file, NAMES) }).model;
  });

  it.each(Object.entries(LOOKS))("has the same %s", (_, look) => {
    const [first, second] = [before, again].map((each) => each?.getters.getSheetIds().map((id) => look(each, id)));
    expect(second).toMatchObject(first as unknown[]); // the reader writes out what the engine takes for granted
  });

  it("is a sound file, printed in landscape format and one page wide where it has a print area", () => {
    expect(listFaults(file)).toEqual([]);
    const parts = readParts(file);
    const names = [...(parts.get("xl/workbook.xml")?.querySelectorAll("definedName") ?? [])];
    expect(
      names.map((each) => [each.getAttribute("name"), each.getAttribute("localSheetId"), each.textContent]),
    ).toEqual([
      ["Rate", null, "Kept!$B$9"],
      ["_xlnm.Print_Area", "0", "Kept!$A$1:$F$30"],
      ["_xlnm.Print_Titles", "0", "Kept!$1:$2"],
      ["Costs", null, "'Costs & so'!$A$1:$A$4"],
    ]);
    const setUps = ["sheet0", "sheet2"].map((name) => {
      const sheet = parts.get(`xl/worksheets/${name}.xml`);
      const setUp = sheet?.querySelector("pageSetup");
      return [sheet?.querySelector("pageSetUpPr")?.getAttribute("fitToPage"), setUp?.getAttribute("orientation")];
    });
    expect(setUps).toEqual([
      ["1", "landscape"],
      [undefined, undefined],
    ]);
  });

  it("is written where a print area is of cells that are gone", async () => {
    const { version } = openWorkbook().model.exportData();
    const { model } = openWorkbook({ version, ...SNAPSHOT, namedRanges: { "Gone.Print_Area": "#REF!" } });
    const parts = readParts(await writeXlsx(model, { names: NAMES, addIn: ADD_IN }));
    expect(parts.get("xl/workbook.xml")?.querySelector("definedName")).toBeNull();
  });

  it("thaws what was frozen before", async () => {
    const { model, pane, enter, read } = openWorkbook();
    enter(["C10", '=FEED.SAY("number")']);
    await pane.freeze("workbook");
    const reopened = openWorkbook(readXlsx(await writeXlsx(model, { names: NAMES, addIn: ADD_IN }), NAMES));
    expect([read("C10"), reopened.read("C10")]).toEqual(["42", "42"]);
    expect((await reopened.pane.thaw("workbook")).formulas).toBe(1);
    expect(reopened.read("C10")).toBe('=FEED.SAY("number")');
  });
});

/** Parts as Excel writes them: the second sheet's file is the first in the workbook. */
const PARTS: Record<string, string> = data.parts;
const [WORKBOOK, SHEET] = ["xl/workbook.xml", "xl/worksheets/sheet1.xml"] as const;
const NO_SHEETS = (PARTS[WORKBOOK] as string).replace(/<sheet .*<\/sheets>/, "</sheets>");
const withRow = (row: string) => ({
  ...PARTS,
  [SHEET]: (PARTS[SHEET] as string).replace(/<sheetData>.*<\/sheetData>/, `<sheetData>${row}</sheetData>`),
});
const createFile = (parts: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)])));

/** Changes the size that each part of an archive unpacks to, as its directory at the end gives it. */
function declareSizes(file: Uint8Array, bytes: number): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset);
  for (let at = 0; at + 28 < file.length; at++)
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, bytes, true);
  return file;
}

describe("a file, where FEED is not installed", () => {
  it("names a program whose values other programs take as they are", async () => {
    const parts = readParts(bytes);
    expect(parts.get("docProps/app.xml")?.querySelector("Application")?.textContent).toBe("Microsoft Excel");
    const relations = [...(parts.get("_rels/.rels")?.querySelectorAll("Relationship") ?? [])];
    expect(relations.map((each) => each.getAttribute("Target"))).toContain("docProps/app.xml");
  });

  /** Whether a formula is written as a dynamic array, which LibreOffice calculates anew. */
  it.each([
    ['=FEED.FINANCIAL("number")*2', false],
    ["=IFERROR(FEED.FINANCIAL($A$1),0)", false],
    ['=FEED.FINANCIAL("none")', true],
    ["=FEED.FINANCIAL(A1:A2)", true],
    ['=FEED.FINANCIAL({"number"})', true],
    ["=FEED.FINANCIAL(INDEX($A$1,1))", true],
    ['=FEED.FINANCIAL("table")', true],
    ['=FEED.SAY("number")', true],
    ["=A1*2+1", false],
    ["=SUM(A1:A3, $B$2)*2+MAX(Sheet1!A1:A3)", false],
    ["=SUM(A1:A3*2)", true],
    ["=XLOOKUP(1,A1,B1,7)", true],
    ["=A1#", true],
  ])("has %s as an array: %s", async (formula, isArray) => {
    const { model, enter } = openWorkbook();
    enter(["C1", formula]);
    const file = await writeXlsx(model, { names: NAMES, addIn: ADD_IN });
    const cell = readCell("C1", file);
    expect(cell?.getElementsByTagName("f")[0]?.getAttribute("t")).toBe(isArray ? "array" : null);
    expect(cell?.getAttribute("cm")).toBe(isArray ? "1" : null);
    expect(readCell("C1", file)?.getElementsByTagName("v")).toHaveLength(1);
  });
});

it("the sample workbook is a sound file, with its chart", async () => {
  const { sheets, ...sample } = createSampleWorkbook() as { sheets: object[] };
  const model = { ...sheets[0], rowNumber: 200 }; // fewer rows are written sooner
  const written = await writeXlsx(openWorkbook({ ...sample, sheets: [model] }).model, { names: NAMES, addIn: ADD_IN });
  expect(listFaults(written)).toEqual([]);
  expect([...readParts(written).keys()]).toContain("xl/charts/chart1.xml");
});

describe("a workbook of Excel", () => {
  let opened: Model;
  beforeAll(() => {
    opened = openWorkbook(readXlsx(createFile(PARTS), NAMES)).model;
  });
  const value = (xc: string) => readCellView(opened, `R&D!${xc}`).value;

  it("has its sheets in their order", () => {
    expect(opened.getters.getSheetIds().map((id) => opened.getters.getSheetName(id))).toEqual(["R&D", "Data"]);
  });

  it("has the add-in's formulas as a person writes them, and calculates them", () => {
    expect([readFormula(opened, "R&D!A2"), value("B3"), readFormula(opened, "R&D!B3")]).toEqual([
      '=FEED.SAY("table")',
      "@SUM(1)",
      "",
    ]);
    expect([readFormula(opened, "R&D!C2"), value("C2")]).toEqual(['=FEED.SAY("number")&""', "42"]);
  });

  it("has newer and shared formulas", () => {
    expect(readFormula(opened, "R&D!D2")).toBe('=XLOOKUP(1,A3:A5,B3:B5)&CONCAT(("a"&CHAR(34)&"b"),"_xlws.")');
    expect([value("D2"), readFormula(opened, "R&D!E3"), value("E3")]).toEqual(['@SUM(1)a"b_xlws.', "=LEN(A3)", 1]);
  });

  it("has texts as texts: without readings, and those that look like something else", () => {
    expect(["A1", "B1", "C1", "D1", "C3"].map(value)).toEqual([
      "東京",
      "rich text",
      '=HYPERLINK("x")',
      "2024-01-31",
      "=1+1",
    ]);
    expect(readCellView(opened, "R&D!E1").text).toBe("2023-03-15");
  });
});

describe("the add-in's settings", () => {
  const extension = "xl/webextensions/webextension1.xml";
  const toExtension = (properties: string) =>
    data.webextension.replace(/<we:properties>.*<\/we:properties>/, `<we:properties>${properties}</we:properties>`);
  const OTHER = toExtension('<we:property name="theirs" value="&quot;1&quot;"/>');
  /** The settings of a file with these parts beside Excel's, and how many could not be read. */
  const readSettings = (parts: Record<string, string>) => {
    const onUnreadable = jest.fn();
    const file = createFile({ ...PARTS, ...data.panes, "xl/webextensions/webextension2.xml": OTHER, ...parts });
    const { documentSettings } = readXlsx(file, NAMES, onUnreadable) as Partial<Saved>;
    return [documentSettings, onUnreadable.mock.calls.length];
  };

  it("lie where Excel looks for them, for the add-in of the manifest", () => {
    const parts = readParts(bytes);
    const references = [...(parts.get(extension)?.getElementsByTagName("we:reference") ?? [])];
    expect(references.map((each) => ["id", "version", "storeType"].map((name) => each.getAttribute(name)))).toEqual([
      [ADD_IN.id, ADD_IN.version, "Registry"],
      [ADD_IN.id, ADD_IN.version, "EXCatalog"],
    ]);
    const relations = [...(parts.get("_rels/.rels")?.getElementsByTagName("Relationship") ?? [])];
    expect(relations.map((each) => each.getAttribute("Type"))).toContain(
      "http://schemas.microsoft.com/office/2011/relationships/webextensiontaskpanes",
    );
  });

  it("come back as they were, and leave no part where there are none", async () => {
    expect((readXlsx(bytes, NAMES) as Partial<Saved>).documentSettings).toEqual(SETTINGS);
    const plain = await writeXlsx(model, { names: NAMES, addIn: ADD_IN });
    expect([...readParts(plain).keys()].filter((path) => path.includes("webext"))).toEqual([]);
    expect((readXlsx(plain, NAMES) as Partial<Saved>).documentSettings).toEqual({});
  });

  it("are read from a file of Excel, and those of other add-ins are not", () => {
    const parts = { [extension]: OTHER, "xl/webextensions/webextension2.xml": data.webextension };
    expect(readSettings(parts)).toEqual([{ feed: { country: "JP" }, "feed-companies": [] }, 0]);
  });

  it.each([
    ["a value that is no JSON", '<we:property name="feed" value="{"/>'],
    ["no value", '<we:property name="feed"/>'],
    ["no XML", "<"],
  ])("are left out and told of where there is %s, and the workbook opens", (_, property) => {
    expect(readSettings({ [extension]: toExtension(property) })).toEqual([{}, 1]);
  });
});

describe("a file that is refused", () => {
  const refusal = (bytes: Uint8Array) => {
    try {
      readXlsx(bytes, NAMES);
    } catch (error) {
      return (error as XlsxRefused).reason;
    }
    return "opened";
  };
  const wide = (text: string) => [...text].flatMap((letter) => [letter.charCodeAt(0), 0]);
  const ole = (stream: string) => Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, ...Array(40).fill(0), ...wide(stream)]);

  it.each([
    ["no archive", () => strToU8("a,b,c"), "damaged"],
    ["an empty file", () => new Uint8Array(), "damaged"],
    ["a file cut off", () => createFile(PARTS).slice(0, 900), "damaged"],
    ["an archive of something else", () => createFile({ "content.xml": "<a/>" }), "damaged"],
    ["broken XML", () => createFile({ ...PARTS, [WORKBOOK]: "<workbook><sheets>" }), "damaged"],
    ["no sheets", () => createFile({ ...PARTS, [WORKBOOK]: NO_SHEETS }), "damaged"],
    [
      "a document type",
      () => createFile({ ...PARTS, [WORKBOOK]: '<!DOCTYPE a [<!ENTITY b "c">]><workbook/>' }),
      "damaged",
    ],
    ["a workbook of Excel 97 to 2003", () => ole("Workbook"), "old"],
    ["a workbook with a password", () => ole("EncryptedPackage"), "protected"],
    ["a file above 25 MB", () => new Uint8Array(25 * 1024 * 1024 + 1), "large"],
    [
      "an archive that unpacks to more than a tab holds",
      () => declareSizes(createFile({ "xl/a.xml": "0", "xl/b.xml": "0" }), 101 * 1024 * 1024),
      "large",
    ],
    [
      "an archive of too many parts",
      () => createFile(Object.fromEntries(Array.from({ length: 5_001 }, (_, nth) => [`${nth}.xml`, ""]))),
      "large",
    ],
    ["too many rows", () => createFile(withRow('<row r="100001"/>')), "large"],
  ])("is one with %s", (_, create, reason) => {
    expect(refusal(create())).toBe(reason);
  });

  it("opens up to that: the plain file is taken", () => {
    expect(refusal(createFile(PARTS))).toBe("opened");
  });
});

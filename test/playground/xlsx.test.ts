/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Model } from "@odoo/o-spreadsheet";
import { strToU8, zipSync } from "fflate";
import { createSampleWorkbook } from "../../src/playground/sample-workbook";
import { readCellView, readFormula } from "../../src/playground/workbook";
import { readXlsx, writeXlsx } from "../../src/playground/xlsx";
import type { XlsxRefused } from "../../src/playground/xlsx/archive";
import { createFunctionNames } from "../../src/playground/xlsx/function-names";
import { openWorkbook, prepareEngine } from "./open-workbook";
import { listFaults, readParts } from "./xlsx-structure";

const NAMES = createFunctionNames("FEED", ["SAY", "RANKING.PAGES"]);

const SHEETS = [
  {
    id: "one",
    name: "Model",
    colNumber: 50,
    rowNumber: 200,
    cells: {
      A1: "Title",
      A2: '=FEED.SAY("table")',
      D2: '=FEED.SAY("number")*2',
      D3: '=FEED.SAY("none")',
      D4: '=FEED.SAY("still coming")',
      D5: '=FEED.SAY("date")',
      D6: '=IF(FEED.SAY("12-5")="a\\"b","FEED.SAY(",1)',
      D7: "=1=1",
      D8: '="  "',
      D9: "=XLOOKUP(1,B3:B5,A3:A5)+IFS(TRUE,1)",
      D10: '=FEED.SAY("text")',
      D11: "=Other!A1+Other!$B$2",
      E1: "'=1+1",
      E2: "'001",
      E3: "TRUE",
      E4: "12.5",
      E5: "=1/0",
      E6: "a & b <c>",
      G2: "=MUNIT(3)=1",
    },
    styles: { A1: 1 },
    formats: { E4: 1 },
    cols: { 0: { size: 200 } },
    panes: { xSplit: 1, ySplit: 2 },
  },
  { id: "two", name: "Other", colNumber: 30, rowNumber: 100, cells: { A1: "7", B2: "8" } },
];
const SNAPSHOT = { sheets: SHEETS, styles: { 1: { bold: true } }, formats: { 1: "#,##0.00" } };

let model: Model;
let bytes: Uint8Array;
beforeAll(async () => {
  prepareEngine();
  const { version } = openWorkbook().model.exportData();
  model = openWorkbook({ version, ...SNAPSHOT }).model;
  bytes = await writeXlsx(model, NAMES);
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

  it("has a spilled table as a dynamic array with the value of each of its cells", () => {
    const formula = readCell("A2")?.getElementsByTagName("f")[0];
    expect([formula?.getAttribute("t"), formula?.getAttribute("ref"), readCell("A2")?.getAttribute("cm")]).toEqual([
      "array",
      "A2:B5",
      "1",
    ]);
    const values = ["A2", "B2", "A3", "B3", "A5", "B5"].map((xc) => [
      readCell(xc)?.getAttribute("t"),
      readTag(xc, "v"),
    ]);
    expect(values).toEqual([
      ["str", "Rank"],
      ["str", "Company"],
      [null, "1"],
      ["str", "@SUM(1)"],
      [null, "3"],
      ["str", "2024-01-31"],
    ]);
  });

  it.each([
    ["D2", null, "84"],
    ["D3", "e", "#N/A"],
    ["D4", "e", "#N/A"],
    ["D7", "b", "1"],
    ["D8", "str", "  "],
    ["D10", "str", "=1+1"],
    ["E5", "e", "#DIV/0!"],
  ])("has the last value of %s", (xc, type, value) => {
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

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const CONTENT = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Parts as Excel writes them: the second sheet's file is the first in the workbook. */
const createParts = (sheet = ""): Record<string, string> => ({
  "[Content_Types].xml": `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${CONTENT}.worksheet+xml"/><Override PartName="/xl/worksheets/sheet2.xml" ContentType="${CONTENT}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="${CONTENT}.sharedStrings+xml"/></Types>`,
  "_rels/.rels": `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/_rels/workbook.xml.rels": `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="rId2" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId3" Type="${OFFICE}/styles" Target="styles.xml"/><Relationship Id="rId4" Type="${OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
  "xl/workbook.xml": `${HEAD}<workbook ${MAIN} xmlns:r="${OFFICE}"><sheets><sheet name="R&amp;D" sheetId="2" r:id="rId1"/><sheet name="Data" sheetId="1" r:id="rId2"/></sheets></workbook>`,
  "xl/styles.xml": `${HEAD}<styleSheet ${MAIN}><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  "xl/sharedStrings.xml":
    `${HEAD}<sst ${MAIN} count="4" uniqueCount="4"><si><t>東京<rPh sb="0" eb="2"><t>トウキョウ</t></rPh></t></si><si><r><t>rich </t></r><r><rPr><b/></rPr><t>text</t></r><rPh sb="0" eb="1"><t>リッチ</t></rPh></si><si><t>=HYPERLINK("x")</t></si><si><t>2024-01-31</t></si></sst>`.replace(
      '東京<rPh sb="0" eb="2"><t>トウキョウ</t></rPh></t>',
      '東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh>',
    ),
  "xl/worksheets/sheet2.xml": `${HEAD}<worksheet ${MAIN}><cols><col min="1" max="1" width="20.7109375" customWidth="1"/></cols><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c><c r="D1" t="s"><v>3</v></c><c r="E1" s="1"><v>45000</v></c></row><row r="2"><c r="A2" t="str" cm="1"><f t="array" ref="A2:B5">_xldudf_FEED_SAY("table")</f><v>Rank</v></c><c r="B2" t="str"><v>Company</v></c><c r="C2"><f>[2]!_xldudf_FEED_SAY("number")&amp;""</f><v>42</v></c><c r="D2"><f>_xlfn.XLOOKUP(1,A3:A5,B3:B5)&amp;_xlfn.CONCAT("a""b","_xlws.")</f><v>0</v></c><c r="E2"><f t="shared" ref="E2:E3" si="0">LEN(A2)</f><v>4</v></c></row><row r="3"><c r="A3"><v>1</v></c><c r="B3" t="str"><v>@SUM(1)</v></c><c r="C3" t="inlineStr"><is><t>=1+1</t></is></c><c r="E3"><f t="shared" si="0"/><v>1</v></c></row></sheetData></worksheet>`,
  "xl/worksheets/sheet1.xml": `${HEAD}<worksheet ${MAIN}>${sheet || '<sheetData><row r="1"><c r="A1"><v>5</v></c></row></sheetData>'}</worksheet>`,
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

describe("the sample workbook", () => {
  it("is a sound file, with its chart", async () => {
    const { sheets, ...sample } = createSampleWorkbook();
    const written = await writeXlsx(openWorkbook({ ...sample, sheets: sheets.slice(0, 1) }).model, NAMES);
    expect(listFaults(written)).toEqual([]);
    expect([...readParts(written).keys()]).toContain("xl/charts/chart1.xml");
  });
});

describe("a workbook of Excel", () => {
  let opened: Model;
  beforeAll(() => {
    opened = openWorkbook(readXlsx(createFile(createParts()), NAMES)).model;
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
  const [types, workbook] = ["[Content_Types].xml", "xl/workbook.xml"] as const;

  it.each([
    ["no archive", () => strToU8("a,b,c"), "damaged"],
    ["an empty file", () => new Uint8Array(), "damaged"],
    ["a file cut off", () => createFile(createParts()).slice(0, 900), "damaged"],
    ["an archive of something else", () => createFile({ "content.xml": "<a/>" }), "damaged"],
    ["broken XML", () => createFile({ ...createParts(), [workbook]: "<workbook><sheets>" }), "damaged"],
    ["no sheets", () => createFile({ ...createParts(), [types]: "<Types/>" }), "damaged"],
    [
      "a document type",
      () => createFile({ ...createParts(), [workbook]: '<!DOCTYPE a [<!ENTITY b "c">]><workbook/>' }),
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
    ["too many rows", () => createFile(createParts('<sheetData><row r="100001"/></sheetData>')), "large"],
  ])("is one with %s", (_, create, reason) => {
    expect(refusal(create())).toBe(reason);
  });

  it("opens up to that: the plain file is taken", () => {
    expect(refusal(createFile(createParts()))).toBe("opened");
  });
});

import { describe, expect, it } from "@jest/globals";
import { openPackage, XlsxRefused } from "../../src/xlsx/package";
import { readCells } from "../../src/xlsx/sheet";
import { readWorkbook } from "../../src/xlsx/workbook";
import { MAIN, toFile, toParts, toSheet, toStrings } from "./files";

/** Cells 1, 3 and 4 of the metadata are dynamic arrays; 2 is a value of another kind. */
const METADATA =
  `<metadata xmlns="${MAIN}" xmlns:xda="http://schemas.microsoft.com/office/spreadsheetml/2017/dynamicarray">` +
  '<metadataTypes count="2"><metadataType name="XLRICHVALUE"/><metadataType name="XLDAPR"/></metadataTypes>' +
  '<futureMetadata name="XLRICHVALUE"><bk/></futureMetadata><futureMetadata name="XLDAPR" count="2">' +
  '<bk><extLst><ext uri="{b}"><xda:dynamicArrayProperties fDynamic="1" fCollapsed="0"/></ext></extLst></bk>' +
  '<bk><extLst><ext uri="{b}"><xda:dynamicArrayProperties fDynamic="0"/></ext></extLst></bk></futureMetadata>' +
  '<cellMetadata><bk><rc t="2" v="0"/></bk><bk><rc t="1" v="0"/></bk><bk><rc t="1" v="0"/><rc t="2" v="0"/></bk>' +
  '<bk><rc t="2" v="1"/></bk></cellMetadata></metadata>';

const read = (rows: string, others = {}) => {
  const pack = openPackage(toFile(toParts(toSheet(rows), others)));
  const workbook = readWorkbook(pack);
  return workbook.sheets.flatMap((sheet) => readCells(pack, workbook, sheet).cells);
};

/** The value of a cell with these attributes and this content. */
const readOne = (attributes: string, inside: string, others = {}) =>
  read(`<row r="1"><c r="A1" ${attributes}>${inside}</c></row>`, others)[0]?.value;

describe("a cell's value", () => {
  it.each<[string, string, string, unknown]>([
    ["a number", "", "<v>1.5</v>", 1.5],
    ["a number in full", "", "<v>0.30000000000000004</v>", 0.1 + 0.2],
    ["a number of any size", 't="n"', "<v>-1.7976931348623157E+308</v>", -Number.MAX_VALUE],
    ["a number that is none", "", "<v>NaN</v>", { error: "#NUM!" }],
    ["nothing", 's="3"', "", undefined],
    ["an empty number", "", "<v></v>", undefined],
    ["a boolean", 't="b"', "<v>1</v>", true],
    ["a boolean that is not", 't="b"', "<v>0</v>", false],
    ["an error", 't="e"', "<v>#N/A</v>", { error: "#N/A" }],
    ["a formula's text", 't="str"', "<f>A2</f><v>a &amp; b</v>", "a & b"],
    ["a formula's empty text", 't="str"', "<f>A2</f><v></v>", ""],
    ["a text within the cell", 't="inlineStr"', "<is><t>in</t></is>", "in"],
    [
      "a text within the cell of runs",
      't="inlineStr"',
      "<is><r><rPr><b/></rPr><t>in</t></r><r><t>side</t></r></is>",
      "inside",
    ],
    ["an empty text within the cell", 't="inlineStr"', "<is><t/></is>", ""],
    ["a text in a section", 't="str"', "<v><![CDATA[<a>]]>b</v>", "<a>b"],
    ["spaces that do not count", 't="inlineStr"', "<is><t> a b\n</t></is>", "a b"],
    ["spaces that count", 't="inlineStr"', '<is><t xml:space="preserve"> a\n</t></is>', " a\n"],
    ["spaces that count around it", 't="str" xml:space="preserve"', "<v> a </v>", " a "],
    ["characters that XML cannot hold", 't="str"', "<v>a_x000D_\n_x0041__x005F_x0041_</v>", "a\r\nA_x0041_"],
    ["a character beyond 16 bits", 't="str"', "<v>&#x1F600;𠮷</v>", "😀𠮷"],
    ["a day", 't="d"', "<v>2024-01-31</v>", 45_322],
    ["a day and a time", 't="d"', "<v>2024-01-31T18:00:00.000Z</v>", 45_322.75],
    ["a time", 't="d"', "<v>T06:00:00</v>", 0.25],
    ["the first day", 't="d"', "<v>1900-01-01</v>", 1],
    ["the day after the one that never was", 't="d"', "<v>1900-03-01</v>", 61],
    ["a day that is none", 't="d"', "<v>2024-13-45</v>", { error: "#NUM!" }],
    ["metadata of other programs", "", "<v>1</v><extLst><ext><v>2</v></ext></extLst>", 1],
  ])("is %s", (_, attributes, inside, value) => {
    expect(readOne(attributes, inside)).toEqual(value);
  });

  it.each([
    ["plain", "<t>one</t>", "one"],
    ["rich", '<r><rPr><b/></rPr><t xml:space="preserve">ri </t></r><r><t>ch</t></r>', "ri ch"],
    ["with readings", '<t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/>', "東京"],
    ["with readings of runs", '<r><t>課</t></r><rPh sb="0" eb="1"><r><t>カ</t></r></rPh>', "課"],
    ["empty", "", ""],
  ])("is a text that cells share: %s", (_, item, value) => {
    const others = { "xl/sharedStrings.xml": toStrings("<t>other</t>", item, "<t>other</t>") };
    expect(readOne('t="s"', "<v>1</v>", others)).toBe(value);
  });

  it("is refused where it is a shared text that is not there, or where the cell has no place", () => {
    expect(() => readOne('t="s"', "<v>1</v>")).toThrow(new XlsxRefused("damaged"));
    expect(() => read('<row r="1"><c r="XFE1"><v>1</v></c></row>')).toThrow(new XlsxRefused("damaged"));
    expect(() => read('<row r="x"/>')).toThrow(new XlsxRefused("damaged"));
  });
});

it("cells and rows without an address follow the ones before them", () => {
  const cells = read(
    '<row><c><v>1</v></c><c r="d1"><v>2</v></c><c/><c><v>3</v></c></row><row r="5"><c><v>4</v></c></row><row/><row><c><v>5</v></c></row>',
  );
  expect(cells.map(({ row, column, value }) => [row, column, value])).toEqual([
    [0, 0, 1],
    [0, 3, 2],
    [0, 5, 3],
    [4, 0, 4],
    [6, 0, 5],
  ]);
});

describe("a cell's formula", () => {
  const readFormulas = (rows: string, others = {}) =>
    read(rows, others).map(({ row, column, formula, array }) => [row, column, formula, ...(array ? [array] : [])]);

  it("is as the file has it", () => {
    const rows =
      '<row r="1"><c r="A1"><f>_xlfn.CONCAT("a"&amp;B1, _xldudf_FEED_SAY("x"))</f></c><c r="B1"><f ca="1"/></c></row>';
    expect(read(rows)).toEqual([
      { row: 0, column: 0, value: null, formula: '_xlfn.CONCAT("a"&B1, _xldudf_FEED_SAY("x"))' },
    ]);
  });

  it("is an array, dynamic where the metadata says so", () => {
    const toCell = (at: string, ref: string, cm = "") =>
      `<c r="${at}" ${cm}><f t="array" ref="${ref}">B1</f><v>1</v></c>`;
    const rows =
      '<row r="1">' +
      toCell("A1", "A1:C5", 'cm="1"') +
      toCell("D1", "D1", 'cm="2"') +
      toCell("E1", "E1:E2", 'cm="3"') +
      toCell("F1", "F1:F2", 'cm="4"') +
      toCell("G1", "G1:G2") +
      "</row>";
    const arrays = read(rows, { "xl/metadata.xml": METADATA }).map(({ array }) => array);
    expect(arrays).toEqual([
      { rows: 5, columns: 3, isDynamic: true },
      { rows: 1, columns: 1, isDynamic: false },
      { rows: 2, columns: 1, isDynamic: true },
      { rows: 2, columns: 1, isDynamic: false },
      { rows: 2, columns: 1, isDynamic: false },
    ]);
  });

  it("is none in a data table, which has its values", () => {
    const rows = '<row r="1"><c r="A1"><f t="dataTable" ref="A1:A2" dt2D="1" r1="B1" r2="B2"/><v>3</v></c></row>';
    expect(read(rows)).toEqual([{ row: 0, column: 0, value: 3 }]);
  });

  it("is written out for each cell that shares it, wherever the text stands", () => {
    const shared = (at: string, text = "", ref = "") =>
      `<c r="${at}"><f t="shared" si="0" ${ref}>${text}</f><v>1</v></c>`;
    expect(
      readFormulas(
        `<row r="1">${shared("A1")}${shared("B1", "A2+1", 'ref="A1:C2"')}</row><row r="2">${shared("B2")}${shared("C2", "7")}</row>` +
          `<row r="3">${shared("A3", "$A3*2", 'ref="A3:A4"')}</row><row r="4">${shared("A4")}</row>` +
          '<row r="5"><c r="A5"><f t="shared" si="9"/><v>1</v></c></row>',
      ),
    ).toEqual([
      [0, 0, "#REF!+1"],
      [0, 1, "A2+1"],
      [1, 1, "A3+1"],
      [1, 2, "7"],
      [2, 0, "$A3*2"],
      [3, 0, "$A4*2"],
      [4, 0, undefined],
    ]);
  });
});

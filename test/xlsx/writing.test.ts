import { describe, expect, it } from "@jest/globals";
import { openPackage, type Package } from "../../src/xlsx/package";
import { readCells, type XlsxValue } from "../../src/xlsx/sheet";
import { readWorkbook } from "../../src/xlsx/workbook";
import { type CellChange, calculateAtOpening, writeCells } from "../../src/xlsx/writing";
import { MAIN, toFile, toParts, toSheet } from "./files";

const open = (sheet: string): Package => openPackage(toFile(toParts(sheet)));
const PATH = "xl/worksheets/sheet1.xml";

/** A sheet's part after these changes. */
function write(sheet: string, ...changes: CellChange[]): string {
  const pack = open(sheet);
  writeCells(pack, { name: "Sheet1", path: PATH }, changes);
  return pack.readText(PATH) ?? "";
}

const at = (row: number, column: number, value: XlsxValue, array?: CellChange["array"]) => ({
  row,
  column,
  value,
  array,
});
/** The rows of a sheet with these rows after changes. */
const writeRows = (rows: string, ...changes: CellChange[]) =>
  write(toSheet(rows), ...changes).replace(/^[\s\S]*<sheetData>|<\/sheetData>[\s\S]*$/g, "");

describe("a cell that is written", () => {
  const toRow = (cell: string) => `<row r="1"><c r="A1"><v>0</v></c>${cell}<c r="C1" s="2"/></row>`;
  const formula = '<f ca="1">_xldudf_FEED_SAY("x")</f>';

  it.each<[string, string, XlsxValue, string]>([
    ["a number", '<c r="B1" s="3"><v>1</v></c>', 2.5, '<c r="B1" s="3"><v>2.5</v></c>'],
    ["a text in place of a number", '<c r="B1"><v>1</v></c>', "a<b&c", '<c r="B1" t="str"><v>a&lt;b&amp;c</v></c>'],
    [
      "a number in place of a text",
      `<c r="B1" t="str" s="1">${formula}<v>a</v></c>`,
      1,
      `<c r="B1" s="1">${formula}<v>1</v></c>`,
    ],
    ["a boolean", "<c  t='str'  r='B1' ><v>a</v></c>", true, "<c t=\"b\"  r='B1' ><v>1</v></c>"],
    ["an error", `<c r="B1">${formula}</c>`, { error: "#N/A" }, `<c r="B1" t="e">${formula}<v>#N/A</v></c>`],
    ["a value where there was none", '<c r="B1" s="4"/>', 7, '<c r="B1" s="4"><v>7</v></c>'],
    ["a value of a type where there was none", '<c r="B1" s="4" />', "x", '<c r="B1" s="4" t="str" ><v>x</v></c>'],
    [
      "no value",
      `<c r="B1" s="4" t="e" cm="1">${formula}<v>#N/A</v></c>`,
      null,
      `<c r="B1" s="4" cm="1">${formula}</c>`,
    ],
    ["a text within the cell", '<c r="B1" t="inlineStr"><is><t>a</t></is></c>', "b", '<c r="B1" t="str"><v>b</v></c>'],
    [
      "a value of its own kind",
      `<c r="B1" t="e" vm="3">${formula}<v>#VALUE!</v></c>`,
      5,
      `<c r="B1">${formula}<v>5</v></c>`,
    ],
    ["a type that is said", '<c r="B1" t="n"><v>1</v></c>', 2, '<c r="B1" t="n"><v>2</v></c>'],
    ["what it was", '<c r="B1" t="str"><v >a</v ></c>', "a", '<c r="B1" t="str"><v >a</v ></c>'],
    ["the number that it was", '<c r="B1"><v>5.00</v></c>', 5, '<c r="B1"><v>5.00</v></c>'],
    [
      "other elements",
      `<c r="B1"><!-- f -->${formula}<!-- v --><v>1</v><extLst/></c>`,
      2,
      `<c r="B1"><!-- f -->${formula}<!-- v --><v>2</v><extLst/></c>`,
    ],
    ["a text like another's type", `<c r="B1" s='t="e"' t="b"><v>1</v></c>`, 2, `<c r="B1" s='t="e"'><v>2</v></c>`],
  ])("has %s", (_, before, value, after) => {
    expect(writeRows(toRow(before), at(0, 1, value))).toBe(toRow(after));
  });

  it.each<[string, XlsxValue, XlsxValue, string]>([
    ["spaces at its ends", " a\n", " a\n", '<v xml:space="preserve"> a&#10;</v>'],
    ["a return", "a\r\nb", "a\r\nb", "<v>a&#13;&#10;b</v>"],
    ["what stands for a character", "_x0041_ _x", "_x0041_ _x", "<v>_x005F_x0041_ _x</v>"],
    ["what XML cannot hold", "a\u0000\u000b\ufffeb\ud800", "ab\ufffd", "<v>ab\ufffd</v>"],
    ["nothing", "", "", "<v></v>"],
    ["as many characters as a cell can hold", "x".repeat(32_767), "x".repeat(32_767), `<v>${"x".repeat(32_767)}</v>`],
    ["more", "x".repeat(32_768), { error: "#VALUE!" }, "<v>#VALUE!</v>"],
    ["a number in full", 0.1 + 0.2, 0.1 + 0.2, "<v>0.30000000000000004</v>"],
    ["a large number", 1e21, 1e21, "<v>1e+21</v>"],
    ["no number", Number.NaN, { error: "#NUM!" }, "<v>#NUM!</v>"],
    ["less than nothing", -0, 0, "<v>0</v>"],
    ["a newer error", { error: "#SPILL!" }, { error: "#VALUE!" }, "<v>#VALUE!</v>"],
    ["a value to come", { error: "#BUSY!" }, { error: "#N/A" }, "<v>#N/A</v>"],
  ])("holds %s as a file can", (_, value, read, stored) => {
    const pack = open(toSheet(""));
    const workbook = readWorkbook(pack);
    const [sheet = { name: "", path: "" }] = workbook.sheets;
    writeCells(pack, sheet, [at(0, 0, value)]);
    expect(pack.readText(PATH)).toContain(stored);
    expect(readCells(pack, workbook, sheet).cells.map((cell) => cell.value)).toEqual([read]);
  });
});

describe("a cell that is made", () => {
  it("stands in its place, in rows that are there or made", () => {
    const rows =
      '<row r="2" ht="9"><c r="B2"><v>1</v></c><c r="D2"/></row>\n<row r="5"/> <row r="9"><c><v>2</v></c></row>';
    const made = [
      at(1, 4, 5),
      at(1, 2, 3),
      at(1, 0, 2),
      at(2, 1, "x"),
      at(0, 0, 1),
      at(4, 0, 4),
      at(9, 1, 6),
      at(8, 1, 7),
      at(6, 3, null),
    ];
    expect(writeRows(rows, ...made)).toBe(
      '<row r="1"><c r="A1"><v>1</v></c></row><row r="2" ht="9"><c r="A2"><v>2</v></c><c r="B2"><v>1</v></c>' +
        '<c r="C2"><v>3</v></c><c r="D2"/><c r="E2"><v>5</v></c></row>\n<row r="3"><c r="B3" t="str"><v>x</v></c></row>' +
        '<row r="5"><c r="A5"><v>4</v></c></row> <row r="9"><c><v>2</v></c><c r="B9"><v>7</v></c></row>' +
        '<row r="10"><c r="B10"><v>6</v></c></row>',
    );
  });

  it("is there too where the sheet had none, under the file's prefix", () => {
    const sheet = `<x:worksheet xmlns:x="${MAIN}"><x:sheetData /></x:worksheet>`;
    expect(write(sheet, at(0, 1, 1))).toBe(
      `<x:worksheet xmlns:x="${MAIN}"><x:sheetData ><x:row r="1"><x:c r="B1"><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
    );
  });

  it("has the style of its row, else of its column", () => {
    const columns = '<cols><col min="1" max="1" width="9"/><col min="2" max="3" style="7"/></cols>';
    const rows = '<row r="1" s="4" customFormat="1"/><row r="2" s="4"/>';
    const changes = [0, 1, 2].flatMap((row) => [at(row, 0, 1), at(row, 2, 1)]);
    const styles = [...write(toSheet(rows, columns), ...changes).matchAll(/<c r="(\w+)"(?: s="(\d)")?/g)];
    expect(styles.map(([, address, style]) => [address, style])).toEqual([
      ["A1", "4"],
      ["C1", "4"],
      ["A2", undefined],
      ["C2", "7"],
      ["A3", undefined],
      ["C3", "7"],
    ]);
  });

  it("widens the row's spans and the sheet's dimension, which else stay", () => {
    const sheet = toSheet('<row r="2" spans="2:3 5:6"><c r="B2"/></row>', '<dimension ref="B2:F2"/>');
    const read = (changed: string) => [
      /spans="([^"]*)"/.exec(changed)?.[1],
      /dimension ref="([^"]*)"/.exec(changed)?.[1],
    ];
    expect(read(write(sheet, at(1, 1, 1), at(1, 5, 1)))).toEqual(["2:3 5:6", "B2:F2"]);
    expect(read(write(sheet, at(1, 6, 1), at(3, 0, 1)))).toEqual(["2:7", "A2:G4"]);
    expect(read(write(sheet, at(9, 9, null)))).toEqual(["2:3 5:6", "B2:F2"]);
  });
});

describe("a formula's area", () => {
  const rows =
    '<row r="1"><c r="A1" cm="1"><f t="array" ref="A1:B2">F()</f><v>1</v></c><c r="B1" s="1" t="str"><v>b</v></c></row>' +
    '<row r="2"><c r="A2" t="str"><v>c</v></c><c r="B2"><v>4</v></c><c r="C2"><v>9</v></c></row>';

  it("grows with its values", () => {
    const grown = [at(0, 0, 1, { rows: 3, columns: 2 }), at(2, 0, 5), at(2, 1, 6)];
    expect(writeRows(rows, ...grown)).toBe(
      `${rows.replace("A1:B2", "A1:B3")}<row r="3"><c r="A3"><v>5</v></c><c r="B3"><v>6</v></c></row>`,
    );
  });

  it("leaves cells empty, with their style, when it shrinks", () => {
    expect(writeRows(rows, at(0, 0, 1, { rows: 2, columns: 1 }))).toBe(
      '<row r="1"><c r="A1" cm="1"><f t="array" ref="A1:A2">F()</f><v>1</v></c><c r="B1" s="1"></c></row>' +
        '<row r="2"><c r="A2" t="str"><v>c</v></c><c r="B2"></c><c r="C2"><v>9</v></c></row>',
    );
    expect(writeRows(rows, at(0, 0, 1, { rows: 1, columns: 1 }), at(1, 0, "mine"))).toBe(
      '<row r="1"><c r="A1" cm="1"><f t="array" ref="A1">F()</f><v>1</v></c><c r="B1" s="1"></c></row>' +
        '<row r="2"><c r="A2" t="str"><v>mine</v></c><c r="B2"></c><c r="C2"><v>9</v></c></row>',
    );
  });

  it("stays where the formula has none", () => {
    const plain = '<row r="1"><c r="A1"><f>F()</f><v>1</v></c></row>';
    expect(writeRows(plain, at(0, 0, 1, { rows: 2, columns: 2 }))).toBe(plain);
  });
});

describe("a formula that is replaced", () => {
  it.each([
    ["<f>A2</f>", "<f>F(&quot;&lt;&quot;)</f>"],
    ['<f t="array" ref="A1:B2"/>', '<f t="array" ref="A1">F(&quot;&lt;&quot;)</f>'],
    ['<f t="shared" si="0"/>', '<f t="shared" si="0"/>'],
    ["", ""],
  ])("keeps its attributes, and one that cells share stays: %s", (before, after) => {
    const change = { ...at(0, 0, 1, { rows: 1, columns: 1 }), formula: 'F("<")' };
    const toRow = (formula: string) => `<row r="1"><c r="A1">${formula}<v>1</v></c></row>`;
    expect(writeRows(toRow(before), change)).toBe(toRow(after));
  });
});

describe("a workbook that Excel is to calculate", () => {
  const toWorkbook = (inside: string, prefix = "") =>
    `<${prefix}workbook xmlns${prefix && ":x"}="${MAIN}"><${prefix}sheets/>${inside}</${prefix}workbook>`;
  const calculate = (workbook: string) => {
    const pack = openPackage(toFile({ ...toParts(""), "xl/workbook.xml": workbook }));
    calculateAtOpening(pack, { path: "xl/workbook.xml" } as ReturnType<typeof readWorkbook>);
    return pack.readText("xl/workbook.xml");
  };

  it.each([
    ["", '<calcPr calcId="1" calcMode="manual"/>', '<calcPr calcId="1" calcMode="manual" fullCalcOnLoad="1"/>'],
    ["", '<calcPr fullCalcOnLoad="0"/>', '<calcPr fullCalcOnLoad="1"/>'],
    ["", '<calcPr fullCalcOnLoad="1"/>', '<calcPr fullCalcOnLoad="1"/>'],
    [
      "",
      '<definedNames><definedName name="a">1</definedName></definedNames><oleSize ref="A1"/>',
      '<definedNames><definedName name="a">1</definedName></definedNames><calcPr fullCalcOnLoad="1"/><oleSize ref="A1"/>',
    ],
    ["x:", "<x:pivotCaches/>", '<x:calcPr fullCalcOnLoad="1"/><x:pivotCaches/>'],
  ])("says so: %s %s", (prefix, before, after) => {
    expect(calculate(toWorkbook(before, prefix))).toBe(toWorkbook(after, prefix));
  });
});

import { describe, expect, it } from "@jest/globals";
import { toReference } from "../../src/xlsx/addresses";
import { openPackage, XlsxRefused } from "../../src/xlsx/package";
import { readCells } from "../../src/xlsx/sheet";
import { readWorkbook } from "../../src/xlsx/workbook";
import { MAIN, RELATIONS, toFile, toParts, toRelationships, toSheet, toStrings } from "./files";

const SHEET = toSheet('<row r="1"><c r="A1"><v>1</v></c></row>');
const STRICT = "http://purl.oclc.org/ooxml";
type Parts = ReturnType<typeof toParts>;

const read = (parts: Parts) => {
  const pack = openPackage(toFile(parts));
  const workbook = readWorkbook(pack);
  const sheets = workbook.sheets.map((sheet) => readCells(pack, workbook, sheet));
  return { workbook, cells: sheets.map(({ cells }) => cells), merged: sheets.map(({ merged }) => merged) };
};

const PLAIN = toParts(SHEET);
const withWorkbook = (inside: string) => ({
  "xl/workbook.xml": `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">${inside}</workbook>`,
});

describe("a workbook", () => {
  it("has its sheets in their order, with the parts that relationships lead to", () => {
    const { workbook, cells } = read({
      ...PLAIN,
      ...withWorkbook(
        '<sheets><sheet name="R&amp;D" sheetId="9" r:id="b"/><sheet name="Chart" sheetId="3" r:id="c"/>' +
          '<sheet name="日本_x000a_" sheetId="1" r:id="a"/><sheet name="Lost" sheetId="4" r:id="none"/></sheets>',
      ),
      "xl/_rels/workbook.xml.rels": toRelationships(
        ["a", "worksheet", "worksheets/sheet1.xml"],
        ["b", "worksheet", "/xl/worksheets/other.xml"],
        ["c", "chartsheet", "chartsheets/sheet1.xml"],
      ),
      "xl/worksheets/other.xml": toSheet('<row r="1"><c r="A1"><v>2</v></c></row>'),
    });
    expect(workbook.sheets).toEqual([
      { name: "R&D", path: "xl/worksheets/other.xml" },
      { name: "日本\n", path: "xl/worksheets/sheet1.xml" },
    ]);
    expect(cells.map(([cell]) => cell?.value)).toEqual([2, 1]);
  });

  it.each<[string, Parts]>([
    [
      "parts of any name and in any folder",
      {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": toRelationships(["rId1", "officeDocument", "/app/main%20book.xml"]),
        "app/main book.xml": String(PLAIN["xl/workbook.xml"]),
        "app/_rels/main book.xml.rels": toRelationships(
          ["rId1", "worksheet", "../cells/./一.xml"],
          ["rId2", "sharedStrings", "\\TEXTS.XML"],
        ),
        "cells/%E4%B8%80.xml": toSheet('<row><c t="s"><v>0</v></c></row>'),
        "texts.xml": toStrings("<t>one</t>"),
      },
    ],
    [
      "prefixes",
      {
        ...PLAIN,
        "_rels/.rels": String(PLAIN["_rels/.rels"])
          .replace("xmlns=", "xmlns:p=")
          .replaceAll(/<(\/?)Rel/g, "<$1p:Rel"),
        "xl/workbook.xml":
          `<x:workbook xmlns:x="${MAIN}" xmlns:rel="${RELATIONS}"><x:sheets>` +
          '<x:sheet name="Sheet1" sheetId="1" rel:id="rId1"/></x:sheets></x:workbook>',
        "xl/sharedStrings.xml": `<x:sst xmlns:x="${MAIN}"><x:si><x:t>one</x:t></x:si></x:sst>`,
        "xl/worksheets/sheet1.xml":
          `<x:worksheet xmlns:x="${MAIN}" xmlns="urn:other"><sheetData><row><c><v>9</v></c></row></sheetData>` +
          '<x:sheetData><x:row r="1"><c r="B1"><v>9</v></c><x:c r="A1" t="s"><x:v>0</x:v></x:c></x:row></x:sheetData></x:worksheet>',
      },
    ],
    [
      "the vocabulary of strict Open XML",
      Object.fromEntries(
        Object.entries({
          ...toParts(toSheet('<row r="1"><c r="A1" t="s"><v>0</v></c></row>')),
          "xl/sharedStrings.xml": toStrings("<t>one</t>"),
        }).map(([path, part]) => [
          path,
          String(part)
            .replaceAll(RELATIONS, `${STRICT}/officeDocument/relationships`)
            .replaceAll(MAIN, `${STRICT}/spreadsheetml/main`),
        ]),
      ),
    ],
  ])("is read where it has %s", (_, parts) => {
    const { workbook, cells } = read(parts);
    expect(workbook.sheets.map(({ name }) => name)).toEqual(["Sheet1"]);
    expect(cells).toEqual([[{ row: 0, column: 0, value: "one" }]]);
  });

  it.each([
    ['date1904="1"', true],
    ['date1904="true"', true],
    ['date1904="0"', false],
    ["", false],
  ])("counts its dates as it says: %s", (attribute, isDate1904) => {
    const parts = withWorkbook(`<workbookPr ${attribute}/><sheets><sheet name="a" r:id="rId1"/></sheets>`);
    const day = toSheet('<row r="1"><c r="A1" t="d"><v>2024-01-31</v></c></row>');
    const { workbook, cells } = read({ ...toParts(day), ...parts });
    expect([workbook.isDate1904, cells[0]?.[0]?.value]).toEqual([isDate1904, isDate1904 ? 45_322 - 1_462 : 45_322]);
  });

  it("has its names, of the workbook or of a sheet, charts counted", () => {
    const { workbook } = read({
      ...PLAIN,
      ...withWorkbook(
        '<sheets><sheet name="Chart" r:id="c"/><sheet name="Cells" r:id="rId1"/></sheets><definedNames>' +
          '<definedName name="Rate">Cells!$A$1</definedName><definedName name="Rate" localSheetId="1"> 1&lt;2 </definedName>' +
          '<definedName name="_xlnm.Print_Area" localSheetId="0">\'a b\'!$A$1</definedName></definedNames>',
      ),
    });
    expect(workbook.names).toEqual([
      { name: "Rate", sheet: null, formula: "Cells!$A$1" },
      { name: "Rate", sheet: "Cells", formula: "1<2" },
      { name: "_xlnm.Print_Area", sheet: "Chart", formula: "'a b'!$A$1" },
    ]);
  });

  it("has its merged cells, under any prefix", () => {
    const merged = `<mergeCells count='2'><mergeCell ref='A1:B2'/><x:mergeCell xmlns:x='${MAIN}' ref="C3:C4" /></mergeCells>`;
    const [found] = read(toParts(toSheet("").replace("</worksheet>", `${merged}</worksheet>`))).merged;
    expect(found?.map(toReference)).toEqual(["A1:B2", "C3:C4"]);
  });

  it("has its tables with their columns", () => {
    const { workbook } = read({
      ...PLAIN,
      "xl/worksheets/_rels/sheet1.xml.rels": toRelationships(
        ["t1", "table", "../tables/table1.xml"],
        ["t2", "table", "/xl/t.xml"],
      ),
      "xl/tables/table1.xml":
        `<table xmlns="${MAIN}" id="1" name="T" displayName="Sales" ref="A1:B9" totalsRowCount="1"><autoFilter ref="A1:B8"/>` +
        '<tableColumns count="2"><tableColumn id="1" name="A &amp; B"/><tableColumn id="2" name="two_x000a_lines"/></tableColumns></table>',
      "xl/t.xml": `<table xmlns="${MAIN}" displayName="Bare" ref="D1:D2" headerRowCount="0"><tableColumns><tableColumn name="Column1"/></tableColumns></table>`,
    });
    expect(workbook.tables).toEqual([
      {
        name: "Sales",
        sheet: "Sheet1",
        reference: "A1:B9",
        columns: ["A & B", "two\nlines"],
        hasHeaders: true,
        hasTotals: true,
      },
      { name: "Bare", sheet: "Sheet1", reference: "D1:D2", columns: ["Column1"], hasHeaders: false, hasTotals: false },
    ]);
  });

  it("is signed where its package says so", () => {
    const signed = toRelationships(
      ["rId1", "officeDocument", "xl/workbook.xml"],
      ["s", "digital-signature/origin", "s.sigs"],
    );
    expect([read(PLAIN), read({ ...PLAIN, "_rels/.rels": signed })].map(({ workbook }) => workbook.isSigned)).toEqual([
      false,
      true,
    ]);
  });
});

it.each<[string, Parts]>([
  ["an archive of something else", { "content.xml": "<a/>" }],
  ["no types", { ...PLAIN, "[Content_Types].xml": undefined as unknown as string }],
  ["no relationships", { ...PLAIN, "_rels/.rels": toRelationships() }],
  [
    "a workbook part that is missing",
    { ...PLAIN, "_rels/.rels": toRelationships(["r", "officeDocument", "xl/none.xml"]) },
  ],
  ["broken XML", { ...PLAIN, "xl/workbook.xml": "<workbook><sheets>" }],
  ["a document of another program", { ...PLAIN, "xl/workbook.xml": '<document xmlns="urn:word"/>' }],
  ["no sheets", { ...PLAIN, ...withWorkbook("<sheets/>") }],
  ["a sheet whose part is missing", { ...PLAIN, "xl/worksheets/sheet1.xml": undefined as unknown as string }],
  ["a sheet of another kind", { ...PLAIN, "xl/worksheets/sheet1.xml": `<macrosheet xmlns="${MAIN}"/>` }],
])("a file with %s is refused as damaged", (_, parts) => {
  const present = Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
  expect(() => read(present)).toThrow(new XlsxRefused("damaged"));
});

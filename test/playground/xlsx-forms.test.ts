/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */

import { posix } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { createSampleWorkbook } from "../../src/playground/sample-workbook";
import { readCellView } from "../../src/playground/workbook";
import { readXlsx, writeXlsx } from "../../src/playground/xlsx";
import { createFunctionNames } from "../../src/xlsx/names";
import { openWorkbook, prepareEngine } from "./open-workbook";
import data from "./xlsx.json";

const NAMES = createFunctionNames("FEED", ["SAY"]);
const ADD_IN = { id: "e5e98938-6bbc-4356-824e-1329b3cfb00d", version: "1.2.3.4" };

type Texts = Readonly<Record<string, string>>;
const [TYPES, WORKBOOK, SHEET] = ["[Content_Types].xml", "xl/workbook.xml", "xl/worksheets/sheet2.xml"] as const;
const RELATIONS = /\.rels$/;

/** Reads a file of texts, and of images where there are any. */
const read = (texts: Texts, images: Record<string, Uint8Array> = {}) => {
  const parts = Object.entries(texts).map(([path, text]) => [path, strToU8(text)] as const);
  return readXlsx(zipSync({ ...Object.fromEntries(parts), ...images }), NAMES);
};
const mapTexts = (texts: Texts, change: (text: string, path: string) => string) =>
  Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, change(text, path)]));

/** Where parts lie that another program has called otherwise. */
function toOtherPath(path: string): string {
  if (path === TYPES || path === "_rels/.rels") return path;
  const { dir, base } = posix.parse(path.replace(/(^|\/)_rels\/(.+)\.rels$/, "$1$2"));
  const other = posix.join("Parts", dir.replace("worksheets", "Pages"), base.replace("workbook", "book"));
  return RELATIONS.test(path) ? posix.join(posix.dirname(other), "_rels", `${posix.basename(other)}.rels`) : other;
}

function rename(texts: Texts): Texts {
  const moved = mapTexts(texts, (text, path) => {
    if (path === TYPES) return text.replace(/PartName="\/([^"]+)"/g, (_, part) => `PartName="/${toOtherPath(part)}"`);
    if (!RELATIONS.test(path)) return text;
    const folder = posix.join(posix.dirname(path), "..");
    return text.replace(/Target="([^"]+)"/g, (_, target) => `Target="/${toOtherPath(posix.join(folder, target))}"`);
  });
  return Object.fromEntries(Object.entries(moved).map(([path, text]) => [toOtherPath(path), text]));
}

/** Gives all elements and relations other prefixes. */
const usePrefixes = (texts: Texts) =>
  mapTexts(texts, (text) =>
    text
      .replace(/(<\/?)([a-z]+:)?(?=[a-z])/gi, (_, start, prefix = "x:") => start + (OTHERS[prefix] ?? prefix))
      .replace(/xmlns(?::(\w+))?=/g, (_, prefix = "x") => `xmlns:${(OTHERS[`${prefix}:`] ?? prefix).replace(":", "")}=`)
      .replace(/ r:(id|embed|link)=/g, " relation:$1="),
  );
const OTHERS: Texts = { "r:": "relation:", "a:": "art:", "c:": "x0:", "xdr:": "d:" };

const toStrict = (texts: Texts) =>
  mapTexts(texts, (text) =>
    text.replace(/http:\/\/schemas\.openxmlformats\.org\/(spread|drawing|officeD)(\w+)\/2006/g, (_, kind, rest) => {
      return `http://purl.oclc.org/ooxml/${kind}${rest}`;
    }),
  );

/** Parts as a program writes them that gives all one type. */
const withDefaultTypes = (texts: Texts) => ({ ...texts, [TYPES]: '<Types><Default Extension="xml"/></Types>' });

const FORMS: readonly [string, (texts: Texts) => Texts][] = [
  ["parts of other names in other folders", rename],
  ["other prefixes", usePrefixes],
  ["the strict vocabulary", toStrict],
  ["one type for all parts", withDefaultTypes],
  ["all of it", (texts) => withDefaultTypes(rename(usePrefixes(toStrict(texts))))],
];

beforeAll(prepareEngine);

describe("a workbook of another program opens as the same one of Excel does, with", () => {
  it.each(FORMS)("%s", (_, change) => {
    expect(read(change(data.parts))).toEqual(read(data.parts));
  });

  it.each(FORMS)("%s, and charts and formats", async (_, change) => {
    const { sheets, ...sample } = createSampleWorkbook() as { sheets: object[] };
    const model = openWorkbook({ ...sample, sheets: [{ ...sheets[0], rowNumber: 200 }] }).model;
    const files = Object.entries(unzipSync(await writeXlsx(model, { names: NAMES, addIn: ADD_IN })));
    const texts = Object.fromEntries(files.map(([path, content]) => [path, strFromU8(content)]));
    const plain = read(texts) as { sheets: { figures: unknown[] }[] };
    expect(plain.sheets[0]?.figures).toHaveLength(1);
    expect(read(change(texts))).toEqual(plain);
  });
});

/** The workbook with other cells in its first sheet, and something else behind them. */
const withCells = (cells: string, behind = "") =>
  mapTexts(data.parts, (text, path) =>
    path === SHEET ? text.replace(/<sheetData>.*<\/sheetData>/, `<sheetData>${cells}</sheetData>${behind}`) : text,
  );
/** Opens a workbook, with fewer rows, which opens sooner. */
function open(texts: Texts) {
  const { sheets, ...workbook } = read(texts) as { sheets: object[] };
  return openWorkbook({ ...workbook, sheets: sheets.map((sheet) => ({ ...sheet, rowNumber: 200 })) }).model;
}

describe("a workbook of another program", () => {
  it("needs no addresses, shared texts or formats", () => {
    const { "xl/styles.xml": _, ...texts } = withCells(
      '<row><c><v>1</v></c><c t="inlineStr"><is><r><t>two</t></r></is></c><c><f>A1+1</f></c></row>',
    );
    const model = open(texts);
    expect(["A1", "B1", "C1"].map((xc) => readCellView(model, `R&D!${xc}`).value)).toEqual([1, "two", 2]);
  });

  it("has texts as they are, but for characters that XML does not have", () => {
    const texts = ["_x0041_", "_x005F_x0041_", "a_x000D_\nb", "x_x0007_", " a  ", "&amp;#10;"];
    const cells = texts.map((text) => `<c t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`);
    const model = open(withCells(`<row r="1">${cells.join("")}</row>`));
    const values = [..."ABCDEF"].map((column) => readCellView(model, `R&D!${column}1`).value);
    expect(values).toEqual(["A", "_x0041_", "a\nb", "x", " a  ", "&#10;"]);
  });

  it("has its links", () => {
    const relations =
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId9"' +
      ' Type="x/hyperlink" Target="https://example.com/?a&amp;b" TargetMode="External"/></Relationships>';
    const link =
      '<hyperlinks xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">' +
      '<hyperlink ref="A1" r:id="rId9"/></hyperlinks>';
    const texts = withCells('<row r="1"><c r="A1" t="s"><v>0</v></c></row>', link);
    const linked = read({ ...texts, "xl/worksheets/_rels/sheet2.xml.rels": relations });
    expect(linked).toMatchObject({ sheets: [{ cells: { A1: "[東京](https://example.com/?a&b)" } }, {}] });
  });

  it("spills a dynamic array over the values that it had", () => {
    const model = open(
      withCells(
        '<row r="1"><c r="A1" cm="1"><f t="array" ref="A1:A3">SEQUENCE(3)=2</f><v>0</v></c></row>' +
          '<row r="2"><c r="A2" t="b"><v>0</v></c></row><row r="3"><c r="A3" t="b"><v>1</v></c></row>',
      ),
    );
    expect(["A1", "A2", "A3"].map((xc) => readCellView(model, `R&D!${xc}`).value)).toEqual([false, true, false]);
  });
});

describe("a workbook that counts dates from 1904", () => {
  const withDates = (cells: string, formats: string) =>
    mapTexts(withCells(`<row r="1">${cells}</row>`), (text, path) => {
      if (path === WORKBOOK) return text.replace("<sheets>", '<workbookPr date1904="1"/><sheets>');
      return path === "xl/styles.xml" ? text.replace("yyyy\\-mm\\-dd", formats) : text;
    });
  const show = (texts: Texts, column: string) => readCellView(open(texts), `R&D!${column}1`).text;

  it("shows the same days, those of formulas too", () => {
    const texts = withDates('<c r="A1" s="1"><v>45000</v></c><c r="B1" s="1"><f>A1+1</f></c>', "yyyy\\-mm\\-dd");
    expect([show(texts, "A"), show(texts, "B")]).toEqual(["2027-03-16", "2027-03-17"]);
  });

  it("leaves all other numbers", () => {
    const texts = withDates('<c r="A1"><v>45000</v></c><c r="B1" s="1"><v>0.5</v></c>', "h:mm");
    expect([show(texts, "A"), show(texts, "B")]).toEqual(["45000", "12:00"]);
    expect(show(withDates('<c r="A1" s="1"><v>5</v></c>', "0&quot; days&quot;"), "A")).toBe("5 days");
  });
});

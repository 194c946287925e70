import { expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { openPackage } from "../../src/xlsx/package";
import { readCells, type XlsxValue } from "../../src/xlsx/sheet";
import { readWorkbook } from "../../src/xlsx/workbook";
import { writeCells } from "../../src/xlsx/writing";
import { MAIN, toFile, toParts, toStrings } from "./files";

const STRINGS = ["shared", "日本"];
const [ROWS, COLUMNS] = [7, 5];
const toAddress = (row: number, column: number) => `${"ABCDE"[column]}${row + 1}`;

/** Values as a file can hold them, so that they are read as they were written. */
const value: fc.Arbitrary<XlsxValue> = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.boolean(),
  fc.string({ unit: "grapheme", maxLength: 6 }),
  fc.constantFrom("", " ", "a\r\n", "_x000D_", "<&>\"'", "]]>", "=A1"),
  fc.constantFrom("#N/A", "#REF!").map((error) => ({ error })),
  fc.constant(null),
);

/** What a cell may look like in a file: with the prefix of its elements as ¦. */
const content = fc.constantFrom(
  ...[' s="1"/>', ' s="1"></¦c>', "><¦v>1</¦v></¦c>", " t='s'><¦v>1</¦v></¦c>", ' t="n" ><¦v>2.0</¦v></¦c>'],
  ...[' t="inlineStr"><¦is><¦r><¦t>a</¦t></¦r></¦is></¦c>', '><¦f ca="1">SUM(Z1:Z9)</¦f><¦v>3</¦v><¦extLst/></¦c>'],
  ...[' vm="1" t="e"><¦f>F("&lt;c")</¦f> <¦v>#VALUE!</¦v></¦c>', ' t="str"><!-- <c> --><¦f>F()</¦f></¦c>'],
  ...[' t="b"><¦v>1</¦v>\n</¦c>', ' q:t="str" t="str"><¦v xml:space="preserve"> a </¦v></¦c>'],
);
const place = fc.record({ row: fc.nat(ROWS - 1), column: fc.nat(COLUMNS - 1) });
const cell = fc.record({ at: place, content, between: fc.constantFrom("", "\n", " <!-- c --> ") });

/** Of cells with a place the first one of each place. */
const toGrid = <Item extends { at: { row: number; column: number } }>(items: readonly Item[]) =>
  new Map(items.toReversed().map((item) => [toAddress(item.at.row, item.at.column), item]));

const sheet = fc.record({
  prefix: fc.constantFrom("", "x:"),
  cells: fc.array(cell, { maxLength: 20 }).map(toGrid),
  emptyRows: fc.array(fc.nat(ROWS - 1), { maxLength: 2 }),
  hasSpans: fc.boolean(),
});
type Sheet = typeof sheet extends fc.Arbitrary<infer Value> ? Value : never;

/** A sheet's part; a row that follows the one before, or a cell, needs no address. */
function toXml({ prefix, cells, emptyRows, hasSpans }: Sheet, isAddressed: boolean): string {
  const rows: string[] = [];
  let lastRow = -1;
  for (let row = 0; row < ROWS; row++) {
    const inRow: string[] = [];
    let lastColumn = -1;
    for (let column = 0; column < COLUMNS; column++) {
      const item = cells.get(toAddress(row, column));
      if (!item) continue;
      const isNext = !isAddressed && column === lastColumn + 1;
      inRow.push(`${item.between}<¦c${isNext ? "" : ` r="${toAddress(row, column)}"`}${item.content}`);
      lastColumn = column;
    }
    if (inRow.length === 0 && !emptyRows.includes(row)) continue;
    const number = !isAddressed && row === lastRow + 1 ? "" : ` r="${row + 1}"`;
    const tag = `<¦row${number}${hasSpans ? ' spans="2:3"' : ""} ht="12"`;
    rows.push(inRow.length === 0 ? `${tag} />` : `${tag}>${inRow.join("")}</¦row>`);
    lastRow = row;
  }
  const namespace = prefix === "" ? "xmlns" : "xmlns:x";
  return (
    `<?xml version="1.0"?><¦worksheet ${namespace}="${MAIN}" xmlns:q="urn:q"><¦dimension ref="B2:C3"/>` +
    `<¦sheetData>${rows.join("\r\n")}</¦sheetData><¦mergeCells/></¦worksheet>`
  ).replaceAll("¦", prefix);
}

/** A part without some cells, without rows that only these made, and without what follows the cells' places. */
function without(xml: string, addresses: readonly string[], rows: ReadonlySet<number>): string {
  const element = (name: string) =>
    new RegExp(`<((?:x:)?${name})(?= |>)((?:[^>"']|"[^"]*"|'[^']*')*?)(?:/>|>([\\s\\S]*?)</\\1>)`, "g");
  let row = -1;
  return xml
    .replace(element("row"), (_, name, attributes, cells = "") => {
      row = Number(/ r="(\d+)"/.exec(attributes)?.[1] ?? row + 2) - 1;
      let column = -1;
      const left = cells.replace(element("c"), (whole: string, _: string, ofCell: string) => {
        const letter = / r="([A-E])/.exec(ofCell)?.[1];
        column = letter === undefined ? column + 1 : "ABCDE".indexOf(letter);
        return addresses.includes(toAddress(row, column)) ? "" : whole;
      });
      return rows.has(row) ? `<${name}${attributes.trimEnd()}>${left}</${name}>` : "";
    })
    .replace(/ spans="[^"]*"|dimension ref="[^"]*"/g, "");
}

const changes = fc.array(fc.record({ at: place, value }), { maxLength: 12 }).map(toGrid);

it("cells that are written are read again, and all others keep every character", () => {
  const property = fc.property(sheet, fc.boolean(), changes, (drawn, isAddressed, changed) => {
    const before = toXml(drawn, isAddressed);
    const pack = openPackage(
      toFile(toParts(before, { "xl/sharedStrings.xml": toStrings(...STRINGS.map((text) => `<t>${text}</t>`)) })),
    );
    const workbook = readWorkbook(pack);
    const [first = { name: "", path: "" }] = workbook.sheets;
    const read = () =>
      new Map(readCells(pack, workbook, first).cells.map(({ row, column, ...cell }) => [toAddress(row, column), cell]));
    const expected = read();
    writeCells(
      pack,
      first,
      [...changed.values()].map(({ at, value }) => ({ ...at, value })),
    );
    for (const [address, { value }] of changed) {
      const { formula } = expected.get(address) ?? {};
      if (value === null && formula === undefined) expected.delete(address);
      else expected.set(address, { value, ...(formula && { formula }) });
    }
    const sort = (cells: ReturnType<typeof read>) => [...cells].toSorted(([one], [other]) => (one < other ? -1 : 1));
    expect(sort(read())).toEqual(sort(expected));
    const rows = new Set([...drawn.cells.values()].map(({ at }) => at.row).concat(drawn.emptyRows));
    const [one, other] = [before, pack.readText(first.path) ?? ""].map((xml) =>
      without(xml, [...changed.keys()], rows),
    );
    expect(other).toBe(one);
  });
  fc.assert(property, { seed: 46, numRuns: 200 });
});

import { readArea, readPlace, SHEET_COLUMNS, SHEET_ROWS, type SheetArea, showPlace, toLetters } from "./addresses";
import { CELL } from "./formula-text";

/** A cell's row and column, counted from 0. */
interface Spot {
  row: number;
  column: number;
}

const SHEET = /(?:'(?:[^']|'')+'|[\p{L}_][\p{L}\p{N}_.]*)!/u.source;
const COLUMNS = /\$?[A-Z]{1,3}:\$?[A-Z]{1,3}/.source;
const ROWS = /\$?[1-9]\d{0,6}:\$?[1-9]\d{0,6}/.source;

/** Texts, columns of tables, other workbooks, and cells of several sheets are no references here. */
const OTHER = [
  /"(?:[^"]|"")*"/u.source,
  /\[(?:[^[\]']|'.|\[(?:[^[\]']|'.)*\])*\]/u.source,
  `(?!${CELL}:)${/[\p{L}_][\p{L}\p{N}_.]*:[\p{L}_][\p{L}\p{N}_.]*![$A-Z\d]+/u.source}`,
].join("|");

const REFERENCES = new RegExp(
  `${OTHER}|(?<![\\p{L}\\p{N}_.\\]!$])(?<sheet>${SHEET})?(?<address>${CELL}(?::${CELL})?|${COLUMNS}|${ROWS})(?![\\p{L}\\p{N}_.(!])`,
  "giu",
);

/** Writes each reference of a formula anew. @param write receives the sheet as it is written, such as "'Sales 2024'!" or "" */
function mapReferences(formula: string, write: (address: string, sheet: string) => string): string {
  return formula.replace(REFERENCES, (...match) => {
    const [written, { sheet = "", address }] = [match[0], match.at(-1)];
    return address === undefined || /[[:]/.test(readPlace(sheet).sheet) ? written : write(address, sheet);
  });
}

/** Writes the rows and columns of an address anew, each counted from 0. */
function mapSides(address: string, move: (at: number, side: keyof Spot, isFixed: boolean) => number): string {
  return address.replace(/(\$?)([A-Z]+|\d+)/gi, (_, dollar: string, written: string) => {
    const isRow = /\d/.test(written);
    const at = isRow ? Number(written) - 1 : readArea(`${written}1`).column;
    const moved = move(at, isRow ? "row" : "column", dollar !== "");
    return dollar + (isRow ? String(moved + 1) : toLetters(moved));
  });
}

/** Lists the cells that a formula refers to, in its order. @param own the sheet of its cell */
export function listReferences(formula: string, own: string): SheetArea[] {
  const areas: SheetArea[] = [];
  mapReferences(formula, (address, sheet) => {
    areas.push(toArea(address, sheet, own));
    return "";
  });
  return areas;
}

const toArea = (address: string, sheet: string, own: string): SheetArea => ({
  sheet: readPlace(sheet).sheet || own,
  ...readArea(readPlace(address).address),
});

/**
 * Writes a formula for the present place of the cells that it refers to.
 *
 * @param from the sheet of its cell when it was written
 * @param to the sheet of its cell by now
 * @param follow the present place of cells; null for deleted ones
 * @returns null where it refers to deleted cells
 */
export function followReferences(
  formula: string,
  from: string,
  to: string,
  follow: (area: SheetArea) => SheetArea | null = (area) => area,
): string | null {
  let isWhole = true;
  const followed = mapReferences(formula, (address, sheet) => {
    const before = toArea(address, sheet, from);
    const now = follow(before);
    isWhole &&= now !== null;
    if (now === null) return address;
    const last = { row: now.row + now.rows - 1, column: now.column + now.columns - 1 };
    const moved = mapSides(address, (at, side) => (at === before[side] ? now : last)[side]);
    return sheet !== "" || now.sheet !== to ? showPlace({ sheet: now.sheet, address: moved }) : moved;
  });
  return isWhole ? followed : null;
}

const MOST: Spot = { row: SHEET_ROWS, column: SHEET_COLUMNS };

/** Writes a formula as a copy to another cell has it. */
export const moveFormula = (formula: string, from: Spot, to: Spot): string =>
  mapReferences(formula, (address, sheet) => {
    let isThere = true;
    const moved = mapSides(address, (at, side, isFixed) => {
      const now = isFixed ? at : at + to[side] - from[side];
      isThere &&= now >= 0 && now < MOST[side];
      return Math.max(now, 0);
    });
    return sheet + (isThere ? moved : "#REF!");
  });

/** A formula without the number of its own row, so that formulas that differ only by it are equal. */
export function withoutOwnRow(formula: string, row: number): string {
  const own = new RegExp(`(?<![$\\d])${row + 1}(?!\\d)`, "g");
  return mapReferences(formula, (address, sheet) => sheet + (sheet === "" ? address.replace(own, "") : address));
}

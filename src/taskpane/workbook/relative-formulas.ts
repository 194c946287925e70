import { readArea, readPlace, showPlace, toLetters } from "../addresses";
import type { SheetArea } from "./ranges";

/** A cell of a sheet, counted from 0. */
interface Spot {
  sheet: string;
  row: number;
  column: number;
}

/** A row or column: its number where a dollar sign fixes it, else its distance from the formula. */
type Side = readonly [at: number, isFixed: boolean];

/** A corner of a reference; whole columns have no row, whole rows no column. */
interface Corner {
  row: Side | null;
  column: Side | null;
}

/** A reference as it is written; the sheet is empty where none is named. */
interface Reference {
  sheet: string;
  corners: readonly Corner[];
}

/** A formula with references relative to its cell, equal in all cells that it was filled to. */
export type RelativeFormula = readonly (string | Reference)[];

const SHEET = /(?:'(?:[^']|'')+'|[\p{L}_][\p{L}\p{N}_.]*)!/u.source;
const CELL = /\$?[A-Z]{1,3}\$?[1-9]\d{0,6}/.source;
const COLUMNS = /\$?[A-Z]{1,3}:\$?[A-Z]{1,3}/.source;
const ROWS = /\$?[1-9]\d{0,6}:\$?[1-9]\d{0,6}/.source;

/** Texts, columns of tables, other workbooks, and cells of several sheets are no references here. */
const OTHER = [
  /"(?:[^"]|"")*"/u.source,
  /\[(?:[^[\]']|'.|\[(?:[^[\]']|'.)*\])*\]/u.source,
  `(?!${CELL}:)${/[\p{L}_][\p{L}\p{N}_.]*:[\p{L}_][\p{L}\p{N}_.]*![$A-Z\d]+/u.source}`,
].join("|");

const REFERENCES = new RegExp(
  `${OTHER}|(?<![\\p{L}\\p{N}_.\\]!$])(?<reference>(?:${SHEET})?(?:${CELL}(?::${CELL})?|${COLUMNS}|${ROWS}))(?![\\p{L}\\p{N}_.(!])`,
  "giu",
);

/** Splits a cell's formula into texts and relative references. */
export function toRelative(formula: string, cell: Spot): RelativeFormula {
  const parts: (string | Reference)[] = [];
  let end = 0;
  for (const { 0: match, index, groups } of formula.matchAll(REFERENCES)) {
    const { sheet } = readPlace(groups?.reference ?? "");
    if (groups?.reference === undefined || /[[:]/.test(sheet)) continue;
    const corners = match.slice(match.lastIndexOf("!") + 1).split(":");
    parts.push(formula.slice(end, index), { sheet, corners: corners.map((corner) => readCorner(corner, cell)) });
    end = index + match.length;
  }
  return [...parts, formula.slice(end)];
}

function readCorner(written: string, { row, column }: Spot): Corner {
  const [, letters = "", digits = ""] = /^(\$?[A-Z]+)?(\$?\d+)?$/i.exec(written) ?? [];
  return {
    row: toSide(digits, row, (plain) => Number(plain) - 1),
    column: toSide(letters, column, (plain) => readArea(`${plain}1`).column),
  };
}

function toSide(written: string, own: number, read: (plain: string) => number): Side | null {
  const plain = written.replace("$", "");
  if (plain === "") return null;
  return plain === written ? [read(plain) - own, false] : [read(plain), true];
}

/** The cells that the formula of a cell refers to, in its order. */
export function listReferences(formula: RelativeFormula, cell: Spot): SheetArea[] {
  return formula.flatMap((part) => (typeof part === "string" ? [] : [toArea(part, cell)]));
}

function toArea({ sheet, corners }: Reference, cell: Spot): SheetArea {
  const address = corners.map((corner) => showCorner(corner, cell)).join(":");
  return { sheet: sheet || cell.sheet, ...readArea(address) };
}

const showCorner = ({ row, column }: Corner, cell: Spot) =>
  (column === null ? "" : toLetters(toLine(column, cell.column))) +
  (row === null ? "" : String(toLine(row, cell.row) + 1));

const toLine = ([at, isFixed]: Side, own: number) => (isFixed ? at : at + own);

/**
 * Writes a cell's formula for its present place.
 *
 * @param cell its cell when it was split
 * @param to its present cell
 * @param follow the present place of cells; null for deleted ones
 * @returns null where it refers to deleted cells
 */
export function showFormula(
  formula: RelativeFormula,
  cell: Spot,
  to: Spot,
  follow: (area: SheetArea) => SheetArea | null,
): string | null {
  const parts = formula.map((part) => {
    if (typeof part === "string") return part;
    const before = toArea(part, cell);
    const now = follow(before);
    return now === null ? null : showReference(part, cell, before, now, to.sheet);
  });
  return parts.includes(null) ? null : parts.join("");
}

function showReference(
  { sheet, corners }: Reference,
  cell: Spot,
  before: SheetArea,
  now: SheetArea,
  own: string,
): string {
  const written = corners.map(({ row, column }) => {
    const isLast = {
      row: row !== null && toLine(row, cell.row) !== before.row,
      column: column !== null && toLine(column, cell.column) !== before.column,
    };
    const letters = toLetters(now.column + (isLast.column ? now.columns - 1 : 0));
    const digits = String(now.row + (isLast.row ? now.rows - 1 : 0) + 1);
    return showSide(column, letters) + showSide(row, digits);
  });
  const address = written.join(":");
  return sheet !== "" || now.sheet !== own ? showPlace({ sheet: now.sheet, address }) : address;
}

function showSide(side: Side | null, text: string): string {
  if (side === null) return "";
  return side[1] ? `$${text}` : text;
}

/** Writes a cell's formula as it was when it was split. */
export const showOriginal = (formula: RelativeFormula, cell: Spot) =>
  showFormula(formula, cell, cell, (area) => area) ?? "";

/** A formula's meaning among those of its column; formulas that differ only by their own row share one. */
export const toMeaning = (formula: RelativeFormula, cell: Spot) =>
  isOfOwnRow(formula) ? JSON.stringify(formula) : showOriginal(formula, cell);

/** Whether a formula reads its own row, wherever a sort moves it. */
export const isFollowingRow = (formula: RelativeFormula) =>
  isOfOwnRow(formula) && listCorners(formula).some(({ row }) => row !== null && !row[1]);

function isOfOwnRow(formula: RelativeFormula): boolean {
  return listCorners(formula).every(({ row, sheet }) => row === null || row[1] || (row[0] === 0 && sheet === ""));
}

const listCorners = (formula: RelativeFormula) =>
  formula.flatMap((part) =>
    typeof part === "string" ? [] : part.corners.map(({ row }) => ({ row, sheet: part.sheet })),
  );

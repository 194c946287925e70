import type { CellState } from "../../contract/workbook";
import { type Area, isTouching } from "../../taskpane/addresses";
import { readTypedNumber } from "./typed-numbers";
import { FIRST_YEAR, LAST_YEAR, readYearLabel } from "./year-labels";

/** Cells of a sheet around a selection, whose labels may stand outside of it. */
export interface SheetPart {
  sheet: string;
  /** Place of the first cell, counted from 0. */
  row: number;
  column: number;
  cells: readonly (readonly CellState[])[];
  selection: Area;
  dateSystem: 1900 | 1904;
}

/** Where a block's labels and numbers stand, by the sheet's rows and columns, counted from 0. */
export interface Regions {
  /** From top to bottom, headings and titles. */
  headerRows: readonly number[];
  /** From left to right. */
  labelColumns: readonly number[];
  rows: readonly number[];
  columns: readonly number[];
}

const EMPTY: CellState = { value: null, formula: "", format: "" };

export const cellAt = ({ row, column, cells }: SheetPart, r: number, c: number): CellState =>
  cells[r - row]?.[c - column] ?? EMPTY;

/** A cell's label as text; empty without one. */
export function textAt(part: SheetPart, row: number, column: number): string {
  const { value } = cellAt(part, row, column);
  return typeof value === "string" && !value.startsWith("#") ? value.trim() : "";
}

export const yearAt = (part: SheetPart, row: number, column: number) => {
  const { value, format } = cellAt(part, row, column);
  return readYearLabel(value, format, part.dateSystem);
};

const spanOf = (from: number, count: number): number[] => Array.from({ length: count }, (_, index) => from + index);

/** Finds the labels and the numbers of a selection; null where it has no typed number. */
export function findRegions(part: SheetPart): Regions | null {
  const { selection } = part;
  const selected = {
    rows: spanOf(selection.row, selection.rows),
    columns: spanOf(selection.column, selection.columns),
  };
  const first = selected.rows.find((row) => isDataRow(part, row, selected.columns));
  if (first === undefined) return null;
  const below = selected.rows.filter((row) => row >= first);
  const labels = findLabelColumns(part, below);
  const columns = selected.columns.filter((c) => !labels.includes(c) && below.some((r) => isNumber(part, r, c)));
  const rows = below.filter((row) => columns.some((column) => isNumber(part, row, column)));
  if (rows.length === 0) return null;
  return { headerRows: findHeaderRows(part, first, columns), labelColumns: labels, rows, columns };
}

const isNumber = (part: SheetPart, row: number, column: number) => readTypedNumber(cellAt(part, row, column)) !== null;

/** Whether a row has a number that is no year; years alone are a heading. */
function isDataRow(part: SheetPart, row: number, columns: readonly number[]): boolean {
  const numbers = columns.filter((column) => isNumber(part, row, column));
  if (numbers.length === 0) return false;
  if (numbers.every((column) => isCorporateNumber(cellAt(part, row, column)))) return false;
  const areYears = numbers.every((column) => isYearNumber(cellAt(part, row, column)));
  if (!areYears) return true;
  // A row of figures that look like years has a label of its own and years above.
  return numbers.every((column) => hasYearAbove(part, row, column));
}

const isYearNumber = ({ value, format }: CellState): boolean =>
  typeof value === "number" &&
  Number.isInteger(value) &&
  value >= FIRST_YEAR &&
  value <= LAST_YEAR &&
  !format.includes(",");

const hasYearAbove = (part: SheetPart, row: number, column: number): boolean =>
  spanOf(part.row, row - part.row).some((above) => yearAt(part, above, column) !== null);

/** The columns in front that hold no figure: names, years, and numbers that identify companies. */
function findLabelColumns(part: SheetPart, rows: readonly number[]): number[] {
  const { selection } = part;
  const inside = [];
  for (const column of spanOf(selection.column, selection.columns)) {
    if (!isLabelColumn(part, rows, column)) break;
    inside.push(column);
  }
  const before = spanOf(part.column, selection.column - part.column).filter(
    (column) => isLabelColumn(part, rows, column) && rows.some((row) => cellAt(part, row, column).value !== null),
  );
  return [...before, ...inside];
}

/** Headings of columns with numbers that identify. */
const IDENTIFYING =
  /^(?:id|code|ticker|securities code|registration|corporate number|company (?:id|no)|コード|証券コード|法人番号|登録番号)/i;
/** Corporate numbers of Japan. */
const CORPORATE_NUMBER_DIGITS = 13;

function isLabelColumn(part: SheetPart, rows: readonly number[], column: number): boolean {
  const numbers = rows.map((row) => cellAt(part, row, column)).filter((cell) => readTypedNumber(cell) !== null);
  if (rows.some((row) => cellAt(part, row, column).formula !== "" && textAt(part, row, column) === "")) return false;
  if (numbers.length === 0) return true;
  if (numbers.every(isYearNumber)) return numbers.length > 1 || rows.length === 1;
  const isNumbered = spanOf(part.row, (rows[0] ?? part.row) - part.row).some((row) =>
    IDENTIFYING.test(textAt(part, row, column)),
  );
  return isNumbered || numbers.every(isCorporateNumber);
}

const isCorporateNumber = ({ value }: CellState) =>
  String(value).length === CORPORATE_NUMBER_DIGITS && Number.isInteger(value);

/** The rows above the numbers; a blank row and other numbers end them. */
function findHeaderRows(part: SheetPart, first: number, columns: readonly number[]): number[] {
  const found: number[] = [];
  let isParted = false;
  for (let row = first - 1; row >= part.row; row--) {
    const cells = spanOf(part.column, part.cells[0]?.length ?? 0).map((column) => cellAt(part, row, column));
    if (cells.every(({ value }) => value === null || value === "")) isParted = true;
    else if (isDataRow(part, row, columns)) {
      if (isParted) break;
    } else found.unshift(row);
  }
  return found;
}

/** Whether a cell is among the selected ones. */
export const isSelected = ({ selection }: SheetPart, row: number, column: number): boolean =>
  isTouching(selection, { row, column, rows: 1, columns: 1 });

import { isCompanyId } from "../../client/ids";
import type { CellState } from "../../contract/workbook";
import { type Area, isTouching } from "../../taskpane/addresses";
import {
  FIRST_YEAR,
  isCurrencyCode,
  isRatioWord,
  isSummaryWord,
  LAST_YEAR,
  readConsolidation,
  readMetricWord,
  readTypedNumber,
  readUnitLabel,
  readYearLabel,
} from "./cell-texts";

/** A line of labels beside the numbers: a column in front of them, or a row above them. */
interface Side {
  along: "rows" | "columns";
  /** The column or the row of the labels. */
  at: number;
}

/** What the labels of a block name. */
export interface Sides {
  company: Side;
  /** Absent where the years stand in a title or nowhere. */
  year: Side | undefined;
  /** Absent where the metrics have no labels. */
  metric: Side | undefined;
  /** Whether the years are across the companies, so that all numbers are of one metric. */
  isByYears: boolean;
}

export type NoSides = "noCompanies" | "severalBlocks";

/** A side with its labels that are not blank. */
interface Line extends Side {
  labels: readonly { row: number; column: number; text: string }[];
}

/** The cell of a number's label. */
export const labelOf = ({ along, at }: Side, row: number, column: number): { row: number; column: number } =>
  along === "rows" ? { row, column: at } : { row: at, column };

export function yearOfLabel(part: SheetPart, year: Side, row: number, column: number) {
  const cell = labelOf(year, row, column);
  return yearAt(part, cell.row, cell.column);
}

/** Finds what the labels beside the numbers name: companies on one side, years or metrics on the other. */
export function findSides(part: SheetPart, regions: Regions): Sides | NoSides {
  const lines = listLines(part, regions).filter((line) => isNaming(line, regions));
  const toYear = ({ row, column }: Line["labels"][number]) => yearAt(part, row, column)?.years[0];
  const year = pickBest(lines, ({ labels }) => share(labels, (label) => toYear(label) !== undefined));
  const rest = lines.filter((line) => line !== year);
  const ofMetrics = rest.filter((line) => rateMetrics(line) >= 0.3);
  const company = pickBest(
    rest.filter((line) => !ofMetrics.includes(line)),
    rateCompanies,
  );
  if (company === undefined) return "noCompanies";
  const isByYears = year !== undefined && year.along !== company.along;
  const isSeveral =
    hasEqual(listCompanies(company)) ||
    (isByYears && hasEqual(year.labels.map(toYear).filter((each) => each !== undefined))) ||
    ofMetrics.some(({ along, labels }) => labels.length > 1 && (isByYears || along === company.along));
  if (isSeveral) return "severalBlocks";
  // Labels of other words are of metrics that only the person knows.
  const across = rest.filter(({ along }) => along !== company.along);
  return { company, year, metric: isByYears ? undefined : pickBest(across, rateMetrics, 0), isByYears };
}

function listLines(part: SheetPart, { headerRows, labelColumns, rows, columns }: Regions): Line[] {
  const sides: Side[] = [
    ...labelColumns.map((at) => ({ along: "rows" as const, at })),
    ...[...headerRows].reverse().map((at) => ({ along: "columns" as const, at })), // the nearest first
  ];
  const lines = sides.map((side): Line => {
    const cells =
      side.along === "rows"
        ? rows.map((row) => labelOf(side, row, 0))
        : columns.map((column) => labelOf(side, 0, column));
    const labels = cells.map((cell) => ({
      ...cell,
      text: String(cellAt(part, cell.row, cell.column).value ?? "").trim(),
    }));
    return { ...side, labels: labels.filter(({ text }) => text !== "") };
  });
  return lines.filter(({ labels }) => labels.length > 0);
}

const share = <T>(all: readonly T[], fits: (one: T) => boolean): number => all.filter(fits).length / all.length;

const hasEqual = (all: readonly unknown[]): boolean => new Set(all).size < all.length;

function pickBest(lines: readonly Line[], rate: (line: Line) => number, least = 0.5): Line | undefined {
  let best: Line | undefined;
  for (const line of lines) if (rate(line) >= least && (best === undefined || rate(line) > rate(best))) best = line;
  return best;
}

const rateMetrics = ({ labels }: Line): number =>
  share(labels, ({ text }) => readMetricWord(text) !== null || isRatioWord(text));

/** Whether labels name several things: a title stands alone above several columns. */
function isNaming({ along, labels }: Line, { columns }: Regions): boolean {
  if (labels.every(({ text }) => isCurrencyCode(text) || readUnitLabel(text) !== null)) return false;
  return along === "rows" || columns.length === 1 || labels.length > 1;
}

const listCompanies = ({ labels }: Line): string[] =>
  labels.map(({ text }) => text).filter((text) => !isSummaryWord(text) && readUnitLabel(text) === null);

/** How surely labels name companies: an id or a number more than a name, and names more than what repeats. */
function rateCompanies(line: Line): number {
  const companies = listCompanies(line);
  if (companies.length * 2 < line.labels.length) return 0;
  if (companies.every(isCompanyId)) return 3;
  if (companies.every((text) => (text.match(/\d/g) ?? []).length >= 7)) return 2;
  return 0.5 + new Set(companies).size / companies.length / 2;
}

/** The texts that hold for the whole block: its titles, and what stands in its corner. */
export interface Titles {
  texts: readonly string[];
  consolidation: ReturnType<typeof readConsolidation>;
  unit: ReturnType<typeof readUnitLabel>;
}

/** Reads the titles; those above the numbers come first, since other blocks may stand beside. */
export function readTitles(part: SheetPart, { headerRows, columns }: Regions, sides: Sides): Titles {
  const isLabel = (row: number, column: number) =>
    [sides.company, sides.year, sides.metric].some(
      (side) =>
        side !== undefined &&
        (side.along === "rows"
          ? side.at === column && !headerRows.includes(row)
          : side.at === row && columns.includes(column)),
    );
  const found = headerRows.flatMap((row) =>
    (part.cells[row - part.row] ?? [])
      .map((_, index) => part.column + index)
      .filter((column) => !isLabel(row, column))
      .map((column) => ({ text: textAt(part, row, column), isAbove: columns.includes(column) }))
      .filter(({ text }) => text !== ""),
  );
  const texts = [...found.filter(({ isAbove }) => isAbove), ...found.filter(({ isAbove }) => !isAbove)].map(
    ({ text }) => text,
  );
  const first = <T>(read: (text: string) => T | null) =>
    texts.reduce<T | null>((before, text) => before ?? read(text), null);
  return { texts, consolidation: first(readConsolidation), unit: first(readUnitLabel) };
}

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

const yearAt = (part: SheetPart, row: number, column: number) => {
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

import type { FeedCell, Place } from "../../contract/workbook";
import { toArgumentText, toLabel } from "../activity/live-calls";
import { readArea, SHEET_ROWS } from "../addresses";
import type { CellChange } from "../cell-changes";
import { type FormulaCells, toShownPlace } from "../cells";
import { isSpilling } from "../feed-formulas";
import type { Steps } from "../slices";

/** The kinds of change: another value, a first value, or no value any more. */
export const CHANGE_KINDS = ["changed", "appeared", "vanished"] as const;

export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The subject of a cell, read from its formula or table. */
interface Subject {
  /** A company or another row of a table; else the formula's arguments. */
  what: string;
  year: string | null;
  /** A metric, or another column of a table. */
  metric: string | null;
}

/** A cell of the workbook that the last refresh changed. */
export interface ChangedCell extends Subject {
  change: CellChange;
  kind: ChangeKind;
  /** The cell that holds the formula; null where it is unknown. */
  anchor: Place | null;
  /** The cell's own place; null also where it has left its table. */
  place: Place | null;
  /** Change relative to the old value, such as 0.05; null for a value that is no number. */
  ratio: number | null;
}

/** The changed cells of one row of a table, or a single cell. */
export type ChangedRow = readonly ChangedCell[];

/** The changed cells of one sheet from top to bottom, those of rankings behind all others. */
export interface SheetChanges {
  /** Name of the sheet; null for cells without a known place. */
  sheet: string | null;
  rows: readonly ChangedRow[];
  /** Number of cells. */
  count: number;
}

/** The changed cells of the workbook. */
export interface ChangedCells {
  /** In the order in which the sheets first occur; those of rankings alone come behind, cells without a known place last. */
  sheets: readonly SheetChanges[];
  count: number;
  kinds: Readonly<Record<ChangeKind, number>>;
}

/**
 * Lists the changed cells, one a step; a formula that several cells share counts in each of them.
 *
 * @param nameOf the name of a company; undefined where it is unknown
 */
export function* toChangedCells(
  changes: readonly CellChange[],
  anchors: FormulaCells,
  nameOf: (companyId: string) => string | undefined,
): Steps<ChangedCells> {
  const kinds = { changed: 0, appeared: 0, vanished: 0 };
  const all: ChangedCell[] = [];
  for (const change of changes) {
    for (const cell of toCells(change, anchors.get(change.call) ?? [], nameOf)) {
      kinds[cell.kind]++;
      all.push(cell);
    }
    yield;
  }
  return { sheets: yield* groupChanges(all), count: all.length, kinds };
}

function toCells(
  change: CellChange,
  anchors: readonly FeedCell[],
  nameOf: (companyId: string) => string | undefined,
): ChangedCell[] {
  const facts = { change, kind: readKind(change), ratio: readRatio(change), ...readSubject(change, nameOf) };
  if (anchors.length === 0) return [{ ...facts, anchor: null, place: null }];
  return anchors.map((cell) => {
    const anchor = { sheet: cell.sheet, address: cell.address };
    return { ...facts, anchor, place: findPlace(anchor, cell, change) };
  });
}

/** A call inside a larger formula fills no cells of its own. */
function findPlace(anchor: Place, cell: FeedCell, { row, column }: CellChange): Place | null {
  if (row === null || column === null) return null;
  const isOwn = (row === 0 && column === 0) || !isSpilling(cell);
  return isOwn ? anchor : toShownPlace(anchor, row, column);
}

/** Cells by their position on a sheet, as one number, so that 100,000 are sorted at once. */
type CellsByPosition = Map<number, ChangedCell[]>;

/** More than any sheet has. */
const COLUMNS = 100_000;

/** Groups cells by sheet, and sorts them there. */
function* groupChanges(cells: readonly ChangedCell[]): Steps<SheetChanges[]> {
  const sheets = new Map<string | null, CellsByPosition>();
  for (const cell of cells) {
    const at = cell.place ?? cell.anchor;
    const { row, column } = at === null ? { row: 0, column: 0 } : readArea(at.address);
    const sheet = at?.sheet ?? null;
    const positions: CellsByPosition = sheets.get(sheet) ?? new Map();
    sheets.set(sheet, positions);
    const position = (row + (isRanked(cell) ? SHEET_ROWS : 0)) * COLUMNS + column;
    const others = positions.get(position);
    if (others === undefined) positions.set(position, [cell]);
    else others.push(cell);
    yield;
  }
  const groups: SheetChanges[] = [];
  for (const [sheet, positions] of sheets) groups.push(toGroup(sheet, yield* listRows(positions)));
  const toOrder = ({ sheet, rows }: SheetChanges) => (sheet === null ? 2 : Number(isRanked(rows[0]?.[0])));
  return groups.sort((one, other) => toOrder(one) - toOrder(other));
}

/** Whether a cell is of a ranking, which changes all the time; other figures are of a person's own model. */
const isRanked = (cell: ChangedCell | undefined): boolean => cell?.change.call.name.startsWith("RANKING") === true;

const toGroup = (sheet: string | null, rows: readonly ChangedRow[]): SheetChanges => {
  return { sheet, rows, count: rows.reduce((sum, { length }) => sum + length, 0) };
};

function* listRows(positions: CellsByPosition): Steps<ChangedRow[]> {
  const rows: ChangedCell[][] = [];
  for (const position of Float64Array.from(positions.keys()).sort()) {
    for (const cell of positions.get(position) ?? []) {
      const last = rows.at(-1);
      if (last?.[0] !== undefined && isOfRow(cell, last[0])) last.push(cell);
      else rows.push([cell]);
      yield;
    }
  }
  return rows;
}

/** Whether two cells are of one row of one table. */
const isOfRow = (one: ChangedCell, other: ChangedCell): boolean =>
  one.change.call === other.change.call &&
  one.anchor?.address === other.anchor?.address &&
  one.change.row === other.change.row &&
  one.what === other.what;

/** The cells of a kind that a text is about, a row a step. @param kind "" for each; @param text "" for any, in small letters */
export function* filterChanges(
  { sheets }: ChangedCells,
  kind: ChangeKind | "",
  text: string,
): Steps<readonly SheetChanges[]> {
  if (kind === "" && text === "") return sheets;
  const fitting: SheetChanges[] = [];
  const isMeant = (cell: ChangedCell) => (kind === "" || cell.kind === kind) && (text === "" || isAbout(cell, text));
  for (const { sheet, rows } of sheets) {
    const some: ChangedRow[] = [];
    for (const row of rows) {
      const meant = row.filter(isMeant);
      if (meant.length > 0) some.push(meant);
      yield;
    }
    if (some.length > 0) fitting.push(toGroup(sheet, some));
  }
  return fitting;
}

/** Whether a change's shown texts contain a text, letter case aside. */
function isAbout({ change, place, anchor, what, year, metric }: ChangedCell, text: string): boolean {
  const { sheet, address } = place ?? anchor ?? { sheet: "", address: "" };
  const words = [sheet, address, change.call.name, what, year, metric];
  return words.join(" ").toLowerCase().includes(text);
}

const ERROR = /^#[A-Z0-9/?!]+$/;

/** Whether a cell has no value: it is empty, gone, or an error. */
const isNothing = (value: unknown): boolean =>
  value === null || value === "" || (typeof value === "string" && ERROR.test(value));

function readKind({ before, after }: CellChange): ChangeKind {
  if (isNothing(before) === isNothing(after)) return "changed";
  return isNothing(before) ? "appeared" : "vanished";
}

/** Header of a rank's column. */
export const RANK = "Rank";

/** Dates and ranks have no ratio. */
function readRatio({ before, after, format, columnName }: CellChange): number | null {
  if (typeof before !== "number" || typeof after !== "number" || before === 0) return null;
  if (format !== null || columnName === RANK) return null;
  return (after - before) / Math.abs(before);
}

/** Formulas whose ranges lie over each other: a column of companies and a row of years give the table of both. */
const OVERLAID: Readonly<Record<string, [what: string, year: string | null, metric: string]>> = {
  FINANCIAL: ["company", "year", "metric"],
  COMPANY: ["company", null, "field"],
};

function readSubject(change: CellChange, nameOf: (companyId: string) => string | undefined): Subject {
  const { call, row, column, rowName, columnName } = change;
  const overlaid = OVERLAID[call.name];
  const read = (name: string | null) =>
    name === null ? null : toArgumentText(pickArgument(call.given[name], row, column));
  if (overlaid !== undefined && call.given[overlaid[2]] !== null) {
    const [what, year, metric] = overlaid;
    const company = pickArgument(call.given[what], row, column);
    return { what: toName(company, nameOf) ?? toLabel(call), year: read(year), metric: read(metric) };
  }
  if (rowName !== null) return { what: toName(rowName, nameOf) ?? toLabel(call), year: null, metric: columnName };
  return { what: toLabel(call), year: null, metric: null };
}

const toName = (company: unknown, nameOf: (companyId: string) => string | undefined): string | null =>
  (typeof company === "string" ? nameOf(company) : undefined) ?? toArgumentText(company);

/** Picks the argument's value for a cell; a single row or column applies to all. */
function pickArgument(argument: unknown, row: number | null, column: number | null): unknown {
  if (!Array.isArray(argument)) return argument;
  const rows: unknown[][] = argument;
  const line = rows[rows.length === 1 ? 0 : (row ?? 0)];
  return line?.[line.length === 1 ? 0 : (column ?? 0)];
}

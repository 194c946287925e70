import type { FeedCell, Place } from "../../../contract/workbook";
import type { Call } from "../../../session/calls";
import { readArea } from "../../addresses";
import type { CellChange } from "../../cell-changes";
import { toShownPlace } from "../../cells";
import { readFormula } from "../../formula-text";
import { toArgumentText, toLabel } from "../live-calls";

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

/** The changed cells of one sheet, in its order. */
export interface SheetChanges {
  /** Name of the sheet; null for cells without a known place. */
  sheet: string | null;
  cells: readonly ChangedCell[];
}

/** The cells that hold each formula. */
export type Anchors = ReadonlyMap<Call, readonly FeedCell[]>;

/**
 * Lists the changed cells; a formula that several cells share counts in each of them.
 *
 * @param nameOf the name of a company; undefined where it is unknown
 */
export function toChangedCells(
  changes: readonly CellChange[],
  anchors: Anchors,
  nameOf: (companyId: string) => string | undefined,
): ChangedCell[] {
  return changes.flatMap((change): ChangedCell[] => {
    const facts = { change, kind: readKind(change), ratio: readRatio(change), ...readSubject(change, nameOf) };
    const cells = anchors.get(change.call) ?? [];
    if (cells.length === 0) return [{ ...facts, anchor: null, place: null }];
    return cells.map(({ sheet, address, formula }) => {
      const anchor = { sheet, address };
      return { ...facts, anchor, place: findPlace(anchor, formula, change) };
    });
  });
}

/** A call inside a larger formula fills no cells of its own. */
function findPlace(anchor: Place, formula: string, { row, column }: CellChange): Place | null {
  if (row === null || column === null) return null;
  const isOwn = (row === 0 && column === 0) || readFormula(formula).kind !== "call";
  return isOwn ? anchor : toShownPlace(anchor, row, column);
}

/** Groups cells by sheet, in the order in which the sheets first occur; those without a place come last. */
export function groupChanges(cells: readonly ChangedCell[]): SheetChanges[] {
  const sheets = new Map<string | null, { cell: ChangedCell; row: number; column: number }[]>();
  for (const cell of cells) {
    const at = cell.place ?? cell.anchor;
    const { row, column } = at === null ? { row: 0, column: 0 } : readArea(at.address);
    const sheet = at?.sheet ?? null;
    const others = sheets.get(sheet) ?? [];
    others.push({ cell, row, column });
    sheets.set(sheet, others);
  }
  const groups = [...sheets].map(([sheet, placed]) => {
    const sorted = placed.sort((one, other) => one.row - other.row || one.column - other.column);
    return { sheet, cells: sorted.map(({ cell }) => cell) };
  });
  return [...groups.filter(({ sheet }) => sheet !== null), ...groups.filter(({ sheet }) => sheet === null)];
}

/** Whether a change's shown texts contain a text, letter case aside. */
export function isAbout({ change, place, anchor, what, year, metric }: ChangedCell, text: string): boolean {
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

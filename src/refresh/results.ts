import { toExcelCode } from "../playground/formulas";
import type { Call } from "../session/calls";
import type { XlsxValue } from "../xlsx/sheet";
import type { CellChange } from "../xlsx/writing";
import type { Book } from "./book";
import type { CellGrid } from "./grid";
import { type GridCell, hasChanged } from "./grid-cell";
import { isError, type Value } from "./values";

/** A cell with a formula of the add-in. */
export interface FeedResult {
  sheet: string;
  row: number;
  column: number;
  /** As a person reads it, with "=". */
  formula: string;
  before: XlsxValue[][];
  /** What it fills now. */
  after: XlsxValue[][];
  /** Whether its old value stays, since it could not be read or failed. */
  isOld: boolean;
  /** Why its old value stays, or why it shows an error; null where it has a value. */
  failure: Failure | null;
  /** The session's calls of the formula. */
  calls: readonly Call[];
}

export interface Failure {
  /** Such as "FEED_NOT_FOUND", or an error of Excel. */
  code: string;
  sentence: string;
}

/** A formula's sentence behind its code, as cells have it. */
const MESSAGE = /^(FEED_\w+): (.*)$/su;

/** Reads the text of an error; null where it has none. */
export function readFailure({ code, message = "" }: { code: string; message?: string }): Failure | null {
  const [, ofFeed = code, sentence = message] = MESSAGE.exec(message) ?? [];
  return sentence === "" ? null : { code: ofFeed, sentence };
}

export interface Calculation {
  /** By the names of the sheets. */
  changes: ReadonlyMap<string, readonly CellChange[]>;
  feed: readonly FeedResult[];
  /** Cells that depend on them: written with a new value, or left to Excel, without a value. */
  dependants: readonly { sheet: string; row: number; column: number; state: "written" | "left" }[];
}

interface Calculated {
  grid: CellGrid;
  book: Book;
  formulas: readonly GridCell[];
  /** The cells of the add-in, in any order, each with its reason where it keeps its old value. */
  feed: ReadonlyMap<GridCell, Failure | null>;
  read(cell: GridCell): string;
}

const SPILL = "#SPILL!";
const BLOCKED: Failure = {
  code: SPILL,
  sentence: "other cells, merged ones, a table or the end of the sheet are in the way of this one",
};

/** Reports a finished calculation. */
export function reportCalculation(run: Calculated, findCalls: (cell: GridCell) => readonly Call[]): Calculation {
  const { grid, book, formulas, feed } = run;
  const changes = new Map(book.sheets.map((name) => [name, [] as CellChange[]]));
  const dependants: { sheet: string; row: number; column: number; state: "written" | "left" }[] = [];
  for (const cell of formulas) {
    const found = cell.isLeft ? listEmptied(grid, cell) : cell.isNew ? listChanges(grid, cell) : [];
    const sheet = book.sheets[cell.sheet]!;
    for (const change of found) changes.get(sheet)?.push(change);
    if (feed.has(cell) || (found.length === 0 && !cell.isLeft)) continue;
    dependants.push({ sheet, row: cell.row, column: cell.column, state: cell.isLeft ? "left" : "written" });
  }
  const results = [...feed].map(([cell, failure]): FeedResult => {
    const { row, column, result } = cell;
    const calls = findCalls(cell);
    const place = { sheet: book.sheets[cell.sheet]!, row, column, formula: run.read(cell) };
    const before = readArea(grid, cell, cell.array ?? ONE, ({ stored }) => stored);
    if (failure) return { ...place, before, after: before, isOld: true, failure, calls };
    const after = readArea(grid, cell, cell, (each) => toStored(grid.present(each)));
    return { ...place, before, after, isOld: false, failure: findFailure(result), calls };
  });
  return { changes, feed: results, dependants };
}

const ONE = { rows: 1, columns: 1 };

function findFailure({ value, message }: Value): Failure | null {
  if (value === SPILL) return BLOCKED;
  return isError(value) ? readFailure({ code: toExcelCode(value), message }) : null;
}

function readArea(
  grid: CellGrid,
  { sheet, row, column }: GridCell,
  { rows, columns }: { rows: number; columns: number },
  read: (cell: GridCell) => XlsxValue,
): XlsxValue[][] {
  return Array.from({ length: rows }, (_, down) =>
    Array.from({ length: columns }, (_, across) => {
      const cell = grid.find(sheet, row + down, column + across);
      return cell === undefined ? null : read(cell);
    }),
  );
}

/** A value as a file has it. */
const toStored = (value: Value["value"]): XlsxValue => (isError(value) ? { error: toExcelCode(value) } : value);

/** The values that a calculated formula changes, in its own cell and in those that it fills, or filled in the file. */
function listChanges(grid: CellGrid, cell: GridCell): CellChange[] {
  const { array, rows, columns } = cell;
  const isResized = array?.isDynamic === true && (rows !== array.rows || columns !== array.columns);
  const own = { row: cell.row, column: cell.column, value: toStored(cell.result.value) };
  const changes: CellChange[] = [];
  if (isResized) changes.push({ ...own, array: { rows, columns } });
  else if (hasChanged(cell, cell.result.value)) changes.push(own);
  for (const member of grid.listMembers(cell)) {
    const value = grid.present(member);
    if (hasChanged(member, value)) changes.push({ row: member.row, column: member.column, value: toStored(value) });
  }
  return changes;
}

/** Takes the value out of a formula's cell and of those that it fills. */
function listEmptied(grid: CellGrid, cell: GridCell): CellChange[] {
  return [cell, ...grid.listMembers(cell)].flatMap(({ row, column, stored }) =>
    stored === null ? [] : [{ row, column, value: null }],
  );
}

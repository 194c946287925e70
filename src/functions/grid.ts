import { ArgumentError } from "../client/errors";
import { type Message, msg } from "../client/messages";
import type { Answer, Query } from "../feed/query-cache";
import type { Reading } from "./arguments";
import type { Table } from "./cells";
import type { Settled, View } from "./view-observer";

/** A rectangle of items, row by row. */
type Grid<T> = readonly (readonly T[])[];

const rowsOf = (grid: Grid<unknown>): number => grid.length;
const columnsOf = (grid: Grid<unknown>): number => grid[0]?.length ?? 0;

/**
 * Lays several rectangles over each other: each is as large as the result or one wide, one high, and is then
 * repeated. A column of companies and a row of years give the table of both.
 *
 * @param named the rectangles by the names of their arguments
 * @throws ArgumentError (FEED_ARGUMENT_INVALID) when shapes do not fit
 */
export function overlay<T extends Record<string, Grid<unknown>>>(
  named: T,
): { [K in keyof T]: T[K] extends Grid<infer V> ? V : never }[][] {
  const entries = Object.entries(named);
  const rows = agree(entries, rowsOf, "row");
  const columns = agree(entries, columnsOf, "column");
  const at = (grid: Grid<unknown>, r: number, c: number) =>
    grid[rowsOf(grid) === 1 ? 0 : r]?.[columnsOf(grid) === 1 ? 0 : c];
  return Array.from({ length: rows }, (_, r) =>
    Array.from({ length: columns }, (_, c) =>
      Object.fromEntries(entries.map(([name, grid]) => [name, at(grid, r, c)])),
    ),
  ) as { [K in keyof T]: T[K] extends Grid<infer V> ? V : never }[][];
}

/**
 * Cuts off the rows and columns at the end that are blank in every rectangle of that size, so that a whole column
 * may be given; one row and one column stay.
 *
 * @param named the rectangles by the names of their arguments
 * @throws ArgumentError (FEED_ARGUMENT_INVALID) when shapes do not fit
 */
export function trim<V, K extends string>(named: Record<K, Grid<V>>, isBlank: (value: V) => boolean): Record<K, V[][]> {
  const entries: [string, Grid<V>][] = Object.entries(named);
  const used = { rows: 1, columns: 1 };
  const [rows, columns] = [agree(entries, rowsOf, "row"), agree(entries, columnsOf, "column")];
  for (const [, grid] of entries) {
    const filled = grid.map((row) => row.findLastIndex((value) => !isBlank(value)) + 1);
    if (rowsOf(grid) === rows) used.rows = Math.max(used.rows, filled.findLastIndex((count) => count > 0) + 1);
    if (columnsOf(grid) === columns) used.columns = filled.reduce((most, count) => Math.max(most, count), used.columns);
  }
  const cut = (grid: Grid<V>) => grid.slice(0, used.rows).map((row) => row.slice(0, used.columns));
  return Object.fromEntries(entries.map(([name, grid]) => [name, cut(grid)])) as Record<K, V[][]>;
}

function agree(
  entries: [string, Grid<unknown>][],
  count: (grid: Grid<unknown>) => number,
  unit: "row" | "column",
): number {
  const largest = Math.max(...entries.map(([, grid]) => count(grid)));
  const misfits = entries.filter(([, grid]) => count(grid) !== 1 && count(grid) !== largest);
  if (misfits.length === 0) return largest;
  const given = entries
    .filter(([, grid]) => count(grid) !== 1)
    .map(([name, grid]) => `${name} ${count(grid)}`)
    .join(", ");
  throw new ArgumentError(
    unit === "row"
      ? msg`the ranges do not fit together, in rows: ${given}; give ranges of the same number of rows, or of one row`
      : msg`the ranges do not fit together, in columns: ${given}; give ranges of the same number of columns, or of one column`,
  );
}

/** A cell's query, and its value from the answer; an error of `show` is the cell's error. */
export interface CellQuery<T> {
  query: Query<T>;
  show(answer: Answer<T>): unknown;
}

/** Readings by the names of their arguments. */
type Readings = Record<string, Reading<unknown>>;
type Values<T extends Readings> = { [K in keyof T]: T[K] extends Reading<infer V> ? V : never };

/** Joins a cell's arguments: the first error, else blank where one is, else the result of all. */
export function join<T extends Readings, R>(readings: T, toResult: (values: Values<T>) => R): Reading<R> {
  const values: Record<string, unknown> = {};
  let isBlank = false;
  for (const name in readings) {
    const reading = readings[name] as Reading<unknown>;
    if (reading.kind === "error") return reading;
    if (reading.kind === "blank") isBlank = true;
    else values[name] = reading.value;
  }
  return isBlank ? { kind: "blank" } : { kind: "value", value: toResult(values as Values<T>) };
}

/** The distinct queries of a formula. */
export interface Queries<T> {
  readonly list: readonly Query<T>[];
  /** Adds a query and returns its index. */
  add(query: Query<T>): number;
}

export function createQueries<T>(): Queries<T> {
  const places = new Map<string, number>();
  const list: Query<T>[] = [];
  return {
    list,
    add(query) {
      const key = JSON.stringify(query.key);
      const at = places.get(key) ?? list.push(query) - 1;
      places.set(key, at);
      return at;
    },
  };
}

/**
 * Opens a grid in which each cell shows its own value or error.
 *
 * @param cures advice for a smaller grid, for the error of one too large
 */
export function openGrid<T>(cells: Grid<Reading<CellQuery<T>>>, cures: Message): View {
  const [only] = cells[0] ?? [];
  if (only !== undefined && cells.length === 1 && cells[0]?.length === 1) return new CellView(only, cures);
  const queries = createQueries<T>();
  const placed = cells.map((row) =>
    row.map((cell) => ({ cell, at: cell.kind === "value" ? queries.add(cell.value.query) : 0 })),
  );
  return {
    queries: queries.list,
    show(settled): Table {
      const rows = placed.map((row) => row.map(({ cell, at }) => showCell(cell, settled[at])));
      const readOrigin: Table["readOrigin"] = (row, column) => {
        const cell = placed[row]?.[column]?.cell;
        return cell?.kind === "value" ? cell.value : null;
      };
      return { rows, cures, readOrigin };
    },
  };
}

/** A grid of one cell; a workbook may have many thousands. */
class CellView<T> implements View {
  readonly queries: readonly Query<T>[];

  constructor(
    private readonly cell: Reading<CellQuery<T>>,
    private readonly cures: Message,
  ) {
    this.queries = cell.kind === "value" ? [cell.value.query] : [];
  }

  show([settled]: readonly Settled[]): Table {
    const { cell, cures } = this;
    const readOrigin = () => (cell.kind === "value" ? cell.value : null);
    return { rows: [[showCell(cell, settled)]], cures, readOrigin };
  }
}

function showCell<T>(cell: Reading<CellQuery<T>>, settled: Settled | undefined): unknown {
  if (cell.kind === "error") return cell.error;
  if (cell.kind === "blank") return "";
  if (settled?.status !== "answered") return settled?.error;
  try {
    return cell.value.show(settled.answer as Answer<T>);
  } catch (error) {
    return error;
  }
}

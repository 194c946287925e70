import type { Answer, Query } from "../feed/query-cache";
import type { Reading } from "./arguments";
import type { Table } from "./cells";
import type { Grid } from "./grid";
import type { Settled, View } from "./view";

/** What one cell of a grid asks, and how its value is found in the answer; what `show` throws is the cell's error. */
export interface Wish<T> {
  query: Query<T>;
  show(answer: Answer<T>): unknown;
}

/** Readings by the names of their arguments. */
type Readings = Record<string, Reading<unknown>>;
type Values<T extends Readings> = { [K in keyof T]: T[K] extends Reading<infer V> ? V : never };

/** Makes one of a cell's arguments: the first error among them, else blank where one is, else what is made of them. */
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

/** The queries of a formula, in which equal ones are one. */
interface Queries<T> {
  readonly list: readonly Query<T>[];
  /** Gives the query's place in the list. */
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
 * @param cures what makes the grid smaller, for the sentence that refuses one too large
 */
export function openGrid<T>(cells: Grid<Reading<Wish<T>>>, cures: string): View {
  const [only] = cells[0] ?? [];
  if (only !== undefined && cells.length === 1 && cells[0]?.length === 1) return new CellView(only, cures);
  const queries = createQueries<T>();
  const placed = cells.map((row) =>
    row.map((cell) => ({ cell, at: cell.kind === "value" ? queries.add(cell.value.query) : 0 })),
  );
  return {
    queries: queries.list,
    rereadsOnRefresh: false,
    show(settled): Table {
      const rows = placed.map((row) => row.map(({ cell, at }) => showCell(cell, settled[at])));
      const readOrigin: Table["readOrigin"] = (row, column) => {
        const cell = placed[row]?.[column]?.cell;
        return cell?.kind === "value" ? cell.value : null;
      };
      return { rows, expected: rows.length, cures, readOrigin };
    },
  };
}

/** A grid of one cell, of which there may be many thousands. */
class CellView<T> implements View {
  readonly queries: readonly Query<T>[];
  readonly rereadsOnRefresh = false;

  constructor(
    private readonly cell: Reading<Wish<T>>,
    private readonly cures: string,
  ) {
    this.queries = cell.kind === "value" ? [cell.value.query] : [];
  }

  show([settled]: readonly Settled[]): Table {
    const { cell, cures } = this;
    const readOrigin = () => (cell.kind === "value" ? cell.value : null);
    return { rows: [[showCell(cell, settled)]], expected: 1, cures, readOrigin };
  }
}

function showCell<T>(cell: Reading<Wish<T>>, settled: Settled | undefined): unknown {
  if (cell.kind === "error") return cell.error;
  if (cell.kind === "blank") return "";
  if (settled?.status !== "answered") return settled?.error;
  try {
    return cell.value.show(settled.answer as Answer<T>);
  } catch (error) {
    return error;
  }
}

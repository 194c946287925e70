import type { Call, CallChange, Shown } from "../session/calls";
import { toCellValue } from "./cells";
import type { Steps } from "./slices";

/** A cell that the last refresh changed. */
export interface CellChange {
  readonly call: Call;
  /** Its offset within the formula's cells, from 0; null where its row or column has left the table. */
  readonly row: number | null;
  readonly column: number | null;
  /** Names of its row and column, where the table has them. */
  readonly rowName: string | null;
  readonly columnName: string | null;
  /** The values; an error as its code, null where the cell did not exist. */
  readonly before: unknown;
  readonly after: unknown;
  /** Number format of a date; null for any other value, whose change a format may round away. */
  readonly format: string | null;
}

/** Lists the cells that differ between two results of formulas, a formula a step. @param changes null for one that is equal */
export function* toCellChanges(changes: Iterable<CallChange | null>): Steps<CellChange[]> {
  const cells: CellChange[] = [];
  for (const change of changes) {
    if (change !== null) for (const cell of compare(change)) cells.push(cell);
    yield;
  }
  return cells;
}

function compare({ call, before, after }: CallChange): CellChange[] {
  const [old, now] = [toRows(before), toRows(after)];
  const { rows, columns } = pairLines(old, now);
  const changes: CellChange[] = [];
  for (const row of rows) {
    for (const column of columns) {
      const [was, is] = [pick(old, row.old, column.old), pick(now, row.now, column.now)];
      const [before, after] = [toCellValue(was), toCellValue(is)];
      if (Object.is(before, after)) continue;
      const place = { row: row.now, column: column.now, rowName: row.name, columnName: column.name };
      changes.push({ call, ...place, before, after, format: readDateFormat(is) ?? readDateFormat(was) });
    }
  }
  return changes;
}

const pick = (rows: Rows, row: number | null, column: number | null): unknown =>
  row === null || column === null ? null : rows[row]?.[column];

const toRows = (shown: Shown): Rows => (Array.isArray(shown) ? shown : [[shown]]);

/** The number format that an output gives a cell; null for none. */
export function readFormat(cell: unknown): string | null {
  return typeof cell === "object" && cell !== null && "numberFormat" in cell ? String(cell.numberFormat) : null;
}

function readDateFormat(cell: unknown): string | null {
  const format = readFormat(cell);
  return format?.includes("yyyy") ? format : null;
}

/** A formula's cells, row by row. */
type Rows = readonly (readonly unknown[])[];

/** A row or a column of a table, with its old and new position; null where it did not or does not exist. */
interface Line {
  old: number | null;
  now: number | null;
  /** Its name; null where its position identifies it. */
  name: string | null;
}

interface Lines {
  rows: Line[];
  columns: Line[];
}

/** Headers of columns that identify a table's rows, the best first. */
export const IDS = ["Company id", "Industry id", "Sub-sector id", "Sector id"];
export const NAMES = ["Company", "English name", "Formal name", "Industry", "Sub-sector", "Sector"];

/** Headers of further identifying columns, as in a table with a row for each number. */
export const PARTS = ["Year", "Statement", "Consolidation", "Metric"];

/**
 * Matches the moved rows and columns of a table by their names. Otherwise one new row of a ranking
 * would change every row below it. Lines without a name match by position.
 */
function pairLines(old: Rows, now: Rows): Lines {
  const isList = old.length > 1 && now.length > 1;
  const [before, after] = isList ? [readTable(old), readTable(now)] : [null, null];
  if (before === null || after === null) {
    return { rows: pairPlaces(old.length, now.length), columns: pairPlaces(toWidth(old), toWidth(now)) };
  }
  const rows = pairNames(before.rows, after.rows).map(({ old, now, name }) => ({
    old: below(old),
    now: below(now),
    name,
  }));
  return { rows, columns: pairNames(before.columns, after.columns) };
}

const toWidth = ([row]: Rows): number => row?.length ?? 0;

/** The position in the table with its header. */
const below = (place: number | null): number | null => (place === null ? null : place + 1);

const pairPlaces = (old: number, now: number): Line[] =>
  Array.from({ length: Math.max(old, now) }, (_, place) => ({
    old: place < old ? place : null,
    now: place < now ? place : null,
    name: null,
  }));

/** A line's key, and its name for a person. */
interface Named {
  key: string;
  name: string;
}

function pairNames(old: readonly Named[], now: readonly Named[]): Line[] {
  const left = new Map(old.map(({ key, name }, place) => [key, { old: place, now: null, name }]));
  const lines = now.map(({ key, name }, place): Line => {
    const before = left.get(key)?.old ?? null;
    left.delete(key);
    return { old: before, now: place, name };
  });
  return [...lines, ...left.values()];
}

/** The names of a table's rows and columns; null where no header identifies its rows. */
function readTable([header = [], ...body]: Rows): { rows: Named[]; columns: Named[] } | null {
  const find = (headers: readonly string[]) => headers.map((each) => header.indexOf(each)).filter((at) => at >= 0);
  const [ids, names, parts] = [find(IDS), find(NAMES), find(PARTS)];
  const keys = [...[...ids, ...names].slice(0, 1), ...parts];
  const labels = [...[...names, ...ids].slice(0, 1), ...parts];
  if (keys.length === 0) return null;
  const join = (row: readonly unknown[], columns: readonly number[]) => columns.map((at) => row[at]).join(" · ");
  return {
    rows: toDistinct(body.map((row) => ({ key: join(row, keys), name: join(row, labels) }))),
    columns: toDistinct(header.map((cell) => ({ key: String(cell), name: String(cell) }))),
  };
}

/** Numbers equal names, so that the second matches the second again. */
function toDistinct(named: readonly Named[]): Named[] {
  const counts = new Map<string, number>();
  return named.map(({ key, name }) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return { key: `${key}\0${count}`, name };
  });
}

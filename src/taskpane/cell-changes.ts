import type { Call } from "../session/calls";
import type { CallChange } from "../session/changes";
import type { Shown } from "../session/shown";
import { pairLines, type Rows } from "./cell-changes/lines";

/** A cell that shows something else than before the last refresh. */
export interface CellChange {
  readonly call: Call;
  /** Its place within what the formula fills now, from 0; null where its row or column is in the table no more. */
  readonly row: number | null;
  readonly column: number | null;
  /** Of what its row and its column are, where the table says so. */
  readonly rowName: string | null;
  readonly columnName: string | null;
  /** An error as its code; null where there was no such cell. */
  readonly before: unknown;
  readonly after: unknown;
  /** Number format of what it shows, as of a date; null where it has none. */
  readonly format: string | null;
}

/** Finds the cells that differ in what formulas showed and show. */
export const toCellChanges = (changes: readonly CallChange[]): CellChange[] => changes.flatMap(compare);

function compare({ call, before, after }: CallChange): CellChange[] {
  const [old, now] = [toRows(before), toRows(after)];
  const { rows, columns } = pairLines(old, now);
  const changes: CellChange[] = [];
  for (const row of rows) {
    for (const column of columns) {
      const [was, is] = [pick(old, row.old, column.old), pick(now, row.now, column.now)];
      const [before, after] = [readCell(was), readCell(is)];
      if (Object.is(before, after)) continue;
      const place = { row: row.now, column: column.now, rowName: row.name, columnName: column.name };
      changes.push({ call, ...place, before, after, format: readFormat(is) ?? readFormat(was) });
    }
  }
  return changes;
}

const pick = (rows: Rows, row: number | null, column: number | null): unknown =>
  row === null || column === null ? null : rows[row]?.[column];

const toRows = (shown: Shown): Rows => (Array.isArray(shown) ? shown : [[shown]]);

/** A number with properties is its number; an error its code. */
function readCell(cell: unknown): unknown {
  if (typeof cell !== "object" || cell === null) return cell ?? null;
  const { basicValue, code }: { basicValue?: unknown; code?: unknown } = cell;
  return basicValue ?? code ?? null;
}

function readFormat(cell: unknown): string | null {
  return typeof cell === "object" && cell !== null && "numberFormat" in cell ? String(cell.numberFormat) : null;
}

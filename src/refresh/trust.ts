import type { XlsxValue } from "../xlsx/sheet";
import { Readers } from "./dependants";
import { type CellGrid, CYCLE, type GridCell } from "./grid";
import type { Matrix, Value } from "./library";
import { toEngineCode } from "./library";

/** Numbers that differ by less are the same, but for the order in which they were added. */
const NEAR = 1e-9;
const NEXT = 1e-14;

/** Whether a value is the file's. */
function isSame(value: Value["value"], stored: XlsxValue, near: number): boolean {
  if (typeof value === "number" && typeof stored === "number") {
    return value === stored || Math.abs(value - stored) <= near * Math.max(Math.abs(value), Math.abs(stored));
  }
  if (stored !== null && typeof stored === "object") return value === toEngineCode(stored.error);
  return value === stored;
}

/** Whether Excel has no value of its own for a formula: none, or one without the add-in, of a blocked spill or of then. */
export function isUntold({ stored, array, translation }: GridCell): boolean {
  const code = stored !== null && typeof stored === "object" ? stored.error : null;
  if (stored === null || code === "#NAME?" || translation?.isOfNow) return true;
  return array?.isDynamic === true && array.rows * array.columns === 1 && (code === "#SPILL!" || code === "#VALUE!");
}

/** Whether a formula's result by the file's values is Excel's, in each cell that it fills. */
export function isAsStored(grid: CellGrid, cell: GridCell, matrix: Matrix): boolean {
  const [columns, rows] = [matrix.length, matrix[0]?.length ?? 0];
  if (rows !== (cell.array?.rows ?? 1) || columns !== (cell.array?.columns ?? 1)) return false;
  return matrix.every((values, column) =>
    values.every(({ value }, row) => {
      const stored = grid.find(cell.sheet, cell.row + row, cell.column + column)?.stored ?? null;
      return isSame(value ?? 0, stored, NEAR);
    }),
  );
}

/** Codes by which the engine says that it cannot tell which error Excel would show. */
const ITS_OWN = new Set(["#ERROR", "#BAD_EXPR", CYCLE]);

/** Whether Excel may show another value than the one that was calculated. */
export const isUncertain = ({ isDoubtful, result }: GridCell): boolean =>
  isDoubtful || ITS_OWN.has(String(result.value));

/** Whether a calculated cell, or one that its array fills or filled, has another value than in the file. */
export const hasChanged = (cell: GridCell, present: Value["value"]): boolean => !isSame(present, cell.stored, NEXT);

/** The readers of all cells that a formula fills, or may fill where its size is open. */
export function touchReaders(
  readers: Readers<GridCell>,
  grid: CellGrid,
  cell: GridCell,
  isOpen = !cell.translation?.run,
): GridCell[] {
  const found = readers.touch(cell.sheet, cell.row, cell.column);
  const { array } = cell;
  if (array === undefined) return found;
  if (array.isDynamic && isOpen) return found.concat(readers.touchFrom(cell.sheet, cell.column));
  return found.concat(grid.listAllMembers(cell).flatMap(({ sheet, row, column }) => readers.touch(sheet, row, column)));
}

interface Calculated {
  grid: CellGrid;
  formulas: readonly GridCell[];
  feed: ReadonlyMap<GridCell, object | null>;
}

/** The cells that only Excel can calculate now: those that depend on a change and cannot be trusted, and all behind them. */
export function findLeft({ grid, formulas, feed }: Calculated): Set<GridCell> {
  const isOpen = (cell: GridCell) => !feed.get(cell); // one of the add-in that keeps its value is like any number
  const others = formulas.filter(isOpen);
  const changed = others.flatMap((cell) => (cell.isLive && !isUncertain(cell) ? listChanged(grid, cell) : []));
  const direct = new Readers(others, grid.columnCount);
  const left = new Set<GridCell>();
  for (const { sheet, row, column } of changed) {
    for (const reader of direct.touch(sheet, row, column)) if (!reader.isLive || isUncertain(reader)) left.add(reader);
  }
  const readers = new Readers(others, grid.columnCount);
  const queue = [...left];
  for (let cell = queue.pop(); cell !== undefined; cell = queue.pop()) {
    // Excel may fill more cells with an array than it filled.
    for (const reader of touchReaders(readers, grid, cell, true)) {
      if (left.has(reader)) continue;
      left.add(reader);
      queue.push(reader);
    }
  }
  return left;
}

/** The cells whose values a calculated formula has changed; its own among them wherever it fills others. */
export function listChanged(grid: CellGrid, cell: GridCell): GridCell[] {
  const changed = [cell, ...grid.listAllMembers(cell)].filter((each) => hasChanged(each, grid.present(each)));
  return changed.length === 0 || changed[0] === cell ? changed : [cell, ...changed];
}

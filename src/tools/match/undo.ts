import type { Place, Workbook } from "../../contract/workbook";
import { findSheetName } from "../../taskpane/read-sheet";
import { listNames } from "./names-in-cells";
import { toCell, type Written, type WrittenCell } from "./writing";

interface Undone extends Place {
  /** How many cells are as before. */
  restored: number;
  /** How many cells are left, since they have changed or cannot be found for sure. */
  left: number;
}

/**
 * Restores what cells held before, where they hold what was written. An id is found beside its name, wherever rows have
 * moved.
 */
export async function undo(workbook: Workbook, written: Written): Promise<Undone> {
  const { address, cells, kind } = written;
  const sheet = await findSheetName(workbook, written);
  const found = kind === "ids" ? await findCells(workbook, sheet, written) : cells;
  const swaps = found.map(({ address, before, after }) => ({ address, before: after, after: before }));
  const done = swaps.length === 0 ? [] : await workbook.swap(sheet, swaps);
  const restored = done.filter((each) => each).length;
  return { sheet, address, restored, left: cells.length - restored };
}

/** The cells beside the names as they stand by now. */
async function findCells(workbook: Workbook, sheet: string, { cells, columns }: Written): Promise<WrittenCell[]> {
  const [used] = await workbook.readSheets([sheet]);
  if (used === undefined) return [];
  const column = columns.names - used.column;
  const { names } = listNames(
    used.values.map((row) => [row[column] ?? null]),
    used.row,
  );
  const rowsOf = new Map(names.map(({ text, rows }) => [text, rows]));
  return [...groupByName(cells)].flatMap(([text, group]) => {
    const rows = rowsOf.get(text) ?? [];
    return placeGroup(group, rows).map(({ cell, row }) => ({ ...cell, row, address: toCell(columns.results, row) }));
  });
}

/**
 * Finds the present rows of one name's cells. A sort may exchange rows with equal names: once they have moved, cells
 * that held different things before are left.
 */
function placeGroup(group: readonly WrittenCell[], rows: readonly number[]): { cell: WrittenCell; row: number }[] {
  if (group.every(({ row }) => rows.includes(row))) return group.map((cell) => ({ cell, row: cell.row }));
  const [first] = group;
  const isAlike = group.every(({ before }) => JSON.stringify(before) === JSON.stringify(first?.before));
  if (!isAlike || rows.length !== group.length) return [];
  return group.map((cell, index) => ({ cell, row: rows[index] as number }));
}

function groupByName(cells: readonly WrittenCell[]): Map<string, WrittenCell[]> {
  const groups = new Map<string, WrittenCell[]>();
  for (const cell of cells) groups.set(cell.name, [...(groups.get(cell.name) ?? []), cell]);
  return groups;
}

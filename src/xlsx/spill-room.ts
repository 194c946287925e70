import { type Area, COLUMNS, ROWS, readReference } from "./addresses";
import type { XlsxWorkbook } from "./workbook";

/** What a formula would fill. Sheets, rows and columns count from 0. */
export interface Spill {
  readonly sheet: number;
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
}

/** Whether Excel lets a formula fill several cells, whatever these hold. */
export type HasRoom = (spill: Spill) => boolean;

/**
 * Excel lets no formula fill merged cells, cells beyond the edge, or any from within a table.
 *
 * @param merged cells that are merged to one, by the names of the sheets
 */
export function createHasRoom({ sheets, tables }: XlsxWorkbook, merged: ReadonlyMap<string, readonly Area[]>): HasRoom {
  const ofTables = sheets.map(({ name }) =>
    tables.filter(({ sheet }) => sheet === name).flatMap(({ reference }) => readReference(reference) ?? []),
  );
  const ofMerged = sheets.map(({ name }) => merged.get(name));
  return ({ sheet, row: top, column: left, rows, columns }) => {
    const area = { top, left, bottom: top + rows - 1, right: left + columns - 1 };
    if (area.bottom >= ROWS || area.right >= COLUMNS) return false;
    const begin = { top, left, bottom: top, right: left };
    return !(ofMerged[sheet]?.some(meets(area)) || ofTables[sheet]?.some(meets(begin)));
  };
}

const meets = (one: Area) => (other: Area) =>
  one.top <= other.bottom && other.top <= one.bottom && one.left <= other.right && other.left <= one.right;

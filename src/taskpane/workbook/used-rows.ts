import { type Area, readArea, readPlace, toAddress } from "../addresses";

/** Cells whose contents travel at once. */
const MOST_CELLS = 20_000;

/** A part of a sheet that is to be read. */
export interface Used {
  sheet: Excel.Worksheet;
  whole: Area;
}

/** Rows of a sheet that travel together. */
export type RowsOf<U extends Used> = U & { area: Area; block: Excel.Range };

/** Parts of sheets in blocks of rows, and the blocks in groups that travel together. */
export function toRows<U extends Used>(used: readonly U[]): RowsOf<U>[][] {
  const groups: RowsOf<U>[][] = [[]];
  let cells = 0;
  for (const one of used) {
    const { whole } = one;
    const most = Math.max(1, Math.floor(MOST_CELLS / whole.columns));
    for (let from = 0; from < whole.rows; from += most) {
      const area = { ...whole, row: whole.row + from, rows: Math.min(most, whole.rows - from) };
      cells += area.rows * area.columns;
      if (cells > MOST_CELLS && groups.at(-1)?.length !== 0) {
        groups.push([]);
        cells = area.rows * area.columns;
      }
      groups.at(-1)?.push({ ...one, area, block: one.sheet.getRange(toAddress(area)) });
    }
  }
  return groups;
}

/** Where a range lies whose address is loaded. */
export const toArea = ({ address }: Excel.Range): Area => readArea(readPlace(address).address);

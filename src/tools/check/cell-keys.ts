const SHEET_ROWS = 1_048_576;
const SHEET_COLUMNS = 16_384;

/** A cell of the workbook as one number, since tens of thousands are looked up. */
export type CellKey = number;

/** A block of cells of a sheet, both ends included, counted from 0. */
export interface SheetBlock {
  /** Index of the sheet. */
  sheet: number;
  top: number;
  left: number;
  bottom: number;
  right: number;
}

export const toKey = (sheet: number, row: number, column: number): CellKey =>
  (sheet * SHEET_ROWS + row) * SHEET_COLUMNS + column;

export const sheetOf = (key: CellKey): number => Math.floor(key / (SHEET_ROWS * SHEET_COLUMNS));
export const rowOf = (key: CellKey): number => Math.floor(key / SHEET_COLUMNS) % SHEET_ROWS;
export const columnOf = (key: CellKey): number => key % SHEET_COLUMNS;

/** The cell so many rows and columns away; null beyond the sheet's edges. */
export function move(key: CellKey, rows: number, columns: number): CellKey | null {
  const [row, column] = [rowOf(key) + rows, columnOf(key) + columns];
  const isInside = row >= 0 && column >= 0 && row < SHEET_ROWS && column < SHEET_COLUMNS;
  return isInside ? toKey(sheetOf(key), row, column) : null;
}

/** The cells of a block, row by row. */
export function* listKeys({ sheet, top, left, bottom, right }: SheetBlock): Iterable<CellKey> {
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) yield toKey(sheet, row, column);
  }
}

export const isWithin = (key: CellKey, { sheet, top, left, bottom, right }: SheetBlock): boolean =>
  sheetOf(key) === sheet &&
  rowOf(key) >= top &&
  rowOf(key) <= bottom &&
  columnOf(key) >= left &&
  columnOf(key) <= right;

/** The smallest block around cells of one sheet. */
export function toBlockAround(keys: readonly CellKey[]): SheetBlock {
  const [first = 0] = keys;
  const block = { sheet: sheetOf(first), top: rowOf(first), left: columnOf(first), bottom: 0, right: 0 };
  for (const key of keys) {
    block.top = Math.min(block.top, rowOf(key));
    block.left = Math.min(block.left, columnOf(key));
    block.bottom = Math.max(block.bottom, rowOf(key));
    block.right = Math.max(block.right, columnOf(key));
  }
  return block;
}

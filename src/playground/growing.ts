import type { Model } from "@odoo/o-spreadsheet";

/** How near the selection may come to a sheet's edge. */
const NEAR = { ROW: 20, COL: 3 } as const;
const STEP = { ROW: 1_000, COL: 26 } as const;
/** Excel's own limits. */
const MOST = { ROW: 1_048_576, COL: 16_384 } as const;

type Dimension = keyof typeof NEAR;

/** Makes a sheet longer or wider as the selection comes near its edge; call the result after each change. */
export function createGrowth(): (model: Model) => void {
  let before = { place: "", sheetId: "", ROW: 0, COL: 0 };
  return (model) => {
    const { sheetId, col, row } = model.getters.getActivePosition();
    const { numberOfRows, numberOfCols } = model.getters.getSheetSize(sheetId);
    const now = { place: `${sheetId} ${col} ${row}`, sheetId, ROW: numberOfRows, COL: numberOfCols };
    const [last, hasMoved] = [before, now.place !== before.place];
    before = now;
    // An undo takes the growth back, and would be taken back itself.
    const hasShrunk = last.sheetId === sheetId && (now.ROW < last.ROW || now.COL < last.COL);
    if (!hasMoved || hasShrunk) return;
    if (row >= numberOfRows - NEAR.ROW) grow(model, sheetId, "ROW", numberOfRows);
    if (col >= numberOfCols - NEAR.COL) grow(model, sheetId, "COL", numberOfCols);
  };
}

function grow(model: Model, sheetId: string, dimension: Dimension, size: number): void {
  const quantity = Math.min(STEP[dimension], MOST[dimension] - size);
  if (quantity <= 0) return;
  const sheetName = model.getters.getSheetName(sheetId);
  model.dispatch("ADD_COLUMNS_ROWS", { sheetId, sheetName, dimension, base: size - 1, quantity, position: "after" });
}

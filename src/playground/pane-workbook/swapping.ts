import { type CellPosition, type CoreCommand, helpers, type Model } from "@odoo/o-spreadsheet";
import type { CellState, CellSwap } from "../../contract/workbook";
import { createFault, dispatchAll, readView } from "../workbook";
import { findSheet, listPositions, readFormula, toEntry } from "./cells";

/** What the cells of a reference hold, row by row. @throws WorkbookError ("missing") */
export function readCells(model: Model, reference: string): CellState[][] {
  const { sheetName, xc } = helpers.splitReference(reference);
  const sheetId = sheetName === undefined ? model.getters.getActiveSheetId() : findSheet(model, sheetName);
  const { zone, invalidXc } = model.getters.getRangeFromSheetXC(sheetId, xc);
  if (invalidXc !== undefined) throw createFault("missing", `There are no cells ${reference}.`);
  return listPositions(sheetId, zone).map((row) => row.map((position) => toState(model, position)));
}

function toState(model: Model, position: CellPosition): CellState {
  const { value } = readView(model, position);
  const cell = model.getters.getCell(position);
  const isSpilledInto = value !== null && (cell === undefined || (!cell.isFormula && cell.content === ""));
  return { value, formula: isSpilledInto ? "=" : readFormula(model, position), format: cell?.format ?? "" };
}

/** Excel's word for no format, which the engine would refuse. */
const GENERAL = "General";

/** Exchanges contents of cells that hold what is expected, as one step to undo. */
export function swap(model: Model, sheet: string, swaps: readonly CellSwap[]): boolean[] {
  const sheetId = findSheet(model, sheet);
  // The swaps come from the pane's page, whose arrays the engine does not know.
  const placed = Array.from(swaps, (each) => {
    const position = { sheetId, ...helpers.toCartesian(each.address) };
    return { ...each, position, isDue: isAsExpected(toState(model, position), each.before) };
  });
  dispatchAll(
    model,
    placed
      .filter(({ isDue }) => isDue)
      .map(({ position, after }): CoreCommand => {
        const content = after.formula || (after.value === null ? "" : toEntry(model, after.value));
        const format = after.format === GENERAL ? "" : after.format;
        return { type: "UPDATE_CELL", ...position, content, format };
      }),
  );
  return placed.map(({ isDue }) => isDue);
}

/** A formula counts without its value, which may be another one by now. */
function isAsExpected(present: CellState, before: CellState): boolean {
  return present.formula === before.formula && (before.formula !== "" || present.value === before.value);
}

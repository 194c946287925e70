import { type CellPosition, helpers, type Model, type Zone } from "@odoo/o-spreadsheet";
import type { CellValue, Place, SheetValues } from "../../contract/workbook";
import { createFault, readView } from "../workbook";

/** Finds a sheet by its name. @throws WorkbookError ("missing") */
export function findSheet(model: Model, name: string): string {
  const sheetId = model.getters.getSheetIdByName(name);
  if (sheetId === undefined) throw createFault("missing", `There is no sheet called ${name}.`);
  return sheetId;
}

/** Names cells as a person writes them. */
export function toPlace(model: Model, sheetId: string, zone: Zone): Place {
  return { sheet: model.getters.getSheetName(sheetId), address: model.getters.zoneToXC(sheetId, zone) };
}

export const toCellPlace = (model: Model, { sheetId, col, row }: CellPosition): Place => ({
  sheet: model.getters.getSheetName(sheetId),
  address: helpers.toXC(col, row),
});

/** The cells of a zone, row by row. */
export function listPositions(sheetId: string, { left, right, top, bottom }: Zone): CellPosition[][] {
  return Array.from({ length: bottom - top + 1 }, (_, down) =>
    Array.from({ length: right - left + 1 }, (_, across) => ({ sheetId, col: left + across, row: top + down })),
  );
}

/** The values of a reference, row by row; a whole column ends where the sheet does. @throws WorkbookError ("missing") */
export function readValues(model: Model, reference: string): CellValue[][] {
  const { sheetName, xc } = helpers.splitReference(reference);
  const sheetId = sheetName === undefined ? model.getters.getActiveSheetId() : findSheet(model, sheetName);
  const range = model.getters.getRangeFromSheetXC(sheetId, xc);
  if (range.invalidXc !== undefined) throw createFault("missing", `There are no cells ${reference}.`);
  const bottom = Math.min(range.zone.bottom, Math.max(range.zone.top, findLastRow(model, sheetId)));
  const isWhole = range.unboundedZone.bottom === undefined;
  return listPositions(sheetId, isWhole ? { ...range.zone, bottom } : range.zone).map((row) =>
    row.map((position) => readView(model, position).value),
  );
}

/** What stands in the used cells of sheets; one that is empty or gone is left out. */
export function readSheets(model: Model, names: readonly string[]): SheetValues[] {
  return names.flatMap((sheet) => {
    const sheetId = model.getters.getSheetIdByName(sheet);
    const held = sheetId === undefined ? [] : listHeld(model, sheetId);
    if (sheetId === undefined || held.length === 0) return [];
    const zone = held.map(helpers.positionToZone).reduce((whole, cell) => helpers.union(whole, cell));
    const values = listPositions(sheetId, zone).map((row) => row.map((cell) => readView(model, cell).value));
    return [{ sheet, row: zone.top, column: zone.left, values }];
  });
}

const listHeld = (model: Model, sheetId: string) =>
  model.getters.getEvaluatedCellsPositions(sheetId).filter((position) => isHolding(model, position));

function findLastRow(model: Model, sheetId: string): number {
  return listHeld(model, sheetId).reduce((last, { row }) => Math.max(last, row), 0);
}

/** Whether a cell holds or shows something. */
export function isHolding(model: Model, position: CellPosition): boolean {
  return (
    model.getters.getEvaluatedCell(position).type !== "empty" || model.getters.getCell(position)?.isFormula === true
  );
}

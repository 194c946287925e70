import { helpers, type Model } from "@odoo/o-spreadsheet";
import type { Place, WorkbookContents } from "../../contract/workbook";
import { findSheet, listPositions, readFormula, readSheets } from "./cells";

/** The used cells of all sheets with their formulas; the engine has no names, and its tables have none that formulas use. */
export function readContents(model: Model): WorkbookContents {
  const { getters } = model;
  const names = getters.getSheetIds().map((id) => getters.getSheetName(id));
  const sheets = readSheets(model, names).map((read) => {
    const { row, column, values } = read;
    const zone = {
      top: row,
      left: column,
      bottom: row + values.length - 1,
      right: column + (values[0]?.length ?? 1) - 1,
    };
    const id = findSheet(model, read.sheet);
    const positions = listPositions(id, zone);
    return { ...read, id, formulas: positions.map((line) => line.map((each) => readFormula(model, each) || null)) };
  });
  return { sheets, names: [], tables: [] };
}

/** Lists those of some cells that another cell's formula fills. */
export function listSpilled(model: Model, places: readonly Place[]): Place[] {
  return places.filter(({ sheet, address }) => {
    const position = { sheetId: findSheet(model, sheet), ...helpers.toCartesian(address) };
    const anchor = model.getters.getArrayFormulaSpreadingOn(position);
    return anchor !== undefined && (anchor.col !== position.col || anchor.row !== position.row);
  });
}

import { type CellPosition, type CoreCommand, helpers, type Model, type Zone } from "@odoo/o-spreadsheet";
import type { FeedCell, Scope } from "../../contract/workbook";
import { dispatchAll, readView } from "../workbook";
import { toCellPlace } from "./places";

const TEXTS = /"(?:[^"]|"")*"/g;
const FEED_CALL = /(?:^|[^\p{L}\p{N}_.])FEED\.[A-Z.]+\s*\(/iu;

/** The cells whose formulas call a FEED function. */
export function listFeedCells(model: Model, scope: Scope): FeedCell[] {
  return findFeedCells(model, scope).map((position) => toFeedCell(model, position));
}

/** Writes formulas that show #NAME? anew, and gives how many; the engine would take no notice of the same text. */
export function repair(model: Model): number {
  const cells = findFeedCells(model, "workbook").filter((position) => readView(model, position).value === "#NAME?");
  dispatchAll(
    model,
    cells.flatMap((position): CoreCommand[] => [
      { type: "UPDATE_CELL", ...position, content: "" },
      { type: "UPDATE_CELL", ...position, content: readFormula(model, position) },
    ]),
  );
  return cells.length;
}

/** Where formulas stand that call a FEED function. */
export function findFeedCells(model: Model, scope: Scope): CellPosition[] {
  const { getters } = model;
  return getters
    .getSheetIds()
    .flatMap((sheetId) => getters.getCells(sheetId).map(({ id }) => getters.getCellPosition(id)))
    .filter((position) => isFeedFormula(readFormula(model, position)))
    .filter((position) => isInScope(model, scope, position.sheetId, findFilled(model, position)));
}

/** Whether a formula calls a FEED function. */
export const isFeedFormula = (formula: string) => FEED_CALL.test(formula.replace(TEXTS, ""));

/** The cells that a formula fills: a table is selected where any of them is. */
export const findFilled = ({ getters }: Model, position: CellPosition): Zone =>
  getters.getSpreadZone(position) ?? helpers.positionToZone(position);

/** Whether cells belong to what was asked about. */
export function isInScope({ getters }: Model, scope: Scope, sheetId: string, zone: Zone): boolean {
  if (scope === "workbook") return true;
  const isShown = sheetId === getters.getActiveSheetId();
  if (scope === "sheet") return isShown;
  return isShown && getters.getSelectedZones().some((selected) => helpers.overlap(selected, zone));
}

/** The formula of a cell as a person sees it; an empty text where it holds none. */
export function readFormula({ getters }: Model, position: CellPosition): string {
  return getters.getCell(position)?.isFormula ? getters.getCellText(position, { showFormula: true }) : "";
}

export function toFeedCell(model: Model, position: CellPosition): FeedCell {
  const { value } = readView(model, position);
  return { ...toCellPlace(model, position), formula: readFormula(model, position), value };
}

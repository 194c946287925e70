import { type CellPosition, type CoreCommand, helpers, type Model } from "@odoo/o-spreadsheet";
import type { FeedCell, Frozen, Repaired, Scope } from "../../contract/workbook";
import { dispatchAll, readView } from "../workbook";
import { listPositions, toCellPlace } from "./places";
import { toEntry } from "./writing";

const TEXTS = /"(?:[^"]|"")*"/g;
const FEED_CALL = /(?:^|[^\p{L}\p{N}_.])FEED\.[A-Z.]+\s*\(/iu;

/** The cells whose formulas call a FEED function. */
export function listFeedCells(model: Model, scope: Scope): FeedCell[] {
  return findFeedCells(model, scope).map((position) => toFeedCell(model, position));
}

/** Puts what they show in the place of formulas, as one step to undo; those that show no value are left. */
export function freeze(model: Model, scope: Scope): Frozen {
  const cells = findFeedCells(model, scope);
  const isInError = (position: CellPosition) => readView(model, position).error !== undefined;
  const frozen = cells.filter((position) => !isInError(position));
  dispatchAll(
    model,
    frozen.flatMap((position) => toValues(model, position)),
  );
  const left = cells.filter((position) => isInError(position)).map((position) => toFeedCell(model, position));
  return { formulas: frozen.length, left };
}

/** Writes formulas that show #NAME? anew; the engine would take no notice of the same text. */
export function repair(model: Model, scope: Scope): Repaired {
  const cells = findFeedCells(model, scope).filter((position) => readView(model, position).value === "#NAME?");
  dispatchAll(
    model,
    cells.flatMap((position): CoreCommand[] => [
      { type: "UPDATE_CELL", ...position, content: "" },
      { type: "UPDATE_CELL", ...position, content: readFormula(model, position) },
    ]),
  );
  return { formulas: cells.length };
}

function findFeedCells(model: Model, scope: Scope): CellPosition[] {
  const { getters } = model;
  const sheetIds = scope === "workbook" ? getters.getSheetIds() : [getters.getActiveSheetId()];
  const cells = sheetIds
    .flatMap((sheetId) => getters.getCells(sheetId).map(({ id }) => getters.getCellPosition(id)))
    .filter((position) => FEED_CALL.test(readFormula(model, position).replace(TEXTS, "")));
  return scope === "selection" ? cells.filter((position) => isSelected(model, position)) : cells;
}

/** A table is selected where any cell is that it spills into. */
function isSelected({ getters }: Model, position: CellPosition): boolean {
  const zone = getters.getSpreadZone(position) ?? helpers.positionToZone(position);
  return getters.getSelectedZones().some((selected) => helpers.overlap(selected, zone));
}

function readFormula({ getters }: Model, position: CellPosition): string {
  return getters.getCell(position)?.isFormula ? getters.getCellText(position, { showFormula: true }) : "";
}

function toFeedCell(model: Model, position: CellPosition): FeedCell {
  const { value } = readView(model, position);
  return { ...toCellPlace(model, position), formula: readFormula(model, position), value };
}

/** What writes the values of a formula and of all that it spills; they keep the formats that came with them. */
function toValues(model: Model, position: CellPosition): CoreCommand[] {
  const zone = model.getters.getSpreadZone(position) ?? helpers.positionToZone(position);
  return listPositions(position.sheetId, zone)
    .flat()
    .map((each) => {
      const { value, format } = model.getters.getEvaluatedCell(each);
      const content = value === null ? "" : toEntry(model, value);
      return { type: "UPDATE_CELL", ...each, content, ...(format !== undefined && { format }) };
    });
}

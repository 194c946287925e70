import { type CellPosition, type CoreCommand, helpers, type Model, type Zone } from "@odoo/o-spreadsheet";
import {
  type Block,
  type CellContent,
  type CellState,
  type CellSwap,
  type CellValue,
  type FeedCell,
  type Place,
  type Scope,
  type SheetValues,
  VALUES_WITHOUT_STREAM,
  type WorkbookContents,
} from "../../contract/workbook";
import { COLUMN_PX, createFault, dispatchAll, readView, toWidthPx } from "../workbook";

/** Finds a sheet by its name. @throws WorkbookError ("missing") */
export function findSheet(model: Model, name: string): string {
  const sheetId = model.getters.getSheetIdByName(name);
  if (sheetId === undefined) throw createFault("missing", `There is no sheet called ${name}.`);
  return sheetId;
}

/** The place of a zone, as a person writes it. */
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

/** The rows of a place that are hidden. @throws WorkbookError ("missing") */
export function listHiddenRows(model: Model, { sheet, address }: Place): number[] {
  const sheetId = findSheet(model, sheet);
  const { zone, invalidXc } = model.getters.getRangeFromSheetXC(sheetId, address);
  if (invalidXc !== undefined) throw createFault("missing", `There are no cells ${address}.`, { sheet, address });
  const rows = Array.from({ length: zone.bottom - zone.top + 1 }, (_, down) => zone.top + down);
  return rows.filter((row) => model.getters.isRowHidden(sheetId, row));
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

/** The values of sheets' used cells; an empty or missing sheet is left out. */
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

/** Whether a cell has content or shows a value. */
export function isHolding(model: Model, position: CellPosition): boolean {
  return (
    model.getters.getEvaluatedCell(position).type !== "empty" || model.getters.getCell(position)?.isFormula === true
  );
}

/**
 * Writes a block of cells as one step to undo.
 *
 * @param others commands of the same step
 * @throws WorkbookError ("occupied", "missing")
 */
export function write(model: Model, block: Block, others: readonly CoreCommand[]): Place {
  const { at, cells, isReplacing = false, widths = [] } = block;
  const { getters } = model;
  const sheetId = at ? findSheet(model, at.sheet) : getters.getActiveSheetId();
  const { col, row } = at ? helpers.toCartesian(at.address.split(":")[0] ?? "A1") : getters.getActivePosition();
  const zone = { left: col, top: row, right: col + (cells[0]?.length ?? 1) - 1, bottom: row + cells.length - 1 };
  const place = toPlace(model, sheetId, zone);
  const { numberOfCols, numberOfRows } = getters.getSheetSize(sheetId);
  if (zone.right >= numberOfCols || zone.bottom >= numberOfRows) {
    throw createFault("missing", "The sheet ends before.", place);
  }
  const written = listPositions(sheetId, zone).flatMap((positions, down) =>
    positions.flatMap((position, across) => {
      const content = cells[down]?.[across] ?? null;
      return content === null ? [] : [{ position, content }];
    }),
  );
  if (!isReplacing && written.some(({ position }) => isHolding(model, position))) {
    throw createFault("occupied", "The cells hold something.", place);
  }
  dispatchAll(model, [
    ...written.map(({ position, content }): CoreCommand => {
      const entry = { content: toEntry(model, content), ...toFormat(model, position, content) };
      return { type: "UPDATE_CELL", ...position, ...entry };
    }),
    ...others,
    ...Array.from(widths).flatMap((characters, index) => widen(model, { sheetId, col: col + index, row }, characters)),
  ]);
  return place;
}

/** Widens the column of a cell where it has the sheet's own width, which is too narrow. */
function widen({ getters }: Model, { sheetId, col }: CellPosition, characters: number): CoreCommand[] {
  const size = toWidthPx(characters);
  const isOwn = col < getters.getNumberCols(sheetId) && getters.getColSize(sheetId, col) === COLUMN_PX;
  if (!isOwn || size <= COLUMN_PX) return [];
  return [{ type: "RESIZE_COLUMNS_ROWS", sheetId, dimension: "COL", elements: [col], size }];
}

/** A formula's number format, where its cell has none. */
function toFormat(model: Model, position: CellPosition, content: CellContent): { format?: string } {
  const format = typeof content === "object" ? content?.format : undefined;
  return format === undefined || model.getters.getCell(position)?.format !== undefined ? {} : { format };
}

/** The input for a cell's content; an apostrophe keeps the engine from parsing a text. */
export function toEntry(model: Model, content: Exclude<CellContent, null>): string {
  if (typeof content === "object") return content.formula;
  if (typeof content !== "string") return String(content).toUpperCase();
  const locale = model.getters.getLocale();
  const isRead =
    /^[=']|^(true|false)$/i.test(content) || helpers.isNumber(content, locale) || helpers.isDateTime(content, locale);
  return isRead ? `'${content}` : content;
}

const TEXTS = /"(?:[^"]|"")*"/g;
const FEED_CALL = /(?:^|[^\p{L}\p{N}_.])FEED\.[A-Z.]+\s*\(/iu;

/** The cells whose formulas call a FEED function. */
export function listFeedCells(model: Model, scope: Scope): FeedCell[] {
  return findFeedCells(model, scope).map((position) => toFeedCell(model, position));
}

/** The active cell, where its formula calls a FEED function. */
export function readFeedCell(model: Model): FeedCell | null {
  const position = model.getters.getActivePosition();
  return isFeedFormula(readFormula(model, position)) ? toFeedCell(model, position) : null;
}

/** Implements `Workbook.repair`; the engine ignores an equal text, so that each cell is emptied first. */
export function repair(model: Model, broken: readonly Place[]): number {
  const toKey = ({ sheet, address }: Place) => `${sheet}!${address}`;
  const places = new Set(broken.map(toKey));
  const cells = findFeedCells(model, "workbook").filter((position) => {
    const { value } = readView(model, position);
    const isGiven = places.has(toKey(toCellPlace(model, position)));
    return value === "#NAME?" || (isGiven && VALUES_WITHOUT_STREAM.includes(value));
  });
  dispatchAll(
    model,
    cells.flatMap((position): CoreCommand[] => [
      { type: "UPDATE_CELL", ...position, content: "" },
      { type: "UPDATE_CELL", ...position, content: readFormula(model, position) },
    ]),
  );
  return cells.length;
}

/** The positions of formulas that call a FEED function. */
export function findFeedCells(model: Model, scope: Scope): CellPosition[] {
  const { getters } = model;
  return getters
    .getSheetIds()
    .flatMap((sheetId) => getters.getCells(sheetId).map(({ id }) => getters.getCellPosition(id)))
    .filter((position) => isFeedFormula(readFormula(model, position)))
    .filter((position) => isInScope(model, scope, position.sheetId, findFilled(model, position)));
}

/** Whether a formula calls a FEED function. */
const isFeedFormula = (formula: string) => FEED_CALL.test(formula.replace(TEXTS, ""));

/** The cells that a formula fills. */
export const findFilled = ({ getters }: Model, position: CellPosition): Zone =>
  getters.getSpreadZone(position) ?? helpers.positionToZone(position);

/** Whether cells are in a scope; a table is selected where any of its cells is. */
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

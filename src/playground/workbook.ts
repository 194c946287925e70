import {
  type CellPosition,
  type CollaborationMessage,
  type CoreCommand,
  helpers,
  LocalTransportService,
  Model,
  registries,
  SPREADSHEET_DIMENSIONS,
  UIPlugin,
} from "@odoo/o-spreadsheet";
import type { Place, WorkbookError, WorkbookFault } from "../contract/workbook";
import { toExcelCode } from "./formulas";

/** A workbook as the engine saves and opens it. */
export type Snapshot = ReturnType<Model["exportData"]>;
export type Entry = readonly [cell: string, text: string];

/** A cell's shown value. */
export interface CellView {
  /** The value itself; an error's code; null for an empty cell. */
  value: string | number | boolean | null;
  /** The value as it is displayed, in its number format. */
  text: string;
  error?: { code: string; message: string };
}

const ALL = "PLAYGROUND_ALL";

/** Runs many commands as one: one calculation, one step to undo. */
class AllPlugin extends UIPlugin {
  // biome-ignore lint/suspicious/noExplicitAny: the engine's type lists its own commands only.
  override handle(command: any) {
    if (command.type !== ALL) return;
    for (const { type, ...payload } of command.commands) this.dispatch(type, payload);
  }
}
registries.featurePluginRegistry.add("playground_all", AllPlugin);

/** Dispatches many commands as one. */
export function dispatchAll(model: Model, commands: readonly CoreCommand[]): void {
  model.dispatch(ALL as never, { commands } as never);
}

/** The sizes of columns and rows that nobody has changed. */
export const { DEFAULT_CELL_WIDTH: COLUMN_PX, DEFAULT_CELL_HEIGHT: ROW_PX } = SPREADSHEET_DIMENSIONS;

/** The width of a column of so many characters, as in Excel. */
export const toWidthPx = (characters?: number) =>
  characters === undefined ? COLUMN_PX : Math.round(characters * 7 + 5);

/** The size of a new sheet, enough for the provider's longest table and its widest statement. */
export const SHEET_SIZE = { cols: 200, rows: 5000 };

const EMPTY_WORKBOOK = {
  sheets: [{ id: "sheet1", name: "Sheet1", colNumber: SHEET_SIZE.cols, rowNumber: SHEET_SIZE.rows }],
};

/** The engine's way to other people, of which there are none: it tells of each change of the workbook. */
class Revisions extends LocalTransportService {
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    super();
    this.#onChange = onChange;
  }

  override sendMessage(message: CollaborationMessage) {
    if (REVISIONS.includes(message.type)) this.#onChange();
    return super.sendMessage(message);
  }
}

const REVISIONS: readonly string[] = ["REMOTE_REVISION", "REVISION_UNDONE", "REVISION_REDONE"];

/**
 * Opens a workbook in the engine; without a snapshot an empty one.
 *
 * @param onChange called at each change of what `exportData` returns, before it returns that
 */
export function openWorkbook(snapshot: object = EMPTY_WORKBOOK, onChange: () => void = () => {}): Model {
  const model = new Model(snapshot, { mode: "normal", transportService: new Revisions(onChange) });
  const { dispatch } = model;
  // The grid's own button names no size, and the engine's is too short for a table.
  model.dispatch = (type: string, payload?: object) =>
    dispatch(type as never, (type === "CREATE_SHEET" ? { ...SHEET_SIZE, ...payload } : payload) as never);
  return model;
}

/** The address of an engine's cell, such as "Sheet1!B3"; undefined for a deleted one. */
export function findAddress(model: Model, cellId: number): string | undefined {
  const position = model.getters.tryGetCellPosition(cellId);
  if (!position) return undefined;
  return `${model.getters.getSheetName(position.sheetId)}!${helpers.toXC(position.col, position.row)}`;
}

/**
 * The cells of a reference such as B2 or Ranking!A3:C9, by row; without a sheet, of the active one.
 * @throws Error when there is no such sheet.
 */
export function readReference(model: Model, reference: string): CellPosition[][] {
  const { sheetName, xc } = helpers.splitReference(reference);
  const named = sheetName === undefined ? model.getters.getActiveSheetId() : model.getters.getSheetIdByName(sheetName);
  if (!named) throw new Error(`There is no sheet called ${sheetName}.`);
  const { left, right, top, bottom } = helpers.toZone(xc);
  const columns = Array.from({ length: right - left + 1 }, (_, index) => left + index);
  return Array.from({ length: bottom - top + 1 }, (_, index) =>
    columns.map((col) => ({ sheetId: named, col, row: top + index })),
  );
}

function readCell(model: Model, reference: string): CellPosition {
  const cell = readReference(model, reference)[0]?.[0];
  if (!cell) throw new Error(`${reference} is no cell.`);
  return cell;
}

/** Selects a cell of the active sheet without scrolling. */
export function selectCell(model: Model, reference: string): void {
  const { col, row } = readCell(model, reference);
  const zone = { left: col, right: col, top: row, bottom: row };
  model.selection.selectZone({ cell: { col, row }, zone }, { scrollIntoView: false });
}

/** Types texts into cells as one command. */
export function enterCells(model: Model, entries: readonly Entry[]): void {
  dispatchAll(
    model,
    entries.map(([cell, content]) => ({ type: "UPDATE_CELL", ...readCell(model, cell), content })),
  );
}

/** Inserts an empty row above row `number` (counted from 1) of the active sheet. */
export function insertRow(model: Model, number: number): void {
  const sheetId = model.getters.getActiveSheetId();
  const sheetName = model.getters.getSheetName(sheetId);
  model.dispatch("ADD_COLUMNS_ROWS", {
    sheetId,
    sheetName,
    dimension: "ROW",
    base: number - 1,
    quantity: 1,
    position: "before",
  });
}

/** Reads a cell's shown value. */
export function readView(model: Model, position: CellPosition): CellView {
  const { type, value, formattedValue, message } = model.getters.getEvaluatedCell(position);
  if (type === "empty") return { value: null, text: "" };
  if (type !== "error") return { value, text: formattedValue };
  const code = toExcelCode(String(value));
  return { value: code, text: code, error: { code, message: message ?? "" } };
}

/** Reads the shown value of a reference. */
export function readCellView(model: Model, reference: string): CellView {
  return readView(model, readCell(model, reference));
}

/** Reads a cell's formula or typed text. */
export function readFormula(model: Model, reference: string): string {
  return model.getters.getCellText(readCell(model, reference), { showFormula: true });
}

/** Creates an error of the pane's workbook. */
export function createFault(fault: WorkbookFault, message: string, place?: Place): WorkbookError {
  return Object.assign(new Error(message), { fault, ...(place && { place }) });
}

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

import type { CellState, CellSwap, Workbook } from "../contract/workbook";
import { readArea, showPlace, toAddress, toWhole } from "./addresses";

/** Changes of a sheet's cells, and the labels that tell what each cell is. */
export interface CellChanges extends ReadSheet {
  cells: readonly CellSwap[];
  /** As they were when the changes were planned. */
  labels: readonly { address: string; text: string }[];
}

/**
 * Makes changes; a cell that holds another thing than planned stays.
 *
 * @returns those that were made, as the host holds them: a part of a merged cell takes nothing, and no host tells
 */
export async function makeChanges<Changes extends CellChanges>(workbook: Workbook, changes: Changes): Promise<Changes> {
  const { sheet, cells } = changes;
  if (cells.length === 0) return changes;
  const done = await workbook.swap(sheet, cells);
  const held = await readStates(workbook, sheet, cells);
  const made = cells.flatMap((cell, index): CellSwap[] => {
    const state = held[index] as CellState;
    const { formula, value } = cell.after;
    const isHeld = done[index] === true && (formula === "" ? state.value === value : state.formula !== "");
    return isHeld ? [{ ...cell, after: state }] : [];
  });
  return { ...changes, cells: made };
}

/**
 * Takes changes back where cells still hold them. It takes none back once a label says another thing: rows may have
 * been sorted, or come in.
 *
 * @returns the sheet's present name, and how many cells are as before
 */
export async function takeBack(workbook: Workbook, changes: CellChanges): Promise<{ sheet: string; restored: number }> {
  const { cells, labels } = changes;
  const sheet = await findSheetName(workbook, changes);
  const now = await readStates(workbook, sheet, labels);
  const isMoved = labels.some(({ text }, index) => String(now[index]?.value ?? "").trim() !== text);
  if (isMoved || cells.length === 0) return { sheet, restored: 0 };
  const swaps = cells.map(({ address, before, after }) => ({ address, before: after, after: before }));
  const done = await workbook.swap(sheet, swaps);
  return { sheet, restored: done.filter((each) => each).length };
}

/** Reads cells of a sheet in one area. */
async function readStates(
  workbook: Workbook,
  sheet: string,
  cells: readonly { address: string }[],
): Promise<(CellState | undefined)[]> {
  if (cells.length === 0) return [];
  const areas = cells.map(({ address }) => readArea(address));
  const whole = toWhole(areas);
  const states = await workbook.readCells(showPlace({ sheet, address: toAddress(whole) }));
  return areas.map(({ row, column }) => states[row - whole.row]?.[column - whole.column]);
}

/** A sheet as it was read: it may have another name by now. */
export interface ReadSheet {
  sheet: string;
  /** The host's id of the sheet, which a new name leaves alone; null where the host did not tell. */
  sheetId: string | null;
}

type Sheets = Pick<Workbook, "listSheets">;

const list = (workbook: Sheets) => workbook.listSheets().catch(() => []);

/** Gives the id of a sheet; null where the host does not tell. */
export async function findSheetId(workbook: Sheets, sheet: string): Promise<string | null> {
  const sheets = await list(workbook);
  return sheets.find(({ name }) => name === sheet)?.id ?? null;
}

/** Gives the name that a sheet has by now; the known one where the host does not tell. */
export async function findSheetName(workbook: Sheets, { sheet, sheetId }: ReadSheet): Promise<string> {
  if (sheetId === null) return sheet;
  const sheets = await list(workbook);
  return sheets.find(({ id }) => id === sheetId)?.name ?? sheet;
}

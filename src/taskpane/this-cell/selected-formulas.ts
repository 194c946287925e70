import { type RefObject, useEffect, useState } from "react";
import type { FeedCell, FrozenCell, Place, Workbook } from "../../contract/workbook";
import type { Call } from "../../session/calls";
import type { Session } from "../../session/session";
import { HIDDEN_MS, isSeen, THROTTLE_MS } from "../activity/snapshot";
import { isTouching, readArea, showPlace } from "../addresses";
import { type CellNotes, findCells, NO_NOTES, showsTable, toNotes } from "../cells";
import { isSpilling, readCellCalls } from "../feed-formulas";
import { type FormulaCall, isErrorCode } from "../formula-text";
import { usePane } from "../pane";

/** A live formula that fills the selected cell. */
export interface SelectedFormula {
  call: Call;
  /** The cell that holds it. */
  cell: FeedCell;
  /** Offset of the selected cell, from 0; null for a call inside a larger formula. */
  at: { row: number; column: number } | null;
  /** What the formula had handed over when its cell was read. */
  output: Call["shown"];
}

/** The selected cell and the live formulas that fill it. */
export interface SelectedCell {
  place: Place;
  formulas: readonly SelectedFormula[];
  /** The calls in its formula where one of them matches no live formula; else none. */
  unknown: readonly FormulaCall[];
  /** What it shows less than a person may think. */
  notes: Pick<CellNotes, "dead" | "cut">;
}

type Cells = Pick<Workbook, "readSelection" | "readFeedCell" | "listFeedCells" | "readSheets">;

/** Finds the live formulas of the selected cell: its own, or the one whose table spills over it. */
async function findSelected(workbook: Cells, calls: readonly Call[]): Promise<SelectedCell> {
  const { sheet, cell: address, formula } = await workbook.readSelection();
  const place = { sheet, address };
  const own = formula === "" ? null : await workbook.readFeedCell();
  if (own !== null) return findOwn(workbook, calls, own);
  const tables = formula === "" ? calls.filter(showsTable) : [];
  if (tables.length === 0) return { place, formulas: [], unknown: [], notes: NO_NOTES };
  const { pairs } = await findCells(workbook, tables, "sheet");
  const formulas = pairs.flatMap(({ call, cell }) => {
    const at = toOffset(place, cell, call);
    return at === null ? [] : [{ call, cell, at, output: call.shown }];
  });
  return { place, formulas: withoutEqual(formulas), unknown: [], notes: NO_NOTES };
}

async function findOwn(workbook: Cells, calls: readonly Call[], own: FeedCell): Promise<SelectedCell> {
  const outputs = new Map(calls.map((call) => [call, call.shown]));
  const only = {
    listFeedCells: async () => [own],
    readSheets: (names: readonly string[]) => workbook.readSheets(names),
  };
  const found = await findCells(only, calls, "sheet");
  // An array formula stands in each of its cells, and only the sheet tells where it begins.
  const listed = found.pairs.some(({ call }) => showsTable(call)) ? await workbook.listFeedCells("selection") : [];
  const cell = listed.find(({ array, formula }) => array !== undefined && formula === own.formula) ?? own;
  const pairs = found.pairs.map((pair) => ({ ...pair, cell }));
  const at = isSpilling(own) ? toDistance(own, cell) : null;
  const formulas = withoutEqual(pairs.map(({ call }) => ({ call, cell, at, output: outputs.get(call) ?? null })));
  const unknown = found.unknown.flatMap((each) => readCellCalls(each));
  return { place: own, formulas, unknown, notes: toNotes({ ...found, pairs }) };
}

function toDistance(from: Place, to: Place): { row: number; column: number } {
  const [own, anchor] = [readArea(from.address), readArea(to.address)];
  return { row: own.row - anchor.row, column: own.column - anchor.column };
}

/** Some hosts run equal formulas as several streams; one represents all. */
const withoutEqual = (formulas: readonly SelectedFormula[]): SelectedFormula[] => [
  ...new Map(formulas.map((formula) => [JSON.stringify([formula.call.name, formula.call.given]), formula])).values(),
];

/** Offset of a cell within a table; null outside, and for a table that could not spill. */
function toOffset(place: Place, cell: FeedCell, { shown }: Call): SelectedFormula["at"] {
  if (!Array.isArray(shown) || cell.sheet !== place.sheet || cell.value === "#SPILL!" || !isSpilling(cell)) return null;
  const at = toDistance(place, cell);
  const isWithin = at.row >= 0 && at.row < shown.length && at.column >= 0 && at.column < shown[0]?.length;
  return isWithin ? at : null;
}

/**
 * The selected cell, updated while the part is visible; null before the first reading.
 *
 * @param shown an element of the part, whose visibility counts
 */
export function useSelectedCell(shown: RefObject<HTMLElement | null>): SelectedCell | null {
  const { session, workbook } = usePane();
  const [cell, setCell] = useState<SelectedCell | null>(null);
  useEffect(
    () => watchSelected({ session, workbook, isWanted: () => isSeen(shown.current), show: setCell }),
    [session, workbook, shown],
  );
  return cell;
}

/**
 * What a cell without a formula was frozen from; null for nothing, undefined until that is known, an error where it
 * cannot be read. All records are read for it, so not for empty cells, nor for those that a person only passes.
 */
export function useFrozen(cell: SelectedCell | null): FrozenCell | Error | null | undefined {
  const { session, workbook } = usePane();
  const [found, setFound] = useState<{ place: string; frozen: FrozenCell | Error | null }>();
  const place = cell === null ? "" : showPlace(cell.place);
  useEffect(() => {
    if (cell === null) return;
    let isLatest = true;
    const own = readArea(cell.place.address);
    const isOwn = ({ filled }: FrozenCell) => isTouching(readArea(filled), own);
    const read = async () => {
      const isEmpty = (await workbook.readValues(place)).flat().every((value) => value === null || value === "");
      return isEmpty ? null : ((await workbook.listFrozen("selection")).find(isOwn) ?? null);
    };
    const look = async () => {
      const frozen = await read().catch((error: Error) => error);
      if (isLatest) setFound({ place, frozen });
    };
    const callOff = session.ports.after(THROTTLE_MS, () => void look());
    return () => {
      isLatest = false;
      callOff();
    };
  }, [session, workbook, cell, place]);
  return found?.place === place ? found.frozen : undefined;
}

interface ViewObserver {
  session: Session;
  workbook: Workbook;
  isWanted: () => boolean;
  show: (cell: SelectedCell) => void;
}

function watchSelected({ session, workbook, isWanted, show }: ViewObserver): () => void {
  const { calls, ports } = session;
  let callOff = () => {};
  let sequence = 0;
  let known: { calls: readonly Call[]; isSettled: boolean } = { calls: [], isSettled: false };
  const wait = (callback: () => void, delayMs = THROTTLE_MS) => {
    callOff();
    callOff = ports.after(delayMs, callback);
  };
  const look = () => {
    callOff();
    if (!isWanted()) return wait(look);
    const own = ++sequence;
    const live = calls.list();
    const receive = (cell: SelectedCell) => {
      if (own !== sequence) return;
      const hasError = cell.formulas.some(({ cell: { value } }) => isErrorCode(value));
      known = { calls: live, isSettled: cell.formulas.length > 0 && !hasError };
      show(cell);
      if (hasError) wait(look, HIDDEN_MS);
    };
    // While a cell is edited the workbook cannot be read; leaving the cell notifies again.
    findSelected(workbook, live).then(receive, () => {});
  };
  const lookAgain = () => {
    if (calls.list() !== known.calls || !known.isSettled) look();
  };
  const stops = [workbook.onSelection(look), calls.onChange(() => wait(lookAgain))];
  look();
  return () => {
    sequence++;
    callOff();
    for (const stop of stops) stop();
  };
}

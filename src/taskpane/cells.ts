import type { FeedCell, Place, Scope, Workbook } from "../contract/workbook";
import type { Call } from "../session/calls";
import { readArea, toAddress } from "./addresses";
import { loadReferences, type ReadArgument } from "./cells/argument-values";
import { type CallIndex, indexCalls } from "./cells/call-index";
import { readCellCalls } from "./feed-formulas";
import { type FormulaCall, readNamespace } from "./formula-text";
import { finishInSlices, mapInSteps, type Steps } from "./slices";

/** A cell, and a live formula that it calls, alone or within a larger formula. */
export interface CellOfCall {
  cell: FeedCell;
  call: Call;
  /** Whether its arguments alone match; else the host's address, which may be of another cell by now, decided. */
  isCertain: boolean;
}

/** Whether a live formula shows more than one value. */
export const showsTable = ({ shown }: Call): boolean =>
  Array.isArray(shown) && (shown.length > 1 || shown[0]?.length > 1);

/** The cells that hold live formulas. */
interface FoundCells {
  /** The cells with a FEED formula. */
  cells: readonly FeedCell[];
  /** One for each live formula of a cell, and for each cell that shares it. */
  pairs: readonly CellOfCall[];
  /** Cells with a call that matches no live formula. */
  unknown: readonly FeedCell[];
  /** Finds those of `unknown` that may be live all the same: a live formula could be one of their calls. */
  findUndetermined(): Promise<FeedCell[]>;
}

/** A cell with the calls that stand in its formula. */
interface ReadCell {
  cell: FeedCell;
  written: readonly FormulaCall[];
}

/**
 * Matches cells with live formulas by name and arguments. Rows may have been inserted since the host passed an
 * address, and equal formulas share one. The address decides only where an argument's text does not give its value.
 */
export async function findCells(
  workbook: Pick<Workbook, "listFeedCells" | "readSheets">,
  calls: readonly Call[],
  scope: Scope,
): Promise<FoundCells> {
  const cells = await workbook.listFeedCells(scope);
  const namespace = readNamespace();
  const readCell = (cell: FeedCell): ReadCell => ({ cell, written: readCellCalls(cell, namespace) });
  const read = await finishInSlices(mapInSteps(cells, readCell));
  const readArgument = await loadReferences(workbook, read);
  const live = await finishInSlices(indexCalls(calls));
  const { pairs, unmatched } = await finishInSlices(match(read, live, readArgument));
  return {
    cells,
    pairs,
    unknown: unmatched.map(({ cell }) => cell),
    findUndetermined: () => finishInSlices(findUndetermined(unmatched, live, readArgument)),
  };
}

function* match(
  read: readonly ReadCell[],
  live: CallIndex,
  readArgument: ReadArgument,
): Steps<{ pairs: CellOfCall[]; unmatched: ReadCell[] }> {
  const pairs: CellOfCall[] = [];
  const unmatched: ReadCell[] = [];
  for (const each of read) {
    const { cell, written } = each;
    const found = written.map((call) => live.find(cell, call, readArgument));
    if (found.some(({ calls }) => calls.length === 0)) unmatched.push(each);
    const isCertainOf = new Map(found.flatMap(({ calls, isCertain }) => calls.map((call) => [call, isCertain])));
    for (const [call, isCertain] of isCertainOf) pairs.push({ cell, call, isCertain });
    yield;
  }
  return { pairs, unmatched };
}

function* findUndetermined(
  unmatched: readonly ReadCell[],
  live: CallIndex,
  readArgument: ReadArgument,
): Steps<FeedCell[]> {
  const undetermined: FeedCell[] = [];
  for (const { cell, written } of unmatched) {
    if (written.some((call) => live.couldFit(cell, call, readArgument))) undetermined.push(cell);
    yield;
  }
  return undetermined;
}

/** The place of a cell of a formula's table, by its offset from 0. */
export function toShownPlace({ sheet, address }: Place, row: number, column: number): Place {
  const anchor = readArea(address);
  return { sheet, address: toAddress({ row: anchor.row + row, column: anchor.column + column, rows: 1, columns: 1 }) };
}

import type { NamedSheet, Workbook } from "../contract/workbook";
import type { QueryCache } from "../feed/query-cache";
import type { Call } from "../session/calls";
import { findCells } from "./cells";

/** What of a workbook is read to find where formulas stand. */
export type SheetReader = Pick<Workbook, "listSheets" | "listFeedCells" | "readSheets">;

/** The sheets on which each live formula stands, as the workbook was read. */
export interface PlacedCalls {
  sheets: readonly NamedSheet[];
  /** The list of live formulas that were looked for. */
  list: readonly Call[];
  /** The formulas of each sheet, by its name; several sheets share equal formulas. */
  bySheet: ReadonlyMap<string, ReadonlySet<Call>>;
  /** The names of each formula's sheets. */
  byCall: ReadonlyMap<Call, ReadonlySet<string>>;
  /** Sheets with a cell whose live formula is not known. */
  undetermined: ReadonlySet<string>;
}

/** Reads the whole workbook, since equal formulas share one stream and rows move. @throws WorkbookError */
export async function placeCalls(workbook: SheetReader, list: readonly Call[]): Promise<PlacedCalls> {
  const sheets = await workbook.listSheets();
  const { pairs, findUndetermined } = await findCells(workbook, list, "workbook");
  const bySheet = new Map<string, Set<Call>>();
  const byCall = new Map<Call, Set<string>>();
  for (const { cell, call } of pairs) {
    put(bySheet, cell.sheet, call);
    put(byCall, call, cell.sheet);
  }
  const undetermined = new Set((await findUndetermined()).map(({ sheet }) => sheet));
  return { sheets, list, bySheet, byCall, undetermined };
}

function put<Key, Value>(sets: Map<Key, Set<Value>>, key: Key, value: Value): void {
  const known = sets.get(key);
  if (known === undefined) sets.set(key, new Set([value]));
  else known.add(value);
}

/** When the oldest answer of formulas was given, milliseconds since the Unix epoch; null without an answer. */
export function findOldestMs(calls: Iterable<Call>, find: QueryCache["find"]): number | null {
  let oldestMs = Number.POSITIVE_INFINITY;
  for (const { queries } of calls) {
    for (const query of queries) {
      const state = find(query)?.state;
      if (state?.status === "answered") oldestMs = Math.min(oldestMs, state.answer.asOfMs);
    }
  }
  return Number.isFinite(oldestMs) ? oldestMs : null;
}

import { ERRORS, type FeedCode, FeedError } from "../../client/errors";
import type { CellValue, Place } from "../../contract/workbook";
import type { Call, Shown } from "../../session/calls";
import { readPlace } from "../addresses";
import { toShownPlace } from "../cells";
import { toCellValue } from "../cells/call-index";
import { readCalls } from "../formula-text";
import { isErrorCode } from "../workbook/feed-cells";
import { type LiveState, type QueryFacts, toFailed } from "./query-facts";

/** A formula's state by what its cell shows. */
interface ShownState {
  state: LiveState;
  error: unknown;
  /** The error that the cell shows though the formula has a value; null for none. */
  hiddenBy: string | null;
}

/** What Excel shows while a value is on its way. */
export const WAITING: readonly CellValue[] = ["#BUSY!", "#GETTING_DATA"];

/**
 * Reads a formula's state: whether it is entered anew again and again, then its own error, then its queries', then what keeps its value out of the cell.
 *
 * @param value what its cell shows; null where that is not known
 */
export function readShownState(call: Call, facts: QueryFacts, value: CellValue): ShownState {
  const error = call.error ?? readOutputError(call.shown);
  if (call.drift) return { state: "wrong", error, hiddenBy: null };
  if (error !== null) return { state: isPassed(call, error) ? "wrong" : toFailed(error), error, hiddenBy: null };
  const shown = { state: facts.state, error: facts.error, hiddenBy: null };
  if (facts.state !== "answered") return shown;
  if (call.shown === null || WAITING.includes(value)) return { ...shown, state: "asking" };
  return isErrorCode(value) ? { ...shown, state: "wrong", hiddenBy: String(value) } : shown;
}

/** Errors by the output that has their text, so that each reading gives the same. */
const outputErrors = new WeakMap<object, FeedError>();

/** An output may be an error before the query ends, as after too long a wait. */
function readOutputError(shown: Shown | null): FeedError | null {
  if (shown === null || Array.isArray(shown)) return null;
  const known = outputErrors.get(shown);
  if (known !== undefined) return known;
  const [code = "", text = ""] = ((shown as { message?: string }).message ?? "").split(/: ([\s\S]*)/, 2);
  if (!(code in ERRORS)) return null;
  const error = new FeedError(code as FeedCode, text);
  outputErrors.set(shown, error);
  return error;
}

/** Whether an error is that of an argument, passed on. */
export const isPassed = (call: Call, error: unknown): boolean =>
  error !== null && !(error instanceof FeedError) && findErrorArgument(call) !== null;

interface ErrorArgument {
  /** Its position among the formula's arguments. */
  index: number;
  /** The offset of the error within it, from 0. */
  row: number;
  column: number;
}

function findErrorArgument({ given }: Call): ErrorArgument | null {
  for (const [index, argument] of Object.values(given).entries()) {
    const rows: unknown[] = Array.isArray(argument) ? argument : [argument];
    for (const [row, cells] of rows.entries()) {
      const column = (Array.isArray(cells) ? cells : [cells]).findIndex(isErrorValue);
      if (column >= 0) return { index, row, column };
    }
  }
  return null;
}

const isErrorValue = (cell: unknown): boolean => typeof cell === "object" && isErrorCode(toCellValue(cell));

/**
 * Finds the failed cell that a formula depends on; null where its argument is no reference.
 *
 * @param formula its cell's formula
 * @param own its cell
 */
export function findCause(call: Call, formula: string, own: Place): Place | null {
  const at = findErrorArgument(call);
  const written = readCalls(formula).find(({ name }) => name === call.name);
  const argument = at === null ? null : written?.given[at.index];
  if (at === null || argument?.kind !== "cells") return null;
  const { sheet, address } = readPlace(argument.text);
  return toShownPlace({ sheet: sheet || own.sheet, address }, at.row, at.column);
}

import { ERRORS, type FeedCode, FeedError } from "../../client/errors";
import type { CellValue, Place } from "../../contract/workbook";
import type { Query, QueryCache } from "../../feed/query-cache";
import type { Call, Shown } from "../../session/calls";
import { readPlace } from "../addresses";
import { toCellValue, toShownPlace } from "../cells";
import { isErrorCode, readCalls } from "../formula-text";

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

/** Reads an output that is an error, as before the query ends after too long a wait; null where it is none of ours. */
export function readOutputError(shown: Shown | null): FeedError | null {
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

/** The states of a formula or a query, the most urgent first. Only a person's correction ends "wrong". */
export const LIVE_STATES = ["wrong", "failed", "stale", "asking", "answered"] as const;

export type LiveState = (typeof LIVE_STATES)[number];

/** What mends an error: an edit of the formula, a part of the pane, a right that others grant, or a refresh. */
export type Remedy = "edit" | "find" | "index" | "grant" | "decide" | "connect" | "settings" | "refresh";

/** What mends each error, by its code. */
export const REMEDIES: Readonly<Record<FeedCode, Remedy>> = {
  FEED_ARGUMENT_INVALID: "edit",
  FEED_REQUEST_INVALID: "edit",
  FEED_RESULT_TOO_LARGE: "edit",
  FEED_AMBIGUOUS: "find",
  FEED_NO_VALUE: "find",
  FEED_NOT_FOUND: "find",
  FEED_INDEX_NOT_READY: "index",
  FEED_SCOPE_MISSING: "grant",
  FEED_CONFIRM_NEEDED: "decide",
  FEED_NOT_CONNECTED: "connect",
  FEED_UNAUTHORISED: "connect",
  FEED_SIGNER_UNREACHABLE: "connect",
  FEED_SIGNER_REFUSED: "settings",
  FEED_TOKEN_REFUSED: "settings",
  FEED_TOKEN_MALFORMED: "settings",
  FEED_INTERNAL: "settings",
  FEED_RATE_LIMITED: "refresh",
  FEED_SERVER_FAILED: "refresh",
  FEED_NETWORK_FAILED: "refresh",
  FEED_TIMED_OUT: "refresh",
  FEED_RESPONSE_MALFORMED: "refresh",
};

/** Whether only a change of the formula or the workbook mends an error: no refresh has failed by it. */
export const needsCorrection = (error: unknown): boolean =>
  error instanceof FeedError && ["edit", "find", "index"].includes(REMEDIES[error.code]);

/** Whether a refresh is worth trying: it mends the error, or does so once the pane's part has done its own. */
export const mayRefreshMend = (error: unknown): boolean =>
  !(needsCorrection(error) || (error instanceof FeedError && REMEDIES[error.code] === "grant"));

/** What a query gives the formulas that show it. */
export interface QueryFacts {
  readonly state: LiveState;
  /** Why it or its last refresh failed; null when neither did. */
  readonly error: unknown;
  /** Time of its answer, milliseconds since the Unix epoch; null without one. */
  readonly asOfMs: number | null;
  /** Numbers of its requests, oldest first. */
  readonly requests: readonly number[];
  /** Its answer; undefined without one. */
  readonly value: unknown;
}

const UNKNOWN: QueryFacts = { state: "asking", error: null, asOfMs: null, requests: [], value: undefined };
const NO_QUERY: QueryFacts = { ...UNKNOWN, state: "answered" };

/** Reads a query's facts. @param before those read before it; the same object comes back where nothing has changed */
export function readFacts(
  query: Query<unknown>,
  queryCache: Pick<QueryCache, "find">,
  before: QueryFacts = UNKNOWN,
): QueryFacts {
  const facts = read(query, queryCache);
  return before.value === facts.value && isEqualState(facts, before) ? before : facts;
}

function read(query: Query<unknown>, queryCache: Pick<QueryCache, "find">): QueryFacts {
  const live = queryCache.find(query);
  if (live === null) return UNKNOWN;
  const { state } = live;
  const facts = { ...UNKNOWN, requests: live.requests() };
  if (state.status === "pending") return facts;
  if (state.status === "failed") return { ...facts, state: toFailed(state.error), error: state.error };
  const { answer, error } = state;
  const shown = { ...facts, error, asOfMs: answer.asOfMs, value: answer.value };
  if (error !== null) return { ...shown, state: needsCorrection(error) ? "wrong" : "stale" };
  return { ...shown, state: "answered" };
}

const toFailed = (error: unknown): "wrong" | "failed" => (needsCorrection(error) ? "wrong" : "failed");

/** While a refresh may mend one query of a formula, another one's correction waits: else none would be offered. */
const JOINED: readonly LiveState[] = ["failed", "stale", "wrong", "asking", "answered"];

/** Joins the facts of a formula's queries: the first of these states, the oldest answer, all requests. */
export function joinFacts(facts: readonly QueryFacts[]): QueryFacts {
  if (facts.length <= 1) return facts[0] ?? NO_QUERY;
  const state = JOINED.find((each) => facts.some((fact) => fact.state === each)) ?? "answered";
  const times = facts.flatMap(({ asOfMs }) => asOfMs ?? []);
  return {
    state,
    error: facts.find((fact) => fact.state === state)?.error ?? null,
    asOfMs: times.length === 0 ? null : Math.min(...times),
    requests: [...new Set(facts.flatMap(({ requests }) => requests))],
    value: undefined,
  };
}

/** Whether two are in the same state, for the same reason, of the same time, by the same requests. */
export const isEqualState = (one: Omit<QueryFacts, "value">, other: Omit<QueryFacts, "value">): boolean =>
  one.state === other.state &&
  one.error === other.error &&
  one.asOfMs === other.asOfMs &&
  (one.requests === other.requests || one.requests.join() === other.requests.join());

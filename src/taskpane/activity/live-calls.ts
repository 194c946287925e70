import type { Place } from "../../contract/workbook";
import type { Query, QueryCache } from "../../feed/query-cache";
import type { Call } from "../../session/calls";
import { readFormulaPlace } from "../addresses";
import type { Steps } from "../slices";

/** The states of a formula, the most urgent first. */
export const LIVE_STATES = ["failed", "stale", "asking", "partly", "answered"] as const;

export type LiveState = (typeof LIVE_STATES)[number];

/** A live formula, and the state of its queries. */
export interface LiveCall {
  readonly call: Call;
  /** Identifies it in each snapshot: a change of state moves it in the list. */
  readonly key: number;
  /** Its cell; null where the host does not say. */
  readonly place: Place | null;
  readonly state: LiveState;
  /** Time of its oldest answer, milliseconds since the Unix epoch; null without one. */
  readonly asOfMs: number | null;
  /** Why it or its last refresh failed; null when neither did. */
  readonly error: unknown;
  /** Numbers of the requests behind it, oldest first. */
  readonly requests: readonly number[];
}

/** The formulas of one sheet, the most urgent first. */
export interface SheetCalls {
  /** Name of the sheet; null for formulas without a known place. */
  sheet: string | null;
  calls: readonly LiveCall[];
  counts: StateCounts;
}

/** How many formulas are in each state. */
export type StateCounts = Readonly<Record<LiveState, number>>;

/** The live formulas, and what is counted over all of them. */
export interface LiveCalls {
  calls: readonly LiveCall[];
  /** In the order in which the sheets first occur; formulas without a place come last. */
  sheets: readonly SheetCalls[];
  counts: StateCounts;
  /** How many formulas each request serves, by its number. */
  served: ReadonlyMap<number, number>;
  /** How many formulas show each answer, by its value. */
  sharing: ReadonlyMap<unknown, number>;
}

type Find = Pick<QueryCache, "find">;

/** Reads the state of each formula, one a step; what a query gives is read once for all formulas that share it. */
export function* readLiveCalls(calls: readonly Call[], queryCache: Find): Steps<LiveCalls> {
  const known = new Map<Query<unknown>, QueryFacts>();
  const readFacts = (query: Query<unknown>): QueryFacts => {
    const facts = known.get(query) ?? readQuery(query, queryCache);
    known.set(query, facts);
    return facts;
  };
  const sheets = new Map<string | null, Record<LiveState, LiveCall[]>>();
  const live: LiveCall[] = [];
  const requests = createCount<readonly number[]>();
  const values = createCount<unknown>();
  for (const call of calls) {
    const facts = call.queries.map(readFacts);
    const each = toLiveCall(call, facts);
    live.push(each);
    requests.add(each.requests);
    for (const value of listValues(facts)) values.add(value);
    const sheet = each.place?.sheet ?? null;
    const states = sheets.get(sheet) ?? { failed: [], stale: [], asking: [], partly: [], answered: [] };
    states[each.state].push(each);
    sheets.set(sheet, states);
    yield;
  }
  const groups = [...sheets].map(([sheet, states]) => toSheetCalls(sheet, states));
  return {
    calls: live,
    sheets: [...groups.filter(({ sheet }) => sheet !== null), ...groups.filter(({ sheet }) => sheet === null)],
    counts: toStateCounts((state) => groups.reduce((sum, { counts }) => sum + counts[state], 0)),
    served: countServed(requests.counts),
    sharing: values.counts,
  };
}

/** What one query gives the formulas that show it. */
interface QueryFacts extends Pick<LiveCall, "state" | "error" | "asOfMs" | "requests"> {
  /** Its answer; undefined without one. */
  value: unknown;
}

const UNKNOWN = { state: "asking", error: null, asOfMs: null, requests: [], value: undefined } as const;

function readQuery(query: Query<unknown>, queryCache: Find): QueryFacts {
  const live = queryCache.find(query);
  if (live === null) return UNKNOWN;
  const { state } = live;
  const facts = { ...UNKNOWN, requests: live.requests() };
  if (state.status === "pending") return facts;
  if (state.status === "failed") return { ...facts, state: "failed", error: state.error };
  const { answer, error } = state;
  const shown = { ...facts, error, asOfMs: answer.asOfMs, value: answer.value };
  return { ...shown, state: error !== null ? "stale" : answer.isComplete ? "answered" : "partly" };
}

const NO_QUERY = { state: "answered", error: null, asOfMs: null, requests: [] } as const;

/** A formula is in the most urgent state of its queries; an error of its own is more urgent than theirs. */
function toLiveCall(call: Call, facts: readonly QueryFacts[]): LiveCall {
  const { state, error, asOfMs, requests } = facts.length > 1 ? join(facts) : (facts[0] ?? NO_QUERY);
  const given = { call, key: toKey(call), place: readFormulaPlace(call.address), asOfMs, requests };
  return call.error === null ? { ...given, state, error } : { ...given, state: "failed", error: call.error };
}

const keys = new WeakMap<Call, number>();
let lastKey = 0;

function toKey(call: Call): number {
  const known = keys.get(call);
  if (known !== undefined) return known;
  keys.set(call, ++lastKey);
  return lastKey;
}

function join(facts: readonly QueryFacts[]): Omit<QueryFacts, "value"> {
  const state = LIVE_STATES.find((each) => facts.some((fact) => fact.state === each)) ?? "answered";
  const times = facts.flatMap(({ asOfMs }) => asOfMs ?? []);
  return {
    state,
    error: facts.find((fact) => fact.state === state)?.error ?? null,
    asOfMs: times.length === 0 ? null : Math.min(...times),
    requests: [...new Set(facts.flatMap(({ requests }) => requests))],
  };
}

/** The distinct answers of a formula's queries; several queries may share one. */
function listValues(facts: readonly QueryFacts[]): Iterable<unknown> {
  const values = facts.flatMap(({ value }) => (value === undefined ? [] : [value]));
  return values.length > 1 ? new Set(values) : values;
}

function toSheetCalls(sheet: string | null, states: Readonly<Record<LiveState, readonly LiveCall[]>>): SheetCalls {
  const calls = LIVE_STATES.flatMap((state) => states[state]);
  return { sheet, calls, counts: toStateCounts((state) => states[state].length) };
}

const toStateCounts = (count: (state: LiveState) => number): StateCounts => ({
  failed: count("failed"),
  stale: count("stale"),
  asking: count("asking"),
  partly: count("partly"),
  answered: count("answered"),
});

function createCount<Key>() {
  const counts = new Map<Key, number>();
  return { counts, add: (key: Key) => void counts.set(key, (counts.get(key) ?? 0) + 1) };
}

/** @param formulas how many formulas have each list of requests */
function countServed(formulas: ReadonlyMap<readonly number[], number>): ReadonlyMap<number, number> {
  const served = new Map<number, number>();
  for (const [requests, count] of formulas) {
    for (const number of requests) served.set(number, (served.get(number) ?? 0) + count);
  }
  return served;
}

const LONGEST_LABEL = 80;
const UUID = /^([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A formula's arguments for a person: "7203 · 2023 · Revenue"; of a range its first value and the number of others. */
export function toLabel(call: Call): string {
  const texts = Object.values({ ...call.given, ...readRange(call) }).flatMap((each) => toArgumentText(each) ?? []);
  const label = texts.join(" · ");
  return label.length > LONGEST_LABEL ? `${label.slice(0, LONGEST_LABEL)}…` : label;
}

/** The dates of a ranking as they go on the wire; a cell passes a date as a serial number. */
function readRange({ name, queries }: Call): Record<string, unknown> {
  const [, start, end] = queries[0]?.key ?? [];
  if (!name.startsWith("RANKING") || typeof start !== "string" || typeof end !== "string") return {};
  return { start: `${start.slice(0, 10)} – ${end.slice(0, 10)}`, end: null };
}

export function toArgumentText(argument: unknown): string | null {
  if (Array.isArray(argument)) {
    const cells = argument.flat().flatMap((cell) => toArgumentText(cell) ?? []);
    return cells.length > 1 ? `${cells[0]} +${cells.length - 1}` : (cells[0] ?? null);
  }
  if (typeof argument === "object" || argument === undefined || argument === "") return null;
  return String(argument).replace(UUID, "$1…"); // a whole id would hide the text after it
}

import type { Place } from "../../contract/workbook";
import type { Query, QueryCache } from "../../feed/query-cache";
import type { Call } from "../../session/calls";
import { readFormulaPlace } from "../addresses";
import type { Steps } from "../slices";
import { isEqualState, joinFacts, LIVE_STATES, type LiveState, type QueryFacts, readFacts } from "./query-facts";

/** A live formula, and the state of its queries. */
export interface LiveCall extends Omit<QueryFacts, "value"> {
  readonly call: Call;
  /** Identifies it in each snapshot: a change of state moves it in the list. */
  readonly key: number;
  /** Its cell; null where the host does not say. */
  readonly place: Place | null;
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
  /** What the next reading compares with. */
  known: { calls: ReadonlyMap<Call, LiveCall>; facts: ReadonlyMap<Query<unknown>, QueryFacts> };
}

/**
 * Reads the state of each formula, one a step; what a query gives is read once for all formulas that share it.
 *
 * @param before the reading before it, of which each formula and sheet comes again that has not changed; default none
 */
export function* readLiveCalls(
  calls: readonly Call[],
  queryCache: Pick<QueryCache, "find">,
  before?: LiveCalls,
): Steps<LiveCalls> {
  const known = { calls: new Map<Call, LiveCall>(), facts: new Map<Query<unknown>, QueryFacts>() };
  const read = (query: Query<unknown>): QueryFacts => {
    const facts = known.facts.get(query) ?? readFacts(query, queryCache, before?.known.facts.get(query));
    known.facts.set(query, facts);
    return facts;
  };
  const sheets = new Map<string | null, Record<LiveState, LiveCall[]>>();
  const requests = createCount<readonly number[]>();
  const values = createCount<unknown>();
  for (const call of calls) {
    const facts = call.queries.map(read);
    const each = toLiveCall(call, joinFacts(facts), before?.known.calls.get(call));
    known.calls.set(call, each);
    requests.add(each.requests);
    for (const value of listValues(facts)) values.add(value);
    const sheet = each.place?.sheet ?? null;
    const states = sheets.get(sheet) ?? { failed: [], stale: [], asking: [], partly: [], answered: [] };
    states[each.state].push(each);
    sheets.set(sheet, states);
    yield;
  }
  const groups = [...sheets].map(([sheet, states]) => toSheetCalls(sheet, states, before));
  return {
    calls: [...known.calls.values()],
    sheets: [...groups.filter(({ sheet }) => sheet !== null), ...groups.filter(({ sheet }) => sheet === null)],
    counts: toStateCounts((state) => groups.reduce((sum, { counts }) => sum + counts[state], 0)),
    served: countServed(requests.counts),
    sharing: values.counts,
    known,
  };
}

let lastKey = 0;

/** An error of the formula's own is more urgent than its queries'. @param before what it was; the same comes back unless it has changed */
function toLiveCall(call: Call, facts: QueryFacts, before: LiveCall | undefined): LiveCall {
  const { asOfMs, requests } = facts;
  const { state, error } = call.error === null ? facts : { state: "failed" as const, error: call.error };
  if (before !== undefined && isEqualState(before, { state, error, asOfMs, requests })) return before;
  const { key, place } = before ?? { key: ++lastKey, place: readFormulaPlace(call.address) };
  return { call, key, place, state, error, asOfMs, requests };
}

/** The distinct answers of a formula's queries; several queries may share one. */
function listValues(facts: readonly QueryFacts[]): Iterable<unknown> {
  const values = facts.flatMap(({ value }) => (value === undefined ? [] : [value]));
  return values.length > 1 ? new Set(values) : values;
}

function toSheetCalls(
  sheet: string | null,
  states: Readonly<Record<LiveState, readonly LiveCall[]>>,
  before: LiveCalls | undefined,
): SheetCalls {
  const calls = LIVE_STATES.flatMap((state) => states[state]);
  const known = before?.sheets.find((each) => each.sheet === sheet);
  const isSame = known?.calls.length === calls.length && calls.every((call, index) => call === known.calls[index]);
  return isSame ? known : { sheet, calls, counts: toStateCounts((state) => states[state].length) };
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

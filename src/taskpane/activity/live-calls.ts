import type { FeedCell, Place } from "../../contract/workbook";
import type { Progress, Query, QueryCache } from "../../feed/query-cache";
import type { Call, Shown } from "../../session/calls";
import { readFormulaPlace } from "../addresses";
import type { CellNotes, FormulaCells } from "../cells";
import type { Steps } from "../slices";
import {
  isEqualState,
  joinFacts,
  LIVE_STATES,
  type LiveState,
  type QueryFacts,
  readFacts,
  readShownState,
} from "./formula-state";

/** A live formula in a cell, and its state by what the cell shows. Cells may share one. */
export interface LiveCall extends Omit<QueryFacts, "value"> {
  readonly call: Call;
  /** Identifies it in each snapshot: a change of state moves it in the list. */
  readonly key: number;
  /** Its cell; null where the host does not say. */
  readonly place: Place | null;
  /** Its cell's formula; null where it was not read. */
  readonly formula: string | null;
  /** The error that the cell shows though the formula has a value, such as "#SPILL!"; null for none. */
  readonly hiddenBy: string | null;
}

/** What the cells of live formulas showed when they were read. */
export interface ReadCells {
  cells: FormulaCells;
  notes?: CellNotes;
  /** The outputs at that time: a later one is not what those cells show. */
  outputs: ReadonlyMap<Call, Shown | null>;
}

/** The formulas of one sheet, the most urgent first; those to correct are listed apart. */
export interface SheetCalls {
  /** Name of the sheet; null for formulas without a known place. */
  sheet: string | null;
  calls: readonly LiveCall[];
  counts: StateCounts;
}

/** How many formulas are in each state. */
type StateCounts = Readonly<Record<LiveState, number>>;

/** The live formulas, and what is counted over all of them. */
export interface LiveCalls {
  calls: readonly LiveCall[];
  /** Those that a person has to correct. */
  wrong: readonly LiveCall[];
  /** In the order in which the sheets first occur; formulas without a place come last. */
  sheets: readonly SheetCalls[];
  counts: StateCounts;
  /** How many formulas each request serves, by its number. */
  served: ReadonlyMap<number, number>;
  /** How many formulas show each answer, by its value. */
  sharing: ReadonlyMap<unknown, number>;
  /** What the next reading compares with. */
  known: { calls: ReadonlyMap<Call, readonly LiveCall[]>; facts: ReadonlyMap<Query<unknown>, QueryFacts> };
}

/**
 * Reads the state of each formula, one a step; what a query gives is read once for all formulas that share it.
 *
 * @param before the reading before it, of which each formula and sheet comes again that has not changed; default none
 * @param read the cells that hold the formulas; default each formula's cell as the host names it
 */
export function* readLiveCalls(
  calls: readonly Call[],
  queryCache: Pick<QueryCache, "find">,
  before?: LiveCalls,
  read?: ReadCells,
): Steps<LiveCalls> {
  const known = { calls: new Map<Call, readonly LiveCall[]>(), facts: new Map<Query<unknown>, QueryFacts>() };
  const readQuery = (query: Query<unknown>): QueryFacts => {
    const facts = known.facts.get(query) ?? readFacts(query, queryCache, before?.known.facts.get(query));
    known.facts.set(query, facts);
    return facts;
  };
  const sheets = new Map<string | null, Record<LiveState, LiveCall[]>>();
  const requests = createCount<readonly number[]>();
  const values = createCount<unknown>();
  for (const call of calls) {
    const facts = call.queries.map(readQuery);
    const joined = joinFacts(facts);
    const all = toLiveCalls(call, joined, read, before?.known.calls.get(call) ?? []);
    known.calls.set(call, all);
    for (const each of all) {
      requests.add(each.requests);
      for (const value of listValues(facts)) values.add(value);
      put(sheets, each);
    }
    yield;
  }
  const groups = [...sheets].map(([sheet, states]) => toSheetCalls(sheet, states, before));
  const listed = groups.filter(({ calls }) => calls.length > 0);
  const wrong = [...sheets.values()].flatMap((states) => states.wrong);
  return {
    calls: [...known.calls.values()].flat(),
    wrong: before !== undefined && isSameList(wrong, before.wrong) ? before.wrong : wrong,
    sheets: [...listed.filter(({ sheet }) => sheet !== null), ...listed.filter(({ sheet }) => sheet === null)],
    counts: toStateCounts((state) => groups.reduce((sum, { counts }) => sum + counts[state], 0)),
    served: countServed(requests.counts),
    sharing: values.counts,
    known,
  };
}

function put(sheets: Map<string | null, Record<LiveState, LiveCall[]>>, each: LiveCall): void {
  const sheet = each.place?.sheet ?? null;
  const states = sheets.get(sheet) ?? { wrong: [], failed: [], stale: [], asking: [], answered: [] };
  states[each.state].push(each);
  sheets.set(sheet, states);
}

let lastKey = 0;

/** One for each cell of a formula. @param before those of the reading before; the same ones come again unless they have changed */
function toLiveCalls(
  call: Call,
  facts: QueryFacts,
  read: ReadCells | undefined,
  before: readonly LiveCall[],
): readonly LiveCall[] {
  const cells = read?.cells.get(call) ?? [];
  const isCurrent = read?.outputs.get(call) === call.shown;
  if (cells.length === 0) return [toLiveCall(call, facts, null, before[0])];
  return cells.map((cell, index) => toLiveCall(call, facts, { cell, isCurrent }, before[index]));
}

function toLiveCall(
  call: Call,
  facts: QueryFacts,
  read: { cell: FeedCell; isCurrent: boolean } | null,
  before: LiveCall | undefined,
): LiveCall {
  const { asOfMs, requests } = facts;
  const { state, error, hiddenBy } = readShownState(call, facts, read?.isCurrent ? read.cell.value : null);
  const formula = read?.cell.formula ?? null;
  const place = read === null ? readPlaceOnce(call, before) : toSamePlace(read.cell, before?.place);
  const now = { call, key: before?.key ?? ++lastKey, place, formula, state, error, hiddenBy, asOfMs, requests };
  if (before === undefined || before.place !== place || before.formula !== formula || before.hiddenBy !== hiddenBy)
    return now;
  return isEqualState(before, now) ? before : now;
}

/** The place that the host gave when the formula was entered. */
const readPlaceOnce = (call: Call, before: LiveCall | undefined): Place | null =>
  before !== undefined && before.formula === null ? before.place : readFormulaPlace(call.address);

const toSamePlace = ({ sheet, address }: Place, before: Place | null | undefined): Place =>
  before?.sheet === sheet && before.address === address ? before : { sheet, address };

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
  const calls = LIVE_STATES.flatMap((state) => (state === "wrong" ? [] : states[state]));
  const known = before?.sheets.find((each) => each.sheet === sheet);
  const isSame = known?.counts.wrong === states.wrong.length && isSameList(calls, known.calls);
  return isSame ? known : { sheet, calls, counts: toStateCounts((state) => states[state].length) };
}

const isSameList = (one: readonly LiveCall[], other: readonly LiveCall[]): boolean =>
  one.length === other.length && one.every((call, index) => call === other[index]);

const toStateCounts = (count: (state: LiveState) => number): StateCounts => ({
  wrong: count("wrong"),
  failed: count("failed"),
  stale: count("stale"),
  asking: count("asking"),
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
function readRange({ name, given, queries }: Call): Record<string, unknown> {
  const [, start, end] = queries[0]?.key ?? [];
  if (!name.startsWith("RANKING") || !("start" in given) || typeof start !== "string" || typeof end !== "string")
    return {};
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

/** How many rows of lists have come, of how many; 0 of 0 where nothing is known. */
export interface RowCount {
  readonly rows: number;
  readonly expected: number;
}

/** Counts the rows of the lists that a formula still waits for. */
export function countRows(queries: readonly Query<unknown>[], { find }: Pick<QueryCache, "find">): RowCount {
  const lists = queries.flatMap((query) => {
    const state = find(query)?.state;
    return state?.status === "pending" ? (state.progress ?? []) : [];
  });
  const sum = (count: (list: Progress) => number) => lists.reduce((all, list) => all + count(list), 0);
  return { rows: sum(({ rows }) => rows.length), expected: sum(({ expected }) => expected) };
}

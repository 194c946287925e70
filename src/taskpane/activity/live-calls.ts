import type { Place } from "../../contract/workbook";
import type { Live, QueryCache, State } from "../../feed/query-cache";
import type { Call } from "../../session/calls";
import { readFormulaPlace } from "../addresses";

/** The states of a formula, the most urgent first. */
export const LIVE_STATES = ["failed", "stale", "asking", "partly", "answered"] as const;

export type LiveState = (typeof LIVE_STATES)[number];

/** A live formula, and the state of its queries. */
export interface LiveCall {
  readonly call: Call;
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
}

/** How many formulas are in each state. */
export type StateCounts = Readonly<Record<LiveState, number>>;

/** Reads the state of each formula. */
export const readLiveCalls = (calls: readonly Call[], queryCache: Pick<QueryCache, "find">): LiveCall[] =>
  calls.map((call) => {
    const lives = call.queries.map((query) => queryCache.find(query));
    const { state, error } = readState(call, lives);
    return {
      call,
      place: readFormulaPlace(call.address),
      state,
      error,
      asOfMs: readAsOfMs(lives),
      requests: [...new Set(lives.flatMap((live) => live?.requests() ?? []))],
    };
  });

const PENDING: State<unknown> = { status: "pending" };

function readState({ error }: Call, lives: readonly (Live | null)[]): Pick<LiveCall, "state" | "error"> {
  const states = lives.map((live) => live?.state ?? PENDING);
  const failed = states.find(({ status }) => status === "failed");
  if (error !== null) return { state: "failed", error };
  if (failed?.status === "failed") return { state: "failed", error: failed.error };
  const stale = states.find((state) => state.status === "answered" && state.error !== null);
  if (stale?.status === "answered") return { state: "stale", error: stale.error };
  if (states.some(({ status }) => status === "pending")) return { state: "asking", error: null };
  const isPart = states.some((state) => state.status === "answered" && !state.answer.isComplete);
  return { state: isPart ? "partly" : "answered", error: null };
}

function readAsOfMs(lives: readonly (Live | null)[]): number | null {
  const times = lives.flatMap((live) => (live?.state.status === "answered" ? [live.state.answer.asOfMs] : []));
  return times.reduce((oldest: number | null, time) => Math.min(oldest ?? time, time), null);
}

/** Groups formulas by sheet, in the order in which the sheets first occur; those without a place come last. */
export function groupBySheet(calls: readonly LiveCall[]): SheetCalls[] {
  const sheets = new Map<string | null, LiveCall[]>();
  for (const each of calls) {
    const sheet = each.place?.sheet ?? null;
    const others = sheets.get(sheet);
    if (others === undefined) sheets.set(sheet, [each]);
    else others.push(each);
  }
  const sort = (all: LiveCall[]) => LIVE_STATES.flatMap((state) => all.filter((each) => each.state === state));
  const groups = [...sheets].map(([sheet, all]) => ({ sheet, calls: sort(all) }));
  return [...groups.filter(({ sheet }) => sheet !== null), ...groups.filter(({ sheet }) => sheet === null)];
}

export function countStates(calls: readonly LiveCall[]): StateCounts {
  const counts = { failed: 0, stale: 0, asking: 0, partly: 0, answered: 0 };
  for (const { state } of calls) counts[state]++;
  return counts;
}

/** How many formulas each request serves, by its number. */
export function countServed(calls: readonly LiveCall[]): ReadonlyMap<number, number> {
  const served = new Map<number, number>();
  for (const { requests } of calls) for (const number of requests) served.set(number, (served.get(number) ?? 0) + 1);
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

import type { Query, QueryCache } from "../../feed/query-cache";

/** The states of a formula or a query, the most urgent first. */
export const LIVE_STATES = ["failed", "stale", "asking", "partly", "answered"] as const;

export type LiveState = (typeof LIVE_STATES)[number];

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
  if (state.status === "failed") return { ...facts, state: "failed", error: state.error };
  const { answer, error } = state;
  const shown = { ...facts, error, asOfMs: answer.asOfMs, value: answer.value };
  return { ...shown, state: error !== null ? "stale" : answer.isComplete ? "answered" : "partly" };
}

/** Joins the facts of a formula's queries: the most urgent state, the oldest answer, all requests. */
export function joinFacts(facts: readonly QueryFacts[]): QueryFacts {
  if (facts.length <= 1) return facts[0] ?? NO_QUERY;
  const state = LIVE_STATES.find((each) => facts.some((fact) => fact.state === each)) ?? "answered";
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

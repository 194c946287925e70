import { FeedError } from "../../client/errors";
import type { Query, QueryCache } from "../../feed/query-cache";

/** The states of a formula or a query, the most urgent first. Only a person's correction ends "wrong". */
export const LIVE_STATES = ["wrong", "failed", "stale", "asking", "answered"] as const;

export type LiveState = (typeof LIVE_STATES)[number];

/**
 * Whether only a change of the formula or the workbook mends an error, as of a name that is misspelt or means a company
 * without the data: no refresh does, and none has failed by it.
 */
export const needsCorrection = (error: unknown): boolean =>
  error instanceof FeedError && (error.cell === "#VALUE!" || error.facts.named !== undefined);

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

export const toFailed = (error: unknown): "wrong" | "failed" => (needsCorrection(error) ? "wrong" : "failed");

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

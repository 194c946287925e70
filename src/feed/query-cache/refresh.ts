import type { Query } from "@tanstack/query-core";
import { type Cache, isLive, type ObservedQuery } from "./cache";
import type { PersistedAnswers, PersistedQuery } from "./load";
import { toHash } from "./sources";
import type { Answer, Held, QueryCache, Refreshed, RefreshOptions } from "./types";

interface Refresher extends Pick<QueryCache, "refresh" | "checkRefresh" | "undo"> {
  /** Forgets the answers before the last refresh. */
  forget(): void;
}

interface RefresherState {
  cache: Cache;
  persistedAnswers: PersistedAnswers;
  /** Hashes of the queries that the last refresh refetched. */
  refetched: Set<string>;
  /** Their answers before that refresh. */
  before: Map<string, { query: PersistedQuery; answer: Answer<unknown> }>;
}

export function createRefresher(cache: Cache, persistedAnswers: PersistedAnswers): Refresher {
  const context: RefresherState = { cache, persistedAnswers, refetched: new Set(), before: new Map() };
  return {
    refresh: (options = {}) => refresh(context, options),
    checkRefresh: (options = {}) => checkRefresh(cache, options),
    undo: () => undo(context),
    forget: () => context.before.clear(),
  };
}

/** Invalidates first: after a failed load the former answer must not serve later queries. */
async function refresh(context: RefresherState, options: RefreshOptions): Promise<Refreshed> {
  const { keys, signal, isMore, toMaxAgeMs = () => 0, progress } = options;
  const { cache, persistedAnswers } = context;
  const { client, loads } = cache;
  const wanted = keys?.map(toHash);
  const old = wanted && loads.withParts(wanted);
  const refetching = begin(context, wanted, isMore === true);
  for (const part of listActive(cache, [...(old ?? [])])) remember(context, part);
  if (wanted === undefined) persistedAnswers.ignoreOlder();
  const isOld = ({ queryHash }: Query) => old?.has(queryHash) ?? true;
  for (const { queryHash } of client.getQueryCache().findAll({ predicate: isOld }))
    cache.wanted.set(queryHash, toMaxAgeMs);
  await client.invalidateQueries({ refetchType: "none", predicate: isOld });
  if (signal?.aborted) return { refetched: 0, failures: [], isCancelled: true };
  const calledOff = new Promise<void>((resolve) => {
    signal?.addEventListener("abort", () => void cancel(cache, refetching).then(resolve), { once: true });
  });
  const failures: unknown[] = [];
  let done = 0;
  progress?.(refetching.length, done);
  let held: Held | undefined;
  const refetch = async ({ key, observer }: ObservedQuery) => {
    const result = await observer.refetch({ cancelRefetch: false });
    if (signal?.aborted) return;
    if (result.isError) failures.push(result.error);
    else held = joinHeld(held, findHeld(cache, key));
    done++;
    progress?.(refetching.length, done);
  };
  // A cancelled refresh does not wait for loads that go on.
  await Promise.race([Promise.all(refetching.map(refetch)), calledOff]);
  return { refetched: refetching.length, failures, isCancelled: done < refetching.length, ...(held && { held }) };
}

/** Gives the facts of an answer that the companion's policy held back from a refetch; undefined where it did not. */
function findHeld({ loads, ports }: Cache, key: readonly unknown[]): Held | undefined {
  const { asOfMs, newerAtMs } = loads.find(key) ?? { asOfMs: 0, newerAtMs: 0 };
  return newerAtMs > 0 ? { count: 1, asOfMs: Math.min(asOfMs, ports.nowMs()), newerAtMs } : undefined;
}

export const joinHeld = (one: Held | undefined, other: Held | undefined): Held | undefined =>
  one && other
    ? {
        count: one.count + other.count,
        asOfMs: Math.min(one.asOfMs, other.asOfMs),
        newerAtMs: Math.max(one.newerAtMs, other.newerAtMs),
      }
    : (one ?? other);

/** Records the present answers; a refresh that joins another one refetches only the queries that the other has not. */
function begin(
  context: RefresherState,
  wanted: readonly string[] | undefined,
  isMore: boolean,
): readonly ObservedQuery[] {
  const { cache } = context;
  const all = wanted === undefined ? listWanted(cache) : listActive(cache, wanted);
  const refetching = isMore ? all.filter(({ key }) => !context.refetched.has(toHash(key))) : all;
  if (!isMore && refetching.length > 0) {
    context.refetched = new Set();
    context.before = new Map();
  }
  for (const observed of refetching) {
    context.refetched.add(toHash(observed.key));
    remember(context, observed);
  }
  return refetching;
}

/** Lists the queries with subscribers, and closes those without, such as yesterday's range. */
function listWanted({ active }: Cache): ObservedQuery[] {
  for (const observed of [...active.values()]) if (observed.subscribers.size === 0) observed.close();
  return [...active.values()];
}

/** Counts live queries only: their parts are counted with them. */
function checkRefresh({ active, budget }: Cache, { keys }: Pick<RefreshOptions, "keys">): Refreshed | null {
  const live = (keys === undefined ? [...active.values()] : listActive({ active }, keys.map(toHash))).filter(isLive);
  const error = budget.checkRefresh(live.map(({ query }) => query));
  return error && { refetched: 0, failures: [error], isCancelled: false };
}

const listActive = ({ active }: Pick<Cache, "active">, hashes: readonly string[]): ObservedQuery[] =>
  [...new Set(hashes)].flatMap((hash) => active.get(hash) ?? []);

/** Cancels the loads of settled queries; any other goes on, or its cell would wait for ever. */
async function cancel({ client }: Cache, refetching: readonly ObservedQuery[]): Promise<void> {
  const hashes = new Set(refetching.flatMap(({ key, state }) => (state.status === "pending" ? [] : toHash(key))));
  await client.cancelQueries({ predicate: (query: Query) => hashes.has(query.queryHash) }, { revert: true });
}

/** Records the answer of a query and of its wider query, so that both are undone together. */
function remember({ cache, before }: RefresherState, { query }: ObservedQuery): void {
  const { within, persistence } = query;
  const queries: PersistedQuery[] = [
    query,
    ...(within === undefined ? [] : [{ key: within, ...(persistence && { persistence }) }]),
  ];
  for (const each of queries) {
    const hash = toHash(each.key);
    const answer = cache.client.getQueryData<Answer<unknown>>(each.key);
    if (answer !== undefined && !before.has(hash)) before.set(hash, { query: each, answer });
  }
}

function undo({ cache: { client }, persistedAnswers, before }: RefresherState): void {
  const changed = [...before.values()].filter(({ query, answer }) => client.getQueryData(query.key) !== answer);
  for (const { query, answer } of changed) client.setQueryData(query.key, answer);
  for (const { query, answer } of changed) persistedAnswers.store(query, answer, true);
  before.clear();
}

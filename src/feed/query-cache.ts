import { FeedError } from "../client/errors";
import type { Ports } from "../client/ports";
import {
  type Cache,
  createQueryClient,
  isLive,
  type ObservedQuery,
  open,
  subscribe,
  toState,
} from "./query-cache/cache";
import {
  createPersistedAnswers,
  loadAnswer,
  type PersistedAnswers,
  type PersistenceOptions,
  toAnswer,
  waitFor,
} from "./query-cache/load";
import { createRefresher } from "./query-cache/refresh";
import { createLoads, type QuerySources, toHash } from "./query-cache/sources";
import type { Answer, Failed, Listener, Query, QueryCache } from "./query-cache/types";

export type * from "./query-cache/types";

type QueryCacheOptions = PersistenceOptions & Pick<Cache, "notify" | "budget" | "check">;

/** Makes a cache of queries without answers but those that are persisted. */
export function createQueryCache(ports: Ports, options: QueryCacheOptions): QueryCache {
  const { notify, budget, check } = options;
  const client = createQueryClient();
  const persistedAnswers = createPersistedAnswers(client, ports.nowMs, options);
  const load: Cache["load"] = (query, signal) => loadAnswer(cache, persistedAnswers, query, signal);
  const loads = createLoads(client);
  const parts = { ports, client, active: new Map(), failed: new Set<ObservedQuery>(), loads, wanted: new Map() };
  const cache: Cache = { ...parts, budget, check, load, notify };
  const refresher = createRefresher(cache, persistedAnswers);
  return {
    observe(query, listener) {
      const observed = open(cache, query);
      const stop = subscribe(cache, observed, { listener: listener as Listener<unknown>, isLive: true });
      if (observed.state.status !== "pending") (listener as Listener<unknown>)(observed.state);
      return stop;
    },
    wait: (query, loading) => waitFor(cache, query, loading) as Promise<never>,
    peek: (query) => toState(client.getQueryState<Answer<never>>(query.key)),
    seed: (query, value, sources) => seed(cache, persistedAnswers, query, value, sources),
    refresh: refresher.refresh,
    checkRefresh: refresher.checkRefresh,
    undo: refresher.undo,
    failed: () => listFailed(cache),
    retryFailed: (isMeant) => retryFailed(cache, isMeant),
    renew: (key) => void client.invalidateQueries({ queryKey: key }),
    restart(isMeant) {
      const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) => isMeant(queryKey);
      client.removeQueries({ type: "inactive", predicate });
      void client.resetQueries({ predicate });
    },
    reset() {
      refresher.forget();
      cache.wanted.clear();
      client.removeQueries({ type: "inactive" });
      void client.resetQueries();
    },
    size: () => cache.active.size,
    find: ({ key }) => cache.active.get(toHash(key)) ?? null,
    live: () => [...cache.active.values()].filter(isLive),
    close: () => close(cache),
  };
}

function seed(
  cache: Cache,
  persistedAnswers: PersistedAnswers,
  query: Query<unknown>,
  value: unknown,
  sources: QuerySources,
): void {
  const { client } = cache;
  if (client.getQueryData<Answer<unknown>>(query.key)?.value === value) return; // the ten years of a company bring it ten times
  const answer = toAnswer(cache, value, sources);
  client.setQueryData(query.key, answer);
  persistedAnswers.store(query, answer);
}

/** Iterates over failed queries with subscribers: yesterday's range, for instance, is not among them. */
function* listFailed({ failed }: Cache): Iterable<Failed & { observed: ObservedQuery }> {
  for (const observed of failed) {
    const { state, subscribers } = observed;
    const error = state.status === "pending" ? null : state.error;
    if (error instanceof FeedError && subscribers.size > 0) yield { error, hash: toHash(observed.key), observed };
  }
}

async function retryFailed(cache: Cache, isMeant: (error: FeedError, hash: string) => boolean): Promise<unknown[]> {
  const meant = [...listFailed(cache)].filter(({ error, hash }) => isMeant(error, hash));
  const results = await Promise.all(meant.map(({ observed }) => observed.observer.refetch({ cancelRefetch: false })));
  return results.flatMap(({ error }) => error ?? []);
}

function close({ active, client }: Cache): void {
  for (const observed of [...active.values()]) observed.close();
  for (const query of client.getQueryCache().getAll()) {
    query.setOptions({ ...query.options, gcTime: Number.POSITIVE_INFINITY }); // else a load that ends later sets a timer
    client.getQueryCache().remove(query);
  }
}

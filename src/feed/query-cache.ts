import { type Budget, NO_BUDGET } from "./budget";
import { FeedError } from "./errors";
import { NO_ANSWERS } from "./persisted-cache";
import type { Ports } from "./ports";
import { type Cache, isLive, open, subscribe, toState, type Watched } from "./query-cache/cache";
import { loadAnswer, toAnswer } from "./query-cache/load";
import { createLoads, toHash } from "./query-cache/loads";
import { createKeep, type Keep, type KeepOptions } from "./query-cache/persistence";
import { createQueryClient, drop } from "./query-cache/query-client";
import { createRefresher } from "./query-cache/refresh";
import type { Answer, Failed, Listener, Question, Watch } from "./query-cache/types";
import { waitFor } from "./query-cache/wait";

export type * from "./query-cache/types";

export interface WatchOptions extends Partial<KeepOptions> {
  /** Is called whenever what {@link Watch.live} gives has changed. */
  tell?: () => void;
  /** What lets questions through; default all at once. */
  budget?: Budget;
  /** As in the cache; default nothing stands in the way of any question. */
  check?: Cache["check"] | undefined;
}

/** Makes a cache of questions that knows nothing yet but what is kept from before; default nothing is. */
export function createWatch(ports: Ports, options: WatchOptions = {}): Watch {
  const { tell = () => {}, answers = NO_ANSWERS, foundKept = () => {}, listSources = () => [] } = options;
  const { budget = NO_BUDGET, check = () => null } = options;
  const client = createQueryClient();
  const keep = createKeep(client, ports.nowMs, { answers, foundKept, listSources });
  const load: Cache["load"] = (question, signal) => loadAnswer(cache, keep, question, signal);
  const loads = createLoads(client);
  const parts = { ports, client, active: new Map(), failed: new Set<Watched>(), loads, wanted: new Map() };
  const cache: Cache = { ...parts, budget, check, load, tell };
  const refresher = createRefresher(cache, keep);
  return {
    watch(question, listener) {
      const watched = open(cache, question as Question<unknown>);
      const stop = subscribe(cache, watched, { listener: listener as Listener<unknown>, isLive: true });
      if (watched.state.status !== "pending") (listener as Listener<unknown>)(watched.state);
      return stop;
    },
    wait: (question, signal, grow) =>
      waitFor(cache, question as Question<unknown>, signal, grow as (part: unknown) => void) as Promise<never>,
    peek: (question) => toState(client.getQueryState<Answer<never>>(question.key)),
    seed: (question, value, signal) => seed(cache, keep, question as Question<unknown>, value, signal),
    refresh: refresher.refresh,
    refuse: refresher.refuse,
    undo: refresher.undo,
    failed: () => listFailed(cache),
    retryFailed: (isMeant) => retryFailed(cache, isMeant),
    renew: (key) => void client.invalidateQueries({ queryKey: key }),
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

function seed(cache: Cache, keep: Keep, question: Question<unknown>, value: unknown, signal: AbortSignal): void {
  const { client } = cache;
  if (client.getQueryData<Answer<unknown>>(question.key)?.value === value) return; // the ten years of a company bring it ten times
  const answer = toAnswer(cache, value, true, signal);
  client.setQueryData(question.key, answer);
  keep.keep(question, answer);
}

/** What nobody wants any more, such as yesterday's range, is not among them. */
function* listFailed({ failed }: Cache): Iterable<Failed & { watched: Watched }> {
  for (const watched of failed) {
    const { state, subscribers } = watched;
    const error = state.status === "pending" ? null : state.error;
    if (error instanceof FeedError && subscribers.size > 0) yield { error, hash: toHash(watched.key), watched };
  }
}

async function retryFailed(cache: Cache, isMeant: (error: FeedError, hash: string) => boolean): Promise<unknown[]> {
  const meant = [...listFailed(cache)].filter(({ error, hash }) => isMeant(error, hash));
  const results = await Promise.all(meant.map(({ watched }) => watched.observer.refetch({ cancelRefetch: false })));
  return results.flatMap(({ error }) => error ?? []);
}

function close({ active, client }: Cache): void {
  for (const watched of [...active.values()]) watched.close();
  for (const query of client.getQueryCache().getAll()) drop(client, query);
}

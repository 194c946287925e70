import { environmentManager, focusManager, QueryClient, QueryObserver } from "@tanstack/query-core";
import { hasCode } from "../../client/errors";
import type { Ports } from "../../client/ports";
import type { Budget } from "../budget";
import { type Loads, toHash } from "./sources";
import type { Answer, Listener, Live, Progress, Query, State, ToMaxAge } from "./types";

/** The answers and their subscribers. */
export interface Cache {
  ports: Ports;
  client: QueryClient;
  active: Map<string, ObservedQuery>;
  /** The active queries whose last load failed. */
  failed: Set<ObservedQuery>;
  loads: Loads;
  budget: Pick<Budget, "run" | "announce" | "checkRefresh">;
  /** Maximum ages of the queries that a refresh refetches. */
  wanted: Map<string, ToMaxAge>;
  /** Rejects where no query may be answered, not even by a persisted answer; null where a query may go on at once. */
  check: () => Promise<void> | null;
  /** Answers a query, by a request or from the caches. */
  load: (query: Query<unknown>, signal: AbortSignal) => Promise<Answer<unknown>>;
  /** Called after each change of a state or of the live queries. */
  notify: () => void;
}

/** A query outlives its last cell a little: a new call may come before or after the old one's cancel. */
const GRACE_MS = 1_500;

interface Subscriber {
  listener: Listener<unknown>;
  /** Whether it is a cell, not a query that this one is a part of. */
  isLive: boolean;
}

export interface ObservedQuery extends Live {
  query: Query<unknown>;
  observer: QueryObserver<Answer<unknown>>;
  subscribers: Set<Subscriber>;
  state: State<unknown>;
  stayAlive: () => void;
  close: () => void;
}

/** Gives an active query; else makes it active, which loads it. */
export function open(cache: Cache, query: Query<unknown>): ObservedQuery {
  const { active } = cache;
  const hash = toHash(query.key);
  const known = active.get(hash);
  if (known !== undefined) return known;
  const observed = observe(cache, query, () => active.delete(hash));
  active.set(hash, observed);
  return observed;
}

export function subscribe({ ports, notify }: Cache, observed: ObservedQuery, subscriber: Subscriber): () => void {
  observed.stayAlive();
  const wasLive = isLive(observed);
  observed.subscribers.add(subscriber);
  if (isLive(observed) !== wasLive) notify(); // thousands of cells may share it
  return () => {
    if (!observed.subscribers.delete(subscriber)) return;
    if (!isLive(observed)) notify();
    if (observed.subscribers.size > 0) return;
    observed.stayAlive = ports.after(GRACE_MS, () => observed.subscribers.size === 0 && observed.close());
  };
}

export function isLive({ subscribers }: ObservedQuery): boolean {
  for (const subscriber of subscribers) if (subscriber.isLive) return true;
  return false;
}

/** Whether it is a part of another query. */
export function isPart({ active }: Cache, { key }: Query<unknown>): boolean {
  for (const { isLive } of active.get(toHash(key))?.subscribers ?? []) if (!isLive) return true;
  return false;
}

/** Reports the progress of a first load; a refresh has an answer to show meanwhile. */
export function reportProgress({ active, notify }: Cache, { key }: Query<unknown>, progress: Progress): void {
  const observed = active.get(toHash(key));
  if (observed?.state.status !== "pending") return;
  observed.state = { status: "pending", progress };
  for (const { listener } of [...observed.subscribers]) listener(observed.state);
  notify();
}

function observe(cache: Cache, query: Query<unknown>, forget: () => void): ObservedQuery {
  const { client, notify } = cache;
  const observer = new QueryObserver<Answer<unknown>>(client, {
    queryKey: query.key,
    queryFn: ({ signal }) => cache.load(query, signal),
    notifyOnChangeProps: ["data", "error", "status"],
  });
  const observed: ObservedQuery = {
    key: query.key,
    query,
    observer,
    subscribers: new Set(),
    state: { status: "pending" },
    requests: () => listRequests(cache, observed),
    stayAlive: () => undefined,
    close: () => {
      cache.failed.delete(observed);
      observed.stayAlive();
      unsubscribe();
      forget();
      notify();
    },
  };
  const unsubscribe = observer.subscribe((result) => {
    setState(cache, observed, toState(result));
    for (const { listener } of [...observed.subscribers]) listener(observed.state);
    notify();
  });
  setState(cache, observed, toState(observer.getCurrentResult()));
  return observed;
}

function setState({ failed }: Cache, observed: ObservedQuery, state: State<unknown>): void {
  observed.state = state;
  if (state.status !== "pending" && state.error !== null) failed.add(observed);
  else failed.delete(observed);
}

function listRequests({ loads }: Cache, { key, state }: Live): readonly number[] {
  if (state.status === "pending") return [];
  const behind = state.status === "answered" ? state.answer.requests : [];
  return state.error === null ? behind : [...new Set([...behind, ...(loads.find(key)?.requests ?? [])])];
}

/** Gives the state of a query. A failed refresh retains the last answer, unless that proved ambiguous. */
export function toState<T>(
  known: { status: string; data?: Answer<T> | undefined; error: unknown } | undefined,
): State<T> {
  if (known?.data !== undefined && !isAmbiguous(known.error)) {
    return { status: "answered", answer: known.data, error: known.error };
  }
  return known?.status === "error" ? { status: "failed", error: known.error } : { status: "pending" };
}

const isAmbiguous = hasCode("FEED_AMBIGUOUS");

/** Lifetime of an answer without subscribers: a formula that is typed again is answered at once. */
const CACHED_MS = 30 * 60_000;

/** Makes the library's cache without automatic refetches: none on focus, after a failure, or by age. */
export function createQueryClient(): QueryClient {
  // The library takes a page without a document for a server, and a closed pane for one that may pause.
  environmentManager.setIsServer(() => false);
  focusManager.setFocused(true);
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        networkMode: "always",
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: CACHED_MS,
        structuralSharing: false,
        queryKeyHashFn: toHash, // hashes a key once; the library would do so at each step
      },
    },
  });
}

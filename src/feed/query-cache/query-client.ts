import {
  environmentManager,
  focusManager,
  type Query,
  QueryClient,
  type TimeoutProvider,
  timeoutManager,
} from "@tanstack/query-core";
import { createWaits, type Waiter } from "../waits";
import { toHash } from "./sources";

/** Answers nobody watches are kept this long: a formula that is typed again is answered at once. */
const CACHED_MS = 30 * 60_000;

/** Makes the library's cache of answers, in which nothing is asked again by itself: not on focus, not after a failure, not because time has passed. */
export function createQueryClient(): QueryClient {
  // The library takes a page without a document for a server, and a closed pane for one that may pause.
  environmentManager.setIsServer(() => false);
  focusManager.setFocused(true);
  timeoutManager.setTimeoutProvider(TIMERS);
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        networkMode: "always",
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: CACHED_MS,
        structuralSharing: false,
        queryKeyHashFn: toHash, // which reads a key once, and the library at each step
      },
    },
  });
}

const WAITS = createWaits({ nowMs: Date.now, after: setTimer }, CACHED_MS);

function setTimer(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}

/** The end of an answer's time. */
class Timer implements Waiter {
  readonly #wait = WAITS.begin(this);

  constructor(readonly late: () => void) {}

  end(): void {
    this.#wait.end(this);
  }
}

/** The library sets three timers for each answer, all of this length, and none that repeats: what comes together shares one. */
const TIMERS = {
  setTimeout: (callback: () => void) => new Timer(callback),
  clearTimeout: (timer: Timer | undefined) => timer?.end(),
} as unknown as TimeoutProvider;

/** Removes an answer for good: the library would set a timer of half an hour when a load of it ends after that. */
export function drop(client: QueryClient, query: Query): void {
  query.setOptions({ ...query.options, gcTime: Number.POSITIVE_INFINITY });
  client.getQueryCache().remove(query);
}

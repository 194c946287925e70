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

/** Lifetime of an answer without subscribers: a formula that is typed again is answered at once. */
const CACHED_MS = 30 * 60_000;

/** Makes the library's cache without automatic refetches: none on focus, after a failure, or by age. */
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
        queryKeyHashFn: toHash, // hashes a key once; the library would do so at each step
      },
    },
  });
}

const WAITS = createWaits({ nowMs: Date.now, after: setTimer }, CACHED_MS);

function setTimer(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}

class Timer implements Waiter {
  readonly #wait = WAITS.begin(this);

  constructor(readonly late: () => void) {}

  end(): void {
    this.#wait.end(this);
  }
}

/** Shared timers: the library sets three for each answer, all of one length, and none that repeats. */
const TIMERS = {
  setTimeout: (callback: () => void) => new Timer(callback),
  clearTimeout: (timer: Timer | undefined) => timer?.end(),
} as unknown as TimeoutProvider;

/** Removes an answer for good: without this, a load that ends later would make the library set another timer. */
export function drop(client: QueryClient, query: Query): void {
  query.setOptions({ ...query.options, gcTime: Number.POSITIVE_INFINITY });
  client.getQueryCache().remove(query);
}

import { NO_TRACE, type SpanReference, type Trace } from "../../reporting/trace";

type Listener = (who: string, span?: SpanReference) => void;

/** The readers of one load. It waits in the queue of each of them, and runs for the first one served. */
export interface Subscribers {
  /** Calls back for each reader, with the span of its read, and for those who subscribe later. */
  each(listener: Listener): void;
}

/** For loads of one reader alone. */
export const NO_SUBSCRIBERS: Subscribers = { each: () => {} };

export function createSubscribers(): Subscribers & { add: Listener } {
  const all = new Map<string, SpanReference | undefined>();
  const listeners: Listener[] = [];
  return {
    each(listener) {
      listeners.push(listener);
      for (const [who, span] of all) listener(who, span);
    },
    add(who, span) {
      if (all.has(who)) return;
      all.set(who, span);
      for (const listener of listeners) listener(who, span);
    },
  };
}

/** Loads each key once for all who want it at the same time. */
export interface SingleFlight<T> {
  /**
   * Joins the load of a key, or starts it.
   * @param others Further readers of the load; default none.
   */
  run(key: string, who: string, load: (readers: Subscribers) => Promise<T>, others?: Subscribers): Promise<T>;
}

/** @param trace Default none. */
export function createSingleFlight<T>(trace: Trace = NO_TRACE): SingleFlight<T> {
  const flights = new Map<string, { result: Promise<T>; add: Listener }>();
  return {
    run(key, who, load, others = NO_SUBSCRIBERS) {
      const readers = createSubscribers();
      const same = flights.get(key);
      const add = same?.add ?? readers.add;
      add(who, trace.current());
      others.each(add);
      if (same !== undefined) return same.result;
      const result = load(readers).finally(() => flights.delete(key));
      flights.set(key, { result, add });
      return result;
    },
  };
}

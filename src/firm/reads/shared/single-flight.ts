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

/** The steps of one reader's load. */
interface Steps<T> {
  /** Gives the cached value of each key, in order. */
  readCached(keys: readonly string[]): Promise<readonly (T | undefined)[]>;
  /**
   * Loads keys; each is cached before its result is given.
   * @param subscribers The other readers of each key.
   */
  load(keys: readonly string[], subscribers: readonly Subscribers[]): readonly Promise<T>[];
}

/**
 * Loads each key once for all readers.
 *
 * | a key is      | step                       | next              |
 * |---------------|----------------------------|-------------------|
 * | new           | cache, then provider       | led               |
 * | led           | further readers subscribe  | settled or failed |
 */
export interface SingleFlight<T> {
  /** Gives the result of each key, in order; the first caller loads it, others join. */
  load(keys: readonly string[], steps: Steps<T>, who: string): Promise<readonly T[]>;
}

interface Entry<T> {
  result: Promise<T>;
  subscribers: Subscribers;
  subscribe: Listener;
  settle(result: T): void;
  /** Rejects, unless it has settled. */
  fail(error: unknown): void;
}

/** The entries that one caller loads. */
type Entries<T> = ReadonlyMap<string, Entry<T>>;

/** @param trace Default none. */
export function createSingleFlight<T>(trace: Trace = NO_TRACE): SingleFlight<T> {
  const entries = new Map<string, Entry<T>>();
  return {
    load(keys, steps, who) {
      const led = new Map<string, Entry<T>>();
      for (const key of keys) {
        const entry = entries.get(key);
        if (entry !== undefined) {
          if (!led.has(key)) entry.subscribe(who, trace.current());
          continue;
        }
        const own = createEntry<T>(() => entries.delete(key));
        led.set(key, own);
        entries.set(key, own);
      }
      const results = keys.map((key) => entries.get(key)!.result);
      lead(led, steps).catch((error) => {
        for (const entry of led.values()) entry.fail(error);
      });
      return Promise.all(results);
    },
  };
}

function createEntry<T>(onEnd: () => void): Entry<T> {
  let resolve: (settled: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const result = new Promise<T>((toResolve, toFail) => {
    [resolve, reject] = [toResolve, toFail];
  });
  let isUnderWay = true;
  const end = () => {
    if (isUnderWay) onEnd();
    isUnderWay = false;
  };
  const settle = (settled: T) => {
    resolve(settled);
    end();
  };
  const fail = (error: unknown) => {
    reject(error);
    end();
  };
  const subscribers = createSubscribers();
  return { result, subscribers, subscribe: subscribers.add, settle, fail };
}

/** Settles every entry: from the cache, where something was stored since the caller's lookup, or by a load. */
async function lead<T>(entries: Entries<T>, steps: Steps<T>): Promise<void> {
  const keys = await settleCached([...entries.keys()], entries, steps);
  if (keys.length === 0) return;
  const results = steps.load(
    keys,
    keys.map((key) => entries.get(key)!.subscribers),
  );
  await Promise.all(keys.map(async (key, nth) => entries.get(key)!.settle(await results[nth]!)));
}

/** Settles keys that are cached by now, and gives the others. */
async function settleCached<T>(
  keys: readonly string[],
  entries: Entries<T>,
  { readCached }: Steps<T>,
): Promise<string[]> {
  const cached = await readCached(keys);
  return keys.filter((key, nth) => {
    const result = cached[nth];
    if (result !== undefined) entries.get(key)!.settle(result);
    return result === undefined;
  });
}

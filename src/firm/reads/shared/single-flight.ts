import { NO_TRACE, type SpanReference, type Trace } from "../../reporting/trace";
import type { Leases } from "../../stores";

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

/**
 * How long another instance's lease is waited for. The lease of a dead instance ends within seconds; a live one may
 * have many queued.
 */
const PATIENCE_MS = 10_000;

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
 * Loads each key once for all readers, here and in other instances.
 *
 * | a key is                       | step                               | next                                |
 * |--------------------------------|------------------------------------|-------------------------------------|
 * | new here                       | acquire its lease                  | led here                            |
 * | led here                       | further readers subscribe          | led here                            |
 * | led, lease held elsewhere      | wait for its release, then cache   | settled, or led with the lease      |
 * | led with lease, or after 10 s  | cache, then provider               | settled or failed; lease released   |
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

/**
 * @param leases Absent where results are not shared with other instances.
 * @param toEnd Gives when a settled load is no longer under way; default at once.
 * @param trace Default none.
 */
export function createSingleFlight<T>(
  leases: Leases | undefined,
  nowMs: () => number,
  toEnd: ToEnd<T> = () => undefined,
  trace: Trace = NO_TRACE,
): SingleFlight<T> {
  const entries = new Map<string, Entry<T>>();
  const leader = createLeader<T>(leases, nowMs, toEnd);
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
      leader(led, steps).catch((error) => {
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

type Drop = (keys: readonly string[]) => void;
type ToEnd<T> = (settled: T) => Promise<unknown> | undefined;

/** Creates the loader, which releases each lease when its load is no longer under way. */
function createLoader<T>(drop: Drop, toEnd: ToEnd<T>) {
  return async (keys: readonly string[], entries: Entries<T>, steps: Steps<T>): Promise<void> => {
    const results = steps.load(
      keys,
      keys.map((key) => entries.get(key)!.subscribers),
    );
    const settle = async (key: string, result: Promise<T>) => {
      const settled = await result;
      entries.get(key)!.settle(settled);
      await toEnd(settled);
    };
    await Promise.all(keys.map((key, nth) => settle(key, results[nth]!).finally(() => drop([key]))));
  };
}

/** Creates the leader, which settles every entry: it acquires leases, loads, or waits for other instances. */
function createLeader<T>(leases: Leases | undefined, nowMs: () => number, toEnd: ToEnd<T>) {
  const drop = createDrops(leases);
  const load = createLoader(drop, toEnd);
  const loadLeased = async (mine: readonly string[], entries: Entries<T>, steps: Steps<T>): Promise<void> => {
    // The former holder may have stored something since the lookup.
    const left = await settleCached(mine, entries, steps).catch((error) => {
      drop(mine);
      throw error;
    });
    drop(mine.filter((key) => !left.includes(key)));
    if (left.length > 0) await load(left, entries, steps);
  };
  return async (entries: Entries<T>, steps: Steps<T>): Promise<void> => {
    const untilMs = nowMs() + PATIENCE_MS;
    const loads: Promise<void>[] = [];
    let left: readonly string[] = [...entries.keys()];
    while (left.length > 0) {
      const mine = leases === undefined || nowMs() >= untilMs ? left : await leases.acquire(left);
      if (mine.length > 0) {
        const own = loadLeased(mine, entries, steps);
        own.catch(() => {}); // awaited below, when no lease is left to wait for
        loads.push(own);
      }
      const taken = new Set(mine);
      left = left.filter((key) => !taken.has(key));
      if (left.length > 0) await leases?.waitUntilReleased(left);
      if (left.length > 0) left = await settleCached(left, entries, steps);
    }
    await Promise.all(loads);
  };
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

/** Releases leases a moment later, many at once. */
function createDrops(leases: Leases | undefined): Drop {
  const waiting = new Set<string>();
  return (keys) => {
    if (leases === undefined || keys.length === 0) return;
    if (waiting.size === 0) {
      setImmediate(() => {
        const dropped = [...waiting];
        waiting.clear();
        void leases.release(dropped);
      });
    }
    for (const key of keys) waiting.add(key);
  };
}

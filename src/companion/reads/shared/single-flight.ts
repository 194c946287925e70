import type { Leases } from "../../stores";

/** Who else waits for what somebody has asked for: it is queued for each of them, and goes for whoever comes first. */
export interface Subscribers {
  /** Tells each of them, and who subscribes later. */
  each(listener: (who: string) => void): void;
}

/** Nobody else waits for what is asked for one reader alone. */
export const NO_SUBSCRIBERS: Subscribers = { each: () => {} };

export function createSubscribers(): Subscribers & { add(who: string): void } {
  const all = new Set<string>();
  const listeners: ((who: string) => void)[] = [];
  return {
    each(listener) {
      listeners.push(listener);
      for (const who of all) listener(who);
    },
    add(who) {
      if (all.has(who)) return;
      all.add(who);
      for (const listener of listeners) listener(who);
    },
  };
}

/**
 * How long another instance may take before this one asks as well: one that is gone loses its claims in seconds, and one
 * that lives may have many waiting, but nobody's pane waits for much longer.
 */
const PATIENCE_MS = 10_000;

/** How one reader's keys are looked up and asked for. */
interface Steps<T> {
  /** Gives what is kept of keys, in their order. */
  readCached(keys: readonly string[]): Promise<readonly (T | undefined)[]>;
  /**
   * Asks for keys, and keeps what comes before it gives it.
   * @param subscribers Who else waits for each.
   */
  load(keys: readonly string[], subscribers: readonly Subscribers[]): readonly Promise<T>[];
}

/**
 * Things that are asked for once, however many want them, here and in other instances.
 *
 * | a key is                  | then                                  | becomes                              |
 * |---------------------------|---------------------------------------|--------------------------------------|
 * | wanted by nobody here     | its lease is asked for                | led here                             |
 * | led here                  | whoever else wants it subscribes      | led here                             |
 * | led, its lease is another's | that one is waited for, then the cache | settled, or led with the lease     |
 * | led with the lease, or after 10 seconds | the cache, then the provider | settled or failed, the lease released |
 */
export interface SingleFlight<T> {
  /** Gives what becomes of each key, in their order: who comes first has it asked for, others join. */
  load(keys: readonly string[], steps: Steps<T>, who: string): Promise<readonly T[]>;
}

interface Entry<T> {
  result: Promise<T>;
  subscribers: Subscribers;
  subscribe(who: string): void;
  settle(result: T): void;
  /** Rejects, unless it has settled. */
  fail(error: unknown): void;
}

/** What one caller has others wait for. */
type Entries<T> = ReadonlyMap<string, Entry<T>>;

/**
 * @param leases Absent where other instances could not see what comes here.
 * @param toEnd Gives when something is no longer under way that has settled by then; default at once.
 */
export function createSingleFlight<T>(
  leases: Leases | undefined,
  nowMs: () => number,
  toEnd: ToEnd<T> = () => undefined,
): SingleFlight<T> {
  const entries = new Map<string, Entry<T>>();
  const leader = createLeader<T>(leases, nowMs, toEnd);
  return {
    load(keys, steps, who) {
      const led = new Map<string, Entry<T>>();
      for (const key of keys) {
        const entry = entries.get(key);
        if (entry !== undefined) {
          if (!led.has(key)) entry.subscribe(who);
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

/** Creates what asks, and drops the claim of each when it is no longer under way. */
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

/** Creates what sees to it that each entry settles. */
function createLeader<T>(leases: Leases | undefined, nowMs: () => number, toEnd: ToEnd<T>) {
  const drop = createDrops(leases);
  const load = createLoader(drop, toEnd);
  const loadLeased = async (mine: readonly string[], entries: Entries<T>, steps: Steps<T>): Promise<void> => {
    // Whoever held them before may have kept something since they were looked up.
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
        own.catch(() => {}); // heard below, when there are no others to wait for
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

/** Settles what is kept by now, and gives the rest. */
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

/** Drops claims a moment later, many at once. */
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

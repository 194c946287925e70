import type { Leases } from "../../stores";

/** Who joined in what somebody else has asked for: it then waits in the turn of each, and goes in whichever comes first. */
export interface Joined {
  /** Tells each who joined, and who joins later. */
  each(listener: (who: string) => void): void;
}

/** Nobody joins what is asked for one reader alone. */
export const NOBODY: Joined = { each: () => {} };

export function createJoined(): Joined & { add(who: string): void } {
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
  look(keys: readonly string[]): Promise<readonly (T | undefined)[]>;
  /**
   * Asks for keys, and keeps what comes before it gives it.
   * @param joined Who else waits for each.
   */
  ask(keys: readonly string[], joined: readonly Joined[]): readonly Promise<T>[];
}

/** Things that are asked for once, however many want them, here and in other instances. */
export interface SingleFlight<T> {
  /** Gives what becomes of each key, in their order: who comes first has it asked for, others join. */
  load(keys: readonly string[], steps: Steps<T>, who: string): Promise<readonly T[]>;
}

interface Flight<T> {
  result: Promise<T>;
  joined: Joined;
  join(who: string): void;
  land(result: T): void;
  /** Rejects, unless it has landed. */
  fail(error: unknown): void;
}

/** What one caller has others wait for. */
type Flights<T> = ReadonlyMap<string, Flight<T>>;

/**
 * @param claims Absent where other instances could not see what comes here.
 * @param toEnd Gives when something is no longer under way that has landed by then; default at once.
 */
export function createSingleFlight<T>(
  leases: Leases | undefined,
  nowMs: () => number,
  toEnd: ToEnd<T> = () => undefined,
): SingleFlight<T> {
  const flights = new Map<string, Flight<T>>();
  const leader = createLeader<T>(leases, nowMs, toEnd);
  return {
    load(keys, steps, who) {
      const led = new Map<string, Flight<T>>();
      for (const key of keys) {
        const flight = flights.get(key);
        if (flight !== undefined) {
          if (!led.has(key)) flight.join(who);
          continue;
        }
        const own = createFlight<T>(() => flights.delete(key));
        led.set(key, own);
        flights.set(key, own);
      }
      const results = keys.map((key) => flights.get(key)!.result);
      leader(led, steps).catch((error) => {
        for (const flight of led.values()) flight.fail(error);
      });
      return Promise.all(results);
    },
  };
}

function createFlight<T>(onEnd: () => void): Flight<T> {
  let resolve: (landed: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const result = new Promise<T>((toLand, toFail) => {
    [resolve, reject] = [toLand, toFail];
  });
  let isUnderWay = true;
  const end = () => {
    if (isUnderWay) onEnd();
    isUnderWay = false;
  };
  const land = (landed: T) => {
    resolve(landed);
    end();
  };
  const fail = (error: unknown) => {
    reject(error);
    end();
  };
  const joined = createJoined();
  return { result, joined, join: joined.add, land, fail };
}

type Drop = (keys: readonly string[]) => void;
type ToEnd<T> = (landed: T) => Promise<unknown> | undefined;

/** Creates what asks, and drops the claim of each when it is no longer under way. */
function createAsk<T>(drop: Drop, toEnd: ToEnd<T>) {
  return async (keys: readonly string[], flights: Flights<T>, steps: Steps<T>): Promise<void> => {
    const results = steps.ask(
      keys,
      keys.map((key) => flights.get(key)!.joined),
    );
    const land = async (key: string, result: Promise<T>) => {
      const landed = await result;
      flights.get(key)!.land(landed);
      await toEnd(landed);
    };
    await Promise.all(keys.map((key, nth) => land(key, results[nth]!).finally(() => drop([key]))));
  };
}

/** Creates what sees to it that each flight lands. */
function createLeader<T>(leases: Leases | undefined, nowMs: () => number, toEnd: ToEnd<T>) {
  const drop = createDrops(leases);
  const ask = createAsk(drop, toEnd);
  const askClaimed = async (mine: readonly string[], flights: Flights<T>, steps: Steps<T>): Promise<void> => {
    // Whoever held them before may have kept something since they were looked up.
    const left = await landCached(mine, flights, steps).catch((error) => {
      drop(mine);
      throw error;
    });
    drop(mine.filter((key) => !left.includes(key)));
    if (left.length > 0) await ask(left, flights, steps);
  };
  return async (flights: Flights<T>, steps: Steps<T>): Promise<void> => {
    const untilMs = nowMs() + PATIENCE_MS;
    const asked: Promise<void>[] = [];
    let left: readonly string[] = [...flights.keys()];
    while (left.length > 0) {
      const mine = leases === undefined || nowMs() >= untilMs ? left : await leases.acquire(left);
      if (mine.length > 0) {
        const own = askClaimed(mine, flights, steps);
        own.catch(() => {}); // heard below, when there are no others to wait for
        asked.push(own);
      }
      const taken = new Set(mine);
      left = left.filter((key) => !taken.has(key));
      if (left.length > 0) await leases?.waitUntilReleased(left);
      if (left.length > 0) left = await landCached(left, flights, steps);
    }
    await Promise.all(asked);
  };
}

/** Lands what is kept by now, and gives the rest. */
async function landCached<T>(keys: readonly string[], flights: Flights<T>, { look }: Steps<T>): Promise<string[]> {
  const cached = await look(keys);
  return keys.filter((key, nth) => {
    const result = cached[nth];
    if (result !== undefined) flights.get(key)!.land(result);
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

import type { Network, Ports } from "../../src/client/ports";
import { createStorage } from "./storage";

/** A clock that tests move, and its timers. */
export type Clock = ReturnType<typeof createClock>;

export interface ClockOptions {
  /** Milliseconds since the Unix epoch; default 2024-11-20T09:30:00Z. */
  startMs?: number;
  /**
   * Timers up to this length run by themselves as soon as everything else has, and advance the time: for real
   * requests behind a debounce or a retry. Default none.
   */
  hurryMs?: number;
  /** The result of `random`; default 0.5. */
  random?: number;
  fetch?: typeof fetch;
  /** The origin's storage; default empty. */
  storage?: Ports["storage"];
  /** The browser's online state; default online. */
  network?: Network;
}

interface Timer {
  atMs: number;
  run: () => void;
}

/** Creates a clock; requests are real unless `fetch` is given. */
export function createClock(options: ClockOptions = {}) {
  const { startMs = Date.UTC(2024, 10, 20, 9, 30), hurryMs = -1, random = 0.5, storage = createStorage() } = options;
  const { network = { isThere: () => true, watch: () => {} } } = options;
  const send: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));
  const timers = new Set<Timer>();
  let nowMs = startMs;

  const run = (timer: Timer) => {
    if (!timers.delete(timer)) return;
    nowMs = Math.max(nowMs, timer.atMs);
    timer.run();
  };
  const after = (delayMs: number, callback: () => void) => {
    const timer = { atMs: nowMs + delayMs, run: callback };
    timers.add(timer);
    if (delayMs <= hurryMs) setImmediate(run, timer);
    return () => void timers.delete(timer);
  };
  const findNext = () => [...timers].sort((one, other) => one.atMs - other.atMs)[0];
  const runDue = async (untilMs: number) => {
    await drain();
    for (let next = findNext(); next !== undefined && next.atMs <= untilMs; next = findNext()) {
      run(next);
      await drain();
    }
  };
  const ports: Ports = { fetch: send, nowMs: () => nowMs, random: () => random, after, storage, network };
  return {
    ports,
    nowMs: () => nowMs,
    /** Advances the time and runs due timers in order. */
    async advance(byMs: number): Promise<void> {
      const untilMs = nowMs + byMs;
      await runDue(untilMs);
      nowMs = untilMs;
    },
    /** Advances the time while the machine sleeps: due timers run at its end. */
    async sleep(ms: number): Promise<void> {
      nowMs += ms;
      await runDue(nowMs);
    },
    timers: () => timers.size,
  };
}

/** Runs pending promises and the cache's notifications, without a timer. */
export async function drain(): Promise<void> {
  for (let step = 0; step < 3; step++) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

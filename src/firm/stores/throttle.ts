import type { Throttle } from "../stores";

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

/** The time from one action to the next, in milliseconds. */
export const toIntervalMs = (perMinute: number): number => MINUTE_MS / perMinute;

/**
 * How far an action may be behind its time without delaying the next ones, as a part of the interval. Below 1, so that
 * any second has at most one action more than its share.
 */
export const SLACK = 0.3;

/**
 * The interval of one of several instances that cannot count together. Together they have at most one action more than
 * a second's share, where that has one for each of them.
 */
export function toAloneIntervalMs(perMinute: number, instances: number): number {
  const evenMs = toIntervalMs(perMinute) * instances;
  const most = Math.floor((perMinute / 60 + 1) / instances);
  return instances === 1 || most < 1 ? evenMs : Math.max(evenMs, SECOND_MS / most + 1);
}

/** A throttle in this process's memory, whose interval can change. */
export interface MemoryThrottle extends Throttle {
  /** Sets the interval, and admits nothing for a time; both in milliseconds. */
  restart(intervalMs: number, delayMs: number): void;
}

/** @param nowMs Default a clock that nobody sets. */
export function createMemoryThrottle(perMinute: number, nowMs = () => performance.now()): MemoryThrottle {
  let intervalMs = toIntervalMs(perMinute);
  let nextMs = Number.NEGATIVE_INFINITY;
  return {
    async take() {
      const now = nowMs();
      if (nextMs > now) return nextMs - now;
      nextMs = (now - nextMs > SLACK * intervalMs ? now : nextMs) + intervalMs;
      return 0;
    },
    restart(newIntervalMs, delayMs) {
      intervalMs = newIntervalMs;
      nextMs = Math.max(nextMs, nowMs() + delayMs);
    },
  };
}

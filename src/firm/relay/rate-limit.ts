import { setTimeout as wait } from "node:timers/promises";
import { BusyRefusal, type Refusal } from "../../companion/refusal";
import type { FirmStores } from "../stores";

const MINUTE_MS = 60_000;
/** Below the pane's own time limit. */
const RATE_WAIT_MS = 10_000;

/** The used part of the limit: requests that differ by 50 ms on their way still arrive within it. */
const USED = 0.96;
/** The seconds in which the requests of all instances are capped, unless one request a second is too much. */
const CAP_SECONDS = 5;

/**
 * How far a request may be behind its time without delaying the next ones, as a part of the interval. Below 1, so that
 * any second has at most one request more than its share.
 */
const SLACK = 0.3;

/** The shortest time from one request to the next. */
export const toIntervalMs = (perMinute: number): number => MINUTE_MS / perMinute;

/**
 * Creates the limit of requests a minute that the firm sends to the provider. An instance spaces its requests evenly,
 * which keeps to the limit where it alone works. A cap that instances share keeps several to it.
 */
export function createProviderRateLimit(
  { createSharedLimit }: Pick<FirmStores, "createSharedLimit">,
  perMinute: number,
) {
  const intervalMs = toIntervalMs(USED * perMinute);
  const takePlace = createSpacing(intervalMs);
  const capSeconds = perMinute < 60 ? 60 : CAP_SECONDS;
  const cap = createSharedLimit("provider", Math.floor((perMinute * capSeconds) / 60), capSeconds * 1000);
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();
  const acquireOne = async (untilMs: number): Promise<void> => {
    for (;;) {
      const waitMs = takePlace() || (await cap.count("all"));
      if (waitMs === 0) return;
      if (performance.now() + waitMs > untilMs) throw toRefusal(waitMs);
      await wait(waitMs, undefined, { ref: false });
    }
  };
  return {
    /**
     * Waits until one more request may go, in the order of the calls.
     * @throws Refusal (FEED_RATE_LIMITED) where that takes more than 10 seconds.
     */
    async acquire(): Promise<void> {
      const expectedMs = waiting * intervalMs;
      if (expectedMs > RATE_WAIT_MS) throw toRefusal(expectedMs);
      const untilMs = performance.now() + RATE_WAIT_MS;
      waiting += 1;
      const acquired = last.then(() => acquireOne(untilMs)).finally(() => (waiting -= 1));
      last = acquired.catch(() => {});
      await acquired;
    },
  };
}

/**
 * Spaces actions evenly: two fixed windows would let twice a second's share through.
 * @param nowMs Default a clock that nobody sets.
 * @returns A function that takes the next place and gives 0, or the milliseconds until there is one.
 */
export function createSpacing(intervalMs: number, nowMs = () => performance.now()): () => number {
  let nextMs = Number.NEGATIVE_INFINITY;
  return () => {
    const now = nowMs();
    if (nextMs > now) return nextMs - now;
    nextMs = (now - nextMs > SLACK * intervalMs ? now : nextMs) + intervalMs;
    return 0;
  };
}

const toRefusal = (waitMs: number): Refusal =>
  new BusyRefusal((s) => `Your firm asks the provider for as much as it may: try again in ${s} s.`, waitMs);

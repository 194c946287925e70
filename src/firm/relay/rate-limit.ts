import { setTimeout as wait } from "node:timers/promises";
import { Refusal } from "../../companion/refusal";
import type { FirmStores } from "../stores";
import { toIntervalMs } from "../stores/throttle";

/** Below the pane's own time limit. */
const LONGEST_WAIT_MS = 10_000;

/** The used part of the limit: requests that differ by 50 ms on their way still arrive within it. */
const USED = 0.96;

/** Limits how many requests a minute the firm sends to the provider. */
export interface ProviderRateLimit {
  /**
   * Waits until one more request may go, in the order of the calls.
   * @throws Refusal (FEED_RATE_LIMITED) where that takes more than 10 seconds.
   */
  acquire(): Promise<void>;
}

/**
 * Creates the limit, which all instances share. It spaces requests evenly. A place is taken when its request goes out,
 * so that a slow instance does not send several late ones at once.
 */
export function createProviderRateLimit(
  { createThrottle }: Pick<FirmStores, "createThrottle">,
  perMinute: number,
): ProviderRateLimit {
  const throttle = createThrottle("provider", USED * perMinute);
  const intervalMs = toIntervalMs(USED * perMinute);
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();
  const acquireOne = async (untilMs: number): Promise<void> => {
    for (;;) {
      const waitMs = await throttle.take();
      if (waitMs === 0) return;
      if (performance.now() + waitMs > untilMs) throw toRefusal(waitMs);
      await wait(waitMs, undefined, { ref: false });
    }
  };
  return {
    async acquire() {
      const expectedMs = waiting * intervalMs;
      if (expectedMs > LONGEST_WAIT_MS) throw toRefusal(expectedMs);
      const untilMs = performance.now() + LONGEST_WAIT_MS;
      waiting += 1;
      const acquired = last.then(() => acquireOne(untilMs)).finally(() => (waiting -= 1));
      last = acquired.catch(() => {});
      await acquired;
    },
  };
}

function toRefusal(waitMs: number): Refusal {
  const seconds = Math.ceil(waitMs / 1000);
  const sentence = `Your firm asks the provider for as much as it may: try again in ${seconds} s.`;
  return new Refusal(429, sentence, "FEED_RATE_LIMITED", seconds);
}

import { setTimeout as wait } from "node:timers/promises";
import { Refusal } from "../refusal";
import type { Stores } from "../stores";

/** The largest burst, unless a second's share is more. */
const AT_ONCE = 10;
/** Below the pane's own time limit. */
const LONGEST_WAIT_MS = 10_000;

/** Limits how many requests a minute the firm sends to the provider. */
export interface ProviderRateLimit {
  /**
   * Waits until one more request may go, in the order of the calls.
   * @throws Refusal (FEED_RATE_LIMITED) where that takes more than 10 seconds.
   */
  acquire(): Promise<void>;
}

/**
 * Creates the limit, which all instances share. It counts in short windows: a minute's requests in one burst would not
 * be polite.
 */
export function createProviderRateLimit(
  { createLimit }: Pick<Stores, "createLimit">,
  perMinute: number,
): ProviderRateLimit {
  const seconds = Math.min(60, Math.max(1, Math.ceil((60 * AT_ONCE) / perMinute)));
  const share = Math.max(1, Math.floor((perMinute * seconds) / 60));
  const limit = createLimit("provider", share, seconds * 1000);
  let closedUntilMs = 0;
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();
  const acquireOne = async (untilMs: number): Promise<void> => {
    for (;;) {
      const waitMs = await limit.count("all");
      if (waitMs === 0) return;
      if (Date.now() + waitMs > untilMs) throw toRefusal(waitMs);
      closedUntilMs = Date.now() + waitMs;
      await wait(waitMs, undefined, { ref: false });
    }
  };
  return {
    async acquire() {
      const expectedMs = Math.max(0, closedUntilMs - Date.now()) + Math.floor(waiting / share) * seconds * 1000;
      if (expectedMs > LONGEST_WAIT_MS) throw toRefusal(expectedMs);
      const untilMs = Date.now() + LONGEST_WAIT_MS;
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

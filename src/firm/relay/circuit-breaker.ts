import { FeedError, RequestError } from "../../client/errors";
import { createFamilies, type Pass, type Patience } from "../../client/http/families";
import { BusyRefusal } from "../../companion/refusal";
import { TIMERS } from "../../companion/relay/upstream";
import type { Family } from "../../contract/constants";

/** Used where the provider names no time. */
const SHORT_MS = 2000;

/** Gets each pause that the provider asks for, with its length in milliseconds. */
export type NotifyPause = (family: Family, forMs: number) => void;

/**
 * Creates the client's circuit breaker: a family pauses where the provider asks to wait, and one probe goes first
 * afterwards. Other failures open nothing: one person's query may cause them.
 */
export function createCircuitBreaker(notifyPause: NotifyPause, nowMs: () => number) {
  const families = createFamilies({ nowMs, random: Math.random, ...TIMERS });
  return {
    /**
     * Lets a request out, or refuses it during a pause; only behind a probe it waits, for the probe's end. End its pass
     * by `pause`, by `end()` for any other answer, or by `end(null)`.
     * @throws Refusal (FEED_RATE_LIMITED) while the provider pauses this family.
     */
    async enter(family: Family): Promise<Pass> {
      try {
        return await families.enter(family, NO_PATIENCE);
      } catch (error) {
        if (!(error instanceof FeedError)) throw error;
        const waitMs = error.facts.retryAfterMs ?? 0;
        throw new BusyRefusal((s) => `The provider asked to wait: try again in ${s} s.`, waitMs);
      }
    },
    /**
     * Ends a pass with a pause.
     * @param forMs How long the provider wants it; default 2 seconds.
     */
    pause(family: Family, pass: Pass, forMs = SHORT_MS): void {
      const facts = { status: 429, retryAfterMs: forMs };
      pass.end(new RequestError("FEED_RATE_LIMITED", "the provider asked to wait", facts));
      notifyPause(family, forMs);
    },
  };
}

/** Nobody waits here for the end of a pause, only of a probe: the pane gets the time to retry instead. */
const NO_PATIENCE: Patience = {
  remainingMs: () => 0,
  race: (work) => work,
  awaitSlot: (slot) => slot,
  restart: () => {},
};

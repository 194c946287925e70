import { randomUUID } from "node:crypto";
import { FeedError, RequestError } from "../../client/errors";
import { createFamilies, type Families, type Pass, type Patience } from "../../client/http/families";
import { Refusal } from "../../companion/refusal";
import { TIMERS } from "../../companion/relay/upstream";
import type { Family } from "../../contract/constants";
import type { PubSub } from "../stores";

const TOPIC = "provider pause";
/** Used where the provider names no time. */
const SHORT_MS = 2000;

/** The part of a provider that pauses as one. */
export interface Paused {
  baseUrl: string;
  family: Family;
}

/**
 * The client's circuit breaker, shared by all instances. They pause where the provider asked one of them to; one probe
 * goes first afterwards. Other failures open nothing: one person's query may cause them.
 */
export interface CircuitBreaker {
  /**
   * Waits for no pause: lets a request out or refuses it. End its pass by {@link CircuitBreaker.pause}, by `end()` for
   * any other answer, or by `end(null)`.
   * @throws Refusal (FEED_RATE_LIMITED) while the provider pauses this family.
   */
  enter(paused: Paused): Promise<Pass>;
  /**
   * Ends a pass with a pause, on all instances.
   * @param forMs How long the provider wants it; default 2 seconds.
   */
  pause(paused: Paused, pass: Pass, forMs?: number): void;
}

/**
 * Creates the breaker. Instances send each other a pause's length rather than its end, since their clocks may differ.
 */
export function createCircuitBreaker(pubSub: PubSub, nowMs: () => number): CircuitBreaker {
  const own = randomUUID();
  const families = new Map<string, Families>();
  const familiesOf = (baseUrl: string) => {
    const found = families.get(baseUrl) ?? createFamilies({ nowMs, random: Math.random, ...TIMERS });
    families.set(baseUrl, found);
    return found;
  };
  receivePauses(pubSub, ({ baseUrl, family }, forMs, from) => {
    if (from !== own) familiesOf(baseUrl).record(family, toLimit(forMs));
  });
  return {
    async enter({ baseUrl, family }) {
      try {
        return await familiesOf(baseUrl).enter(family, NO_PATIENCE);
      } catch (error) {
        throw error instanceof FeedError ? toRefusal(error.facts.retryAfterMs ?? 0) : error;
      }
    },
    pause(paused, pass, forMs = SHORT_MS) {
      pass.end(toLimit(forMs));
      pubSub.publish(TOPIC, JSON.stringify({ ...paused, forMs, from: own }));
    },
  };
}

/** Calls back for each pause that an instance begins, with its length and the instance's id. */
export function receivePauses(pubSub: PubSub, listener: (paused: Paused, forMs: number, from: string) => void): void {
  pubSub.subscribe(TOPIC, (said) => {
    const { baseUrl, family, forMs, from } = JSON.parse(said);
    listener({ baseUrl, family }, forMs, from);
  });
}

/** Nobody waits here for the end of a pause: the pane gets the time to retry instead. */
const NO_PATIENCE: Patience = {
  remainingMs: () => 0,
  race: (work) => work,
  awaitSlot: (slot) => slot,
  restart: () => {},
};

const toLimit = (retryAfterMs: number) =>
  new RequestError("FEED_RATE_LIMITED", "the provider asked to wait", { status: 429, retryAfterMs });

function toRefusal(waitMs: number): Refusal {
  const seconds = Math.ceil(waitMs / 1000);
  return new Refusal(429, `The provider asked to wait: try again in ${seconds} s.`, "FEED_RATE_LIMITED", seconds);
}

import { randomUUID } from "node:crypto";
import { FeedError, RequestError } from "../../client/errors";
import { createFamilies, type Families, type Pass, type Patience } from "../../client/http/families";
import type { Family } from "../../contract/constants";
import { Refusal } from "../refusal";
import type { PubSub } from "../stores";
import { TIMERS } from "./upstream";

const TOPIC = "provider pause";
/** Where it names no time. */
const SHORT_MS = 2000;

/** What of a provider pauses together. */
interface Paused {
  baseUrl: string;
  family: Family;
}

/**
 * The client's own circuit breaker, for all instances: they pause where the provider asked one of them to, and after that one
 * request goes first. Mere failures break nothing: they may be of what one person asks for, and others are asked for on.
 */
export interface CircuitBreaker {
  /**
   * Lets a request out. End its pass by {@link CircuitBreaker.pause}, with nothing for any other answer, or with null.
   * @throws Refusal (FEED_RATE_LIMITED) while the provider wants nothing of this.
   */
  enter(paused: Paused): Promise<Pass>;
  /**
   * Ends a pass with a pause, on all instances.
   * @param forMs How long the provider wants it; default 2 seconds.
   */
  pause(paused: Paused, pass: Pass, forMs?: number): void;
}

/** Creates the breaker; instances tell each other how long a pause is, since their clocks may differ. */
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

/** Hears of each pause that an instance begins, how long it is, and which one tells of it. */
export function receivePauses(pubSub: PubSub, listener: (paused: Paused, forMs: number, from: string) => void): void {
  pubSub.subscribe(TOPIC, (said) => {
    const { baseUrl, family, forMs, from } = JSON.parse(said);
    listener({ baseUrl, family }, forMs, from);
  });
}

/** Nobody waits here for the end of a pause: a pane is told when to ask again. */
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

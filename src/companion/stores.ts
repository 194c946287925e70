import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Pairings } from "./api/pairing";

/**
 * The state of a companion: in this process alone, unless a feature shares it with other instances on a server. During
 * an outage of that server each instance goes on with its own state; only new pairings are refused.
 */
export interface Stores {
  /** Pages that may use the companion API. */
  pairings: Pairings;
  /**
   * Creates a rate limit.
   * @param name Identifies the limit.
   * @param windowMs Whole seconds.
   */
  createLimit(name: string, most: number, windowMs: number): RateLimit;
  standing(): Standing;
  /**
   * Waits for the server's first answer.
   * @throws ConfigurationError where the server is of an unsupported kind.
   */
  join(): Promise<void>;
  close(): Promise<void>;
}

/** "alone" without a server, "joining" until its first answer, "shared" with it, "apart" while it does not answer. */
export type Standing = "alone" | "joining" | "shared" | "apart";

export interface RateLimit {
  /**
   * Counts an action.
   * @returns The milliseconds to wait beyond the limit, and then it is not counted; otherwise 0.
   */
  count(who: string): Promise<number>;
}

/** Creates the stores of one process. */
export function createOwnStores(pairings: Pairings): Stores {
  return {
    pairings,
    createLimit: createMemoryLimit,
    standing: () => "alone",
    join: async () => {},
    close: async () => {},
  };
}

export function createMemoryLimit(name: string, most: number, windowMs: number): RateLimit {
  return toRateLimit(new RateLimiterMemory({ keyPrefix: name, points: most, duration: windowMs / 1000 }));
}

export function toRateLimit(limiter: RateLimiterAbstract): RateLimit {
  return {
    async count(who) {
      try {
        await limiter.consume(who);
        return 0;
      } catch (reason) {
        if (!(reason instanceof RateLimiterRes)) throw reason;
        return Math.max(1, reason.msBeforeNext);
      }
    },
  };
}

import { EventEmitter } from "node:events";
import { LRUCache } from "lru-cache";
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Pairings } from "../api/pairing";
import type { AnswerCache, CachedAnswer, OneTimeValues, PubSub, RateLimit, Stores } from "../stores";

/** What is kept of answers at most, compressed as they come here: those of some 100,000 companies. */
const LARGEST_KEPT_BYTES = 256 * 1024 * 1024;
/** Beside an answer's bytes. */
const ENTRY_BYTES = 200;
/** Of each kind: what eight addresses put down by signing in as fast as they may, some 40 MB. */
const MOST_NOTES = 100_000;

/** Creates what one instance remembers for itself, as long as it runs. */
export function createMemoryStores(pairings: Pairings): Stores {
  return {
    pairings,
    answers: createMemoryAnswers(),
    // Nobody else holds anything.
    leases: { acquire: async (keys) => keys, release: async () => {}, waitUntilReleased: async () => {} },
    oneTimeValues: createMemoryOneTimeValues(),
    pubSub: createMemoryPubSub(),
    createLimit: createMemoryLimit,
    standing: () => "alone",
    close: async () => {},
  };
}

/** @param largestBytes Of all that is kept; default 256 MB. */
export function createMemoryAnswers(largestBytes = LARGEST_KEPT_BYTES): AnswerCache {
  const stored = new LRUCache<string, CachedAnswer>({
    maxSize: largestBytes,
    sizeCalculation: ({ body }, key) => body.length + key.length + ENTRY_BYTES,
  });
  return {
    read: async (keys) => keys.map((key) => stored.get(key)),
    async store(entries) {
      for (const { key, lifetimeMs, ...answer } of entries) stored.set(key, answer, { ttl: lifetimeMs });
    },
  };
}

export function createMemoryOneTimeValues(): OneTimeValues {
  // What anybody may have put down, such as sign-ins that only began, pushes out nothing of another kind.
  const kinds = new Map<string, LRUCache<string, object>>();
  const toStored = (key: string) => {
    const kind = key.split(" ", 1)[0]!;
    const stored = kinds.get(kind) ?? new LRUCache<string, object>({ max: MOST_NOTES });
    kinds.set(kind, stored);
    return stored;
  };
  return {
    async put(key, value, lifetimeMs) {
      toStored(key).set(key, value, { ttl: lifetimeMs });
    },
    async take(key) {
      const stored = toStored(key);
      const value = stored.get(key);
      stored.delete(key);
      return value;
    },
  };
}

export function createMemoryPubSub(): PubSub {
  const topics = new EventEmitter().setMaxListeners(0);
  return {
    publish: (topic, said) => void topics.emit(topic, said),
    subscribe: (topic, listener) => void topics.on(topic, listener),
  };
}

export function createMemoryLimit(name: string, most: number, windowMs: number): RateLimit {
  const limiter = new RateLimiterMemory({ keyPrefix: name, points: most, duration: windowMs / 1000 });
  return toRateLimit(limiter);
}

/** A limiter counts what it refuses as well: several points are given back, since fewer may still have room. */
export function toRateLimit(limiter: RateLimiterAbstract): RateLimit {
  return {
    async count(who, points = 1) {
      try {
        await limiter.consume(who, points);
        return 0;
      } catch (reason) {
        if (!(reason instanceof RateLimiterRes)) throw reason;
        if (points > 1) await limiter.reward(who, points);
        return Math.max(1, reason.msBeforeNext);
      }
    },
    async charge(who, points) {
      await limiter.penalty(who, points);
    },
  };
}

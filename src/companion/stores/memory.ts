import { EventEmitter } from "node:events";
import { LRUCache } from "lru-cache";
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Pairings } from "../api/pairing";
import type { Answers, KeptAnswer, Notes, Notices, RateLimit, Stores } from "../stores";

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
    claims: { take: async (keys) => keys, drop: async () => {}, settle: async () => {} },
    notes: createMemoryNotes(),
    notices: createMemoryNotices(),
    createLimit: createMemoryLimit,
    standing: () => "alone",
    close: async () => {},
  };
}

/** @param largestBytes Of all that is kept; default 256 MB. */
export function createMemoryAnswers(largestBytes = LARGEST_KEPT_BYTES): Answers {
  const kept = new LRUCache<string, KeptAnswer>({
    maxSize: largestBytes,
    sizeCalculation: ({ body }, key) => body.length + key.length + ENTRY_BYTES,
  });
  return {
    read: async (keys) => keys.map((key) => kept.get(key)),
    async keep(entries) {
      for (const { key, lifetimeMs, ...answer } of entries) kept.set(key, answer, { ttl: lifetimeMs });
    },
  };
}

export function createMemoryNotes(): Notes {
  // What anybody may have put down, such as sign-ins that only began, pushes out nothing of another kind.
  const kinds = new Map<string, LRUCache<string, object>>();
  const toKept = (key: string) => {
    const kind = key.split(" ", 1)[0]!;
    const kept = kinds.get(kind) ?? new LRUCache<string, object>({ max: MOST_NOTES });
    kinds.set(kind, kept);
    return kept;
  };
  return {
    async put(key, value, lifetimeMs) {
      toKept(key).set(key, value, { ttl: lifetimeMs });
    },
    async take(key) {
      const kept = toKept(key);
      const value = kept.get(key);
      kept.delete(key);
      return value;
    },
  };
}

export function createMemoryNotices(): Notices {
  const topics = new EventEmitter().setMaxListeners(0);
  return {
    tell: (topic, said) => void topics.emit(topic, said),
    hear: (topic, listener) => void topics.on(topic, listener),
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

import { RateLimiterRedis } from "rate-limiter-flexible";
import { createPairings } from "../../companion/api/pairing";
import { createMemoryLimit, type RateLimit, toRateLimit } from "../../companion/stores";
import { createPairingTokens } from "../sign-in/tokens";
import type { FirmStores, OneTimeValues } from "../stores";
import { createOwnAnswers } from "./memory";
import { createRedisAnswers } from "./redis/answers";
import { createLink, type Link } from "./redis/link";
import { createRedisPairings } from "./redis/pairings";

/** Options of an instance's connection to the server. */
export interface RedisOptions {
  /** Prefix of every key; default "feed:". */
  prefix?: string;
  /** Gets a line when the server stops answering, and one when it answers again. */
  log: (line: string) => void;
  /** Milliseconds since 1970, for pairings; default the system's clock. */
  nowMs?: (() => number) | undefined;
  /** The key that signs pairings, the same in all instances; default one of this process. */
  pairingKey?: string | undefined;
}

/**
 * Creates the stores that several instances share, on Redis or Valkey; it connects by itself.
 * @param url redis:// or rediss://, with its password if it has one.
 */
export function createRedisStores(url: string, options: RedisOptions): FirmStores {
  const { prefix = "feed:", log, nowMs = Date.now, pairingKey } = options;
  const link = createLink({ url, prefix, log });
  return {
    pairings: createPairings(createRedisPairings(link, createPairingTokens(pairingKey)), nowMs),
    answers: createRedisAnswers(link),
    ownAnswers: createOwnAnswers(),
    oneTimeValues: createRedisOneTimeValues(link),
    createLimit: createMemoryLimit,
    createSharedLimit: (name, most, windowMs) => createRedisLimit(link, name, most, windowMs),
    standing: link.standing,
    join: link.join,
    close: link.close,
  };
}

/** Creates a rate limit of all instances together; while the server does not answer in time, each counts for itself. */
function createRedisLimit(link: Link, name: string, most: number, windowMs: number): RateLimit {
  const own = createMemoryLimit(name, most, windowMs);
  const shared = toRateLimit(
    new RateLimiterRedis({
      storeClient: link.commands,
      keyPrefix: `limit:${name}`,
      points: most,
      duration: windowMs / 1000,
    }),
  );
  return {
    count: (who) =>
      link.attempt(
        () => shared.count(who),
        () => own.count(who),
      ),
  };
}

/** Creates one-time values that any instance can take. */
function createRedisOneTimeValues(link: Link): OneTimeValues {
  return {
    async put(key, value, lifetimeMs) {
      await link.need((redis) => redis.set(toKey(key), JSON.stringify(value), "PX", lifetimeMs));
    },
    async take(key) {
      const text = await link.need((redis) => redis.getdel(toKey(key)));
      return text === null ? undefined : JSON.parse(text);
    },
  };
}

const toKey = (key: string): string => `note:${key}`;

import { RateLimiterRedis } from "rate-limiter-flexible";
import { createPairings } from "../../companion/api/pairing";
import { createMemoryLimit, type RateLimit, toRateLimit } from "../../companion/stores";
import { createPairingTokens } from "../sign-in/tokens";
import type { FirmStores, OneTimeValues } from "../stores";
import { createRedisAnswers } from "./redis/answers";
import { createSharedClock } from "./redis/clock";
import { createInstanceCount } from "./redis/instances";
import { createRedisLeases } from "./redis/leases";
import { createLink, type Link } from "./redis/link";
import { createRedisPairings } from "./redis/pairings";
import { createRedisPubSub } from "./redis/pub-sub";
import { createRedisThrottle } from "./redis/throttle";

/** Options of an instance's connection to the server. */
export interface RedisOptions {
  /** Prefix of every key and of the channel; default "feed:". */
  prefix?: string;
  /** Gets a line when the server stops answering, and one when it answers again. */
  log: (line: string) => void;
  /** Milliseconds since 1970; default the system's clock. */
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
  const clock = createSharedClock(link, nowMs, log);
  const pubSub = createRedisPubSub(link, prefix);
  const leases = createRedisLeases(link, pubSub);
  const instances = createInstanceCount(link);
  return {
    pairings: createPairings(createRedisPairings(link, createPairingTokens(pairingKey)), clock.nowMs),
    answers: createRedisAnswers(link, pubSub, clock.nowMs),
    leases: leases,
    oneTimeValues: createRedisOneTimeValues(link),
    pubSub: pubSub,
    createLimit: (name, most, windowMs) => createRedisLimit(link, name, most, windowMs),
    createThrottle: (name, perMinute) => createRedisThrottle(link, instances, name, perMinute),
    standing: link.standing,
    join: link.join,
    ...clock,
    async close() {
      await Promise.all([leases.dropAll(), instances.leave()]);
      await link.close();
    },
  };
}

/** Creates a rate limit of all instances together; during an outage each counts for itself. */
export function createRedisLimit(link: Link, name: string, most: number, windowMs: number): RateLimit {
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
    count: (who, points) =>
      link.attempt(
        () => shared.count(who, points),
        () => own.count(who, points),
      ),
    charge: (who, points) =>
      link.attempt(
        () => shared.charge(who, points),
        () => own.charge(who, points),
      ),
  };
}

/** Creates one-time values that any instance can take. */
export function createRedisOneTimeValues(link: Link): OneTimeValues {
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

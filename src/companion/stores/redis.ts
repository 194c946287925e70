import { createPairings } from "../api/pairing";
import type { Stores } from "../stores";
import { createRedisAnswers } from "./redis/answers";
import { createRedisLeases } from "./redis/leases";
import { createRedisLimit } from "./redis/limit";
import { createLink } from "./redis/link";
import { createRedisOneTimeValues } from "./redis/one-time-values";
import { createRedisPairings } from "./redis/pairings";
import { createRedisPubSub } from "./redis/pub-sub";

/** How an instance uses the server. */
export interface RedisOptions {
  /** What every key begins with, and the channel; default "feed:". */
  prefix?: string;
  /** Gets a line when the server falls silent, and one when it answers again. */
  log: (line: string) => void;
  /** Milliseconds since 1970; default the system's clock. */
  nowMs?: () => number;
}

/**
 * Creates what one of several instances remembers together with the others, on Redis or Valkey; it connects by itself.
 * @param url redis:// or rediss://, with its password if it has one.
 */
export function createRedisStores(url: string, { prefix = "feed:", log, nowMs = Date.now }: RedisOptions): Stores {
  const link = createLink({ url, prefix, log });
  const notices = createRedisPubSub(link, prefix);
  const claims = createRedisLeases(link, notices);
  return {
    pairings: createPairings(createRedisPairings(link, notices), nowMs),
    answers: createRedisAnswers(link),
    leases: claims,
    oneTimeValues: createRedisOneTimeValues(link),
    pubSub: notices,
    createLimit: (name, most, windowMs) => createRedisLimit(link, name, most, windowMs),
    standing: link.standing,
    async close() {
      await claims.dropAll();
      await link.close();
    },
  };
}

import { randomUUID } from "node:crypto";
import type { Link } from "./link";

const KEY = "instances";
/** An instance that has not reported for so long is gone or stopped. */
const GONE_SECONDS = 5;

/** Reports this instance by the server's clock, and gives all that reported lately. */
const REPORT = `
local now = redis.call('TIME')[1]
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
return redis.call('ZRANGE', KEYS[1], 0, -1)`;

/** The instances that share a server, as last seen. */
export interface InstanceCount {
  /** At least 1. */
  count(): number;
  /** This instance's place among them, from 0; the same order for each of them. */
  place(): number;
}

export function createInstanceCount(link: Link): InstanceCount & { leave(): Promise<void> } {
  const id: string = randomUUID();
  let seen = [id];
  link.onBeat(async (redis) => {
    seen = ((await redis.eval(REPORT, 1, KEY, id, GONE_SECONDS)) as string[]).sort();
  });
  return {
    count: () => seen.length,
    place: () => seen.indexOf(id),
    async leave() {
      await link.attempt(
        (redis) => redis.zrem(KEY, id),
        () => 0,
      );
    },
  };
}

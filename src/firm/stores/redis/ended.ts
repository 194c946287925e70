import type { Redis } from "ioredis";
import { toGroups } from "../../../client/batch/planner";
import type { Pairing } from "../../../companion/api/pairing";
import type { Link } from "./link";

/** Ids of ended pairings with the times until which their tokens would live; and ends of all, as `ALL` and a moment. */
const ENDED = "unpaired";
const ALL = "all ";
const NEVER_MS = Number.MAX_SAFE_INTEGER;
/** Kept beyond the token's end: an instance's clock may be wrong. */
const KEPT_MS = 86_400_000;
/** Entries to write at once: a call takes only so many arguments. */
const AT_ONCE = 1000;

/** An ended pairing, or the end of all that were made until a moment. */
type Ended = Pick<Pairing, "id" | "endsAtMs"> | { atMs: number };

/** What was ended before its time, in this process's memory and on the server. */
export interface EndedPairings {
  /** Whether the server has answered yet. */
  isReady(): boolean;
  has(pairing: Pairing): boolean;
  /** Ends pairings here. */
  hold(...ended: Ended[]): void;
  /** Ends them everywhere: in each other instance within a second. */
  add(redis: Redis, ended: readonly Ended[]): Promise<void>;
}

/**
 * Follows what was ended. An instance looks each second whether the server has other entries than itself, and writes
 * there what the server lacks: one that lost its data, or returns with an older copy, brings none to life again.
 */
export function followEnded(link: Link): EndedPairings {
  const known = new Map<string, number>();
  let allUntilMs = Number.NEGATIVE_INFINITY;
  let isReady = false;
  const hold = (name: string, untilMs: number) => {
    known.set(name, untilMs);
    const endMs = name.startsWith(ALL) ? Number(name.slice(ALL.length)) : Number.NaN;
    // False for what is no moment, which another program may have written.
    if (endMs > allUntilMs) allUntilMs = endMs;
  };
  const holdAll = (ended: readonly Ended[]) => {
    for (const each of ended) {
      if ("atMs" in each) hold(`${ALL}${each.atMs}`, NEVER_MS);
      else hold(each.id, each.endsAtMs ?? NEVER_MS);
    }
  };
  const share = async (redis: Redis) => {
    const oldestMs = Date.now() - KEPT_MS;
    await redis.zremrangebyscore(ENDED, "-inf", oldestMs);
    const stored = await redis.zrange(ENDED, 0, "-1", "WITHSCORES");
    for (let at = 0; at < stored.length; at += 2) hold(stored[at]!, Number(stored[at + 1]));
    for (const [name, untilMs] of known) if (untilMs <= oldestMs) known.delete(name);
    const isStored = new Set(stored);
    const missing = [...known].filter(([name]) => !isStored.has(name));
    for (const some of toGroups(missing, AT_ONCE)) {
      await redis.zadd(ENDED, ...some.flatMap(([name, untilMs]) => [untilMs, name]));
    }
  };
  link.onBeat(async (redis, isNew) => {
    if (isNew || (await redis.zcard(ENDED)) !== known.size) await share(redis);
    isReady = true;
  });
  return {
    isReady: () => isReady,
    has: ({ id, pairedAtMs }) => known.has(id) || pairedAtMs <= allUntilMs,
    hold: (...ended) => holdAll(ended),
    async add(redis, ended) {
      holdAll(ended);
      await share(redis);
    },
  };
}

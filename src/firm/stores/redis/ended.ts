import type { ChainableCommander, Redis } from "ioredis";
import { toGroups } from "../../../client/batch/planner";
import type { Pairing } from "../../../companion/api/pairing";
import { execute, type Link } from "./link";

/** The last end of all pairings, in milliseconds since 1970. */
export const ERA = "unpaired all";
/** Names of pairings that were ended since then, by the times until which their tokens would live. */
export const ENDED = "unpaired";
/** The records of this era's pairings, for administrators, sorted by their ends. Whether one is valid, its token says. */
export const RECORDS = "paired";
const NEVER_MS = Number.MAX_SAFE_INTEGER;
/** Kept beyond the token's end: an instance's clock may be wrong. */
const KEPT_MS = 86_400_000;
/** Entries to write at once: a call takes only so many arguments. */
const AT_ONCE = 1000;

/**
 * Begins an era: the given one, or where the server has a later one already, that one plus a step. Clocks differ, and an
 * era that went back would end, a second later, whoever has signed in meanwhile. What is of former eras is deleted.
 */
const BEGIN_ERA = `
local present = tonumber(redis.call('GET', KEYS[1])) or 0
local era = tonumber(ARGV[1])
if era <= present then era = present + tonumber(ARGV[2]) end
if era > present then
  redis.call('SET', KEYS[1], string.format('%.0f', era))
  redis.call('DEL', unpack(KEYS, 2))
end
return era`;

/**
 * Adds the beginning of an era to commands, whose result it is.
 * @param stepMs Added to the server's era where that is as late: 1 begins another one, 0 leaves it.
 * @param keys What is of former eras.
 */
export const beginEra = (change: ChainableCommander, eraMs: number, stepMs: 0 | 1, keys: readonly string[]) =>
  change.eval(BEGIN_ERA, 1 + keys.length, ERA, ...keys, eraMs, stepMs);

/** A pairing of instances that share a server; with the next end of all its era is over, whatever anybody's clock says. */
export interface SharedPairing extends Pairing {
  /** The last end of all before it, in milliseconds since 1970; default none. */
  eraMs?: number;
}

/**
 * Follows what was ended. An instance looks each second whether the server has other entries than itself, and writes
 * there what the server lacks: one that lost its data, or returns with an older copy, brings none to life again.
 */
export function followEnded(link: Link) {
  const known = new Map<string, number>();
  let presentMs = 0;
  let isReady = false;
  const dropWhere = (isOver: (name: string, untilMs: number) => boolean) => {
    for (const [name, untilMs] of known) if (isOver(name, untilMs)) known.delete(name);
  };
  const enter = (eraMs: number) => {
    if (eraMs <= presentMs) return;
    presentMs = eraMs;
    dropWhere((name) => Number.parseInt(name, 10) < eraMs);
  };
  const hold = (pairing: SharedPairing) => void known.set(toName(pairing), pairing.endsAtMs ?? NEVER_MS);
  const share = async (redis: Redis, oldestMs: number) => {
    const read = redis.multi().zremrangebyscore(ENDED, "-inf", oldestMs).get(ERA);
    const [, era, stored] = (await execute(read.zrange(ENDED, 0, "-1", "WITHSCORES"))) as [number, string, string[]];
    enter(toEraMs(era));
    const isFormer = toEraMs(era) < presentMs;
    if (isFormer) await execute(beginEra(redis.multi(), presentMs, 0, [ENDED, RECORDS]));
    const entries = isFormer ? [] : stored;
    for (let at = 0; at < entries.length; at += 2) known.set(entries[at]!, Number(entries[at + 1]));
    const isStored = new Set(entries);
    const missing = [...known].filter(([name]) => !isStored.has(name));
    for (const some of toGroups(missing, AT_ONCE)) {
      await redis.zadd(ENDED, ...some.flatMap(([name, untilMs]) => [untilMs, name]));
    }
  };
  link.onBeat(async (redis, isNew) => {
    const oldestMs = Date.now() - KEPT_MS;
    dropWhere((_name, untilMs) => untilMs <= oldestMs);
    const [era, count] = await execute(redis.multi().get(ERA).zcount(ENDED, `(${oldestMs}`, "+inf"));
    if (isNew || toEraMs(era) !== presentMs || count !== known.size) await share(redis, oldestMs);
    isReady = true;
  });
  return {
    /** Whether the server has answered yet. */
    isReady: () => isReady,
    has: (pairing: SharedPairing): boolean => (pairing.eraMs ?? 0) < presentMs || known.has(toName(pairing)),
    /** The present era, as far as this instance knows. */
    eraMs: () => presentMs,
    /** Ends all pairings of former eras here. */
    enter,
    /** Ends a pairing here. */
    hold,
    /** Ends pairings everywhere: in each other instance within a second. */
    async add(redis: Redis, pairings: readonly SharedPairing[]): Promise<void> {
      pairings.forEach(hold);
      await share(redis, Date.now() - KEPT_MS);
    },
  };
}

/** Reads the server's era; none where another program has written something else. */
export const toEraMs = (stored: unknown): number => Number(stored) || 0;

const toName = ({ id, eraMs = 0 }: SharedPairing): string => `${eraMs} ${id}`;

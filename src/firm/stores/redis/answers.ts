import { LRUCache } from "lru-cache";
import { toGroups } from "../../../client/batch/planner";
import { traceStep } from "../../reporting/trace";
import type { AnswerCache, CachedAnswer, CacheEntry } from "../../stores";
import { createMemoryAnswers } from "../memory";
import { execute, type Link } from "./link";

/** Batch size: small enough to delay no other reader and to fit in the time limit. */
const AT_ONCE = 100;
/** The age of an answer when it was stored, and its lifetime then. */
const TIMES_BYTES = 16;
/** How long a copy in memory serves before the server is asked for a newer one: another instance may have worked. */
const UNASKED_MS = 5_000;
const MOST_UNASKED = 20_000;
/** Raised when the stored form changes: instances of two versions do not read each other's answers. */
const FORM = 3;

/**
 * Creates the answers: in this process's memory, and on the server for an instance that takes over. Their age comes from
 * the time that the server still keeps them, so that a clock that is wrong changes nothing.
 */
export function createRedisAnswers(link: Link): AnswerCache {
  const memory = createMemoryAnswers();
  const unasked = new LRUCache<string, true>({ max: MOST_UNASKED, ttl: UNASKED_MS });
  return {
    async read(keys) {
      const own = await memory.read(keys);
      const asked = new Set(keys.filter((key, nth) => own[nth] === undefined || !unasked.has(key)));
      const load = (some: readonly string[]) => traceStep("store", () => readStored(link, some));
      for (const some of toGroups([...asked], AT_ONCE)) await memory.store(await load(some));
      const found = await memory.read(keys);
      // Also what the server has lost.
      for (const [nth, key] of keys.entries()) if (found[nth] !== undefined && asked.has(key)) unasked.set(key, true);
      return found;
    },
    bytes: memory.bytes,
    async store(entries) {
      await memory.store(entries);
      for (const { key } of entries) unasked.set(key, true);
      for (const some of toGroups(entries, AT_ONCE)) await storeSome(link, some);
    },
  };
}

/** Reads what the server has of some keys, with the time that is left of each. */
const readStored = (link: Link, keys: readonly string[]): Promise<readonly CacheEntry[]> =>
  link.attempt(
    async (redis) => {
      const pipeline = redis.pipeline().mgetBuffer(keys.map(toKey));
      for (const key of keys) pipeline.pttl(toKey(key));
      const [bodies, ...left] = (await execute(pipeline)) as [(Buffer | null)[], ...number[]];
      const nowMs = Date.now();
      return keys.flatMap((key, nth) => {
        const [answer, lifetimeMs] = [unpack(bodies[nth], left[nth]!, nowMs), left[nth]!];
        return answer !== undefined && lifetimeMs > 0 ? [{ key, ...answer, lifetimeMs }] : [];
      });
    },
    () => [],
  );

async function storeSome(link: Link, entries: readonly CacheEntry[]): Promise<void> {
  await link.attempt(
    async (redis) => {
      const pipeline = redis.pipeline();
      for (const entry of entries) pipeline.set(toKey(entry.key), pack(entry, Date.now()), "PX", entry.lifetimeMs);
      await execute(pipeline);
    },
    () => undefined,
  );
}

const toKey = (key: string): string => `answer:${FORM}:${key}`;

function pack({ atMs, lifetimeMs, body }: CacheEntry, nowMs: number): Buffer {
  const times = Buffer.alloc(TIMES_BYTES);
  times.writeDoubleBE(nowMs - atMs);
  times.writeDoubleBE(lifetimeMs, TIMES_BYTES / 2);
  return Buffer.concat([times, body]);
}

/** Copies the body, since the connection's buffer holds others too. A shorter value is another program's. */
function unpack(bytes: Buffer | null | undefined, leftMs: number, nowMs: number): CachedAnswer | undefined {
  if (!bytes || bytes.length < TIMES_BYTES) return undefined;
  const ageMs = bytes.readDoubleBE(0) + bytes.readDoubleBE(TIMES_BYTES / 2) - leftMs;
  return { atMs: nowMs - ageMs, body: Buffer.from(bytes.subarray(TIMES_BYTES)) };
}

import { toGroups } from "../../../client/batch/planner";
import type { AnswerCache, CachedAnswer, CacheEntry, PubSub } from "../../stores";
import { createMemoryAnswers } from "../memory";
import { execute, type Link } from "./link";
import { createNearCache, type EndingAnswer, type NearCache } from "./near-cache";

/** Batch size: small enough to delay no other reader and to fit in the time limit. */
const AT_ONCE = 100;
/** The time of an answer, and its end. */
const TIMES_BYTES = 16;
/** Raised when the stored form changes: instances of two versions do not read each other's answers. */
const FORM = 2;

/** The cache's parts. */
interface Parts {
  link: Link;
  near: NearCache;
  /** This instance's own answers, for an outage. */
  own: AnswerCache;
  nowMs(): number;
}

/**
 * Creates the shared answers. Those read or stored lately are also in this process's memory: as long as nobody replaces
 * one, its bytes stay what they are.
 * @param nowMs The time that all instances share.
 */
export function createRedisAnswers(link: Link, pubSub: PubSub, nowMs: () => number): AnswerCache {
  const near = createNearCache(link, pubSub, nowMs);
  const parts = { link, near, own: createMemoryAnswers(), nowMs };
  return {
    async read(keys) {
      const found = new Map<string, CachedAnswer | undefined>();
      if (link.standing() === "shared") for (const key of keys) found.set(key, near.read(key));
      const missing = [...new Set(keys)].filter((key) => found.get(key) === undefined);
      for (const some of toGroups(missing, AT_ONCE)) {
        const read = await readSome(parts, some);
        for (const [nth, key] of some.entries()) found.set(key, read[nth]);
      }
      return keys.map((key) => found.get(key));
    },
    bytes: () => parts.own.bytes() + near.bytes(),
    async store(entries) {
      await parts.own.store(entries);
      for (const some of toGroups(entries, AT_ONCE)) await storeSome(parts, some);
    },
  };
}

async function readSome({ link, near, own }: Parts, keys: readonly string[]): ReturnType<AnswerCache["read"]> {
  const end = near.begin();
  const found = new Map<string, EndingAnswer>();
  const answers = await link.attempt(
    async (redis) => {
      const read = await redis.mgetBuffer(keys.map(toKey));
      for (const [nth, key] of keys.entries()) {
        const answer = unpack(read[nth]);
        if (answer !== undefined) found.set(key, answer);
      }
      return keys.map((key) => found.get(key));
    },
    () => own.read(keys),
  );
  end(found);
  return answers;
}

async function storeSome({ link, near, nowMs }: Parts, entries: readonly CacheEntry[]): Promise<void> {
  await link.attempt(
    async (redis) => {
      const pipeline = redis.pipeline();
      const ending = entries.map((entry) => ({ ...entry, endsAtMs: nowMs() + entry.lifetimeMs }));
      for (const entry of ending) pipeline.set(toKey(entry.key), pack(entry), "PX", entry.lifetimeMs);
      await execute(pipeline);
      near.store(new Map(ending.map((entry) => [entry.key, entry])));
    },
    () => undefined,
  );
}

const toKey = (key: string): string => `answer:${FORM}:${key}`;

function pack({ atMs, endsAtMs, body }: EndingAnswer): Buffer {
  const times = Buffer.alloc(TIMES_BYTES);
  times.writeDoubleBE(atMs);
  times.writeDoubleBE(endsAtMs, TIMES_BYTES / 2);
  return Buffer.concat([times, body]);
}

/** Copies the body, since the connection's buffer holds others too. A shorter value is another program's. */
function unpack(bytes: Buffer | null | undefined): EndingAnswer | undefined {
  if (!bytes || bytes.length < TIMES_BYTES) return undefined;
  const body = Buffer.from(bytes.subarray(TIMES_BYTES));
  return { atMs: bytes.readDoubleBE(0), endsAtMs: bytes.readDoubleBE(TIMES_BYTES / 2), body };
}

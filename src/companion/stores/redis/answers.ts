import { toGroups } from "../../../client/batch/planner";
import type { AnswerCache, CachedAnswer, CacheEntry } from "../../stores";
import { createMemoryAnswers } from "../memory";
import { execute, type Link } from "./link";

/** Batch size: small enough to delay no other reader and to fit in the time limit. */
const AT_ONCE = 100;
const TIME_BYTES = 8;

/** Creates the shared answers; this instance's own are also in memory, for an outage. */
export function createRedisAnswers(link: Link): AnswerCache {
  const own = createMemoryAnswers();
  return {
    async read(keys) {
      const found: (CachedAnswer | undefined)[] = [];
      for (const some of toGroups(keys, AT_ONCE)) found.push(...(await readSome(link, own, some)));
      return found;
    },
    async store(entries) {
      await own.store(entries);
      for (const some of toGroups(entries, AT_ONCE)) await storeSome(link, some);
    },
  };
}

async function readSome(link: Link, own: AnswerCache, keys: readonly string[]): ReturnType<AnswerCache["read"]> {
  return link.attempt(
    async (redis) => (await redis.mgetBuffer(keys.map(toKey))).map((bytes) => (bytes ? unpack(bytes) : undefined)),
    () => own.read(keys),
  );
}

async function storeSome(link: Link, entries: readonly CacheEntry[]): Promise<void> {
  await link.attempt(
    async (redis) => {
      const pipeline = redis.pipeline();
      for (const entry of entries) pipeline.set(toKey(entry.key), pack(entry), "PX", entry.lifetimeMs);
      await execute(pipeline);
    },
    () => undefined,
  );
}

const toKey = (key: string): string => `answer:${key}`;

function pack({ atMs, body }: CachedAnswer): Buffer {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeDoubleBE(atMs);
  return Buffer.concat([time, body]);
}

/** A shorter value is another program's. */
function unpack(bytes: Buffer): CachedAnswer | undefined {
  if (bytes.length < TIME_BYTES) return undefined;
  return { atMs: bytes.readDoubleBE(0), body: bytes.subarray(TIME_BYTES) };
}

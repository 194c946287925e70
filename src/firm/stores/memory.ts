import { LRUCache } from "lru-cache";
import type { Pairings } from "../../companion/api/pairing";
import { createMemoryLimit, createOwnStores } from "../../companion/stores";
import type { AnswerCache, CachedAnswer, FirmStores, OneTimeValues } from "../stores";

/** Memory for answers, packed: those of some 150,000 companies. */
const LARGEST_CACHE_BYTES = 256 * 1024 * 1024;
/** For lists and for answers with contact data: some 100,000 companies, or a list of as many. */
const LARGEST_OWN_BYTES = 64 * 1024 * 1024;
/** Memory of an entry beside its key and body, measured: a process grows by 1.75 KB for each company of 0.84 KB. */
const ENTRY_BYTES = 800;
/** Limit per kind: as many as one address creates at full rate before the first sign-in ends, some 40 MB. */
const MOST_NOTES = 100_000;

/** Creates the stores of a single instance, in its memory. */
export function createMemoryStores(pairings: Pairings): FirmStores {
  return {
    ...createOwnStores(pairings),
    answers: createMemoryAnswers(),
    ownAnswers: createOwnAnswers(),
    oneTimeValues: createMemoryOneTimeValues(),
    createSharedLimit: createMemoryLimit,
  };
}

/** @param largestBytes Total size; default 256 MB. */
export function createMemoryAnswers(largestBytes = LARGEST_CACHE_BYTES): AnswerCache {
  const stored = new LRUCache<string, CachedAnswer>({
    maxSize: largestBytes,
    sizeCalculation: ({ body }, key) => body.length + key.length + ENTRY_BYTES,
  });
  return {
    read: async (keys) => keys.map((key) => stored.get(key)),
    bytes: () => stored.calculatedSize,
    async store(entries) {
      for (const { key, lifetimeMs, ...answer } of entries) {
        const isOlder = answer.atMs < (stored.get(key)?.atMs ?? 0);
        if (!isOlder) stored.set(key, answer, { ttl: lifetimeMs });
      }
    },
  };
}

export const createOwnAnswers = (): AnswerCache => createMemoryAnswers(LARGEST_OWN_BYTES);

export function createMemoryOneTimeValues(): OneTimeValues {
  // Kinds are separate: values that anybody may create, such as sign-ins, evict no other kind.
  const kinds = new Map<string, LRUCache<string, object>>();
  const toStored = (key: string) => {
    const kind = key.split(" ", 1)[0]!;
    const stored = kinds.get(kind) ?? new LRUCache<string, object>({ max: MOST_NOTES });
    kinds.set(kind, stored);
    return stored;
  };
  return {
    async put(key, value, lifetimeMs) {
      toStored(key).set(key, value, { ttl: lifetimeMs });
    },
    async take(key) {
      const stored = toStored(key);
      const value = stored.get(key);
      stored.delete(key);
      return value;
    },
  };
}

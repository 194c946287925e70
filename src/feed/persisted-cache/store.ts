import { dropDatabase, inTransaction } from "../database";
import {
  DATABASE,
  dropOthers,
  dropRows,
  openAnswers,
  type ReadAnswers,
  readRows,
  sum,
  toKey,
  type WrittenAnswer,
} from "./rows";
import type { FoundAnswer, Hindrance, PersistedCache, PersistedCacheOptions } from "./types";
import { type CacheState, isHindered, writeRest, writeSoon } from "./writing";

/** Uses are recorded after the cells have shown their values. */
const RECORD_USE_AFTER_MS = 1_000;

/** A company that a person writes by name is stored under its name and its id. */
const MOST_CHARACTERS = 128_000_000;

/** Makes the persisted cache in IndexedDB; where that is blocked, full or broken, nothing is found. */
export function createPersistedCacheStore(options: PersistedCacheOptions): PersistedCache {
  const context: CacheState = {
    mostCharacters: MOST_CHARACTERS,
    ...options,
    use: openAnswers((error) => {
      context.hindrance = HINDRANCES[(error as Error).name] ?? "unknown";
    }),
    waiting: new Map(),
    writing: null,
    used: new Set(),
    isWriting: false,
    writtenAtMs: 0,
    refusals: 0,
    hindrance: null,
    characters: Number.POSITIVE_INFINITY, // so that the first write checks the size that earlier pages left
  };
  void context.use(undefined, async () => {}); // opens while the companion tells the owner
  globalThis.addEventListener?.("pagehide", () => void writeRest(context));
  return {
    load: createLookups(options.owner, (owner, lookups) => loadTogether(context, owner, lookups)),
    store(hash, answer, isOfBefore = false) {
      // Strictly increasing, also within one millisecond.
      context.writtenAtMs = Math.max(options.ports.nowMs(), context.writtenAtMs + 0.001);
      context.waiting.set(hash, { ...answer, hash, isOfBefore, writtenAtMs: context.writtenAtMs });
      writeSoon(context);
    },
    async evictOthers() {
      context.waiting.clear();
      context.writing = null;
      const own = await context.owner().catch(() => null);
      if (own !== null) await dropOthers(context.use, own);
    },
    size: () => measure(context),
    forget: () => forget(context),
    hindrance: () => (isHindered(context) ? context.hindrance : null),
  };
}

/** Reasons by the names of browsers' errors. */
const HINDRANCES: { readonly [name in string]?: Hindrance } = {
  QuotaExceededError: "full",
  VersionError: "newer",
  SecurityError: "blocked",
  NotAllowedError: "blocked",
  TimeoutError: "silent",
  UnknownError: "damaged",
  NotFoundError: "damaged",
};

/** Drops the database, and allows writes again: there is space now, and a damaged database is made anew. */
async function forget(context: CacheState): Promise<boolean> {
  context.waiting.clear();
  context.writing = null;
  const isGone = await dropDatabase(DATABASE);
  if (isGone) context.refusals = 0;
  context.notify?.();
  return isGone;
}

/** Picks the last written answer, not the newest: undo may have restored one. An answer written in the future comes last. */
async function pickLast(reading: ReadAnswers, hashes: readonly string[], nowMs: number): Promise<FoundAnswer | null> {
  const toRank = ({ writtenAtMs }: WrittenAnswer) => (writtenAtMs > nowMs + 1_000 ? 0 : writtenAtMs);
  let last: (WrittenAnswer & { hash: string }) | null = null;
  for (const hash of hashes) {
    const each = (await reading.get(hash)) ?? null;
    if (each === null || (last !== null && toRank(last) >= toRank(each))) continue;
    last = { ...each, hash };
  }
  return last;
}

const measure = ({ use }: CacheState): Promise<number> =>
  use(0, async (database) => sum(await database.getAll("uses")));

async function loadTogether(context: CacheState, owner: string, lookups: readonly Lookup[]): Promise<void> {
  const all = new Set(lookups.flatMap(({ hashes }) => hashes));
  const take = (reading: ReadAnswers) =>
    Promise.all(
      lookups.map(async ({ hashes, notify }) => notify(await pickLast(reading, hashes, context.ports.nowMs()))),
    );
  const nothing = { found: [], damaged: [] };
  const { found, damaged } = await context.use(nothing, (database) => readRows(database, owner, all, take));
  if (damaged.length > 0) void dropRows(context.use, damaged);
  const fresh = found.map((hash) => toKey(owner, hash)).filter((key) => !context.used.has(key));
  for (const key of fresh) context.used.add(key);
  if (fresh.length > 0) context.ports.after(RECORD_USE_AFTER_MS, () => void recordUses(context, fresh));
}

/** Records the use of answers, once per page each: eviction begins with those that are not used. */
async function recordUses({ use, ports }: CacheState, keys: readonly string[]): Promise<void> {
  await use(undefined, (database) =>
    inTransaction(database, ["uses"], "readwrite", async (transaction) => {
      const store = transaction.objectStore("uses");
      const recordUse = async (key: string) => {
        const before = await store.get(key);
        if (before !== undefined) await store.put({ ...before, usedAtMs: ports.nowMs() }, key);
      };
      await Promise.all(keys.map(recordUse));
    }),
  );
}

export interface Lookup {
  /** Hashes of the entries that may answer. */
  readonly hashes: readonly string[];
  /** Called with the answer or null; only the first call counts. */
  notify: (found: FoundAnswer | null) => void;
}

/**
 * Gives a lookup that reads in batches: an opening workbook needs thousands of answers. The first lookup reads at once;
 * lookups that come meanwhile form the next batch.
 *
 * @param owner of the answers; while it is unknown, nothing is found
 * @param readAll calls `notify` of each lookup with an answer
 */
export function createLookups(
  owner: () => Promise<string>,
  readAll: (owner: string, lookups: readonly Lookup[]) => Promise<void>,
): (hashes: readonly string[]) => Promise<FoundAnswer | null> {
  let waiting: Lookup[] = [];
  let isReading = false;
  const goOn = async () => {
    isReading = true;
    while (waiting.length > 0) {
      const own = await owner().catch(() => null);
      const lookups = waiting; // includes those that came meanwhile
      waiting = [];
      if (own !== null) await readAll(own, lookups).catch(() => {});
      for (const { notify } of lookups) notify(null);
    }
    isReading = false;
  };
  return (hashes) =>
    new Promise((notify) => {
      waiting.push({ hashes, notify });
      if (!isReading) void goOn();
    });
}

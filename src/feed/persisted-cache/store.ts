import type { IDBPTransaction } from "idb";
import { type Database, dropDatabase, inTransaction } from "../database";
import { evictLeastRecentlyUsed } from "./eviction";
import { createLookups, type Lookup } from "./lookups";
import {
  DATABASE,
  dropOthers,
  dropRows,
  openAnswers,
  type Reading,
  type Row,
  readRows,
  type Schema,
  sum,
  toKey,
  type WrittenAnswer,
} from "./rows";
import type { FoundAnswer, Hindrance, PersistedCache, PersistedCacheOptions } from "./types";

/** Answers that come together are written together, once the cells have been filled. */
const WRITE_AFTER_MS = 1_000;

/** Answers per transaction: cells and pane run in between. */
const WRITTEN_AT_ONCE = 50;

/** Uses are recorded after the cells have shown their values. */
const RECORD_USE_AFTER_MS = 1_000;

const MOST_CHARACTERS = 64_000_000;

/** After so many refused writes in a row this page persists nothing more. */
const MOST_REFUSALS = 3;

interface Waiting extends WrittenAnswer {
  hash: string;
  isOfBefore: boolean;
}

interface Context extends PersistedCacheOptions {
  use: Database<Schema>;
  waiting: Map<string, Waiting>;
  /** Those that are being written, and for whom; null between two writes. */
  writing: { owner: string; answers: Set<Waiting> } | null;
  /** The hash of each stored value: several queries may share one value. */
  hashes: WeakMap<object, string>;
  /** The current value of each hash: after undo, a value may have lost its hash. */
  values: Map<string, WeakRef<object>>;
  /** Keys whose use this page records. */
  used: Set<string>;
  isWriting: boolean;
  /** Of the last answer. */
  writtenAtMs: number;
  /** Refused writes in a row. */
  refusals: number;
  /** Why the last use of the database failed. */
  hindrance: Hindrance | null;
  /** Written since the last eviction. */
  characters: number;
  mostCharacters: number;
}

/** Makes the persisted cache in IndexedDB; where that is blocked, full or broken, nothing is found. */
export function createPersistedCacheStore(options: PersistedCacheOptions): PersistedCache {
  const context: Context = {
    mostCharacters: MOST_CHARACTERS,
    ...options,
    use: openAnswers((error) => {
      context.hindrance = HINDRANCES[(error as Error).name] ?? "unknown";
    }),
    waiting: new Map(),
    writing: null,
    hashes: new WeakMap(),
    values: new Map(),
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

const isHindered = ({ refusals }: Context): boolean => refusals === MOST_REFUSALS;

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
async function forget(context: Context): Promise<boolean> {
  context.waiting.clear();
  context.writing = null;
  context.hashes = new WeakMap();
  const isGone = await dropDatabase(DATABASE);
  if (isGone) context.refusals = 0;
  context.notify?.();
  return isGone;
}

/** Picks the last written answer, not the newest: undo may have restored one. An answer written in the future comes last. */
async function pickLast(reading: Reading, hashes: readonly string[], nowMs: number): Promise<FoundAnswer | null> {
  const toRank = ({ writtenAtMs }: WrittenAnswer) => (writtenAtMs > nowMs + 1_000 ? 0 : writtenAtMs);
  let last: (WrittenAnswer & { hash: string }) | null = null;
  for (const hash of hashes) {
    const each = (await reading.get(hash)) ?? null;
    if (each === null || (last !== null && toRank(last) >= toRank(each))) continue;
    last = { ...each, hash };
  }
  return last;
}

const measure = ({ use }: Context): Promise<number> =>
  use(0, (database) =>
    inTransaction(database, ["uses"], "readonly", async (transaction) =>
      sum(await transaction.objectStore("uses").getAll()),
    ),
  );

async function loadTogether(context: Context, owner: string, lookups: readonly Lookup[]): Promise<void> {
  const all = new Set(lookups.flatMap(({ hashes }) => hashes));
  const take = (reading: Reading) =>
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
async function recordUses({ use, ports }: Context, keys: readonly string[]): Promise<void> {
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

function writeSoon(context: Context, afterMs = WRITE_AFTER_MS): void {
  const { waiting } = context;
  if (isHindered(context)) waiting.clear();
  if (context.isWriting || waiting.size === 0) return;
  context.isWriting = true;
  context.ports.after(afterMs, async () => {
    await write(context);
    context.isWriting = false;
    writeSoon(context, 0);
  });
}

async function write(context: Context): Promise<void> {
  const { waiting, use, mostCharacters } = context;
  const owner = await context.owner().catch(() => null);
  const some = [...waiting.values()].slice(0, WRITTEN_AT_ONCE);
  for (const { hash } of some) waiting.delete(hash);
  if (owner === null) return;
  const writing = { owner, answers: new Set(some) };
  context.writing = writing;
  const isWritten = await use(false, (database) =>
    inTransaction(database, ["answers", "uses"], "readwrite", async (transaction) => {
      const uses = transaction.objectStore("uses");
      const put = async (each: Waiting) => {
        const known = await uses.get(toKey(owner, each.hash));
        const isNewer = known !== undefined && known.asOfMs > each.asOfMs && known.asOfMs <= context.ports.nowMs();
        if (isNewer && !each.isOfBefore) {
          writing.answers.delete(each); // another window, whose clock is right, has written it
          return;
        }
        await putAnswer(context, transaction, owner, each);
      };
      await Promise.all(some.map(put));
      return true;
    }),
  );
  context.writing = null;
  if (isWritten) context.refusals = 0;
  else takeBack(context, some);
  if (isWritten && context.characters <= mostCharacters / 20) return;
  context.characters = 0;
  await evictLeastRecentlyUsed(use, mostCharacters, !isWritten);
}

/** Writes all that waits while the page closes, in one transaction that waits for nothing: the browser then finishes it. */
async function writeRest(context: Context): Promise<void> {
  const { waiting, writing, use } = context;
  const unwritten = [...waiting.values()];
  if ((writing === null && unwritten.length === 0) || isHindered(context)) return;
  waiting.clear();
  const owner = await context.owner().catch(() => null);
  if (owner === null) return;
  const rest = [...(writing?.owner === owner ? writing.answers : []), ...unwritten];
  await use(undefined, (database) =>
    inTransaction(database, ["answers", "uses"], "readwrite", async (transaction) => {
      const puts = rest.map((each) => putAnswer(context, transaction, owner, each));
      transaction.commit();
      await Promise.all(puts);
    }),
  );
}

type Writing = IDBPTransaction<Schema, ("answers" | "uses")[], "readwrite">;

async function putAnswer(context: Context, transaction: Writing, owner: string, answer: Waiting): Promise<void> {
  const [key, row] = [toKey(owner, answer.hash), toRow(context, owner, answer)];
  const { asOfMs, equals } = row;
  const characters = row.text?.length ?? 0;
  context.characters += characters;
  const use = { usedAtMs: context.ports.nowMs(), asOfMs, characters, equals };
  // Both at once, for a page that closes; asynchronous, so that one that throws leaves no rejection of the other.
  const putRow = async () => transaction.objectStore("answers").put(row, key);
  const putUse = async () => transaction.objectStore("uses").put(use, key);
  await Promise.all([putRow(), putUse()]);
}

/** Queues refused answers again: after an eviction there may be space for them. */
function takeBack(context: Context, some: readonly Waiting[]): void {
  context.refusals++;
  if (isHindered(context)) context.notify?.();
  context.hashes = new WeakMap(); // no row may refer to an unwritten one
  for (const each of some) if (!context.waiting.has(each.hash)) context.waiting.set(each.hash, each);
}

function toRow(
  { hashes, values }: Context,
  owner: string,
  { hash, value, asOfMs, sources, writtenAtMs }: Waiting,
): Row {
  const object = typeof value === "object" && value !== null ? value : null;
  const equal = object && hashes.get(object);
  if (equal && equal !== hash && values.get(equal)?.deref() === object)
    return { text: null, equals: toKey(owner, equal), asOfMs, sources: [], writtenAtMs };
  values.delete(hash);
  if (object !== null) {
    hashes.set(object, hash);
    values.set(hash, new WeakRef(object));
  }
  return { text: JSON.stringify(value), equals: null, asOfMs, sources, writtenAtMs };
}

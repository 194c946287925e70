import type { IDBPTransaction } from "idb";
import { type Database, inTransaction } from "../database";
import { countCharacters, type Texts, toTexts } from "./packing";
import { type Schema, STORES, sum, toKey, toSliceKey, toSliceKeys, type WrittenAnswer } from "./rows";
import type { Hindrance, PersistedCacheOptions } from "./types";

/** Answers that come together are written together, once the cells have been filled. */
const WRITE_AFTER_MS = 1_000;

/** Answers per transaction: cells and pane run in between. */
const WRITTEN_AT_ONCE = 50;

/** Characters after which a transaction takes no further answer. */
const CHARACTERS_AT_ONCE = 1_000_000;

/** Characters that are made in one task. */
const CHARACTERS_A_STEP = 250_000;

/** After so many refused writes in a row this page persists nothing more. */
const MOST_REFUSALS = 3;

interface Waiting extends WrittenAnswer {
  hash: string;
  isOfBefore: boolean;
}

interface Writing {
  owner: string;
  /** By hash: two of one hash in a transaction would mix their slices. */
  answers: Map<string, Waiting>;
}

/** The state of a page's persisted cache. */
export interface CacheState extends PersistedCacheOptions {
  use: Database<Schema>;
  waiting: Map<string, Waiting>;
  /** Those that are being written, and for whom; null between two writes. */
  writing: Writing | null;
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

export const isHindered = ({ refusals }: CacheState): boolean => refusals === MOST_REFUSALS;

/** Writes what waits, a little later. */
export function writeSoon(context: CacheState, afterMs = WRITE_AFTER_MS): void {
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

async function write(context: CacheState): Promise<void> {
  const { waiting, use, mostCharacters } = context;
  const owner = await context.owner().catch(() => null);
  if (owner === null) return waiting.clear();
  const writing: Writing = { owner, answers: new Map() };
  context.writing = writing;
  const texts = await takeTexts(context, writing);
  const isCalledOff = () => context.writing !== writing; // the client has changed, or a person has forgotten all
  if (isCalledOff()) return;
  const some = [...writing.answers.values()];
  const isWritten = await use(false, (database) =>
    inTransaction(database, STORES, "readwrite", async (transaction) => {
      if (isCalledOff()) return true; // while the database opened
      const uses = transaction.objectStore("uses");
      const put = async (each: Waiting) => {
        const known = await uses.get(toKey(owner, each.hash));
        const isNewer = known !== undefined && known.asOfMs > each.asOfMs && known.asOfMs <= context.ports.nowMs();
        if (isNewer && !each.isOfBefore) {
          writing.answers.delete(each.hash); // another window, whose clock is right, has written it
          return;
        }
        for (const part of putAnswer(context, transaction, owner, each, texts.get(each.value))) await part;
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

/** Takes the next answers, and makes their texts step by step; several queries may share a value. */
async function takeTexts(context: CacheState, writing: Writing): Promise<Map<unknown, Texts>> {
  const { waiting, ports } = context;
  const { answers } = writing;
  const texts = new Map<unknown, Texts>();
  const pause = () => new Promise<void>((resolve) => void ports.after(0, resolve));
  let [characters, inTask] = [0, 0];
  while (context.writing === writing && answers.size < WRITTEN_AT_ONCE && characters < CHARACTERS_AT_ONCE) {
    const [each] = waiting.values();
    if (each === undefined) break;
    waiting.delete(each.hash);
    answers.set(each.hash, each);
    if (texts.has(each.value)) continue;
    const steps = toTexts(each.value);
    let step = steps.next();
    for (; !step.done; step = steps.next()) await pause();
    texts.set(each.value, step.value);
    const count = countCharacters(step.value);
    characters += count;
    inTask += count;
    if (inTask < CHARACTERS_A_STEP) continue;
    inTask = 0;
    await pause();
  }
  return texts;
}

/** Writes all that waits while the page closes, in one transaction that waits for nothing: the browser then finishes it. */
export async function writeRest(context: CacheState): Promise<void> {
  const { waiting, writing, use } = context;
  const unwritten = [...waiting.values()];
  if ((writing === null && unwritten.length === 0) || isHindered(context)) return;
  waiting.clear();
  const owner = await context.owner().catch(() => null);
  if (owner === null) return;
  const answers = new Map(writing?.owner === owner ? writing.answers : []);
  for (const each of unwritten) answers.set(each.hash, each);
  const rest = [...answers.values()];
  await use(undefined, (database) =>
    inTransaction(database, STORES, "readwrite", async (transaction) => {
      const puts = Promise.all(rest.flatMap((each) => [...putAnswer(context, transaction, owner, each)]));
      puts.catch(() => {}); // also where the commit throws
      transaction.commit();
      await puts;
    }),
  );
}

type WriteTransaction = IDBPTransaction<Schema, typeof STORES, "readwrite">;

/**
 * Writes an answer, a slice a step: those that take a step must wait for it, or take all of them at once.
 *
 * @param texts of the value; default made now
 */
function* putAnswer(
  context: CacheState,
  transaction: WriteTransaction,
  owner: string,
  { hash, value, asOfMs, sources, writtenAtMs }: Waiting,
  texts = finish(toTexts(value)),
): Generator<Promise<unknown>, void, undefined> {
  const key = toKey(owner, hash);
  const { text, slices } = texts;
  const row = { text, slices: slices.length, asOfMs, sources, writtenAtMs };
  const characters = countCharacters(texts);
  context.characters += characters;
  const use = { usedAtMs: context.ports.nowMs(), asOfMs, characters };
  // All at once, for a page that closes; asynchronous, so that one that throws leaves no rejection of the other.
  const putRow = async () => transaction.objectStore("answers").put(row, key);
  const putUse = async () => transaction.objectStore("uses").put(use, key);
  const dropSlices = async () => transaction.objectStore("slices").delete(toSliceKeys(key)); // there may have been more
  yield Promise.all([putRow(), putUse(), dropSlices()]);
  const putSlice = async (slice: string, at: number) =>
    transaction.objectStore("slices").put(slice, toSliceKey(key, at));
  for (const [at, slice] of slices.entries()) yield putSlice(slice, at);
}

/** Queues refused answers again: after an eviction there may be space for them. */
function takeBack(context: CacheState, some: readonly Waiting[]): void {
  context.refusals++;
  if (isHindered(context)) context.notify?.();
  for (const each of some) if (!context.waiting.has(each.hash)) context.waiting.set(each.hash, each);
}

function finish<Result>(steps: Generator<undefined, Result, undefined>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** The share of the maximum that is left after an eviction. */
const LEFT = 0.8;

/**
 * Drops the least recently used answers above the maximum.
 *
 * @param most maximum size in characters
 * @param isFull whether the browser refused a write: then half goes, whatever the size
 */
async function evictLeastRecentlyUsed(use: Database<Schema>, most: number, isFull: boolean): Promise<void> {
  await use(undefined, (database) =>
    inTransaction(database, STORES, "readwrite", async (transaction) => {
      const [answers, uses] = [transaction.objectStore("answers"), transaction.objectStore("uses")];
      const [keys, all] = await Promise.all([uses.getAllKeys(), uses.getAll()]);
      const byUse = all
        .map((use, nth) => ({ ...use, key: keys[nth]! }))
        .sort((one, other) => one.usedAtMs - other.usedAtMs);
      let characters = sum(all);
      const left = isFull ? characters / 2 : characters > most ? most * LEFT : characters;
      const dropped: string[] = [];
      for (const use of byUse) {
        if (characters <= left) break;
        characters -= use.characters;
        dropped.push(use.key);
      }
      const slices = transaction.objectStore("slices");
      const drop = (key: string) => [answers.delete(key), uses.delete(key), slices.delete(toSliceKeys(key))];
      await Promise.all(dropped.flatMap(drop));
    }),
  );
}

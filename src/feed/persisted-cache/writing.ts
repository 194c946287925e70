import type { IDBPTransaction } from "idb";
import { type Database, inTransaction } from "../database";
import { countCharacters, type Texts, toTexts } from "./packing";
import {
  type Row,
  type Schema,
  STORES,
  sum,
  toKey,
  toSliceKey,
  toSliceKeys,
  type Use,
  type WrittenAnswer,
} from "./rows";
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

/** Writes an answer, a slice a step: those that take a step must wait for it, or take all of them at once. */
function* putAnswer(
  context: CacheState,
  transaction: WriteTransaction,
  owner: string,
  answer: Waiting,
  texts?: Texts,
): Generator<Promise<unknown>, void, undefined> {
  const key = toKey(owner, answer.hash);
  const { row, slices } = toRow(context, owner, answer, texts);
  const { asOfMs, equals } = row;
  const characters = slices.reduce((sum, { length }) => sum + length, row.text?.length ?? 0);
  context.characters += characters;
  const use = { usedAtMs: context.ports.nowMs(), asOfMs, characters, equals };
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
  context.hashes = new WeakMap(); // no row may refer to an unwritten one
  for (const each of some) if (!context.waiting.has(each.hash)) context.waiting.set(each.hash, each);
}

/** @param texts of the value; made now where it is left out */
function toRow(
  { hashes, values }: CacheState,
  owner: string,
  { hash, value, asOfMs, sources, writtenAtMs }: Waiting,
  texts?: Texts,
): { row: Row; slices: readonly string[] } {
  const object = typeof value === "object" && value !== null ? value : null;
  const equal = object && hashes.get(object);
  values.delete(hash); // no later row may refer to what this one had
  if (equal && equal !== hash && values.get(equal)?.deref() === object)
    return {
      row: { text: null, slices: 0, equals: toKey(owner, equal), asOfMs, sources: [], writtenAtMs },
      slices: [],
    };
  if (object !== null) {
    hashes.set(object, hash);
    values.set(hash, new WeakRef(object));
  }
  const { text, slices } = texts ?? finish(toTexts(value));
  return { row: { text, slices: slices.length, equals: null, asOfMs, sources, writtenAtMs }, slices };
}

function finish<Result>(steps: Generator<undefined, Result, undefined>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** The share of the maximum that is left after an eviction. */
const LEFT = 0.8;

/** An answer with the rows that refer to it. */
interface Group {
  keys: string[];
  characters: number;
  usedAtMs: number;
}

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
      const groups = toGroups(keys, all);
      let characters = sum(all);
      const left = isFull ? characters / 2 : characters > most ? most * LEFT : characters;
      const dropped: string[] = [];
      for (const group of groups) {
        if (characters <= left) break;
        characters -= group.characters;
        dropped.push(...group.keys);
      }
      const slices = transaction.objectStore("slices");
      const drop = (key: string) => [answers.delete(key), uses.delete(key), slices.delete(toSliceKeys(key))];
      await Promise.all(dropped.flatMap(drop));
    }),
  );
}

/** The least recently used first. */
function toGroups(keys: readonly string[], uses: readonly Use[]): Group[] {
  const groups = new Map<string, Group>();
  for (const [index, key] of keys.entries()) {
    const { equals, characters, usedAtMs } = uses[index] as Use;
    const group = groups.get(equals ?? key) ?? { keys: [], characters: 0, usedAtMs: 0 };
    group.keys.push(key);
    group.characters += characters;
    group.usedAtMs = Math.max(group.usedAtMs, usedAtMs);
    groups.set(equals ?? key, group);
  }
  return [...groups.values()].sort((one, other) => one.usedAtMs - other.usedAtMs);
}

import type { DBSchema, IDBPDatabase, IDBPObjectStore } from "idb";
import type { Source } from "../../client/http/request-log";
import { createDatabase, type Database, inTransaction } from "../database";
import type { PersistedAnswer } from "./types";

/** An answer as it lies in the database: as JSON, or as the name of an equal one. */
export interface Row {
  text: string | null;
  /** Key of the row that has the text. */
  equals: string | null;
  asOfMs: number;
  sources: readonly Source[];
  /** Of what answers the same query, what was written last counts: an answer of before may have been put back. */
  writtenAtMs: number;
}

/** What tells which answers have not been used for long, without reading them. */
export interface Use {
  usedAtMs: number;
  asOfMs: number;
  characters: number;
  /** As in its row: both come and go together. */
  equals: string | null;
}

export interface Schema extends DBSchema {
  answers: { key: string; value: Row };
  uses: { key: string; value: Use };
}

export const DATABASE = "feed-answers";

/** Counts up with each change of a row, or of what answers look like: what was kept before is then dropped. */
const SCHEMA_VERSION = 1;

export const openAnswers = (failed: (error: unknown) => void): Database<Schema> =>
  createDatabase<Schema>(
    DATABASE,
    SCHEMA_VERSION,
    (database) => {
      database.createObjectStore("answers");
      database.createObjectStore("uses");
    },
    failed,
  );

export const toKey = (owner: string, hash: string) => `${owner}\n${hash}`;

/** An equal may have found an equal of its own since. */
const MOST_STEPS = 4;

export interface WrittenAnswer extends PersistedAnswer {
  readonly writtenAtMs: number;
}

interface Read {
  /** Hashes that are answered. */
  found: readonly string[];
  /** Keys of rows that are damaged. */
  damaged: readonly string[];
}

/** What may be kept, by hashes; null where it turns out that nothing is. What has no entry is not kept. */
export type Reading = ReadonlyMap<string, Promise<WrittenAnswer | null>>;

/** @param take is handed what is being read, of which each is there as soon as its row is */
export function readRows(
  database: IDBPDatabase<Schema>,
  owner: string,
  hashes: ReadonlySet<string>,
  take: (reading: Reading) => Promise<unknown>,
): Promise<Read> {
  return inTransaction(database, ["answers"], "readonly", async (transaction) => {
    const store = transaction.objectStore("answers");
    const isPersisted = await listPersisted(store, owner, hashes);
    const damaged = new Set<string>();
    const read = createReading(store, damaged);
    const found: string[] = [];
    const readOne = async (hash: string) => {
      const answer = await read(toKey(owner, hash));
      if (answer !== null) found.push(hash);
      return answer;
    };
    const reading = new Map([...hashes].filter(isPersisted).map((hash) => [hash, readOne(hash)]));
    await Promise.all([take(reading), ...reading.values()]);
    return { found, damaged: [...damaged] };
  });
}

type Store = Pick<IDBPObjectStore<Schema, ["answers"], "answers">, "get" | "getAllKeys">;

/** To read a row, there or not, takes as long as to list the keys of ten. */
const LISTED_PER_HASH = 4;

/** Tells which rows are worth reading: those that are there, unless too many others lie between them. */
async function listPersisted(
  store: Store,
  owner: string,
  hashes: ReadonlySet<string>,
): Promise<(hash: string) => boolean> {
  const keys = [...hashes].map((hash) => toKey(owner, hash)).sort();
  const most = keys.length * LISTED_PER_HASH;
  const listed = await store.getAllKeys(IDBKeyRange.bound(keys[0], keys.at(-1)), most);
  const persisted = new Set(listed);
  return (hash) => listed.length === most || persisted.has(toKey(owner, hash));
}

interface ReadRow {
  equals: string | null;
  /** Null where it is damaged, or has none of its own. */
  answer: WrittenAnswer | null;
}

/** What several queries share stays one value: their cells compare it by identity, and it is parsed once. */
function createReading(store: Store, damaged: Set<string>): (key: string) => Promise<WrittenAnswer | null> {
  const rows = new Map<string, Promise<ReadRow | undefined>>();
  const read = (key: string) => {
    const known = rows.get(key) ?? store.get(key).then((row) => row && { equals: row.equals, answer: decodeRow(row) });
    rows.set(key, known);
    return known;
  };
  return async (from) => {
    let key = from;
    let row = await read(key);
    for (let step = 0; step < MOST_STEPS && row?.equals; step++) {
      key = row.equals;
      row = await read(key);
    }
    if (row?.answer === null) damaged.add(key);
    return row?.answer ?? null;
  };
}

/** A row with a text, as it was written; null where it is not. */
function decodeRow({ text, asOfMs, sources, writtenAtMs }: Row): WrittenAnswer | null {
  if (typeof text !== "string" || typeof asOfMs !== "number" || !Array.isArray(sources)) return null;
  try {
    return { value: JSON.parse(text), asOfMs, sources, writtenAtMs };
  } catch {
    return null;
  }
}

/** Of what is kept at most, this is left when that is exceeded. */
const LEFT = 0.8;

/** An answer with the rows that name it as their equal, which are worth nothing without it. */
interface Group {
  keys: string[];
  characters: number;
  usedAtMs: number;
}

/**
 * Drops what has not been used for longest, until little enough is kept.
 *
 * @param most in characters
 * @param isFull whether the browser takes no more, however little it is: then half goes
 */
export async function evictLeastRecentlyUsed(use: Database<Schema>, most: number, isFull: boolean): Promise<void> {
  await use(undefined, (database) =>
    inTransaction(database, ["answers", "uses"], "readwrite", async (transaction) => {
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
      await Promise.all(dropped.flatMap((key) => [answers.delete(key), uses.delete(key)]));
    }),
  );
}

export const sum = (uses: readonly Use[]): number => uses.reduce((total, { characters }) => total + characters, 0);

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

/** Drops what is kept of others. */
export async function dropOthers(use: Database<Schema>, owner: string): Promise<void> {
  const others = [IDBKeyRange.upperBound(toKey(owner, ""), true), IDBKeyRange.lowerBound(toKey(owner, "\uffff"), true)];
  await use(undefined, (database) =>
    inTransaction(database, ["answers", "uses"], "readwrite", async (transaction) => {
      const stores = [transaction.objectStore("answers"), transaction.objectStore("uses")];
      await Promise.all(stores.flatMap((store) => others.map((range) => store.delete(range))));
    }),
  );
}

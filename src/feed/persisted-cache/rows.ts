import type { DBSchema, IDBPDatabase, IDBPObjectStore } from "idb";
import type { Source } from "../../client/http/request-log";
import { createDatabase, type Database, inTransaction } from "../database";
import type { PersistedAnswer } from "./types";

/** An answer in the database: as JSON, or as a reference to an equal one. */
export interface Row {
  text: string | null;
  /** Key of the row that has the text. */
  equals: string | null;
  asOfMs: number;
  sources: readonly Source[];
  /** The last written answer to a query counts, not the newest: undo may have restored an earlier one. */
  writtenAtMs: number;
}

/** The last use of an answer, for eviction without reading the answers. */
export interface Use {
  usedAtMs: number;
  asOfMs: number;
  characters: number;
  /** As in its row: equal answers are evicted together. */
  equals: string | null;
}

export interface Schema extends DBSchema {
  answers: { key: string; value: Row };
  uses: { key: string; value: Use };
}

export const DATABASE = "feed-answers";

/** Increase with each change of a row or of the answers' format: rows of other versions are dropped. */
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

/** Limit of references to follow: an equal answer may have become a reference itself. */
const MOST_STEPS = 4;

export interface WrittenAnswer extends PersistedAnswer {
  readonly writtenAtMs: number;
}

interface Read {
  /** Hashes with an answer. */
  found: readonly string[];
  /** Keys of damaged rows. */
  damaged: readonly string[];
}

/** Answers under way, by hashes; a hash without an entry has no row. */
export type Reading = ReadonlyMap<string, Promise<WrittenAnswer | null>>;

/** @param take receives the answers under way; each resolves as soon as its row is read */
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

/** Reading a row, present or not, takes as long as listing ten keys. */
const LISTED_PER_HASH = 4;

/** Tells which rows to read: those that exist, or all where too many others lie between them. */
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
  /** Null where the row is damaged or a reference. */
  answer: WrittenAnswer | null;
}

/** Reads each row once, so that queries with an equal answer share one value: cells compare it by identity. */
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

/** Decodes a row with a text; null where it is damaged. */
function decodeRow({ text, asOfMs, sources, writtenAtMs }: Row): WrittenAnswer | null {
  if (typeof text !== "string" || typeof asOfMs !== "number" || !Array.isArray(sources)) return null;
  try {
    return { value: JSON.parse(text), asOfMs, sources, writtenAtMs };
  } catch {
    return null;
  }
}

export const sum = (uses: readonly Use[]): number => uses.reduce((total, { characters }) => total + characters, 0);

/** Drops the answers of other owners. */
export const dropOthers = (use: Database<Schema>, owner: string): Promise<void> =>
  dropRows(use, [IDBKeyRange.upperBound(toKey(owner, ""), true), IDBKeyRange.lowerBound(toKey(owner, "\uffff"), true)]);

export const dropRows = (use: Database<Schema>, keys: readonly (string | IDBKeyRange)[]): Promise<void> =>
  use(undefined, (database) =>
    inTransaction(database, ["answers", "uses"], "readwrite", async (transaction) => {
      const stores = [transaction.objectStore("answers"), transaction.objectStore("uses")];
      await Promise.all(stores.flatMap((store) => keys.map((key) => store.delete(key))));
    }),
  );

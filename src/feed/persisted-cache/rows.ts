import type { DBSchema, IDBPDatabase, IDBPObjectStore } from "idb";
import type { Source } from "../../client/http/request-log";
import { createDatabase, type Database, inTransaction } from "../database";
import { fromTexts, unpackRows } from "./packing";
import type { PersistedAnswer } from "./types";

/** An answer in the database: as JSON, or as a reference to an equal one. */
export interface Row {
  text: string | null;
  /** How many slices of its rows stand apart; 0 where the text has them. */
  slices: number;
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
  /** A part of an answer's rows, packed. */
  slices: { key: string; value: string };
}

export const DATABASE = "feed-answers";

export const STORES: ("answers" | "uses" | "slices")[] = ["answers", "uses", "slices"];

/** Increase with each change of a row or of the answers' format: rows of other versions are dropped. */
const SCHEMA_VERSION = 3;

export const openAnswers = (failed: (error: unknown) => void): Database<Schema> =>
  createDatabase<Schema>(
    DATABASE,
    SCHEMA_VERSION,
    (database) => {
      for (const store of STORES) database.createObjectStore(store);
    },
    failed,
  );

export const toKey = (owner: string, hash: string) => `${owner}\n${hash}`;

export const toSliceKey = (key: string, at: number) => `${key}\n${at}`;

/** The keys of all slices of an answer. */
export const toSliceKeys = (key: string) => IDBKeyRange.bound(toSliceKey(key, 0), `${key}\n:`);

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
export type ReadAnswers = ReadonlyMap<string, Promise<WrittenAnswer | null>>;

/** @param take receives the answers under way; each resolves as soon as its row is read */
export function readRows(
  database: IDBPDatabase<Schema>,
  owner: string,
  hashes: ReadonlySet<string>,
  take: (reading: ReadAnswers) => Promise<unknown>,
): Promise<Read> {
  return inTransaction(database, ["answers", "slices"], "readonly", async (transaction) => {
    const store = transaction.objectStore("answers");
    const isPersisted = await listPersisted(store, owner, hashes);
    const damaged = new Set<string>();
    const read = createReading(store, transaction.objectStore("slices"), damaged);
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

type Answers = Pick<IDBPObjectStore<Schema, ["answers", "slices"], "answers">, "get" | "getAllKeys">;
type Slices = Pick<IDBPObjectStore<Schema, ["answers", "slices"], "slices">, "get">;

/** Reading a row, present or not, takes as long as listing ten keys. */
const LISTED_PER_HASH = 4;

/** Tells which rows to read: those that exist, or all where too many others lie between them. */
async function listPersisted(
  store: Answers,
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
function createReading(
  store: Answers,
  slices: Slices,
  damaged: Set<string>,
): (key: string) => Promise<WrittenAnswer | null> {
  const rows = new Map<string, Promise<ReadRow | undefined>>();
  const readRow = async (key: string): Promise<ReadRow | undefined> => {
    const row = await store.get(key);
    return row && { equals: row.equals, answer: await decodeRow(row, (at) => slices.get(toSliceKey(key, at))) };
  };
  const read = (key: string) => {
    const known = rows.get(key) ?? readRow(key);
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

/** Decodes a row with a text, each slice in a task of its own; null where it is damaged. */
async function decodeRow(
  { text, slices, asOfMs, sources, writtenAtMs }: Row,
  readSlice: (at: number) => Promise<string | undefined>,
): Promise<WrittenAnswer | null> {
  if (typeof text !== "string" || typeof asOfMs !== "number" || !Array.isArray(sources)) return null;
  const readOne = async (_: unknown, at: number) => unpackRows((await readSlice(at)) ?? "");
  try {
    const rows = await Promise.all(Array.from({ length: slices }, readOne));
    return { value: fromTexts(text, rows), asOfMs, sources, writtenAtMs };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error; // the database fails
  }
}

export const sum = (uses: readonly Use[]): number => uses.reduce((total, { characters }) => total + characters, 0);

/** Drops the answers of other owners. */
export const dropOthers = (use: Database<Schema>, owner: string): Promise<void> =>
  dropRows(use, [IDBKeyRange.upperBound(toKey(owner, ""), true), IDBKeyRange.lowerBound(toKey(owner, "\uffff"), true)]);

export const dropRows = (use: Database<Schema>, keys: readonly (string | IDBKeyRange)[]): Promise<void> =>
  use(undefined, (database) =>
    inTransaction(database, STORES, "readwrite", async (transaction) => {
      const stores = [transaction.objectStore("answers"), transaction.objectStore("uses")];
      const slices = transaction.objectStore("slices");
      await Promise.all([
        ...stores.flatMap((store) => keys.map((key) => store.delete(key))),
        ...keys.map((key) => slices.delete(typeof key === "string" ? toSliceKeys(key) : key)),
      ]);
    }),
  );

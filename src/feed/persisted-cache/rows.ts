import type { DBSchema, IDBPDatabase, IDBPObjectStore } from "idb";
import type { Source } from "../../client/http/request-log";
import { createDatabase, type Database, inTransaction } from "../database";
import { fromTexts, unpackRows } from "./packing";
import type { PersistedAnswer } from "./types";

/** An answer in the database. */
export interface Row {
  /** JSON. */
  text: string;
  /** How many slices of its rows stand apart; 0 where the text has them. */
  slices: number;
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
export const SCHEMA_VERSION = 3;

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
    const slices = transaction.objectStore("slices");
    const found: string[] = [];
    const damaged: string[] = [];
    const readOne = async (hash: string) => {
      const key = toKey(owner, hash);
      const row = await store.get(key);
      if (row === undefined) return null;
      const answer = await decodeRow(row, (at) => slices.get(toSliceKey(key, at)));
      if (answer === null) damaged.push(key);
      else found.push(hash);
      return answer;
    };
    const reading = new Map([...hashes].filter(isPersisted).map((hash) => [hash, readOne(hash)]));
    await Promise.all([take(reading), ...reading.values()]);
    return { found, damaged };
  });
}

type Answers = Pick<IDBPObjectStore<Schema, ["answers", "slices"], "answers">, "getAllKeys">;

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

/** Decodes a row, each slice in a task of its own; null where it is damaged. */
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

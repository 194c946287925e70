import type { DBSchema, IDBPDatabase } from "idb";
import { createDatabase, type Database, inTransaction } from "../database";
import type { Source } from "../watch/types";
import type { KeptAnswer } from "./types";

/** An answer as it lies in the database: as JSON, or as the name of an equal one. */
export interface Row {
  text: string | null;
  /** Key of the row that has the text. */
  equals: string | null;
  asOfMs: number;
  sources: readonly Source[];
  /** Of what answers the same question, what was written last counts: an answer of before may have been put back. */
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

export interface WrittenAnswer extends KeptAnswer {
  readonly writtenAtMs: number;
}

export interface Read {
  /** By their hashes. */
  found: ReadonlyMap<string, WrittenAnswer>;
  /** Keys of rows that are damaged. */
  damaged: readonly string[];
}

export function readRows(database: IDBPDatabase<Schema>, owner: string, hashes: readonly string[]): Promise<Read> {
  return inTransaction(database, ["answers"], "readonly", async (transaction) => {
    const store = transaction.objectStore("answers");
    const rows = new Map<string, Promise<Row | undefined>>();
    const read = (key: string) => {
      const row = rows.get(key) ?? store.get(key);
      rows.set(key, row);
      return row;
    };
    const readOne = async (hash: string) => {
      let key = toKey(owner, hash);
      let row = await read(key);
      for (let step = 0; step < MOST_STEPS && row?.equals; step++) {
        key = row.equals;
        row = await read(key);
      }
      return { hash, key, row };
    };
    return decodeRows(await Promise.all([...new Set(hashes)].map(readOne)));
  });
}

/** What several questions share stays one value: their cells compare it by identity, and it is parsed once. */
function decodeRows(rows: readonly { hash: string; key: string; row: Row | undefined }[]): Read {
  const answers = new Map<string, WrittenAnswer>();
  const found = new Map<string, WrittenAnswer>();
  const damaged = new Set<string>();
  for (const { hash, key, row } of rows) {
    if (row === undefined || damaged.has(key)) continue;
    const answer = answers.get(key) ?? decodeRow(row);
    if (answer === null) damaged.add(key);
    else found.set(hash, answer);
    if (answer !== null) answers.set(key, answer);
  }
  return { found, damaged: [...damaged] };
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

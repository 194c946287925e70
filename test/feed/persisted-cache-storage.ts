import { afterEach, beforeEach, jest } from "@jest/globals";
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { openDB } from "idb";
import { createPersistedCache } from "../../src/feed/persisted-cache";
import type { Row, Use } from "../../src/feed/persisted-cache/rows";
import { createClock } from "../support/clock";
import { until } from "../support/until";

const DATABASE = "feed-answers";

const surroundings = globalThis as { indexedDB?: unknown; addEventListener?: unknown };

/** Gives each test of the file a storage of its own, and takes back what it put in its place. */
export function keepFreshStorage(): typeof surroundings {
  beforeEach(() => {
    surroundings.indexedDB = new IDBFactory();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    delete surroundings.indexedDB;
    delete surroundings.addEventListener;
  });
  return surroundings;
}

/** Opens the database, created as the add-in does. */
const openPersisted = () =>
  openDB(DATABASE, 3, {
    upgrade(database) {
      for (const store of ["answers", "uses", "slices"]) database.createObjectStore(store);
    },
  });

interface Persisted {
  answers: Map<string, Row>;
  uses: Map<string, Use>;
  slices: Map<string, string>;
}

/** All persisted entries, by key. */
export async function readPersisted(): Promise<Persisted> {
  const database = await openPersisted();
  const read = async (store: keyof Persisted) => {
    const [keys, rows] = await Promise.all([database.getAllKeys(store), database.getAll(store)]);
    return new Map(keys.map((key, index) => [String(key), rows[index]]));
  };
  const persisted = { answers: await read("answers"), uses: await read("uses"), slices: await read("slices") };
  database.close();
  return persisted;
}

/** Waits until a number of answers is persisted. */
export const untilPersisted = (count: number): Promise<void> =>
  until(async () => (await readPersisted()).answers.size >= count);

/** Changes the rows whose keys contain a text. */
export async function changeRows(part: string, change: (row: Row) => unknown): Promise<void> {
  const { answers } = await readPersisted();
  const database = await openPersisted();
  for (const [key, row] of answers) if (key.includes(part)) await database.put("answers", change(row), key);
  database.close();
}

/** The persisted cache of a page alone, on a clock that advances by itself while it waits to write. */
export function createPage(owner = "client", mostCharacters?: number) {
  const clock = createClock({ hurryMs: 1_000 });
  const answers = createPersistedCache({
    ports: clock.ports,
    owner: async () => owner,
    ...(mostCharacters !== undefined && { mostCharacters }),
  });
  const store = (hash: string, value: unknown, asOfMs = clock.nowMs()) =>
    answers.store(hash, { value, asOfMs, sources: [] });
  return {
    answers,
    clock,
    store,
    /** Stores answers under new keys, and waits until they are persisted. */
    async persist(values: Readonly<Record<string, unknown>>, asOfMs?: number) {
      for (const [hash, value] of Object.entries(values)) store(hash, value, asOfMs);
      await until(async () => {
        const persisted = (await readPersisted()).answers;
        return Object.keys(values).every((hash) => persisted.has(`${owner}\n${hash}`));
      });
    },
    load: async (hash: string) => (await answers.load([hash]))?.value ?? null,
  };
}

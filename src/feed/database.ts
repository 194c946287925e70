import { type DBSchema, type IDBPDatabase, openDB } from "idb";

/**
 * Uses a database. Nothing depends on it: where storage is blocked, full, gone, newer than this page or slow to answer,
 * `otherwise` comes in its place.
 */
export type Database<S extends DBSchema> = <T>(
  otherwise: T,
  use: (database: IDBPDatabase<S>) => Promise<T>,
) => Promise<T>;

/** A database that answers nothing for so long is taken for blocked: some browsers leave such requests open for ever. */
const PATIENCE_MS = 5_000;

/**
 * Makes a database of this origin, which is opened when it is first used; where there is none, nothing is kept.
 *
 * @param version counts up with each change of what is kept; what an older one kept is dropped
 * @param create makes its stores
 */
export function createDatabase<S extends DBSchema>(
  name: string,
  version: number,
  create: (database: IDBPDatabase<S>) => void,
): Database<S> {
  if (typeof indexedDB === "undefined") return async (otherwise) => otherwise;
  let opened: Promise<IDBPDatabase<S>> | null = null;
  let isBlocked = false;
  const leave = () => {
    void opened?.then((database) => database.close()).catch(() => {});
    opened = null;
  };
  const attempt = async <T>(use: (database: IDBPDatabase<S>) => Promise<T>) => {
    opened ??= open(name, version, create, leave);
    return use(await opened);
  };
  return async (otherwise, use) => {
    if (isBlocked) return otherwise;
    const patience = waitFor(PATIENCE_MS, () => {
      isBlocked = true;
      return otherwise;
    });
    try {
      return await Promise.race([attempt(use), patience.over]);
    } catch {
      leave(); // it may have been closed under our hands: the next use opens it anew
      return otherwise;
    } finally {
      patience.end();
    }
  };
}

function open<S extends DBSchema>(
  name: string,
  version: number,
  create: (database: IDBPDatabase<S>) => void,
  leave: () => void,
): Promise<IDBPDatabase<S>> {
  return openDB<S>(name, version, {
    upgrade(database) {
      for (const store of [...database.objectStoreNames]) database.deleteObjectStore(store);
      create(database);
    },
    blocking: leave, // another window changes or deletes it, and waits for this one to let go
    terminated: leave,
  });
}

function waitFor<T>(delayMs: number, then: () => T): { over: Promise<T>; end: () => void } {
  let end = () => {};
  const over = new Promise<T>((resolve) => {
    const timer = setTimeout(() => resolve(then()), delayMs);
    end = () => clearTimeout(timer);
  });
  return { over, end };
}

import { type DBSchema, deleteDB, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from "idb";

/**
 * Uses a database. Nothing depends on it: where storage is blocked, full, gone, newer than this page or slow to answer,
 * `otherwise` comes in its place.
 */
export type Database<S extends DBSchema> = <T>(
  otherwise: T,
  use: (database: IDBPDatabase<S>) => Promise<T>,
) => Promise<T>;

/** A database that answers nothing for so long is given up: some browsers leave such requests open for ever. */
const PATIENCE_MS = 5_000;
const STEP_MS = 250;

/**
 * Makes a database of this origin, which is opened when it is first used; where there is none, nothing is kept.
 *
 * @param version counts up with each change of what is kept; what an older one kept is dropped
 * @param create makes its stores
 * @param failed is told why it could not be used: an Error, by its name
 */
export function createDatabase<S extends DBSchema>(
  name: string,
  version: number,
  create: (database: IDBPDatabase<S>) => void,
  failed: (error: unknown) => void = () => {},
): Database<S> {
  if (typeof indexedDB === "undefined") return async (otherwise) => otherwise;
  let opened: Promise<IDBPDatabase<S>> | null = null;
  let isSilent = false;
  const leave = () => {
    void opened?.then((database) => database.close()).catch(() => {});
    opened = null;
  };
  const attempt = async <T>(use: (database: IDBPDatabase<S>) => Promise<T>) => {
    opened ??= open(name, version, create, leave);
    return use(await opened);
  };
  return async (otherwise, use) => {
    if (isSilent) return otherwise;
    const patience = createPatience(PATIENCE_MS, () => {
      isSilent = true;
      failed(new DOMException("", "TimeoutError"));
      return otherwise;
    });
    try {
      return await Promise.race([attempt(use), patience.over]);
    } catch (error) {
      failed(error);
      leave(); // it may have been closed under our hands: the next use opens it anew
      return otherwise;
    } finally {
      patience.end();
    }
  };
}

/** Runs all of it or nothing, and gives what `run` gives: at once where it only reads, else once it is written. @throws DOMException where it is aborted */
export async function inTransaction<S extends DBSchema, N extends StoreNames<S>, M extends IDBTransactionMode, T>(
  database: IDBPDatabase<S>,
  stores: N[],
  mode: M,
  run: (transaction: IDBPTransaction<S, N[], M>) => Promise<T>,
): Promise<T> {
  const transaction = database.transaction(stores, mode, { durability: "relaxed" });
  try {
    transaction.done.catch(() => {}); // whoever reads hears of it by what is read
    const result = await run(transaction);
    if (mode !== "readonly") await transaction.done;
    return result;
  } catch (error) {
    tryAbort(transaction);
    throw error;
  }
}

/** What refuses one request of it has not always ended it. */
function tryAbort(transaction: { abort(): void }): void {
  try {
    transaction.abort();
  } catch {
    // it has ended
  }
}

/** Drops a database, also one that is damaged or of another version; whether it is gone. */
export async function dropDatabase(name: string): Promise<boolean> {
  const patience = createPatience(PATIENCE_MS, () => false);
  try {
    return await Promise.race([deleteDB(name).then(() => true), patience.over]);
  } catch {
    return false;
  } finally {
    patience.end();
  }
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

/** Its time is counted bit by bit: a page that was busy for all of it may not have heard yet what the database said. */
function createPatience<T>(delayMs: number, then: () => T): { over: Promise<T>; end: () => void } {
  let end = () => {};
  const over = new Promise<T>((resolve) => {
    const wait = (leftMs: number) => {
      const timer = setTimeout(() => (leftMs > 0 ? wait(leftMs - STEP_MS) : resolve(then())), STEP_MS);
      end = () => clearTimeout(timer);
    };
    wait(delayMs - STEP_MS);
  });
  return { over, end: () => end() };
}

import { type DBSchema, deleteDB, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from "idb";

/**
 * Uses a database; gives `otherwise` where storage is blocked, full, gone, newer than this page or slow to answer.
 */
export type Database<S extends DBSchema> = <T>(
  otherwise: T,
  use: (database: IDBPDatabase<S>) => Promise<T>,
) => Promise<T>;

/** A database that does not answer for so long is given up: some browsers leave such requests open for ever. */
const PATIENCE_MS = 5_000;
const STEP_MS = 250;

/**
 * Makes a database of this origin, which opens at its first use.
 *
 * @param version increases with each change of the format; data of older versions is dropped
 * @param create makes its stores
 * @param failed called with the error of each failed use
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
      leave(); // the browser may have closed it: the next use opens it anew
      return otherwise;
    } finally {
      patience.end();
    }
  };
}

/**
 * Runs `run` in one transaction; gives its result, of a write once that is done.
 *
 * @throws DOMException where the transaction is aborted
 */
export async function inTransaction<S extends DBSchema, N extends StoreNames<S>, M extends IDBTransactionMode, T>(
  database: IDBPDatabase<S>,
  stores: N[],
  mode: M,
  run: (transaction: IDBPTransaction<S, N[], M>) => Promise<T>,
): Promise<T> {
  const transaction = database.transaction(stores, mode, { durability: "relaxed" });
  try {
    transaction.done.catch(() => {}); // the requests themselves report the error
    const result = await run(transaction);
    if (mode !== "readonly") await transaction.done;
    return result;
  } catch (error) {
    tryAbort(transaction);
    throw error;
  }
}

/** A refused request does not always end its transaction. */
function tryAbort(transaction: { abort(): void }): void {
  try {
    transaction.abort();
  } catch {
    // it has ended
  }
}

/** Drops a database, also one that is damaged or of another version; gives whether that succeeded. */
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
    blocking: leave, // another window changes or deletes it, and waits until this one closes it
    terminated: leave,
  });
}

/** Counts a timeout in short steps: a page that was busy all the time may have the database's answer in its queue. */
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

import type { DBSchema } from "idb";
import { createDatabase, inTransaction } from "../database";

/**
 * Keeps values between one opening of the page and the next. Nothing depends on it: where storage is blocked,
 * full or slow to answer, what is kept is lost and read anew.
 */
export interface NameStore {
  /** The value of a key; undefined where there is none, or none can be read. */
  load(key: string): Promise<unknown>;
  /** The values of all keys that begin so. */
  loadAll(prefix: string): Promise<unknown[]>;
  keep(key: string, value: unknown): Promise<void>;
  /** Drops all keys that begin so. */
  drop(prefix: string): Promise<void>;
}

interface Schema extends DBSchema {
  names: { key: string; value: unknown };
}

/** The browser's IndexedDB, or nothing where there is none. */
export function createNameStore(): NameStore {
  const use = createDatabase<Schema>("feed-names", 1, (database) => database.createObjectStore("names"));
  return {
    load: (key) =>
      use<unknown>(undefined, (names) =>
        inTransaction(names, ["names"], "readonly", (transaction) => transaction.store.get(key)),
      ),
    loadAll: (prefix) =>
      use<unknown[]>([], (names) =>
        inTransaction(names, ["names"], "readonly", (transaction) => transaction.store.getAll(toRange(prefix))),
      ),
    keep: (key, value) => use(undefined, async (names) => void (await names.put("names", value, key))),
    drop: (prefix) => use(undefined, (names) => names.delete("names", toRange(prefix))),
  };
}

const toRange = (prefix: string) => IDBKeyRange.bound(prefix, `${prefix}\uffff`);

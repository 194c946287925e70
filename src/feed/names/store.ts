import type { DBSchema } from "idb";
import { createDatabase, dropDatabase, inTransaction } from "../database";

/**
 * Persists values across openings of the page, as a cache: where storage is blocked, full or slow, values are lost
 * and read anew from the provider.
 */
export interface NameStore {
  /** The value of a key; undefined where there is none, or none can be read. */
  load(key: string): Promise<unknown>;
  /** The values of all keys with this prefix. */
  loadAll(prefix: string): Promise<unknown[]>;
  save(key: string, value: unknown): Promise<void>;
  /** Drops all keys with this prefix. */
  drop(prefix: string): Promise<void>;
  /** Approximate size in bytes. */
  size(): Promise<number>;
  /** Drops everything; gives whether that succeeded. */
  dropAll(): Promise<boolean>;
}

interface Schema extends DBSchema {
  names: { key: string; value: unknown };
}

/** Makes a store in IndexedDB; where there is none, it holds nothing. */
export function createNameStore(): NameStore {
  const use = createDatabase<Schema>(DATABASE, 1, (database) => database.createObjectStore("names"));
  return {
    load: (key) =>
      use<unknown>(undefined, (names) =>
        inTransaction(names, ["names"], "readonly", (transaction) => transaction.objectStore("names").get(key)),
      ),
    loadAll: (prefix) =>
      use<unknown[]>([], (names) =>
        inTransaction(names, ["names"], "readonly", (transaction) =>
          transaction.objectStore("names").getAll(toRange(prefix)),
        ),
      ),
    save: (key, value) => use(undefined, async (names) => void (await names.put("names", value, key))),
    drop: (prefix) => use(undefined, (names) => names.delete("names", toRange(prefix))),
    size: () =>
      use(0, (names) =>
        inTransaction(names, ["names"], "readonly", async (transaction) => {
          const store = transaction.objectStore("names");
          let bytes = 0;
          // Read one by one: an index of all countries is large.
          for (const key of await store.getAllKeys()) bytes += toBytes(await store.get(key));
          return bytes;
        }),
      ),
    dropAll: () => dropDatabase(DATABASE),
  };
}

const DATABASE = "feed-names";

function toBytes(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== "object" || value === null) return 8;
  return Object.values(value).reduce((sum: number, part) => sum + toBytes(part), 0);
}

const toRange = (prefix: string) => IDBKeyRange.bound(prefix, `${prefix}\uffff`);

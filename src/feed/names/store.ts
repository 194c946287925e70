import { createStore, delMany, get, getMany, keys, set } from "idb-keyval";

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

/** A store that answers nothing for so long is taken for blocked: some browsers leave such requests open for ever. */
const PATIENCE_MS = 5_000;

const NOTHING: NameStore = {
  load: async () => undefined,
  loadAll: async () => [],
  keep: async () => {},
  drop: async () => {},
};

/** The browser's IndexedDB, or nothing where there is none. */
export function createNameStore(): NameStore {
  if (typeof indexedDB === "undefined") return NOTHING;
  const store = createStore("feed-names", "names");
  let isBlocked = false;
  const attempt = async <T>(otherwise: T, use: () => Promise<T>): Promise<T> => {
    if (isBlocked) return otherwise;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise<T>((resolve) => {
      timer = setTimeout(() => {
        isBlocked = true;
        resolve(otherwise);
      }, PATIENCE_MS);
    });
    try {
      return await Promise.race([use(), patience]);
    } catch {
      return otherwise;
    } finally {
      clearTimeout(timer);
    }
  };
  const list = async (prefix: string) =>
    (await keys(store)).filter((key) => typeof key === "string" && key.startsWith(prefix));
  return {
    load: (key) => attempt<unknown>(undefined, () => get(key, store)),
    loadAll: (prefix) => attempt<unknown[]>([], async () => getMany(await list(prefix), store)),
    keep: (key, value) => attempt(undefined, () => set(key, value, store)),
    drop: (prefix) => attempt(undefined, async () => delMany(await list(prefix), store)),
  };
}

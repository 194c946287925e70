import type { NameEngine } from "./names/engine";
import type { Hindrance, PersistedCache, PersistedCacheOptions } from "./persisted-cache/types";

export const NO_PERSISTED_CACHE: PersistedCache = {
  load: async () => null,
  store: () => {},
  evictOthers: () => {},
  size: async () => 0,
  forget: async () => true,
  hindrance: () => "absent",
};

/**
 * Makes the persisted cache. Its script loads while the companion tells the owner; without the script or without
 * IndexedDB it persists nothing.
 */
export function createPersistedCache(options: PersistedCacheOptions): PersistedCache {
  if (typeof indexedDB === "undefined") return NO_PERSISTED_CACHE;
  let made: PersistedCache | undefined;
  const store = import(/* webpackChunkName: "answers" */ "./persisted-cache/store")
    .then(({ createPersistedCacheStore }) => createPersistedCacheStore(options))
    .catch(() => NO_PERSISTED_CACHE)
    .then((answers) => (made = answers));
  return {
    load: async (hashes) => (await store).load(hashes),
    store: (...persisted) => void store.then((answers) => answers.store(...persisted)),
    evictOthers: async () => (await store).evictOthers(),
    size: async () => (await store).size(),
    forget: async () => (await store).forget(),
    hindrance: () => made?.hindrance() ?? null,
  };
}

/** Where there is no browser, another may take its place before a feed is made. */
export const persistedCaches = { create: createPersistedCache };

/** The data that outlives the page on this computer: answers and indexes of names. */
export interface PersistedData {
  /** Approximate size in bytes. */
  size(): Promise<number>;
  /** Drops all of it, but not the page's memory; gives whether that succeeded. */
  forget(): Promise<boolean>;
  /** Why this page persists no answers; null while it does. */
  hindrance(): Hindrance | null;
}

export function createPersistedData(
  answers: Pick<PersistedCache, "size" | "forget" | "hindrance">,
  engine: Pick<NameEngine, "size" | "drop">,
): PersistedData {
  return {
    async size() {
      const [ofAnswers, ofNames] = await Promise.all([answers.size(), engine.size()]);
      return ofAnswers + ofNames;
    },
    async forget() {
      const gone = await Promise.all([answers.forget(), engine.drop()]);
      return gone.every((each) => each);
    },
    hindrance: answers.hindrance,
  };
}

import type { DBSchema } from "idb";
import { createDatabase, dropDatabase } from "../database";
import { loadScript } from "../script";
import type { MatchedName } from "./matching/match";
import type { NameToMatch } from "./matching/types";
import { toLost } from "./not-ready";
import type { NameRow, NameSource } from "./rows";
import { createNameIndex, type FoundRows, type NameIndex, openNameIndex, type PersistedIndex } from "./search";

export interface IndexFacts {
  companies: number;
  /** When it was built, milliseconds since the Unix epoch. */
  builtAtMs: number;
  /** Families that the client may not read: the index lacks their companies. */
  missing: readonly NameSource[];
}

/** The facts of one page of a family's list that prove the list complete. */
export interface PageFacts {
  family: NameSource;
  /** From 1. */
  number: number;
  /** The page_size of the request; undefined when it had none. */
  requestedSize: number | undefined;
  pageSize: number | null;
  total: number | null;
  ids: readonly string[];
  atMs: number;
}

interface NamePage extends PageFacts {
  names: readonly NameRow[];
}

/** Holds the indexes, builds and searches them; in a worker where there is one. A key is of one country and client. */
export interface NameEngine {
  /** Opens an index in memory or from the store; null where there is none. */
  open(key: string): Promise<IndexFacts | null>;
  /** Begins or resumes a build; gives the pages that it has. */
  resume(key: string, sinceMs: number): Promise<PageFacts[]>;
  /** Adds a page; a first page replaces the family's pages. @throws NoValueError (FEED_INDEX_NOT_READY) without a build here */
  add(key: string, page: NamePage): Promise<void>;
  /** Makes an index of the build's pages. @throws NoValueError (FEED_INDEX_NOT_READY) without a build here */
  finish(key: string, facts: Omit<IndexFacts, "companies">): Promise<IndexFacts>;
  search(key: string, text: string, wanted: number, family?: NameSource): Promise<FoundRows>;
  match(key: string, text: string, family?: NameSource): Promise<FoundRows>;
  /**
   * Matches names, each with the companies that it may mean.
   *
   * @throws RequestError (FEED_NETWORK_FAILED) when the script of the matching does not come
   */
  matchNames(key: string, names: readonly NameToMatch[]): Promise<MatchedName[]>;
  /** Frees the memory; the store retains its data. */
  forget(): Promise<void>;
  /** Approximate size of the store in bytes. */
  size(): Promise<number>;
  /** Empties the store, not the memory; gives whether that succeeded. */
  drop(): Promise<boolean>;
}

interface Opened {
  index: NameIndex;
  facts: IndexFacts;
}

interface Persisted extends PersistedIndex {
  facts: IndexFacts;
}

/** Makes an engine whose store holds the indexes, and the pages of unfinished builds. */
export function createNameEngine(store: NameStore): NameEngine {
  const indexes = createIndexes(store);
  const builds = createBuilds(store);
  return {
    open: async (key) => (await indexes.open(key))?.facts ?? null,
    resume: builds.resume,
    add: builds.add,
    async finish(key, { builtAtMs, missing }) {
      const read = builds.need(key).filter(({ family }) => !missing.includes(family));
      const index = createNameIndex(read.flatMap(({ names }) => names));
      const facts = { builtAtMs, missing, companies: index.size };
      indexes.put(key, { index, facts });
      await builds.drop(key);
      await store.save(toIndexKey(key), { ...index.toPersisted(), facts } satisfies Persisted);
      return facts;
    },
    search: async (key, text, wanted, family) => (await indexes.need(key)).search(text, wanted, family),
    match: async (key, text, family) => (await indexes.need(key)).match(text, family),
    matchNames: async (key, names) => (await loadMatching()).matchNames(await indexes.need(key), names),
    async forget() {
      indexes.forget();
      builds.forget();
    },
    size: store.size,
    drop: store.dropAll,
  };
}

/** A script of its own, since most indexes are searched and never matched. */
const loadMatching = () => loadScript(() => import(/* webpackChunkName: "matching" */ "./matching/match"));

/** The indexes in memory; a stored one is read at its first use. */
function createIndexes(store: NameStore) {
  const opened = new Map<string, Opened>();
  const open = async (key: string) => {
    const known = opened.get(key) ?? (await openPersisted(store, key));
    if (known !== null) opened.set(key, known);
    return known;
  };
  return {
    open,
    async need(key: string) {
      const known = await open(key);
      if (known === null) throw toLost();
      return known.index;
    },
    put: (key: string, index: Opened) => void opened.set(key, index),
    forget: () => opened.clear(),
  };
}

/** The pages of builds under way, each stored as it comes. */
function createBuilds(store: NameStore) {
  const builds = new Map<string, NamePage[]>();
  const need = (key: string) => {
    const pages = builds.get(key);
    if (pages === undefined) throw toLost();
    return pages;
  };
  return {
    need,
    async resume(key: string, sinceMs: number) {
      const persisted = builds.get(key) ?? (await store.loadAll(toPageKey(key))).filter(isPage);
      const pages = persisted.every(({ atMs }) => atMs >= sinceMs) ? persisted : [];
      builds.set(key, pages);
      return pages.map(({ names: _, ...facts }) => facts);
    },
    async add(key: string, page: NamePage) {
      const begins = page.number === 1;
      const others = need(key).filter(
        ({ family, number }) => family !== page.family || (!begins && number !== page.number),
      );
      builds.set(key, [...others, page]);
      if (begins) await store.drop(toPageKey(key, page.family));
      await store.save(toPageKey(key, page.family, page.number), page);
    },
    async drop(key: string) {
      builds.delete(key);
      await store.drop(toPageKey(key));
    },
    forget: () => builds.clear(),
  };
}

/** Increase with every change of the stored format or of the folding of names: entries of other versions are ignored. */
const INDEX_VERSION = 6;
const PAGE_VERSION = 5;

const toIndexKey = (key: string) => `${INDEX_VERSION} index ${key}`;
const toPageKey = (key: string, family = "", number: number | "" = "") =>
  `${PAGE_VERSION} page ${key} ${[family, number].filter((part) => part !== "").join(" ")}`.trimEnd();

/** Opens a stored index; drops a damaged one and gives null. */
async function openPersisted(store: NameStore, key: string): Promise<Opened | null> {
  const persisted = (await store.load(toIndexKey(key))) as Persisted | undefined;
  if (persisted === undefined) return null;
  try {
    const index = openNameIndex(persisted);
    if (persisted.facts.companies !== index.size) throw new Error("companies are missing from the index of names");
    if (index.size > 0) index.list(index.size - 1, 1);
    return { index, facts: persisted.facts };
  } catch {
    await store.drop(toIndexKey(key));
    return null;
  }
}

function isPage(value: unknown): value is NamePage {
  const { ids, names, number, atMs } = (value ?? {}) as Partial<NamePage>;
  return Array.isArray(ids) && Array.isArray(names) && typeof number === "number" && typeof atMs === "number";
}

/** Makes an engine with the browser's store, or what a host without one has put in its place. */
export const createPersistedEngine = (): NameEngine => createNameEngine(nameStores.create());

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
    load: (key) => use<unknown>(undefined, (names) => names.get("names", key)),
    loadAll: (prefix) => use<unknown[]>([], (names) => names.getAll("names", toRange(prefix))),
    save: (key, value) => use(undefined, async (names) => void (await names.put("names", value, key))),
    drop: (prefix) => use(undefined, (names) => names.delete("names", toRange(prefix))),
    size: () =>
      use(0, async (names) => {
        let bytes = 0;
        // Read one by one: an index of all countries is large.
        for (const key of await names.getAllKeys("names")) bytes += toBytes(await names.get("names", key));
        return bytes;
      }),
    dropAll: () => dropDatabase(DATABASE),
  };
}

const DATABASE = "feed-names";

export const nameStores = { create: createNameStore };

function toBytes(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== "object" || value === null) return 8;
  return Object.values(value).reduce((sum: number, part) => sum + toBytes(part), 0);
}

const toRange = (prefix: string) => IDBKeyRange.bound(prefix, `${prefix}\uffff`);

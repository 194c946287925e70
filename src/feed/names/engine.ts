import { NoValueError } from "../errors";
import type { Family, NameRow } from "./rows";
import { createNameIndex, type Found, type KeptIndex, type NameIndex, openNameIndex } from "./search";
import type { NameStore } from "./store";

/** What is known of an index. */
export interface IndexFacts {
  /** How many companies it has. */
  companies: number;
  /** When it was built, milliseconds since the Unix epoch. */
  builtAtMs: number;
  /** Families that the client may not read, so that their companies are not in it. */
  missing: readonly Family[];
}

/** What came for one page of a family's list: what proves the list whole, and the names. */
export interface PageFacts {
  family: Family;
  /** From 1. */
  number: number;
  /** The page_size that was asked for; undefined when none was. */
  asked: number | undefined;
  pageSize: number | null;
  total: number | null;
  ids: readonly string[];
  atMs: number;
}

export interface NamePage extends PageFacts {
  names: readonly NameRow[];
}

/** Holds the indexes, builds and searches them; in a worker where there is one. Keys tell countries and clients apart. */
export interface NameEngine {
  /** Opens an index that is in memory or kept; null where there is none. */
  open(key: string): Promise<IndexFacts | null>;
  /** Begins a build, or goes on with one: gives the pages that came before. */
  resume(key: string, sinceMs: number): Promise<PageFacts[]>;
  /** Adds a page; the first of a family begins it anew. @throws NoValueError (FEED_INDEX_NOT_READY) when no such build was begun here */
  add(key: string, page: NamePage): Promise<void>;
  /** Makes the index of the pages that came. @throws NoValueError (FEED_INDEX_NOT_READY) when no such build was begun here */
  finish(key: string, facts: Omit<IndexFacts, "companies">): Promise<IndexFacts>;
  search(key: string, text: string, wanted: number): Promise<Found>;
  match(key: string, text: string): Promise<Found>;
  /** The companies from one place on. */
  list(key: string, from: number, count: number): Promise<readonly NameRow[]>;
  /** Frees the memory; what is kept stays. */
  forget(): Promise<void>;
}

interface Opened {
  index: NameIndex;
  facts: IndexFacts;
}

interface Kept extends KeptIndex {
  facts: IndexFacts;
}

export function createNameEngine(store: NameStore): NameEngine {
  const indexes = new Map<string, Opened>();
  const builds = new Map<string, NamePage[]>();
  const open = async (key: string) => {
    const known = indexes.get(key) ?? (await openKept(store, key));
    if (known !== null) indexes.set(key, known);
    return known;
  };
  const need = async (key: string) => {
    const known = await open(key);
    if (known === null) throw toLost("index of names");
    return known.index;
  };
  const needBuild = (key: string) => {
    const pages = builds.get(key);
    if (pages === undefined) throw toLost("part of the index of names that had come");
    return pages;
  };
  return {
    open: async (key) => (await open(key))?.facts ?? null,
    async resume(key, sinceMs) {
      const kept = builds.get(key) ?? (await store.loadAll(toPageKey(key))).filter(isPage);
      const pages = kept.every(({ atMs }) => atMs >= sinceMs) ? kept : [];
      builds.set(key, pages);
      return pages.map(({ names: _, ...facts }) => facts);
    },
    async add(key, page) {
      const begins = page.number === 1;
      const others = needBuild(key).filter(
        ({ family, number }) => family !== page.family || (!begins && number !== page.number),
      );
      builds.set(key, [...others, page]);
      if (begins) await store.drop(toPageKey(key, page.family));
      await store.keep(toPageKey(key, page.family, page.number), page);
    },
    async finish(key, { builtAtMs, missing }) {
      const read = needBuild(key).filter(({ family }) => !missing.includes(family));
      const index = createNameIndex(read.flatMap(({ names }) => names));
      const facts = { builtAtMs, missing, companies: index.size };
      indexes.set(key, { index, facts });
      builds.delete(key);
      await store.drop(toPageKey(key));
      await store.keep(toIndexKey(key), { ...index.toKept(), facts } satisfies Kept);
      return facts;
    },
    search: async (key, text, wanted) => (await need(key)).search(text, wanted),
    match: async (key, text) => (await need(key)).match(text),
    list: async (key, from, count) => (await need(key)).list(from, count),
    async forget() {
      indexes.clear();
      builds.clear();
    },
  };
}

const toLost = (what: string) =>
  new NoValueError("FEED_INDEX_NOT_READY", `the ${what} is lost; build it again in the FEED pane`);

/** Grows by one with every change of what is kept or of how names are folded: what is of before is not read. */
const VERSION = 1;

const toIndexKey = (key: string) => `${VERSION} index ${key}`;
const toPageKey = (key: string, family = "", number: number | "" = "") =>
  `${VERSION} page ${key} ${[family, number].filter((part) => part !== "").join(" ")}`.trimEnd();

/** What was kept may be damaged: then there is nothing. */
async function openKept(store: NameStore, key: string): Promise<Opened | null> {
  const kept = (await store.load(toIndexKey(key))) as Kept | undefined;
  if (kept === undefined) return null;
  try {
    const index = openNameIndex(kept);
    if (kept.facts.companies !== index.size) throw new Error("companies are missing from the index of names");
    if (index.size > 0) index.list(index.size - 1, 1);
    return { index, facts: kept.facts };
  } catch {
    await store.drop(toIndexKey(key));
    return null;
  }
}

function isPage(value: unknown): value is NamePage {
  const { ids, names, number, atMs } = (value ?? {}) as Partial<NamePage>;
  return Array.isArray(ids) && Array.isArray(names) && typeof number === "number" && typeof atMs === "number";
}

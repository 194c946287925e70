import type { Row } from "../decode";
import { pickField } from "../fields";
import { foldCode } from "../names/folded-letters";

/** What a ranking ranks, and the fields that identify it. */
export interface RankedKind {
  /** The field that no two have: the ticker, or the industry's id. */
  codeField: string;
  nameField: string;
  /** What tells two of one name apart where neither has a code. */
  placeField: string;
  /** The page type that ranks companies by their views of it; null for the provider's order. */
  pageType: string | null;
}

export const COMPANY_KIND: RankedKind = {
  codeField: "tickerSymbol",
  nameField: "companyName",
  placeField: "headquarters",
  pageType: null,
};

export const INDUSTRY_KIND: RankedKind = {
  codeField: "industryId",
  nameField: "industryName",
  placeField: "subSectorName",
  pageType: null,
};

/** A row of a ranking. */
export interface Entry {
  /** The provider's row. */
  readonly source: Row;
  /** The same with the numbers of the ranking: in a page type's ranking they are that type's. */
  readonly row: Row;
  /** Means the same in every ranking: the code alone, or name and place where there is none. */
  readonly key: string;
  /** Null where the provider gives none: a ticker may be null (§2.6). */
  readonly code: string | null;
  readonly name: string;
  /** Its place from 1; null where a page type's ranking has no number for it. */
  readonly rank: number | null;
}

/** The ranking of one period, or its first rows. */
export interface RankedList {
  /** In their order. */
  readonly entries: readonly Entry[];
  /** The first row of each key. */
  readonly byKey: ReadonlyMap<string, Entry>;
  /** All rows of the keys that several rows have. */
  readonly alike: ReadonlyMap<string, readonly Entry[]>;
  /** Gives the rows of a name; indexed when it is first needed. */
  byName(name: string): readonly Entry[];
  /** Whether it was read to its end. */
  readonly isWhole: boolean;
}

/** Work of some milliseconds a step, which ends with a result. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Rows of a step. */
const ROWS_A_STEP = 1_000;

/** Gives items one by one, with a step after each thousand. */
export function* inSteps<Item>(items: readonly Item[], use: (item: Item, at: number) => void): Steps<void> {
  for (const [at, item] of items.entries()) {
    if (at > 0 && at % ROWS_A_STEP === 0) yield;
    use(item, at);
  }
}

/**
 * Ranks rows: by their place in the provider's order, or by a page type's views, where equal views have the same rank.
 *
 * @param isWhole whether the rows are the whole ranking
 */
export function* createRankedList(rows: readonly Row[], kind: RankedKind, isWhole: boolean): Steps<RankedList> {
  const entries: Entry[] = [];
  const byKey = new Map<string, Entry>();
  const alike = new Map<string, Entry[]>();
  const ranked = kind.pageType === null ? rows.map(toPlaced) : yield* rankByViews(rows, kind.pageType);
  yield* inSteps(ranked, (each) => {
    const entry = toEntry(each, kind);
    entries.push(entry);
    const first = byKey.get(entry.key);
    if (first === undefined) byKey.set(entry.key, entry);
    else alike.set(entry.key, [...(alike.get(entry.key) ?? [first]), entry]);
  });
  let names: Map<string, Entry[]> | null = null;
  const byName = (name: string) => {
    names ??= groupByName(entries);
    return names.get(name) ?? [];
  };
  return { entries, byKey, alike, byName, isWhole };
}

type Placed = Pick<Entry, "source" | "row" | "rank">;

const toPlaced = (row: Row, at: number): Placed => ({ source: row, row, rank: at + 1 });

function groupByName(entries: readonly Entry[]): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const known = groups.get(entry.name);
    if (known === undefined) groups.set(entry.name, [entry]);
    else known.push(entry);
  }
  return groups;
}

function toEntry({ source, row, rank }: Placed, kind: RankedKind): Entry {
  const code = readCode(source[kind.codeField]);
  const name = toText(source[kind.nameField]);
  return { source, row, rank, code, name, key: code ?? JSON.stringify([name, toText(source[kind.placeField])]) };
}

/** Most tickers; a fold leaves them as they are. */
const DIGITS = /^\d+$/;

/** A code comes as a number too. */
function readCode(value: unknown): string | null {
  const text = toText(value);
  const code = DIGITS.test(text) ? text : foldCode(text);
  return code === "" ? null : code;
}

const toText = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value).trim() : "";

/** Most views first; rows without a number last, in the provider's order and without a rank. */
function* rankByViews(rows: readonly Row[], pageType: string): Steps<Placed[]> {
  const counted: { source: Row; row: Row; views: number | null }[] = [];
  yield* inSteps(rows, (source) => {
    const row = toPageRow(source, pageType);
    const { totalPageViews: views } = row;
    counted.push({ source, row, views: typeof views === "number" && Number.isFinite(views) ? views : null });
  });
  counted.sort((one, other) => (other.views ?? -1) - (one.views ?? -1));
  yield;
  let rank = 0;
  return counted.map(({ source, row, views }, at) => {
    if (views !== counted[at - 1]?.views) rank = at + 1;
    return { source, row, rank: views === null ? null : rank };
  });
}

/** A page type that is null was not viewed at all (§2.6); one that is missing is unknown. */
const NOT_VIEWED = { totalPageViews: 0, totalUniquePageViews: 0 };

/** A row of a ranking by page type with the statistics of that type alone. */
function toPageRow({ companyName, tickerSymbol, headquarters, ...row }: Row, pageType: string): Row {
  const found = pickField(row, `pages.${pageType}`);
  const statistics = found === null ? NOT_VIEWED : typeof found === "object" ? found : {};
  return { companyName, tickerSymbol, headquarters, ...statistics };
}

/** What is the same company, or industry, in several rankings. */
export interface Identity extends Pick<Entry, "key" | "code"> {
  /** Its names in all of them: a company may be renamed. */
  readonly names: readonly string[];
  /** Whether other rows of its own ranking have its code, so that a code tells nothing of it in another. */
  readonly isShared: boolean;
}

/** Gives the identity of a row among these rankings. */
export function toIdentity(entry: Entry, lists: readonly RankedList[]): Identity {
  const { key, code, name } = entry;
  const names = [name];
  const add = (other: string) => {
    if (!names.includes(other)) names.push(other);
  };
  for (const { byKey, alike } of lists) {
    const same = byKey.get(key);
    if (same === undefined) continue;
    add(same.name);
    for (const each of alike.get(key) ?? []) add(each.name);
  }
  const isShared = lists.some(({ alike }) => alike.get(key)?.includes(entry));
  return { key, code, names, isShared };
}

/**
 * Why a ranking has no certain row for something:
 *
 * | reason | means |
 * |---|---|
 * | absent | the whole ranking has no such row |
 * | unread | the first rows have none |
 * | uncertain | several rows could be it, or one without a code that has its name |
 */
export type Missing = "absent" | "unread" | "uncertain";

/** Finds the one row that is certainly the same as in another ranking. */
export function findSame(list: RankedList, identity: Identity): Entry | Missing {
  const { key, code, isShared } = identity;
  if (isShared || list.alike.has(key)) return "uncertain";
  const entry = list.byKey.get(key);
  if (code !== null && entry !== undefined) return entry;
  // Only the whole ranking shows that nothing else has the name.
  if (code === null && !list.isWhole) return "uncertain";
  const others = listNamesakes(list, identity).filter((each) => each !== entry);
  if (others.some((other) => code === null || other.code === null)) return "uncertain";
  return entry ?? (list.isWhole ? "absent" : "unread");
}

const listNamesakes = (list: RankedList, { names }: Identity): readonly Entry[] =>
  names.flatMap((name) => list.byName(name));

/** Lists the rows that could be the same, for a sentence. */
export function listAlike(list: RankedList, identity: Identity): readonly Entry[] {
  const { key } = identity;
  const own = list.alike.get(key) ?? [list.byKey.get(key) ?? []].flat();
  return [...new Set([...own, ...listNamesakes(list, identity)])];
}

/** Finds a row by its code, in the first ranking that has it. */
export function findCoded(lists: readonly RankedList[], text: string): Entry | undefined {
  const code = foldCode(text);
  return lists.find(({ byKey }) => byKey.has(code))?.byKey.get(code);
}

/** The rows of a ranking by their folded names. */
export type NameIndex = ReadonlyMap<string, readonly Entry[]>;

export function* indexNames({ entries }: RankedList, fold: (name: string) => string): Steps<NameIndex> {
  const index = new Map<string, Entry[]>();
  yield* inSteps(entries, (entry) => {
    const text = fold(entry.name);
    const known = index.get(text);
    if (known === undefined) index.set(text, [entry]);
    else known.push(entry);
  });
  return index;
}

/** Finds what a folded name means in all rankings together: a row of each that it could be. */
export function findNamed(indexes: readonly NameIndex[], name: string): readonly Entry[] {
  const found = new Map<string, Entry>();
  for (const index of indexes) for (const entry of index.get(name) ?? []) found.set(entry.key, entry);
  return [...found.values()];
}

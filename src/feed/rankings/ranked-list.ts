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

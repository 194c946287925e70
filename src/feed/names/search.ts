import { isCompanyId } from "../../client/ids";
import { foldCode } from "./folded-letters";
import { foldName, foldQuery, foldWhole, type NameQuery } from "./folding";
import { contradictsForm } from "./form-kinds";
import { isOf, listCodes, listNames, mergeRows, type NameRow, type NameSource, pickColumn } from "./rows";

export interface FoundRows {
  /** At most the wanted number of companies, the best match first. */
  rows: readonly NameRow[];
  /** Number of all matches. */
  total: number;
}

/** An index in memory of companies' names. */
export interface NameIndex {
  /** Number of companies. */
  readonly size: number;
  /**
   * Finds companies by name, ticker, registration number or id. Exact matches come first, those of the same spelling and
   * legal form before others; then matches at the beginning of a name, at the beginning of a word, and inside a word;
   * shorter names first in each group.
   *
   * @param family the family that must have a company; `total` counts the others too that stand before the last one
   *   found; default any
   */
  search(text: string, wanted: number, family?: NameSource): FoundRows;
  /**
   * Finds the companies whose name, ticker, registration number or id is the text; of several, those with its exact
   * spelling; none whose legal form is of another kind than the text's.
   *
   * @param family the family that must have a company; default any
   */
  match(text: string, family?: NameSource): FoundRows;
  /** Gives `count` companies from a position on, in the order of the index. */
  list(from: number, count: number): readonly NameRow[];
  /** Gives the stored form, from which the index opens without folding. */
  toPersisted(): PersistedIndex;
}

/** An index in its stored form: folded names and codes as two texts, and the rows packed. */
export interface PersistedIndex {
  /** The folded names, each behind an end of line, the shortest first. */
  names: string;
  /** For each name its company. */
  nameRows: Uint32Array;
  /** The folded codes and the websites, each behind an end of line. */
  codes: string;
  codeRows: Uint32Array;
  /** Each row as JSON in UTF-8, one behind the other. */
  packed: Uint8Array;
  /** Where each row begins, and the end of the last. */
  starts: Uint32Array;
}

/** Makes an index of companies; rows of one company become one. */
export function createNameIndex(rows: Iterable<NameRow>): NameIndex {
  const merged = mergeRows(rows);
  const names = createEntries(merged, (row) => [...new Set(listNames(row).map(foldName))]);
  const codes = createEntries(merged, (row) => [...listCodes(row).map(foldCode), ...listWebsites(row)]);
  return openNameIndex({
    names: names.text,
    nameRows: names.rows,
    codes: codes.text,
    codeRows: codes.rows,
    ...packRows(merged),
  });
}

/** A website among the codes; a folded code has no such sign, so that no search finds it by accident. */
export const toWebsiteCode = (host: string): string => `@${host}`;

const listWebsites = (row: NameRow): string[] =>
  [pickColumn(row, "website")].filter((host) => host !== "").map(toWebsiteCode);

/** Joins the texts of all rows, the shortest first, so that matches come in that order. */
function createEntries(rows: readonly NameRow[], toTexts: (row: NameRow) => string[]) {
  const byLength: { texts: string[]; rows: number[] }[] = [];
  rows.forEach((row, index) => {
    for (const text of toTexts(row).filter((each) => each !== "")) {
      byLength[text.length] ??= { texts: [], rows: [] };
      byLength[text.length]?.texts.push(text);
      byLength[text.length]?.rows.push(index);
    }
  });
  const lengths = Object.values(byLength);
  const text = lengths.map(({ texts }) => `\n${texts.join("\n")}`).join("");
  return { text: `${text}\n`, rows: Uint32Array.from(lengths.flatMap((each) => each.rows)) };
}

function packRows(rows: readonly NameRow[]): { packed: Uint8Array; starts: Uint32Array } {
  const encoder = new TextEncoder();
  const starts = new Uint32Array(rows.length + 1);
  const parts = rows.map((row, index) => {
    const part = encoder.encode(JSON.stringify(row));
    starts[index + 1] = (starts[index] as number) + part.length;
    return part;
  });
  const packed = new Uint8Array(starts[rows.length] as number);
  for (const [index, part] of parts.entries()) packed.set(part, starts[index]);
  return { packed, starts };
}

/** Ranks of a match: the lower the better. */
const EXACT = 0;
const BEGINNING = 1;
const WORD = 2;
const INSIDE = 3;

/** Matches by rank, each list in the order of the text. */
type Fits = readonly [number[], number[], number[], number[]];

/** @throws Error when the parts do not fit together */
export function openNameIndex(persisted: PersistedIndex): NameIndex {
  const { packed, starts } = persisted;
  const size = starts.length - 1;
  const names = openEntries(persisted.names, persisted.nameRows);
  const codes = openEntries(persisted.codes, persisted.codeRows);
  if (size < 0 || starts[size] !== packed.length) throw new Error("rows are missing from the index of names");
  const decoder = new TextDecoder();
  const unpack = (row: number): NameRow => JSON.parse(decoder.decode(packed.subarray(starts[row], starts[row + 1])));
  /** The exact matches alone, and all matches. */
  const find = (text: string) => {
    const { exact, others } = findAll(names, codes, foldQuery(text));
    const first = toRows(size, [findId(persisted, text), ...exact]);
    return { first, rankAll: () => toRows(size, [sortAlike(first, unpack, text), ...others]) };
  };
  return {
    size,
    search(text, wanted, family) {
      const all = find(text).rankAll();
      if (family === undefined) return { rows: Array.from(all.subarray(0, wanted), unpack), total: all.length };
      const rows: NameRow[] = [];
      let total = 0;
      for (const row of all) {
        if (rows.length === wanted || total === MOST_LOOKED_AT) break;
        total++;
        const found = unpack(row);
        if (isOf(found, family)) rows.push(found);
      }
      return { rows, total };
    },
    match(text, family) {
      const padded = listPadded(text).map((code) => findCodes(codes, code).isExact);
      const all = padded.length === 0 ? find(text).first : toRows(size, [[...find(text).first], ...padded]);
      const alike = Array.from(all.subarray(0, MOST_ALIKE), unpack);
      if (family === undefined) return preferLiteral(alike, all.length, text);
      const rows = alike.filter((row) => isOf(row, family));
      return preferLiteral(rows, rows.length, text);
    },
    list: (from, count) => Array.from({ length: Math.min(count, size - from) }, (_, index) => unpack(from + index)),
    toPersisted: () => persisted,
  };
}

/** Excel drops the zeros before a number: 700 may be Hong Kong's 0700 as well as a company's own 700. */
const listPadded = (text: string): string[] =>
  /^[1-9]\d{0,4}$/.test(text.trim()) ? TICKER_LENGTHS.map((length) => text.trim().padStart(length, "0")) : [];

const TICKER_LENGTHS = [4, 5, 6];

/** A search of one family reads so many companies at most. */
const MOST_LOOKED_AT = 5_000;

/** Limit of companies of one name whose exact spelling is compared. */
const MOST_ALIKE = 1_000;

/**
 * Narrows companies of one folded name to those with the query's spelling, else to those with its legal form. A query
 * without a legal form says nothing of it: "Sakura" may be "Sakura Ltd." as well as another "Sakura"; one of another kind
 * of company is no match: "Sakura GmbH" is none of them.
 */
function preferLiteral(rows: readonly NameRow[], total: number, text: string): FoundRows {
  if (foldWhole(text) === foldName(text)) return { rows, total };
  const best = Math.min(...rows.map((row) => toLikeness(row, text)));
  const preferred = rows.filter((row) =>
    best === OTHER_FORM
      ? !contradictsForm(text, listNames(row), pickColumn(row, "countryCode"))
      : toLikeness(row, text) === best,
  );
  return { rows: preferred, total: preferred.length };
}

/** Puts exact matches of the query's spelling first, then those of its legal form; the order is else the same. */
function sortAlike(rows: Uint32Array, unpack: (row: number) => NameRow, text: string): readonly number[] {
  if (rows.length < 2) return [...rows];
  const likeness = Array.from(rows.subarray(0, MOST_ALIKE), (row) => ({ row, rank: toLikeness(unpack(row), text) }));
  const sorted = likeness.sort((one, other) => one.rank - other.rank).map(({ row }) => row);
  return [...sorted, ...rows.subarray(MOST_ALIKE)];
}

const SPELT_SO = 0;
const SAME_FORM = 1;
const OTHER_FORM = 2;

/** Ranks an exact match by its spelling and legal form. */
function toLikeness(row: NameRow, text: string): number {
  const has = (fold: (name: string) => string) => listNames(row).some((name) => fold(name) === fold(text));
  if (has((name) => name.trim())) return SPELT_SO;
  return has(foldWhole) ? SAME_FORM : OTHER_FORM;
}

/** Finds a company by its id, with which each packed row begins. */
function findId({ packed, starts }: PersistedIndex, text: string): number[] {
  const id = text.trim();
  if (!isCompanyId(id)) return [];
  const toBytes = (text: string) => new TextEncoder().encode(`["${text}`);
  const [upper, lower] = [toBytes(id.toUpperCase()), toBytes(id.toLowerCase())];
  const begins = (start: number) =>
    lower.every((byte, at) => packed[start + at] === byte || packed[start + at] === upper[at]);
  const row = starts.subarray(0, -1).findIndex(begins);
  return row === -1 ? [] : [row];
}

interface Entries {
  text: string;
  /** For each entry its company. */
  rows: Uint32Array;
  /** Where each entry begins, and one past the end of the text. */
  starts: Uint32Array;
}

/** @throws Error when there are not as many entries as rows for them */
function openEntries(text: string, rows: Uint32Array): Entries {
  const starts = new Uint32Array(rows.length + 1);
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts[count++] = at + 1;
  if (count !== starts.length) throw new Error("entries are missing from the index of names");
  return { text, rows, starts };
}

/** Finds companies by rank of their matches; some several times. */
function findAll(names: Entries, codes: Entries, { whole, words, code }: NameQuery) {
  const fits = findNames(names, whole, words);
  const { isExact, isBeginning } = code === "" ? NO_CODES : findCodes(codes, code);
  return {
    exact: [isExact, fits[EXACT]],
    others: [fits[BEGINNING], isBeginning, fits[WORD], fits[INSIDE]],
  };
}

const NO_CODES = { isExact: [], isBeginning: [] };

/** Passes over the text once, by the longest word; matches come in the text's order, by length. */
function findNames({ text, rows, starts }: Entries, whole: string, words: readonly string[]): Fits {
  const fits: Fits = [[], [], [], []];
  const longest = words.reduce((one, other) => (other.length > one.length ? other : one), "");
  const hasWord = createWordSearch(text, longest);
  let entry = 0;
  for (let at = longest === "" ? -1 : text.indexOf(longest); at !== -1; ) {
    while ((starts[entry + 1] as number) <= at) entry++;
    const start = starts[entry] as number;
    const end = (starts[entry + 1] as number) - 1;
    const row = rows[entry] as number;
    if (words.length === 1 ? at === start : text.startsWith(whole, start)) {
      fits[end - start === whole.length ? EXACT : BEGINNING].push(row);
    } else {
      const fit = words.length > 1 ? matchWords(text.slice(start, end), words) : hasWord(at, end) ? WORD : INSIDE;
      if (fit !== null) fits[fit].push(row);
    }
    at = text.indexOf(longest, end);
  }
  return fits;
}

/** Tells whether a word begins so between two positions; searches on only, since positions only grow. */
function createWordSearch(text: string, word: string): (from: number, end: number) => boolean {
  let next = -1;
  return (from, end) => {
    if (next < from - 1) {
      const found = text.indexOf(` ${word}`, from - 1);
      next = found === -1 ? Number.POSITIVE_INFINITY : found;
    }
    return next < end;
  };
}

/** Ranks a name by several words; null when one is missing. */
function matchWords(name: string, words: readonly string[]): typeof WORD | typeof INSIDE | null {
  if (words.every((word) => name.startsWith(word) || name.includes(` ${word}`))) return WORD;
  return words.every((word) => name.includes(word)) ? INSIDE : null;
}

/** Codes match as a whole or by their beginning: digits inside a long number mean nothing. */
function findCodes({ text, rows, starts }: Entries, code: string) {
  const isExact: number[] = [];
  const isBeginning: number[] = [];
  let entry = 0;
  for (let at = text.indexOf(`\n${code}`); at !== -1; at = text.indexOf(`\n${code}`, at + 1)) {
    while ((starts[entry + 1] as number) <= at + 1) entry++;
    const isWhole = (starts[entry + 1] as number) - (starts[entry] as number) - 1 === code.length;
    (isWhole ? isExact : isBeginning).push(rows[entry] as number);
  }
  return { isExact, isBeginning };
}

/** Lists each company once, by its best match. */
function toRows(size: number, fits: readonly (readonly number[])[]): Uint32Array {
  const seen = new Uint8Array(size);
  const rows = new Uint32Array(size);
  let count = 0;
  for (const fit of fits) {
    for (const row of fit) {
      if (seen[row] === 0) rows[count++] = row;
      seen[row] = 1;
    }
  }
  return rows.subarray(0, count);
}

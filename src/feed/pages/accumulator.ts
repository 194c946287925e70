import { NoValueError } from "../../client/errors";
import { toCompanyKey } from "../../client/ids";
import { msg } from "../../client/messages";
import type { Page, Row } from "../decode";
import type { List } from "./types";

/** Rows of a sheet; ends the reading of a provider whose pages never end. */
const MAX_ROWS = 1_048_576;

/** Caps are round numbers: a first page of another length is not cut by one. */
const CAP_STEP = 5;

const SMALLEST_CAP = 10;

export interface ReadingResult {
  verdict: Verdict;
  list: List;
  /** All rows read. */
  rows: readonly Row[];
  /** Identities of the rows. */
  keys: ReadonlySet<string>;
  /** The first total of the provider. */
  announced: number | null;
  /** The total did not change, and as many rows came. */
  isCounted: boolean;
  /** Rows of the largest page. */
  largest: number;
  /** Number of pages with rows. */
  pages: number;
}

/** Joins the pages of one reading. */
export function createPageAccumulator(options: ReadingOptions) {
  const state = createReadingState(options);
  return {
    /** Adds a page with the size of its request; gives whether another page is needed. */
    add: (page: Page, requestedSize: number | undefined): boolean =>
      addPage(state, page, requestedSize) && !needsNoMore(state),
    /** Whether the pages so far could be the whole list. */
    mayEnd: (): boolean => (readTotal(state) === null ? state.isShort || state.isEmptied : hasAll(state)),
    toList: (): List => toList(state),
    toResult: (): ReadingResult => toResult(state),
  };
}

function needsNoMore(state: ReadingState): boolean {
  const { knownLargest = 0, rows } = state;
  const count = rows.length;
  // A first page of a round number may be cut by an unknown cap though its total says it is all: one more request
  // decides. A provider that gave a larger page before has no cap there.
  const isRound = count >= SMALLEST_CAP && count % CAP_STEP === 0;
  const mayBeCap = state.pages.length === 1 && isRound && count >= knownLargest;
  return count >= state.wanted || (hasAll(state) && state.isShort && !mayBeCap);
}

/** Adds a page's rows; false when the list ended before it, or the reading can no longer prove it. */
function addPage(state: ReadingState, page: Page, requestedSize: number | undefined): boolean {
  if (page.isOfAnotherReading) return giveUp(state, "changed");
  const isFirst = state.pages.length === 0;
  if (isFirst) Object.assign(state, { total: page.total, requestedSize });
  const identities = page.rows.map(identifyRow);
  const keys = identities.map(({ key }) => key);
  if (mayBeLost(state, page)) {
    state.isEmptied = true;
    return true;
  }
  if (state.isEmptied && keys.length > 0 && !state.isSifted) return giveUp(state, "gap");
  if (keys.length === 0 || isRepeated(state, keys)) {
    state.isLooping = keys.length > 0 && state.pages.length === 1;
    return false;
  }
  recordTotal(state, page);
  if (!state.isSteady && !state.isPageCount) return giveUp(state, "changed");
  state.names.push(page.page ?? null);
  const overlap = countOverlap(state, page, keys);
  if (!addKeys(state, identities.slice(overlap)) || state.isFilledUp) return giveUp(state, "repeated");
  state.isFilledUp = overlap > 0;
  for (const row of page.rows.slice(overlap)) state.rows.push(row);
  if (state.rows.length > MAX_ROWS) {
    throw new NoValueError("FEED_RESULT_TOO_LARGE", msg`the list is too long for a formula; give a smaller top`);
  }
  state.largest = Math.max(state.largest, keys.length);
  state.isShort = isBelow(keys.length, [page.pageSize, requestedSize, isFirst ? null : state.largest]);
  state.pages.push(keys);
  return true;
}

/** Whether an empty page may be lost: behind full pages, and where no total tells the end. The next one shows it. */
const mayBeLost = ({ pages, total, isShort, isEmptied }: ReadingState, { rows, isPastEnd }: Page): boolean =>
  rows.length === 0 && pages.length > 0 && total === null && !isShort && !isEmptied && !isPastEnd;

function giveUp(state: ReadingState, fault: ReadingState["fault"]): false {
  state.fault = fault;
  return false;
}

function recordTotal(state: ReadingState, { total, rows }: Page): void {
  if (total === null) return;
  state.total ??= total;
  if (total !== state.total) state.isSteady = false;
  if (total !== rows.length) state.isPageCount = false;
}

/** Adds the keys of a page; gives whether each id is new. */
function addKeys(state: ReadingState, identities: readonly Identity[]): boolean {
  // Rows of one page belong to one moment: two equal ones there are two rows, not one twice.
  if (identities.some(({ key, isId }) => !isId && state.seen.has(key))) state.hasAlike = true;
  const isNew = ({ key, isId }: Identity) => state.seen.size < state.seen.add(key).size || !isId;
  return identities.filter(isNew).length === identities.length;
}

/**
 * Whether a page past the end repeats earlier rows: any earlier page, or the last rows of the list.
 */
function isRepeated(state: ReadingState, keys: readonly string[]): boolean {
  const { pages, seen, largest } = state;
  const isSame = (other: readonly string[]) =>
    other.length === keys.length && other.every((key, at) => key === keys[at]);
  if (pages.some(isSame)) return true;
  if (hasAll(state)) return keys.every((key) => seen.has(key));
  return keys.length >= largest && isSame(pages.slice(-2).flat().slice(-keys.length));
}

/** Counts the rows that a last page repeats at its beginning, where a provider fills it up with earlier rows. */
function countOverlap(state: ReadingState, page: Page, keys: readonly string[]): number {
  const { rows } = state;
  const missing = (readTotal(state) ?? Number.POSITIVE_INFINITY) - rows.length;
  const overlap = keys.length - missing;
  if (!(overlap > 0 && overlap <= rows.length)) return 0;
  const toText = (part: readonly Row[]) => JSON.stringify(part);
  return toText(rows.slice(-overlap)) === toText(page.rows.slice(0, overlap)) ? overlap : 0;
}

function toList(state: ReadingState): List {
  const { rows, wanted } = state;
  const expected = Math.min(wanted, readTotal(state) ?? rows.length);
  return { rows: rows.slice(0, expected), expected };
}

function toResult(state: ReadingState): ReadingResult {
  const { rows, seen: keys, total: announced, largest, pages } = state;
  const list = toList(state);
  const isCounted = hasAll(state);
  return {
    verdict: findVerdict(state, list.expected),
    list,
    rows,
    keys,
    announced,
    isCounted,
    largest,
    pages: pages.length,
  };
}

/** Whether a page has fewer rows than the smallest of its sizes; false without any size. */
function isBelow(rows: number, sizes: readonly (number | null | undefined)[]): boolean {
  const known = sizes.filter((size) => typeof size === "number");
  return known.length > 0 && rows < Math.min(...known);
}

interface ReadingOptions {
  /** Rows wanted, Infinity for all. */
  wanted: number;
  /** Rows of the largest page that the provider gave in earlier readings; default 0. */
  knownLargest?: number | undefined;
  /** The provider takes rows out of its pages, so that one before the last may be shorter than others. */
  isSifted: boolean;
}

interface ReadingState extends ReadingOptions {
  rows: Row[];
  /** Keys of the rows, a list for each page. */
  pages: string[][];
  seen: Set<string>;
  /** The total of the first page that has one. */
  total: number | null;
  isSteady: boolean;
  /** Each page's total is the number of its own rows: it says nothing of the list. */
  isPageCount: boolean;
  /** Page size of the first page's request. */
  requestedSize: number | undefined;
  largest: number;
  isShort: boolean;
  isLooping: boolean;
  /** The page number that each page states. */
  names: (number | null)[];
  hasAlike: boolean;
  /** A page was filled up with earlier rows, as only the last one may be. */
  isFilledUp: boolean;
  /** The page before was empty. */
  isEmptied: boolean;
  /** Reason to end the reading early. */
  fault: "changed" | "repeated" | "gap" | null;
}

const createReadingState = (options: ReadingOptions): ReadingState => ({
  ...options,
  rows: [],
  pages: [],
  seen: new Set(),
  total: null,
  isSteady: true,
  isPageCount: true,
  requestedSize: undefined,
  largest: 0,
  isShort: true,
  isLooping: false,
  names: [],
  hasAlike: false,
  isFilledUp: false,
  isEmptied: false,
  fault: null,
});

/** Gives the total; null where it changed, or is below the number of rows. */
function readTotal({ total, rows, isSteady }: ReadingState): number | null {
  return isSteady && total !== null && total >= rows.length ? total : null;
}

/** Whether the total equals the number of rows. */
const hasAll = (state: ReadingState): boolean => readTotal(state) === state.rows.length;

/** Common page sizes: exactly so many rows, the same for every page, are likely a cut list. */
const USUAL_SIZES: ReadonlySet<number> = new Set([25, 50, 100, 200, 250, 500, 1000]);

/**
 * The result of one reading:
 *
 * | verdict | means |
 * |---|---|
 * | whole | the total did not change, as many rows came, and each id came once |
 * | changed | pages announced different totals, or one is of another reading |
 * | repeated | an id came twice |
 * | short | fewer rows came than were announced |
 * | gap | a page before the last is empty or has fewer rows than others, and no total shows that none is missing |
 * | alike | pages have equal rows without an id: two, or one twice |
 * | looping | the second page equals the first, and the total announces more rows |
 * | stuck | the second page equals the first, and there is no total |
 * | misnamed | pages state other numbers than were requested |
 */
export type Verdict = "whole" | "changed" | "repeated" | "short" | "gap" | "alike" | "looping" | "stuck" | "misnamed";

/** @param expected number of wanted rows that exist */
function findVerdict(state: ReadingState, expected: number): Verdict {
  const { fault, rows, isLooping, isSifted, hasAlike } = state;
  if (fault !== null) return fault;
  if (rows.length < expected) return isLooping ? "looping" : "short";
  if (isStuck(state)) return "stuck";
  if (isMisnamed(state)) return "misnamed";
  if (!isSifted && !hasAll(state) && hasGap(state)) return "gap";
  return hasAlike ? "alike" : "whole";
}

/** A provider that repeats more rows than requested, or an unusual number, does not page at all: those are the list. */
function isStuck({ isLooping, total, rows, requestedSize }: ReadingState): boolean {
  const isUsual = USUAL_SIZES.has(rows.length) && !(requestedSize !== undefined && rows.length > requestedSize);
  return isLooping && total === null && (rows.length === requestedSize || isUsual);
}

/** Some count pages from 0; some call each page the first, where the total has to prove the rows. */
function isMisnamed(state: ReadingState): boolean {
  const [first = null] = state.names;
  const isAny = (toName: (at: number) => number) =>
    first !== null && state.names.some((name, at) => name !== null && name !== toName(at));
  return isAny((at) => Number(first) + at) && (isAny(() => Number(first)) || !hasAll(state));
}

/** Whether a page before the end is shorter than others, or an only page shorter than requested. */
function hasGap(state: ReadingState): boolean {
  const { pages, rows, largest, requestedSize = 0 } = state;
  const size = pages.length === 1 ? Math.max(requestedSize, largest) : largest;
  const isEnd = (at: number) => at === pages.length - 1 && (readTotal(state) ?? 0) <= rows.length;
  return pages.some((page, at) => page.length < size && !isEnd(at));
}

/** Identity of a row in its list. */
interface Identity {
  key: string;
  /** No two rows of a list share an id; two rows without one may be alike. */
  isId: boolean;
}

/**
 * Identifies a row of any list: by the company's id in any letter case and its classifications in any order, since a
 * list may have a row for each; by the industry's id; a ranked company, which has none (§2.6), by its name with its
 * registration number or ticker, else with its headquarters; a row without any of these by all its fields.
 */
export function identifyRow(row: Row): Identity {
  const id = readCompany(row) ?? readCode(row.industryId);
  if (id !== null) return { key: id, isId: true };
  const { companyName, headquarters, registrationNumber, tickerSymbol } = row;
  const code = readCode(registrationNumber) ?? readCode(tickerSymbol);
  if (code !== null) return { key: JSON.stringify([code, companyName]), isId: true };
  const isRanked = companyName !== undefined && headquarters !== undefined;
  return { key: JSON.stringify(isRanked ? [companyName, headquarters] : row), isId: false };
}

function readCompany({ companyId, id, taxonomy }: Row): string | null {
  const code = readCode(companyId) ?? readCode(id);
  if (code === null) return null;
  const entries: readonly unknown[] = Array.isArray(taxonomy) ? taxonomy : [];
  return [toCompanyKey(code), ...entries.map(readNode).sort()].join(" ");
}

function readNode(entry: unknown): string {
  const { industryId, subSectorId, sectorId } = Object(entry) as Row;
  return readCode(industryId) ?? readCode(subSectorId) ?? readCode(sectorId) ?? JSON.stringify(entry);
}

/** A code comes as a number too. */
function readCode(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

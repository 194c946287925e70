import type { Page, Row } from "../decode";
import { NoValueError } from "../errors";
import type { KnownList, List } from "./types";

/** As many rows as a sheet has; a provider whose pages never end stops here. */
const MAX_ROWS = 1_048_576;

/** Caps are round numbers, so a first page of another length is none. */
const CAP_STEP = 5;

const SMALLEST_CAP = 10;

/** What providers take for a page: exactly so many rows, the same for every page, are likely a cut list. */
const USUAL_SIZES: ReadonlySet<number> = new Set([25, 50, 100, 200, 250, 500, 1000]);

/** What one reading of a list came to. */
export interface Reading {
  list: List;
  /** Names of all rows that came, in their order; those of the list where its doubles were dropped. */
  ids: readonly string[];
  /** The provider's own count, as its last page had it. */
  total: number | null;
  /** Rows of the largest page. */
  largest: number;
  /** Pages that brought rows. */
  pages: number;
  /** As many rows as announced. */
  isCounted: boolean;
  /** None came twice in different pages, nor in one of a list that is not counted with its doubles. */
  isDistinct: boolean;
  /** The same number was announced all the while. */
  isSteady: boolean;
  /** The first page came again for the second. */
  isLooping: boolean;
  /** It did so, and nothing says that there are no other rows. */
  isStuck: boolean;
  /** Pages called themselves others than were asked for, and no total says that the rows are right all the same. */
  isMisnamed: boolean;
  /** A page said that it is of another moment than those before it. */
  isMixed: boolean;
  /** Counted, distinct, steady, and neither stuck nor misnamed. */
  isSound: boolean;
}

/** The rows of a list so far, and what its pages say about there being more. */
export interface Pile {
  /** Takes a page's rows; false when the list ended before it. */
  add(page: Page, asked: number | undefined): boolean;
  /** Whether nothing more needs to be asked. */
  isWhole(): boolean;
  /** Whether what has come could be everything. */
  mayEnd(): boolean;
  isDistinct(): boolean;
  toList(): List;
  judge(): Reading;
}

export interface PileOptions {
  identify: (row: Row) => string;
  /** Rows wanted, Infinity for all. */
  wanted: number;
  known: KnownList;
}

interface PileState {
  rows: Row[];
  /** Names of the rows, a list for each page. */
  pages: string[][];
  seen: Set<string>;
  total: number | null;
  /** The size that the first page was asked in. */
  asked: number | undefined;
  largest: number;
  isShort: boolean;
  isDistinct: boolean;
  hasDoubles: boolean;
  isSteady: boolean;
  isLooping: boolean;
  /** What the first page called itself; some count from 0. */
  firstPage: number | null;
  isMisnamed: boolean;
  isMixed: boolean;
}

export function createPile({ identify, wanted, known }: PileOptions): Pile {
  const state: PileState = {
    rows: [],
    pages: [],
    seen: new Set(),
    total: null,
    asked: undefined,
    largest: 0,
    isShort: true,
    isDistinct: true,
    hasDoubles: false,
    isSteady: true,
    isLooping: false,
    firstPage: null,
    isMisnamed: false,
    isMixed: false,
  };
  // A first page of a round number that says to be all may be a cap that is not told; one more request tells. A
  // provider that gave a larger page before does not cap there.
  const mayBeCap = () => {
    const count = state.rows.length;
    const isRound = count >= SMALLEST_CAP && count % CAP_STEP === 0;
    return state.pages.length === 1 && isRound && count >= (known.largest ?? 0);
  };
  return {
    add: (page, asked) => addPage(state, page, { asked, ids: page.rows.map(identify), twice: known.twice }),
    isWhole: () => state.rows.length >= wanted || (hasAll(state) && state.isShort && !mayBeCap()),
    mayEnd: () => (readTotal(state) === null ? state.isShort : hasAll(state)),
    isDistinct: () => state.isDistinct,
    toList: () => toList(state, wanted),
    judge: () => judge(state, wanted),
  };
}

/** A total below the rows that have come is no total. */
function readTotal({ total, rows }: PileState): number | null {
  return total !== null && total >= rows.length ? total : null;
}

const hasAll = (state: PileState): boolean => readTotal(state) === state.rows.length;

interface Arrival {
  asked: number | undefined;
  ids: string[];
  /** Names that stand twice in the provider's own list. */
  twice: ReadonlySet<string> | undefined;
}

function addPage(state: PileState, page: Page, { asked, ids, twice }: Arrival): boolean {
  const isFirst = state.pages.length === 0;
  if (isFirst) {
    state.total = page.total;
    state.asked = asked;
    state.firstPage = page.page ?? null;
  }
  if (page.isOfAnotherReading) state.isMixed = true;
  if (ids.length === 0 || state.isMixed) return false;
  if (isRepeated(state, ids)) {
    state.isLooping = state.pages.length === 1;
    return false;
  }
  if (page.total !== state.total) state.isSteady = false;
  if (isMisnamed(state, page)) state.isMisnamed = true;
  const isTwice = (id: string) => state.seen.has(id) && !twice?.has(id);
  if (ids.some(isTwice)) state.isDistinct = false;
  for (const id of ids) {
    if (isTwice(id)) state.hasDoubles = true;
    state.seen.add(id);
  }
  for (const row of page.rows) state.rows.push(row);
  if (state.rows.length > MAX_ROWS) {
    throw new NoValueError("FEED_RESULT_TOO_LARGE", "the list is too long for a formula; give a smaller top");
  }
  state.largest = Math.max(state.largest, ids.length);
  state.isShort = isBelow(ids.length, [page.pageSize, asked, isFirst ? null : state.largest]);
  state.pages.push(ids);
  state.total = page.total;
  return true;
}

/**
 * Whether a page past the end was answered with rows that came before: any earlier page, or the last rows of the
 * list, counted from its end. A shorter page may hold rows that the list has twice.
 */
function isRepeated(state: PileState, ids: readonly string[]): boolean {
  const isSame = (page: readonly string[]) => page.length === ids.length && page.every((id, at) => id === ids[at]);
  if (state.pages.some(isSame)) return true;
  return (hasAll(state) || ids.length >= state.largest) && ids.every((id) => state.seen.has(id));
}

function isMisnamed({ firstPage, pages }: PileState, { page = null }: Page): boolean {
  return firstPage !== null && page !== null && page !== firstPage + pages.length;
}

function toList({ rows, total }: Pick<PileState, "rows" | "total">, wanted: number): List {
  const expected = Math.min(wanted, Math.max(total ?? 0, rows.length));
  return { rows: rows.slice(0, expected), expected };
}

function judge(state: PileState, wanted: number): Reading {
  const { total, asked, largest, hasDoubles, isSteady, isLooping, isMixed } = state;
  const { rows, ids } = dropPadding(state);
  const isDistinct = state.isDistinct && (!hasDoubles || rows.length === total);
  const list = toList({ rows, total }, wanted);
  const isCounted = rows.length >= list.expected;
  // More rows than were asked for, or an unusual number of them, are no page: then nothing is paged, and all came.
  const isPage =
    rows.length === asked || (USUAL_SIZES.has(rows.length) && !(asked !== undefined && rows.length > asked));
  const isStuck = isLooping && total === null && isPage;
  const isMisnamed = state.isMisnamed && readTotal(state) === null;
  const isSound = isCounted && isDistinct && isSteady && !isStuck && !isMisnamed && !isMixed;
  const facts = { total, largest, pages: state.pages.length, isCounted, isDistinct, isSteady, isLooping };
  return { list, ids, ...facts, isStuck, isMisnamed, isMixed, isSound };
}

/** Leaves out rows of an earlier page that came again past the end, where the total counts each row once. */
function dropPadding({ rows, pages, seen, total, isDistinct }: PileState): { rows: Row[]; ids: string[] } {
  const ids = pages.flat();
  if (isDistinct || seen.size !== total) return { rows, ids };
  const met = new Set<string | undefined>();
  return { rows: rows.filter((_, at) => met.size < met.add(ids[at]).size), ids: [...seen] };
}

/** Whether a page has fewer rows than the smallest of its sizes; without any size nobody can tell. */
function isBelow(rows: number, sizes: readonly (number | null | undefined)[]): boolean {
  const known = sizes.filter((size) => typeof size === "number");
  return known.length > 0 && rows < Math.min(...known);
}

import { DEFAULT_PAGE_SIZE } from "../contract/constants";
import type { Page, Row } from "./decode";
import { NoValueError } from "./errors";

/** A list answer, or the part of it that has come so far. */
export interface List {
  readonly rows: readonly Row[];
  /** Rows there will be when all have come. */
  readonly expected: number;
}

/** As many rows as a sheet has; a provider whose pages never end stops here. */
const MAX_ROWS = 1_048_576;

export interface Reading {
  list: List;
  /** As many rows as announced. */
  isCounted: boolean;
  /** The same rows came for another page, and nothing says that there are no others. */
  isStuck: boolean;
  /** Counted, none twice, and announced the same all the while. */
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
  toList(): List;
  judge(): Reading;
}

interface PileState {
  rows: Row[];
  seen: Set<string>;
  total: number | null;
  last: string;
  pages: number;
  largest: number;
  isShort: boolean;
  isSteady: boolean;
  isStuck: boolean;
}

export function createPile(identify: (row: Row) => string, wanted: number): Pile {
  const state: PileState = {
    rows: [],
    seen: new Set(),
    total: null,
    last: "",
    pages: 0,
    largest: 0,
    isShort: true,
    isSteady: true,
    isStuck: false,
  };
  const hasAll = () => readTotal(state) === state.rows.length;
  const toList = (): List => {
    const { rows, total } = state;
    const expected = Math.min(wanted, Math.max(total ?? 0, rows.length));
    return { rows: rows.slice(0, expected), expected };
  };
  return {
    add: (page, asked) => addPage(state, page, { asked, ids: page.rows.map(identify) }),
    // A first page of a round number that says to be all may be a cap that is not told; one more request tells.
    isWhole: () =>
      state.rows.length >= wanted ||
      (hasAll() && state.isShort && (state.pages > 1 || state.rows.length % DEFAULT_PAGE_SIZE !== 0)),
    mayEnd: () => (readTotal(state) === null ? state.isShort : hasAll()),
    toList,
    judge() {
      const list = toList();
      const isCounted = state.rows.length >= list.expected;
      return { list, isCounted, isStuck: state.isStuck, isSound: isCounted && state.isSteady && !state.isStuck };
    },
  };
}

/** A total below the rows that have come is no total. */
function readTotal({ total, rows }: PileState): number | null {
  return total !== null && total >= rows.length ? total : null;
}

function addPage(state: PileState, page: Page, { asked, ids }: { asked: number | undefined; ids: string[] }): boolean {
  if (state.pages === 0) state.total = page.total;
  if (page.rows.length === 0) return false;
  const isRepeated = state.last === JSON.stringify(ids);
  // A list that comes whole whatever page is asked is whole; so is one whose last page comes again.
  state.isStuck = isRepeated && state.total === null && state.pages === 1 && !state.isShort;
  if (isRepeated) return false;
  if (page.total !== state.total || ids.some((id) => state.seen.has(id))) state.isSteady = false;
  for (const id of ids) state.seen.add(id);
  for (const row of page.rows) state.rows.push(row);
  if (state.rows.length > MAX_ROWS) {
    throw new NoValueError("FEED_RESULT_TOO_LARGE", "the list is too long; ask for less");
  }
  state.largest = Math.max(state.largest, page.rows.length);
  state.isShort = isBelow(page.rows.length, [page.pageSize, asked, state.pages === 0 ? null : state.largest]);
  state.last = JSON.stringify(ids);
  state.total = page.total;
  state.pages++;
  return true;
}

/** Whether a page has fewer rows than the smallest of its sizes; without any size nobody can tell. */
function isBelow(rows: number, sizes: readonly (number | null | undefined)[]): boolean {
  const known = sizes.filter((size) => typeof size === "number");
  return known.length > 0 && rows < Math.min(...known);
}

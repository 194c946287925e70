import type { Row } from "../decode";

export interface ReadingOptions {
  /** Rows wanted, Infinity for all. */
  wanted: number;
  /** Rows of the largest page that the provider gave in earlier readings; default 0. */
  knownLargest?: number | undefined;
  /** Rows are taken out of pages, so that one before the last may be shorter than others. */
  isSifted: boolean;
}

/** Where a reading of a list is, and what its pages have said. */
export interface ReadingState extends ReadingOptions {
  rows: Row[];
  /** Keys of the rows, a list for each page. */
  pages: string[][];
  seen: Set<string>;
  /** What the first page with a total announced. */
  total: number | null;
  isSteady: boolean;
  /** Each page announced no more than its own rows, so that the total is none of the list. */
  isPageCount: boolean;
  /** The size that the first page was asked in. */
  asked: number | undefined;
  largest: number;
  isShort: boolean;
  isLooping: boolean;
  /** What each page called itself. */
  names: (number | null)[];
  hasAlike: boolean;
  /** A page was filled up with the rows before it, as only the last one may be. */
  isFilledUp: boolean;
  /** Why the reading was given up. */
  fault: "changed" | "repeated" | null;
}

export const createReadingState = (options: ReadingOptions): ReadingState => ({
  ...options,
  rows: [],
  pages: [],
  seen: new Set(),
  total: null,
  isSteady: true,
  isPageCount: true,
  asked: undefined,
  largest: 0,
  isShort: true,
  isLooping: false,
  names: [],
  hasAlike: false,
  isFilledUp: false,
  fault: null,
});

/** A total that moved, or is below the rows that have come, counts nothing. */
export function readTotal({ total, rows, isSteady }: ReadingState): number | null {
  return isSteady && total !== null && total >= rows.length ? total : null;
}

/** Whether as many rows have come as were announced. */
export const hasAll = (state: ReadingState): boolean => readTotal(state) === state.rows.length;

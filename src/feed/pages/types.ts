import type { OperationId } from "../../client/provider";
import type { Page, Row } from "../decode";

/** A list answer. */
export interface List {
  readonly rows: readonly Row[];
  /** Rows there will be when all have come. */
  readonly expected: number;
}

/** One attempt to read a list: one object for all of its pages. */
export interface ListReading {
  /** An earlier attempt did not prove the list whole: no cache may answer. */
  readonly isFresh: boolean;
  /** The companion's name of the reading, from its first page on; absent where the companion caches no lists. */
  id?: string | undefined;
}

export interface PagesOptions {
  /**
   * Reads one page; `pageSize` undefined leaves page_size out, so that the provider's default holds (§8). A page of
   * another reading ends the attempt.
   */
  loadPage: (page: number, pageSize: number | undefined, reading: ListReading) => Promise<Page>;
  /** Rows wanted from the start of the list, or all of them. */
  wanted: number | "all";
  /** Called with the rows so far after each page but the last; an error ends the reading. */
  advance?: ((list: List) => void) | undefined;
  /** Called before each further request with the number of requests of the whole list; an error ends the reading. */
  expect?: (requests: number) => void;
  /** The provider's limits of this list; updated by the reading. */
  limit: PageLimit;
}

/** Page limits of a list; the API document shows none (§8), so they are learnt. */
export interface PageLimit {
  /** The page size it allows; undefined: it refused a page_size above its default. */
  pageSize: number | undefined;
  /** Largest page_size that it answered. */
  accepted?: number;
  /** Rows of the largest page that it gave. */
  largest?: number;
  /** Requests of its last whole list, or as the first page of one foretold. */
  requests?: number;
  /** It takes rows out of its pages, so that a short page need not be the last. */
  isSifted?: boolean;
}

/** Page limits per list: §4 gives lists different page sizes, so each has its own limit. */
export interface PageLimits {
  /** Gives the limits of an operation's lists, which all readings share. */
  of(operation: OperationId): PageLimit;
  /** Forgets all limits: the provider or client has changed. */
  forget(): void;
}

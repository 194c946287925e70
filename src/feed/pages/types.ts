import type { OperationId } from "../../client/provider";
import type { Page, Row } from "../decode";

/** A list answer, or the part of it that has come so far. */
export interface List {
  readonly rows: readonly Row[];
  /** Rows there will be when all have come. */
  readonly expected: number;
}

/** One attempt to read a list: one object for all of its pages. */
export interface ListReading {
  /** An earlier attempt did not prove the list whole: no cache on the way may answer. */
  readonly isFresh: boolean;
  /** What the companion calls it, since its first page came; absent without one that caches lists. */
  id?: string | undefined;
}

export interface PagesOptions {
  /**
   * Reads one page; `pageSize` undefined leaves page_size out, so that the provider's default holds (§8). A page
   * that says that it is of another reading ends the attempt.
   */
  loadPage: (page: number, pageSize: number | undefined, reading: ListReading) => Promise<Page>;
  /** Rows wanted from the start of the list, or all of them. */
  wanted: number | "all";
  /** Is told of the rows so far, each time a page has come that is not the last. */
  grow: (list: List) => void;
  /** Is told how many requests the list takes in all, before the next of them; what it throws ends the reading. */
  expect?: (requests: number) => void;
  /** What is known of how this provider pages this list; kept up to date. */
  limit: PageLimit;
}

/** How a provider pages; the API document shows no limits (§8), so they are found out. */
export interface PageLimit {
  /** The page size it allows; undefined: it refused a page_size above its default. */
  pageSize: number | undefined;
  /** Largest page_size that it ever answered. */
  accepted?: number;
  /** Rows of the largest page that it ever gave. */
  largest?: number;
  /** It takes rows out of its pages, which are shorter than their size then and yet not the last. */
  isSifted?: boolean;
}

/** How a provider pages, list by list: §4 gives them different page sizes, so what one refuses another may take. */
export interface PageLimits {
  /** Of the lists of an operation; whoever reads one learns for all who come later. */
  of(operation: OperationId): PageLimit;
  /** Knows nothing any more, as of another provider or client. */
  forget(): void;
}

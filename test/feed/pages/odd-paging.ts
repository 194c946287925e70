import { RequestError } from "../../../src/client/errors";
import type { Page, Row } from "../../../src/feed/decode";
import { createPageLimit, type List, loadPages } from "../../../src/feed/pages";
import type { PageLimit, PagesOptions } from "../../../src/feed/pages/types";

/** How a provider pages; default as in the API document. */
export interface PagingBehaviour {
  /** The most rows of a page. */
  cap?: number;
  /** A fixed page size, whatever is requested. */
  ownSize?: number;
  /** Reports the requested page size though it served fewer rows; or none at all. */
  echo?: "asked" | "none" | "rows";
  /** The page number it reports: none, always the first, or the one before; default the requested one. */
  named?: "none" | "first" | "before";
  /** Refuses a larger page_size. */
  refusedAbove?: number;
  /** The refusal; default 400. */
  refusal?: keyof typeof REFUSALS;
  /** Removes rows from its pages by position; counts the remaining ones, and echoes the requested size. */
  isPersisted?: (position: number) => boolean;
  /** The total it reports: none, the rows of the page, or so many more than the real one; default that. */
  total?: "none" | "served" | number;
  /** The answer past the end; default an empty page. */
  pastEnd?: "404" | "400" | "lastPage" | "firstPage" | "lastRows";
  ignoresPage?: boolean;
  /** The list at the nth request, from 1. */
  listAt?: (request: number, list: Row[]) => Row[];
  /** The error of the nth request. */
  failAt?: (request: number) => Error | undefined;
}

export const rowsOf = (count: number, from = 0): Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: `r${from + index}` }));

const REFUSALS = {
  "400": "FEED_REQUEST_INVALID",
  "404": "FEED_NOT_FOUND",
  "500": "FEED_SERVER_FAILED",
  "503": "FEED_SERVER_FAILED",
} as const;

export const refuse = (status: keyof typeof REFUSALS) =>
  new RequestError(REFUSALS[status], "no", { status: Number(status) });

export function toTotal(total: PagingBehaviour["total"], real: number, served: number): number | null {
  if (total === "none") return null;
  return total === "served" ? served : real + (total ?? 0);
}

/** The page at a position; past the end as configured. */
function findStart(page: number, size: number, count: number, { pastEnd, ignoresPage }: PagingBehaviour): number {
  const from = ignoresPage ? 0 : (page - 1) * size;
  if (from < count || page === 1) return from;
  if (pastEnd === "404" || pastEnd === "400") throw refuse(pastEnd);
  if (pastEnd === "firstPage") return 0;
  if (pastEnd === "lastPage") return Math.max(0, Math.ceil(count / size) - 1) * size;
  return pastEnd === "lastRows" ? Math.max(0, count - size) : from;
}

export function createProvider(all: Row[], manner: PagingBehaviour = {}) {
  const { cap = Number.POSITIVE_INFINITY, echo, refusedAbove, isPersisted = () => true, named } = manner;
  const requests: [page: number, pageSize: number | undefined][] = [];
  const loadPage = async (page: number, requestedSize: number | undefined): Promise<Page> => {
    requests.push([page, requestedSize]);
    const list = manner.listAt?.(requests.length, all) ?? all;
    const failure = manner.failAt?.(requests.length);
    if (failure !== undefined) throw failure;
    const size = manner.ownSize ?? Math.min(requestedSize ?? 25, cap);
    if (requestedSize !== undefined && requestedSize > (refusedAbove ?? requestedSize))
      throw refuse(manner.refusal ?? "400");
    const from = findStart(page, size, list.length, manner);
    const rows = list.slice(from, from + size).filter((_, index) => isPersisted(from + index));
    const echoed = { asked: requestedSize ?? 25, none: null, rows: rows.length };
    const real = list.filter((_, position) => isPersisted(position)).length;
    const reported = { none: null, first: 1, before: page - 1 };
    return {
      rows,
      page: named === undefined ? page : reported[named],
      pageSize: echo === undefined ? size : echoed[echo],
      total: toTotal(manner.total, real, rows.length),
    };
  };
  return { requests, loadPage };
}

interface Read {
  wanted?: number | "all";
  limit?: PageLimit;
  advance?: (list: List) => void;
}

export function read(provider: Pick<PagesOptions, "loadPage">, options: Read = {}) {
  const { wanted = "all", limit = createPageLimit(), advance } = options;
  return loadPages({ loadPage: provider.loadPage, wanted, limit, advance });
}

export const idsOf = (list: List) => list.rows.map(({ id }) => id);

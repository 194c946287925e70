import type { Page, Row } from "../../src/feed/decode";
import { RequestError } from "../../src/feed/errors";
import { createPageLimit, type List, loadPages, type PageLimit } from "../../src/feed/pages";

/** How a provider pages; without anything it does as the API document says. */
export interface Manner {
  /** Serves at most so many rows a page. */
  cap?: number;
  /** Says the page size that was asked for, though it served fewer; or none at all. */
  echo?: "asked" | "none" | "rows";
  /** Refuses a larger page_size. */
  refusedAbove?: number;
  /** What it says of the total. */
  total?: (real: number, served: number) => number | null;
  /** What it answers past the end; default an empty page. */
  pastEnd?: "404" | "400" | "lastPage";
  ignoresPage?: boolean;
  /** The list at the nth request, 1 for the first. */
  listAt?: (request: number, list: Row[]) => Row[];
}

export const rowsOf = (count: number, from = 0): Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: `r${from + index}` }));

export const refuse = (code: "FEED_NOT_FOUND" | "FEED_REQUEST_INVALID") => new RequestError(code, "no");

export function createProvider(all: Row[], manner: Manner = {}) {
  const { cap = Number.POSITIVE_INFINITY, echo, refusedAbove, total = (real) => real, pastEnd, listAt } = manner;
  const requests: [page: number, pageSize: number | undefined][] = [];
  const loadPage = async (page: number, asked: number | undefined): Promise<Page> => {
    requests.push([page, asked]);
    const list = listAt?.(requests.length, all) ?? all;
    const size = Math.min(asked ?? 25, cap);
    if (asked !== undefined && asked > (refusedAbove ?? asked)) throw refuse("FEED_REQUEST_INVALID");
    let from = manner.ignoresPage ? 0 : (page - 1) * size;
    if (from >= list.length && page > 1) {
      if (pastEnd === "404") throw refuse("FEED_NOT_FOUND");
      if (pastEnd === "400") throw refuse("FEED_REQUEST_INVALID");
      if (pastEnd === "lastPage") from = Math.max(0, Math.ceil(list.length / size) - 1) * size;
    }
    const rows = list.slice(from, from + size);
    const echoed = { asked: asked ?? 25, none: null, rows: rows.length };
    return { rows, pageSize: echo === undefined ? size : echoed[echo], total: total(list.length, rows.length) };
  };
  return { requests, loadPage };
}

interface Read {
  wanted?: number | "all";
  limit?: PageLimit;
  grow?: (list: List) => void;
}

export function read(provider: { loadPage: ReturnType<typeof createProvider>["loadPage"] }, options: Read = {}) {
  const { wanted = "all", limit = createPageLimit(), grow = () => {} } = options;
  return loadPages({ loadPage: provider.loadPage, wanted, limit, grow, identify: ({ id }) => String(id) });
}

export const idsOf = (list: List) => list.rows.map(({ id }) => id);

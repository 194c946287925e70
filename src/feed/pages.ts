import type { Page, Row } from "./decode";
import { DecodeError, RequestError } from "./errors";

/** A list answer, or the part of it that has come so far. */
export interface List {
  readonly rows: readonly Row[];
  /** Rows there will be when all have come. */
  readonly expected: number;
}

export interface PagesOptions {
  /** Reads one page; `pageSize` undefined leaves page_size out, so that the provider's default holds (§8). */
  loadPage: (page: number, pageSize: number | undefined) => Promise<Page>;
  /** Rows wanted from the start of the list, or all of them. */
  wanted: number | "all";
  /** Tells rows apart, to notice a list that shifts between pages or a provider that ignores `page`. */
  identify: (row: Row) => string;
  /** Is told of the rows so far, each time a page has come that is not the last. */
  grow: (list: List) => void;
  /** What this provider allowed for this list before; kept up to date. */
  limit: PageLimit;
}

/** The page size a provider accepted; the API document shows no limits (§8), so they are found out. */
export interface PageLimit {
  /** Undefined: the provider refused a page_size above its default. */
  pageSize: number | undefined;
}

/** Asked for where nothing is known yet: four requests for the largest ranking seen. */
const LARGE_PAGE = 1000;

export const createPageLimit = (): PageLimit => ({ pageSize: LARGE_PAGE });

/**
 * Reads a list to its end or to the wanted row, and proves it whole: by `total` where that can be believed,
 * else by a page that is short or empty. A list that shifted while it was read is read once more.
 *
 * @throws DecodeError (FEED_RESPONSE_MALFORMED) when the rows do not add up twice; what `loadPage` throws
 */
export async function loadPages(options: PagesOptions): Promise<List> {
  const first = await readOnce(options);
  if (first.isSound) return first.list;
  const second = await readOnce(options);
  // Rows that come twice in the very same places both times are the provider's list, not a list in motion.
  if (second.isSound || (second.isCounted && isSame(first.list, second.list))) return second.list;
  const { rows, expected } = second.list;
  throw new DecodeError(
    `the provider announced ${expected} rows and its pages hold ${rows.length} that do not add up; refresh later`,
  );
}

interface Reading {
  list: List;
  /** As many rows as announced. */
  isCounted: boolean;
  /** Counted, none twice, and announced the same all the while. */
  isSound: boolean;
}

async function readOnce(options: PagesOptions): Promise<Reading> {
  const wanted = options.wanted === "all" ? Number.POSITIVE_INFINITY : options.wanted;
  const rows: Row[] = [];
  const seen = new Set<string>();
  let total: number | null = null;
  let isSteady = true;
  for (let number = 1; ; number++) {
    const asked = options.limit.pageSize === undefined ? undefined : Math.min(options.limit.pageSize, wanted);
    const page = number === 1 ? await loadFirst(options, asked) : await loadNext(options, number, asked);
    if (number > 1 && page.total !== total) isSteady = page.rows.length === 0 && isSteady;
    total = number === 1 || page.rows.length > 0 ? page.total : total;
    if (number === 1) learnLimit(options.limit, page, asked);
    const fresh = page.rows.filter((row) => !seen.has(options.identify(row)));
    if (fresh.length < page.rows.length) isSteady = false;
    for (const row of fresh) seen.add(options.identify(row));
    const isStuck = page.rows.length > 0 && fresh.length === 0;
    if (!isStuck) rows.push(...page.rows);
    if (isStuck || rows.length >= wanted || isLast(page, rows.length, asked, number)) break;
    options.grow({ rows: rows.slice(), expected: Math.min(wanted, Math.max(total ?? 0, rows.length)) });
  }
  const expected = Math.min(wanted, Math.max(total ?? 0, rows.length));
  const isCounted = rows.length >= expected;
  return { list: { rows: rows.slice(0, expected), expected }, isCounted, isSound: isCounted && isSteady };
}

/** Whether the list ends with this page. */
function isLast(page: Page, have: number, asked: number | undefined, number: number): boolean {
  if (page.rows.length === 0) return true;
  const size = Math.min(page.pageSize ?? Number.POSITIVE_INFINITY, asked ?? Number.POSITIVE_INFINITY);
  const isFull = page.rows.length >= size;
  if (page.total === null || have > page.total) return !isFull;
  if (have < page.total) return false;
  // A full first page that claims to be everything may be a count of the page; one more request tells.
  return number > 1 || !isFull;
}

/** A page_size that the provider refuses is left out from then on. */
async function loadFirst(options: PagesOptions, asked: number | undefined): Promise<Page> {
  try {
    return await options.loadPage(1, asked);
  } catch (error) {
    const isRefused = error instanceof RequestError && error.code === "FEED_REQUEST_INVALID" && asked !== undefined;
    if (!isRefused) throw error;
    const page = await options.loadPage(1, undefined);
    options.limit.pageSize = undefined; // only now: the refusal may have been about another parameter
    return page;
  }
}

/** A page past the end is nothing, or 404: the document does not show which. */
async function loadNext(options: PagesOptions, number: number, asked: number | undefined): Promise<Page> {
  try {
    return await options.loadPage(number, asked);
  } catch (error) {
    if (error instanceof RequestError && error.code === "FEED_NOT_FOUND") {
      return { rows: [], pageSize: null, total: null };
    }
    throw error;
  }
}

/**
 * Where the provider sent fewer rows than asked for though there are more, later pages ask for just that many:
 * then it does not matter whether it counts pages by the size asked for or by its own.
 */
function learnLimit(limit: PageLimit, page: Page, asked: number | undefined): void {
  const isCapped = asked !== undefined && page.rows.length > 0 && page.rows.length < asked;
  const hasMore = page.total === null || page.total > page.rows.length || page.pageSize === page.rows.length;
  if (isCapped && hasMore) limit.pageSize = page.rows.length;
}

function isSame(one: List, other: List): boolean {
  return JSON.stringify(one.rows) === JSON.stringify(other.rows);
}

import type { Page, Row } from "./decode";
import { DecodeError, RequestError } from "./errors";
import { createPile, type List, type Reading } from "./page-pile";

export type { List } from "./page-pile";

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

/** Asked for where nothing is known yet. */
const LARGE_PAGE = 1000;

/** Asked for where that is refused: the limit that is met most often. */
const COMMON_PAGE = 100;

export const createPageLimit = (): PageLimit => ({ pageSize: LARGE_PAGE });

/**
 * Reads a list to its end or to the wanted row, and proves it whole: by `total` and a page that is short or
 * empty. A full page is followed by one more request, since a total may be cut as well. A list that shifted
 * while it was read is read once more.
 *
 * @throws DecodeError (FEED_RESPONSE_MALFORMED) when the rows do not add up twice; NoValueError
 *   (FEED_RESULT_TOO_LARGE); what `loadPage` throws
 */
export async function loadPages(options: PagesOptions): Promise<List> {
  const first = await readOnce(options);
  if (first.isSound) return first.list;
  const second = await readOnce(options);
  // Rows that come twice in the very same places both times are the provider's list, not a list in motion.
  if (second.isSound || (second.isCounted && !second.isStuck && isSame(options.identify, first.list, second.list)))
    return second.list;
  const { rows, expected } = second.list;
  throw new DecodeError(
    `the provider announced ${expected} rows and its pages hold ${rows.length} that do not add up; refresh later`,
  );
}

async function readOnce(options: PagesOptions): Promise<Reading> {
  const wanted = options.wanted === "all" ? Number.POSITIVE_INFINITY : options.wanted;
  const pile = createPile(options.identify, wanted);
  let { page, asked } = await loadFirst(options, wanted);
  for (let number = 1; pile.add(page, asked); number++) {
    if (number === 2) options.limit.pageSize = asked; // more came, so the first page was as large as they get
    if (pile.isWhole()) break;
    options.grow(pile.toList());
    // Where fewer came than were asked for, that many are asked for from now on: then it does not matter whether
    // the provider counts pages by the size asked for or by its own.
    if (number === 1 && asked !== undefined) asked = Math.min(asked, page.rows.length);
    page = await loadNext(options, number + 1, asked, pile.mayEnd());
  }
  return pile.judge();
}

/** A page_size that the provider refuses is tried smaller, then left out from then on. */
async function loadFirst({ loadPage, limit }: PagesOptions, wanted: number) {
  const largest = limit.pageSize === undefined ? undefined : Math.min(limit.pageSize, wanted);
  const sizes = largest === undefined ? [] : [largest, COMMON_PAGE].filter((size) => size <= largest);
  for (const asked of new Set(sizes)) {
    try {
      const page = await loadPage(1, asked);
      if (asked !== largest) limit.pageSize = asked; // only now: a refusal may have been about another parameter
      return { page, asked };
    } catch (error) {
      if (!(error instanceof RequestError && error.code === "FEED_REQUEST_INVALID")) throw error;
    }
  }
  const page = await loadPage(1, undefined);
  limit.pageSize = undefined;
  return { page, asked: undefined };
}

/** A page past the end is nothing, 404 or a refusal: the document does not show which. */
async function loadNext({ loadPage }: PagesOptions, number: number, asked: number | undefined, mayBePastEnd: boolean) {
  try {
    return await loadPage(number, asked);
  } catch (error) {
    const code = error instanceof RequestError ? error.code : null;
    const isPastEnd = code === "FEED_NOT_FOUND" || (code === "FEED_REQUEST_INVALID" && mayBePastEnd);
    if (isPastEnd) return { rows: [], pageSize: null, total: null };
    throw error;
  }
}

/** Whether the same rows stand in the same places; their figures may have moved on meanwhile. */
function isSame(identify: (row: Row) => string, one: List, other: List): boolean {
  return JSON.stringify(one.rows.map(identify)) === JSON.stringify(other.rows.map(identify));
}

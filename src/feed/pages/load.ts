import type { Page } from "../decode";
import { DecodeError, RequestError } from "../errors";
import { createPile, type Reading } from "./pile";
import type { List, ListReading, PageLimit, PagesOptions } from "./types";

/** Asked for where that is refused: the limit that is met most often. */
const COMMON_PAGE = 100;

/**
 * Reads a list to its end or to the wanted row, and proves it whole:
 *
 * | a provider | is met so |
 * |---|---|
 * | refuses a large page_size | asked in 100, then without one; remembered once that was answered |
 * | gives fewer rows than were asked for, or ignores page_size | asked for that many from the second page on; remembered when more came |
 * | takes rows out of its pages | where the smaller pages overlap or leave gaps, read anew in pages of the size it says |
 * | says a total that is too small | a full page is followed by another request; a total below the rows is none |
 * | says a total that is too large | read anew, then an error: rows are missing |
 * | says no total | its end is a short page, an empty one, a 404, or one that came before |
 * | ignores page | an error, unless all came at once: the first page again proves nothing of the rest |
 * | has a row twice | read anew; believed when the same rows come again, and remembered |
 * | changes its list, or the total, meanwhile | read anew, once; then an error, never rows of two moments |
 * | says that a page is another than was asked for | an error, unless its total proves the rows; counting from 0 is fine |
 * | mixes earlier rows into a page past the end | read anew; where the total counts each row once, those are left out |
 * | answers 404, 400, nothing or earlier rows past the end | the end where no row is missing, else an error |
 *
 * @throws DecodeError (FEED_RESPONSE_MALFORMED) when the rows do not add up twice; NoValueError
 *   (FEED_RESULT_TOO_LARGE); what `loadPage` throws
 */
export async function loadPages(options: PagesOptions): Promise<List> {
  const { limit } = options;
  const first = await readOnce(options, limit.isSifted === true, { isFresh: false });
  if (first.isSound && !first.isAbandoned) return learn(limit, first);
  const isOdd = first.isAbandoned || (first.isNarrowed && !(first.isCounted && first.isDistinct));
  const isSifted = limit.isSifted === true || isOdd;
  const second = await readOnce(options, isSifted, { isFresh: true });
  // A provider that is wrongly taken to sift its pages leaves gaps between them: then rows are missing that came before.
  if (second.isSound && (!isOdd || hasRowsOf(second, first))) return learn(limit, second, isSifted);
  const third = first.isAbandoned ? await readOnce(options, isSifted, { isFresh: true }) : null;
  const [one, other] = third === null ? [first, second] : [second, third];
  const isBelievable = !other.isStuck && !other.isMisnamed && !other.isMixed;
  const isConfirmed = other.isCounted && isBelievable && hasSameRows(one, other);
  if (isConfirmed && (!first.isAbandoned || hasRowsOf(other, first))) return learn(limit, other, isSifted);
  throw toMalformed(other);
}

interface PagedReading extends Reading {
  /** The page size that was asked for from the second page on. */
  asked: number | undefined;
  /** The first page was asked in the largest size allowed. */
  isFullSize: boolean;
  /** Smaller pages were asked for than the provider said that it uses. */
  isNarrowed: boolean;
  /** Given up, since the smaller pages overlapped, or a page of the size said holds more. */
  isAbandoned: boolean;
}

async function readOnce(options: PagesOptions, isSifted: boolean, reading: ListReading): Promise<PagedReading> {
  const { limit, identify } = options;
  const wanted = options.wanted === "all" ? Number.POSITIVE_INFINITY : options.wanted;
  const pile = createPile({ identify, wanted, known: limit });
  const first = await loadFirst(options, wanted, reading);
  let { page, asked } = first;
  const isFullSize = asked === limit.pageSize;
  let isNarrowed = false;
  let isAbandoned = false;
  for (let number = 1; pile.add(page, asked); number++) {
    if (pile.isWhole()) break;
    isAbandoned = isNarrowed && number === 2 && !pile.isDistinct();
    if (isAbandoned) break;
    options.grow(pile.toList()); // first, for who finds that too large already asks for no more
    options.expect?.(countPages(pile.toList(), number));
    // Where fewer came than were asked for, that many are asked for from now on: then it does not matter whether
    // the provider counts pages by the size asked for or by its own.
    if (number === 1 && asked !== undefined && page.rows.length < asked && !isSifted) {
      isNarrowed = page.pageSize === asked;
      asked = page.rows.length;
    }
    page = await loadNext(options, reading, number + 1, asked, pile.mayEnd());
  }
  const judged = pile.judge();
  if (isNarrowed && judged.pages === 1 && judged.total === null && !judged.isLooping) {
    isAbandoned = (await loadNext(options, reading, 2, first.asked, true)).rows.length > 0; // nothing else tells
  }
  return { ...judged, asked, isFullSize, isNarrowed, isAbandoned };
}

/** Pages of the size that has come so far, one more at least. */
function countPages({ rows, expected }: List, read: number): number {
  const missing = expected - rows.length;
  return read + Math.max(1, Math.ceil((missing * read) / rows.length));
}

/** Keeps what a whole list tells of how its provider pages. */
function learn(limit: PageLimit, reading: PagedReading, isSifted = limit.isSifted === true): List {
  const { asked, pages, ids } = reading;
  // More came after the first page, so it was as large as they get. A page of a few wanted rows tells nothing.
  if (reading.isFullSize && pages > 1 && asked !== undefined) limit.pageSize = asked;
  limit.largest = Math.max(limit.largest ?? 0, reading.largest);
  if (isSifted && pages > 1) limit.isSifted = true;
  if (!reading.isDistinct) limit.twice = new Set([...(limit.twice ?? []), ...pickRepeated(ids)]);
  return reading.list;
}

function pickRepeated(ids: readonly string[]): string[] {
  const seen = new Set<string>();
  return ids.filter((id) => seen.size === seen.add(id).size);
}

/**
 * A page_size that the provider refuses is tried smaller, then left out from then on. A failure or a 404 may be
 * a refusal as well, but not as likely: that is tried once. What was answered in that size once is refused for
 * another reason.
 */
async function loadFirst({ loadPage, limit }: PagesOptions, wanted: number, reading: ListReading) {
  const largest = limit.pageSize === undefined ? undefined : Math.min(limit.pageSize, wanted);
  const isProven = largest === undefined || largest <= (limit.accepted ?? 0);
  const smaller = isProven ? [] : largest > COMMON_PAGE ? [COMMON_PAGE, undefined] : [undefined];
  for (let asked = largest; ; asked = smaller.shift()) {
    try {
      const page = await loadPage(1, asked, reading);
      if (asked !== largest) limit.pageSize = asked; // only now: a refusal may have been about another parameter
      limit.accepted = Math.max(limit.accepted ?? 0, asked ?? 0);
      return { page, asked };
    } catch (error) {
      if (smaller.length === 0 || !mayBeSize(error, smaller[0])) throw error;
    }
  }
}

function mayBeSize(error: unknown, next: number | undefined): boolean {
  if (!(error instanceof RequestError)) return false;
  if (error.code === "FEED_REQUEST_INVALID") return true;
  return next !== undefined && (error.code === "FEED_NOT_FOUND" || error.facts.status === 500);
}

/** A page past the end is nothing, 404 or a refusal: the document does not show which. */
async function loadNext(
  { loadPage }: PagesOptions,
  reading: ListReading,
  number: number,
  asked: number | undefined,
  mayBePastEnd: boolean,
): Promise<Page> {
  try {
    return await loadPage(number, asked, reading);
  } catch (error) {
    const code = error instanceof RequestError ? error.code : null;
    const isPastEnd = code === "FEED_NOT_FOUND" || (code === "FEED_REQUEST_INVALID" && mayBePastEnd);
    if (isPastEnd) return { rows: [], pageSize: null, total: null };
    throw error;
  }
}

/** Whether the same rows came, in whatever order: a live ranking moves, but what stands in it twice does so again. */
function hasSameRows(one: Reading, other: Reading): boolean {
  const sort = ({ ids }: Reading) => JSON.stringify([...ids].sort());
  return one.ids.length === other.ids.length && sort(one) === sort(other);
}

function hasRowsOf({ ids }: Reading, other: Reading): boolean {
  const having = new Set(ids);
  return other.ids.every((id) => having.has(id));
}

/** Says why the rows are not believed, and what helps: another look only where the list was moving. */
function toMalformed({ ids, total, ...reading }: Reading): DecodeError {
  const count = ids.length;
  const fewer = `ask for the first ${count} at most, or report it to the provider`;
  if (reading.isStuck) {
    return new DecodeError(
      `the provider gives the same ${count} rows for every page and does not say whether they are all; ${fewer}`,
    );
  }
  if (reading.isLooping && !reading.isCounted) {
    return new DecodeError(`the provider announced ${total} rows and gives the same ${count} for every page; ${fewer}`);
  }
  if (!reading.isCounted && reading.isDistinct && reading.isSteady) {
    return new DecodeError(`the provider announced ${total} rows and its pages hold only ${count}; ${fewer}`);
  }
  if (reading.isMisnamed) {
    return new DecodeError("the provider answers with other pages than were asked for; report it to the provider");
  }
  return new DecodeError("the provider's list changed while it was read, twice; refresh later");
}

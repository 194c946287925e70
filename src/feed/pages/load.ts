import { DecodeError, RequestError } from "../../client/errors";
import type { Page } from "../decode";
import { createPageAccumulator, type ReadingResult, type Verdict } from "./accumulator";
import type { List, ListReading, PageLimit, PagesOptions } from "./types";

/**
 * Reads a list to its end or to the wanted row, and proves it whole: its total held still, as many rows came, and
 * each id came once. What does not prove whole is read again by another way, three times in all:
 *
 * | a provider | is met so |
 * |---|---|
 * | changes its list, or the total, meanwhile | read anew, in one page that holds it all or in pages of another size |
 * | orders rows of equal rank anew for each page | the same: an id came twice, another not at all |
 * | has two rows without an id that are alike | believed in one page, or where pages of another size give the same rows |
 * | refuses a large page_size | asked in 100, then without one; remembered once that was answered |
 * | gives fewer rows than were asked for, or ignores page_size | asked for that many from the second page on; remembered when more came |
 * | takes rows out of its pages | where the smaller pages overlap or leave gaps, read anew in pages of the size it says |
 * | says a total that is too small | a full page is followed by another request; a total below the rows all the while, or of each page's own rows, is none |
 * | says a total that is too large | read anew, then an error: rows are missing |
 * | says no total | its end is an empty page, a 404, or one that came before |
 * | ignores page | an error, unless all came at once: the first page again proves nothing of the rest |
 * | says that a page is another than was asked for | an error, unless its total proves the rows; counting from 0 is fine |
 * | fills its last page up with the rows before it | those are left out, where the total counts each row once |
 * | answers 404, 400, nothing or earlier rows past the end | the end where no row is missing, else an error |
 *
 * @throws DecodeError (FEED_RESPONSE_MALFORMED) when no reading proves the list whole; NoValueError
 *   (FEED_RESULT_TOO_LARGE); what `loadPage` throws
 */
export async function loadPages(options: PagesOptions): Promise<List> {
  const { limit } = options;
  const wanted = options.wanted === "all" ? Number.POSITIVE_INFINITY : options.wanted;
  const readings: PagedReading[] = [];
  for (let way: Way | null = toFirstWay(limit, wanted); way !== null; way = toNextWay(readings, limit, wanted)) {
    const reading = await readOnce(options, way, wanted, { isFresh: readings.length > 0 });
    if (isProven(reading, readings, limit)) {
      learn(limit, reading);
      return reading.list;
    }
    readings.push(reading);
  }
  throw toMalformed(readings);
}

async function readOnce(
  options: PagesOptions,
  { sizes, takesSize }: Way,
  wanted: number,
  reading: ListReading,
): Promise<PagedReading> {
  const pages = createPageAccumulator({ wanted, knownLargest: options.limit.largest, isSifted: takesSize });
  const first = await loadFirst(options, sizes, reading);
  const firstSize = first.size;
  let { page, size } = first;
  let isNarrowed = false;
  for (let number = 1; pages.add(page, size); number++) {
    options.grow(pages.toList()); // first, for who finds that too large already asks for no more
    options.expect?.(countPages(pages.toList(), number));
    // Where fewer came than were asked for, that many are asked for from now on: then it does not matter whether
    // the provider counts pages by the size asked for or by its own.
    if (number === 1 && size !== undefined && page.rows.length < size && !takesSize) {
      isNarrowed = page.pageSize === size;
      size = page.rows.length;
    }
    page = await loadNext(options, reading, number + 1, size, pages.mayEnd());
  }
  const result = pages.toResult();
  const isDoubtful = isNarrowed && result.pages === 1 && result.announced === null && result.verdict === "whole";
  if (isDoubtful && (await loadNext(options, reading, 2, firstSize, true)).rows.length > 0) result.verdict = "gap";
  return { ...result, takesSize, firstSize, size, isNarrowed };
}

/** Pages of the size that has come so far, one more at least. */
function countPages({ rows, expected }: List, read: number): number {
  const missing = expected - rows.length;
  return read + Math.max(1, Math.ceil((missing * read) / rows.length));
}

function isProven(reading: PagedReading, earlier: readonly PagedReading[], { isSifted }: PageLimit): boolean {
  const { verdict, takesSize, isCounted, announced, keys } = reading;
  if (verdict === "alike") return earlier.some((each) => isSameElsewhere(each, reading));
  if (verdict !== "whole") return false;
  if (!takesSize || isSifted || isCounted) return true;
  // Pages that are wrongly taken to be sifted leave gaps between them: then rows are missing that came before.
  return announced === null && earlier.every((each) => [...each.keys].every((key) => keys.has(key)));
}

/** Whether the same rows came in the same order, though the borders of the pages are elsewhere. */
function isSameElsewhere(one: ReadingResult, other: ReadingResult): boolean {
  if (one.verdict !== "alike" || one.largest === other.largest) return false;
  return JSON.stringify(one.rows) === JSON.stringify(other.rows);
}

/** Keeps what a whole list tells of how its provider pages. */
function learn(limit: PageLimit, { firstSize, size, pages, largest, takesSize }: PagedReading): void {
  // More came after the first page, so it was as large as they get. A page of a few wanted rows tells nothing.
  if (firstSize === limit.pageSize && pages > 1 && size !== undefined) limit.pageSize = size;
  limit.largest = Math.max(limit.largest ?? 0, largest);
  if (takesSize && pages > 1) limit.isSifted = true;
}

/** Reads the first page in the first size that is not refused. */
async function loadFirst({ loadPage, limit }: PagesOptions, [size, ...others]: Way["sizes"], reading: ListReading) {
  for (let requestedSize = size; ; requestedSize = others.shift()) {
    try {
      const page = await loadPage(1, requestedSize, reading);
      if (!reading.isFresh) {
        if (requestedSize !== size) limit.pageSize = requestedSize; // only now: a refusal may have been about another parameter
        limit.accepted = Math.max(limit.accepted ?? 0, requestedSize ?? 0);
      }
      return { page, size: requestedSize };
    } catch (error) {
      if (others.length === 0 || !mayBeSize(error, others[0])) throw error;
    }
  }
}

/** A failure or a 404 may be a refusal of the size as well, but not as likely: that is tried in another size alone. */
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
  size: number | undefined,
  mayBePastEnd: boolean,
): Promise<Page> {
  try {
    return await loadPage(number, size, reading);
  } catch (error) {
    const code = error instanceof RequestError ? error.code : null;
    const isPastEnd = code === "FEED_NOT_FOUND" || (code === "FEED_REQUEST_INVALID" && mayBePastEnd);
    if (isPastEnd) return { rows: [], pageSize: null, total: null };
    throw error;
  }
}

/** Says why the rows are not believed, and what helps: another look only where the list was moving. */
function toMalformed(readings: readonly PagedReading[]): DecodeError {
  const { verdict, rows, announced } = readings.find(isMoving) ?? (readings.at(-1) as PagedReading);
  const count = rows.length;
  const fewer = `ask for the first ${count} at most, or report it to the provider`;
  const later = "refresh later, or give a smaller top";
  const sentences: Record<Verdict, string> = {
    whole: `the provider's pages leave rows out; ${later}`,
    changed: `the provider's list changed each time it was read; ${later}`,
    repeated: `the provider's pages have some rows twice and others not at all; ${later}`,
    alike: `the provider's pages have rows twice that nothing tells apart; ${later}`,
    gap: `the provider's pages leave rows out; ${later}`,
    short: `the provider announced ${announced} rows and its pages hold only ${count}; ${fewer}`,
    looping: `the provider announced ${announced} rows and gives the same ${count} for every page; ${fewer}`,
    stuck: `the provider gives the same ${count} rows for every page and does not say whether they are all; ${fewer}`,
    misnamed: "the provider answers with other pages than were asked for; report it to the provider",
  };
  return new DecodeError(sentences[verdict]);
}

/** How the pages of one reading are asked for. */
export interface Way {
  /** Sizes of the first page: the next where the provider refuses one. */
  sizes: readonly (number | undefined)[];
  /** The size stays though a page has fewer rows, since the provider takes rows out of its pages. */
  takesSize: boolean;
}

/** A reading that has ended, and how it went. */
export interface PagedReading extends ReadingResult {
  takesSize: boolean;
  /** The size of the first page. */
  firstSize: number | undefined;
  /** The size of all others. */
  size: number | undefined;
  /** Smaller pages were asked for than the provider said that it uses. */
  isNarrowed: boolean;
}

/** Asked for where a larger page is refused: the limit that is met most often. */
const COMMON_PAGE = 100;

/** A list up to this is asked for in one page where its pages do not fit together. */
const MOST_AT_ONCE = 5_000;

/** A list that grows meanwhile still fits a page that is so much larger. */
const SPARE = 100;

/** Smaller pages are made no smaller. */
const SMALLEST_PAGE = 10;

const MOST_READINGS = 3;

/** Verdicts that a list does not change by moving meanwhile. */
const LASTING: readonly Verdict[] = ["short", "gap", "looping", "stuck", "misnamed"];

/** Whether the pages did not fit together, as those of a list that changes meanwhile. */
export const isMoving = ({ verdict }: ReadingResult): boolean => verdict === "changed" || verdict === "repeated";

const PAGELESS: readonly Verdict[] = ["looping", "stuck", "misnamed"];

/**
 * The way of the first reading: in the largest pages that the provider is known to allow. What was answered in a
 * size once is refused for another reason.
 *
 * @param wanted rows wanted, Infinity for all
 */
export function toFirstWay(limit: PageLimit, wanted: number): Way {
  const largest = limit.pageSize === undefined ? undefined : Math.min(limit.pageSize, wanted);
  const isProven = largest === undefined || largest <= (limit.accepted ?? 0);
  const smaller = isProven ? [] : largest > COMMON_PAGE ? [COMMON_PAGE, undefined] : [undefined];
  return { sizes: [largest, ...smaller], takesSize: limit.isSifted === true };
}

/**
 * Another way for a list that was not proved whole: in the size that the provider says, where smaller pages did not
 * fit together; in one page that holds it all; else in smaller pages, whose borders are between other rows.
 *
 * @param wanted rows wanted, Infinity for all
 * @returns null where there is none, or where two came to the same
 */
export function toNextWay(readings: readonly PagedReading[], limit: PageLimit, wanted: number): Way | null {
  const [first, second] = readings;
  if (first === undefined || readings.length >= MOST_READINGS) return null;
  const { verdict, firstSize, isNarrowed, announced } = first;
  if (LASTING.includes(verdict) && second?.verdict === verdict && second.rows.length === first.rows.length) return null;
  // The first rows of pages that may be sifted prove nothing: a total counts all rows alone.
  const canBeSifted = wanted === Number.POSITIVE_INFINITY || announced === null;
  if (second === undefined && isNarrowed && verdict !== "changed" && canBeSifted) {
    return { sizes: [firstSize], takesSize: true };
  }
  const takesSize = limit.isSifted === true || (second?.takesSize === true && isMoving(second));
  const size = (takesSize ? firstSize : first.size) ?? first.largest;
  const whole = second === undefined ? toWholePage(first, limit) : [];
  // Where the pages are always the same, smaller ones only cut more of the list off; tiny ones may be so by chance.
  const isPaged = size >= SMALLEST_PAGE && !PAGELESS.includes(verdict);
  const smaller = isPaged ? [Math.floor(size * (1 - readings.length / 10))] : [];
  return { sizes: [...whole, ...smaller, firstSize], takesSize };
}

/** The size of a page that holds the whole list; none where pages are capped, or the list is too long. */
function toWholePage({ firstSize, largest, announced, isNarrowed }: PagedReading, limit: PageLimit): number[] {
  if (firstSize === undefined || announced === null || announced < firstSize || announced > MOST_AT_ONCE) return [];
  const isCapped = (largest < firstSize && !isNarrowed) || Number(limit.pageSize) < Number(limit.accepted);
  if (isCapped) return [];
  return [isNarrowed ? 2 * announced : announced + SPARE];
}

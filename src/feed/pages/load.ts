import { DecodeError, RequestError } from "../../client/errors";
import { type Message, msg } from "../../client/messages";
import type { Page } from "../decode";
import { createPageAccumulator, type ReadingResult, type Verdict } from "./accumulator";
import type { List, ListReading, PageLimit, PagesOptions } from "./types";

/**
 * Reads a list to its end or to the wanted row, and proves it whole: its total held still, as many rows came, and
 * each id came once. A list that is not proved whole is read again in another way, three times in all:
 *
 * | the provider | we |
 * |---|---|
 * | changes the list or its total meanwhile | read again, in one page for all or in pages of another size |
 * | orders rows of equal rank anew for each page | do the same: an id came twice, another not at all |
 * | has two equal rows without an id | accept them in one page, or where pages of another size give the same rows |
 * | refuses a large page_size | try 100, then none; remember the one that was answered |
 * | gives fewer rows than requested, or ignores page_size | request that many from the second page on; remember it when more came |
 * | takes rows out of its pages | read again in pages of the stated size, where smaller pages overlap or leave gaps |
 * | states a total that is too small | request another page after a full one; ignore a total below the rows, or of each page's own rows |
 * | states a total that is too large | read again, then fail: rows are missing |
 * | states no total | end at a 404, a repeated page, an empty page behind a shorter one, or two empty pages |
 * | ignores page | fail, unless all came at once: a repeated first page proves nothing of the rest |
 * | states another page number than requested | fail, unless its total proves the rows; counting from 0 is accepted |
 * | fills its last page up with earlier rows | leave those out, where the total counts each row once |
 * | answers 404, 400, nothing or earlier rows past the end | end where no row is missing, else fail |
 *
 * @throws DecodeError (FEED_RESPONSE_MALFORMED) when no reading proves the list whole; NoValueError
 *   (FEED_RESULT_TOO_LARGE); the errors of `loadPage`
 */
export async function loadPages(options: PagesOptions): Promise<List> {
  const { limit } = options;
  const wanted = options.wanted === "all" ? Number.POSITIVE_INFINITY : options.wanted;
  const readings: PagedReading[] = [];
  for (let way: Way | null = toFirstWay(limit, wanted); way !== null; way = toNextWay(readings, limit, wanted)) {
    const reading = await readOnce(options, way, wanted, { isFresh: readings.length > 0 });
    if (isProven(reading, readings, limit)) {
      learnPageCap(limit, wanted, reading);
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
  const { limit } = options;
  const isAll = wanted === Number.POSITIVE_INFINITY;
  const loading = createAhead((each, ofSize) => options.loadPage(each, ofSize, reading));
  let number = 1;
  for (; pages.add(page, size); number++) {
    options.advance?.(pages.toList()); // first: it may throw, and so save the next request
    const requests = countPages(pages.toList(), number, isAll);
    if (isAll) limit.requests ??= requests;
    options.expect?.(requests);
    // After a first page that is smaller than requested, request pages of its size: then the provider's own page size
    // and the requested one are the same.
    if (number === 1 && size !== undefined && page.rows.length < size && !takesSize) {
      isNarrowed = page.pageSize === size;
      size = page.rows.length;
    }
    const { rows, expected } = pages.toList();
    const isCounted = expected > rows.length;
    // A full last page does not show that it is the last one; the page behind it does.
    const last = size && isCounted ? Math.ceil(expected / size) + Number(isAll && expected % size === 0) : 0;
    page = await loading.take(number + 1, last, size).catch(endAt(pages.mayEnd()));
  }
  const result = pages.toResult();
  const isDoubtful = isNarrowed && result.pages === 1 && result.announced === null && result.verdict === "whole";
  if (isDoubtful && (await options.loadPage(2, firstSize, reading).catch(endAt(true))).rows.length > 0)
    result.verdict = "gap";
  return { ...result, takesSize, firstSize, size, isNarrowed, requests: number };
}

/** Pages that are requested at once, where a total says how many there are. */
const MOST_AT_A_TIME = 4;

/** Requests pages before they are added, and gives each when it is its turn. */
function createAhead(load: (number: number, size: number | undefined) => Promise<Page>) {
  const pages = new Map<number, Promise<Page>>();
  return {
    /** @param last the number of the last page that there should be; those behind it are requested one by one */
    take(number: number, last: number, size: number | undefined): Promise<Page> {
      for (let next = number; next <= Math.max(number, Math.min(last, number + MOST_AT_A_TIME - 1)); next++) {
        if (pages.has(next)) continue;
        const page = load(next, size);
        page.catch(() => undefined); // thrown when it is taken
        pages.set(next, page);
      }
      return pages.get(number) as Promise<Page>;
    },
  };
}

/** Estimates the pages of a list by those so far; at least one more. After a full last page another one shows the end. */
function countPages({ rows, expected }: List, read: number, isAll: boolean): number {
  const missing = ((expected - rows.length) * read) / rows.length;
  return read + Math.max(1, isAll && Number.isInteger(missing) ? missing + 1 : Math.ceil(missing));
}

function isProven(reading: PagedReading, earlier: readonly PagedReading[], { isSifted }: PageLimit): boolean {
  const { verdict, takesSize, isCounted, announced, keys } = reading;
  if (verdict === "alike") return earlier.some((each) => isSameElsewhere(each, reading));
  if (verdict !== "whole") return false;
  if (!takesSize || isSifted || isCounted) return true;
  // Pages wrongly taken for sifted ones leave gaps: then rows of earlier readings are missing.
  return announced === null && earlier.every((each) => [...each.keys].every((key) => keys.has(key)));
}

/** Whether two readings with different page borders gave the same rows in the same order. */
function isSameElsewhere(one: ReadingResult, other: ReadingResult): boolean {
  if (one.verdict !== "alike" || one.largest === other.largest) return false;
  return JSON.stringify(one.rows) === JSON.stringify(other.rows);
}

/** Records the page cap that a whole list has shown. */
function learnPageCap(
  limit: PageLimit,
  wanted: number,
  { requests, firstSize, size, pages, largest, takesSize }: PagedReading,
): void {
  if (wanted === Number.POSITIVE_INFINITY) limit.requests = requests;
  // A first page that others followed was of full size; a page for a few wanted rows shows no limit.
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
        // Only after a success: the refusal may have been about another parameter.
        if (requestedSize !== size) limit.pageSize = requestedSize;
        limit.accepted = Math.max(limit.accepted ?? 0, requestedSize ?? 0);
      }
      return { page, size: requestedSize };
    } catch (error) {
      if (others.length === 0 || !mayBeSize(error, others[0])) throw error;
    }
  }
}

/** A 500 or a 404 is a less likely refusal of the size: another size is tried, but not a request without one. */
function mayBeSize(error: unknown, next: number | undefined): boolean {
  if (!(error instanceof RequestError)) return false;
  if (error.code === "FEED_REQUEST_INVALID") return true;
  return next !== undefined && (error.code === "FEED_NOT_FOUND" || error.facts.status === 500);
}

/** Takes the error of a page past the end for an empty one: the API document does not say whether a 404 or a refusal comes. */
const endAt =
  (mayBePastEnd: boolean) =>
  (error: unknown): Page => {
    const code = error instanceof RequestError ? error.code : null;
    const isPastEnd = code === "FEED_NOT_FOUND" || (code === "FEED_REQUEST_INVALID" && mayBePastEnd);
    if (isPastEnd) return { rows: [], pageSize: null, total: null, isPastEnd };
    throw error;
  };

/** Makes the error of an unproved list; a refresh helps only where the list was changing. */
function toMalformed(readings: readonly PagedReading[]): DecodeError {
  const { verdict, rows, announced } = readings.find(isMoving) ?? (readings.at(-1) as PagedReading);
  const count = rows.length;
  const fewer = msg`ask for the first ${count} at most, or report it to the provider`;
  const later = msg`refresh later, or give a smaller top`;
  const sentences: Record<Verdict, Message> = {
    whole: msg`the provider's pages leave rows out; ${later}`,
    changed: msg`the provider's list changed each time it was read; ${later}`,
    repeated: msg`the provider's pages have some rows twice and others not at all; ${later}`,
    alike: msg`the provider's pages have rows twice that nothing tells apart; ${later}`,
    gap: msg`the provider's pages leave rows out; ${later}`,
    short: msg`the provider announced ${announced} rows and its pages hold only ${count}; ${fewer}`,
    looping: msg`the provider announced ${announced} rows and gives the same ${count} for every page; ${fewer}`,
    stuck: msg`the provider gives the same ${count} rows for every page and does not say whether they are all; ${fewer}`,
    misnamed: msg`the provider answers with other pages than requested; report it to the provider`,
  };
  return new DecodeError(sentences[verdict]);
}

/** The page sizes of one reading. */
interface Way {
  /** Sizes of the first page: the next where the provider refuses one. */
  sizes: readonly (number | undefined)[];
  /** The size stays though a page has fewer rows, since the provider takes rows out of its pages. */
  takesSize: boolean;
}

interface PagedReading extends ReadingResult {
  requests: number;
  takesSize: boolean;
  /** The size of the first page. */
  firstSize: number | undefined;
  /** The size of all others. */
  size: number | undefined;
  /** Pages smaller than the provider's stated size were requested. */
  isNarrowed: boolean;
}

/** The most common limit of page sizes: tried where a larger page is refused. */
const COMMON_PAGE = 100;

/** A list up to this length is read in one page where its pages do not fit together. */
const MOST_AT_ONCE = 5_000;

/** Spare rows of such a page, for a list that grows meanwhile. */
const SPARE = 100;

/** Pages of this size or less are not made smaller. */
const SMALLEST_PAGE = 10;

const MOST_READINGS = 3;

/** Verdicts that a changing list does not explain. */
const LASTING: readonly Verdict[] = ["short", "gap", "looping", "stuck", "misnamed"];

/** Whether the pages did not fit together, like those of a changing list. */
const isMoving = ({ verdict }: ReadingResult): boolean => verdict === "changed" || verdict === "repeated";

const PAGELESS: readonly Verdict[] = ["looping", "stuck", "misnamed"];

/**
 * Gives the sizes of the first reading: the largest page that the provider is known to allow. A size that was answered
 * once has no smaller alternative: its refusal has another reason.
 *
 * @param wanted rows wanted, Infinity for all
 */
function toFirstWay(limit: PageLimit, wanted: number): Way {
  const largest = limit.pageSize === undefined ? undefined : Math.min(limit.pageSize, wanted);
  const isProven = largest === undefined || largest <= (limit.accepted ?? 0);
  const smaller = isProven ? [] : largest > COMMON_PAGE ? [COMMON_PAGE, undefined] : [undefined];
  return { sizes: [largest, ...smaller], takesSize: limit.isSifted === true };
}

/**
 * Gives the sizes of the next reading, for a list that was not proved whole: the size that the provider states, where
 * smaller pages did not fit together; one page for all; else smaller pages, with borders between other rows.
 *
 * @param wanted rows wanted, Infinity for all
 * @returns null after the last reading, or after two with the same result
 */
function toNextWay(readings: readonly PagedReading[], limit: PageLimit, wanted: number): Way | null {
  const [first, second] = readings;
  if (first === undefined || readings.length >= MOST_READINGS) return null;
  const { verdict, firstSize, isNarrowed, announced } = first;
  if (LASTING.includes(verdict) && second?.verdict === verdict && second.rows.length === first.rows.length) return null;
  // With a total, only the whole list proves sifted pages: the total counts all rows.
  const canBeSifted = wanted === Number.POSITIVE_INFINITY || announced === null;
  if (second === undefined && isNarrowed && verdict !== "changed" && canBeSifted) {
    return { sizes: [firstSize], takesSize: true };
  }
  const takesSize = limit.isSifted === true || (second?.takesSize === true && isMoving(second));
  const size = (takesSize ? firstSize : first.size) ?? first.largest;
  const whole = second === undefined ? toWholePage(first, limit) : [];
  // Where all pages are equal, smaller ones only lose more rows; tiny pages may be equal by chance.
  const isPaged = size >= SMALLEST_PAGE && !PAGELESS.includes(verdict);
  const smaller = isPaged ? [Math.floor(size * (1 - readings.length / 10))] : [];
  return { sizes: [...whole, ...smaller, firstSize], takesSize };
}

/** Gives the size of one page for the whole list; none where pages are capped, or the list is too long. */
function toWholePage({ firstSize, largest, announced, isNarrowed }: PagedReading, limit: PageLimit): number[] {
  if (firstSize === undefined || announced === null || announced < firstSize || announced > MOST_AT_ONCE) return [];
  const isCapped = (largest < firstSize && !isNarrowed) || Number(limit.pageSize) < Number(limit.accepted);
  if (isCapped) return [];
  return [isNarrowed ? 2 * announced : announced + SPARE];
}

import { DecodeError, RequestError } from "../../client/errors";
import type { Page } from "../decode";
import { createPageAccumulator, type Judgement } from "./accumulator";
import type { List, ListReading, PageLimit, PagesOptions } from "./types";
import type { Verdict } from "./verdict";
import { isMoving, type PagedReading, toFirstWay, toNextWay, type Way } from "./ways";

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
  const authorised = pages.judge();
  const isDoubtful =
    isNarrowed && authorised.pages === 1 && authorised.announced === null && authorised.verdict === "whole";
  if (isDoubtful && (await loadNext(options, reading, 2, firstSize, true)).rows.length > 0) authorised.verdict = "gap";
  return { ...authorised, takesSize, firstSize, size, isNarrowed };
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
function isSameElsewhere(one: Judgement, other: Judgement): boolean {
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
  for (let asked = size; ; asked = others.shift()) {
    try {
      const page = await loadPage(1, asked, reading);
      if (!reading.isFresh) {
        if (asked !== size) limit.pageSize = asked; // only now: a refusal may have been about another parameter
        limit.accepted = Math.max(limit.accepted ?? 0, asked ?? 0);
      }
      return { page, size: asked };
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

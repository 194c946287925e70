import type { Judgement } from "./accumulator";
import type { PageLimit } from "./types";
import type { Verdict } from "./verdict";

/** How the pages of one reading are asked for. */
export interface Way {
  /** Sizes of the first page: the next where the provider refuses one. */
  sizes: readonly (number | undefined)[];
  /** The size stays though a page has fewer rows, since the provider takes rows out of its pages. */
  takesSize: boolean;
}

/** A reading that has ended, and how it went. */
export interface PagedReading extends Judgement {
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
export const isMoving = ({ verdict }: Judgement): boolean => verdict === "changed" || verdict === "repeated";

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

import { hasAll, type ReadingState, readTotal } from "./state";

/** What providers take for a page: exactly so many rows, the same for every page, are likely a cut list. */
const USUAL_SIZES: ReadonlySet<number> = new Set([25, 50, 100, 200, 250, 500, 1000]);

/**
 * What the pages of one reading come to:
 *
 * | verdict | means |
 * |---|---|
 * | whole | the total held still, as many rows came, and each id came once |
 * | changed | pages announced different totals, or one is of another reading |
 * | repeated | an id came twice |
 * | short | fewer rows came than were announced |
 * | gap | a page before the last has fewer rows than others, and no total shows that none is missing |
 * | alike | all is well, but rows without an id are alike in different pages: two, or one twice |
 * | looping | the first page came again for the second, and more rows were announced |
 * | stuck | it did so, and nothing says whether there are others |
 * | misnamed | pages called themselves others than were asked for |
 */
export type Verdict = "whole" | "changed" | "repeated" | "short" | "gap" | "alike" | "looping" | "stuck" | "misnamed";

/** @param expected rows that there are in all, of those wanted */
export function findVerdict(state: ReadingState, expected: number): Verdict {
  const { fault, rows, isLooping, isSifted, hasAlike } = state;
  if (fault !== null) return fault;
  if (rows.length < expected) return isLooping ? "looping" : "short";
  if (isStuck(state)) return "stuck";
  if (isMisnamed(state)) return "misnamed";
  if (!isSifted && !hasAll(state) && hasGap(state)) return "gap";
  return hasAlike ? "alike" : "whole";
}

/** More rows than were asked for, or an unusual number of them, are no page: then nothing is paged, and all came. */
function isStuck({ isLooping, total, rows, asked }: ReadingState): boolean {
  const isUsual = USUAL_SIZES.has(rows.length) && !(asked !== undefined && rows.length > asked);
  return isLooping && total === null && (rows.length === asked || isUsual);
}

/** Some count pages from 0; some call each page the first, where the total has to prove the rows. */
function isMisnamed(state: ReadingState): boolean {
  const [first = null] = state.names;
  const isAny = (toName: (at: number) => number) =>
    first !== null && state.names.some((name, at) => name !== null && name !== toName(at));
  return isAny((at) => Number(first) + at) && (isAny(() => Number(first)) || !hasAll(state));
}

/** Whether a page is shorter than others, or an only one than was asked for, though the list does not end with it. */
function hasGap(state: ReadingState): boolean {
  const { pages, rows, largest, asked = 0 } = state;
  const size = pages.length === 1 ? Math.max(asked, largest) : largest;
  const isEnd = (at: number) => at === pages.length - 1 && (readTotal(state) ?? 0) <= rows.length;
  return pages.some((page, at) => page.length < size && !isEnd(at));
}

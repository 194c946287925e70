import { expect, it } from "@jest/globals";
import fc from "fast-check";
import { FeedError } from "../../../src/client/errors";
import type { Page, Row } from "../../../src/feed/decode";
import { createPageLimit, type List } from "../../../src/feed/pages";
import { hold, toRuns } from "../../support/property";
import { read, refuse } from "../pages/odd-paging";

/** A provider with inconsistent pages. */
interface Drawn {
  count: number;
  wanted: number | "all";
  /** The most rows of a page. */
  cap: number;
  refusedAbove: number;
  /** Reports the requested size though it served fewer rows. */
  echoesRequestedSize: boolean;
  hasTotal: boolean;
  hasIds: boolean;
  /** Rows of one rank, in no stable order. */
  tie: number;
  /**
   * - rests: no fault
   * - swaps: the rows on both sides of a page's start swap places for that page, the same each time
   * - shuffles: the order within a rank changes for each request
   * - drifts: a row enters before page `at` of each reading
   * - leaves: a row vanishes before page `at` of each reading
   * - rises: a row rises to the top before page `at` of each reading
   * - sinks: a row sinks to the end before page `at` of each reading
   * - omits: page `at` omits a row, of the first reading or of each
   * - doubles: page `at` repeats a row in place of the next, of the first reading or of each
   */
  manner: "rests" | "swaps" | "shuffles" | "drifts" | "leaves" | "rises" | "sinks" | "omits" | "doubles";
  at: number;
  place: number;
  isEach: boolean;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  count: fc.nat({ max: 260 }),
  wanted: fc.oneof(fc.constant("all" as const), fc.integer({ min: 1, max: 120 })),
  cap: fc.oneof(fc.constant(10_000), fc.integer({ min: 2, max: 100 })),
  refusedAbove: fc.constantFrom(10_000, 10_000, 1_000, 200),
  echoesRequestedSize: fc.boolean(),
  hasTotal: fc.constantFrom(true, true, false),
  hasIds: fc.constantFrom(true, true, false),
  tie: fc.integer({ min: 1, max: 40 }),
  manner: fc.constantFrom("rests", "swaps", "shuffles", "drifts", "leaves", "rises", "sinks", "omits", "doubles"),
  at: fc.integer({ min: 1, max: 6 }),
  place: fc.nat({ max: 260 }),
  isEach: fc.boolean(),
});

/**
 * Faults no reader can detect: without a total, an omitted or vanished row, or a tiny page that repeats by chance and
 * is not the end; in the first rows of a list, one that sank below them; in rows without an id, one that replaces
 * another in a page.
 */
function isBeyondProof({ manner, hasTotal, hasIds, cap, wanted, count }: Drawn): boolean {
  if (!hasTotal && (manner === "omits" || manner === "leaves")) return true;
  if (!hasTotal && manner === "shuffles" && cap < 10) return true;
  if (manner === "sinks" && wanted !== "all" && wanted < count) return true;
  return !hasIds && manner === "doubles";
}

function createMovingProvider(given: Drawn) {
  const { count, cap, refusedAbove, echoesRequestedSize, hasTotal, hasIds, tie, manner, at, place, isEach } = given;
  const toRank = (number: number) => Math.floor(number / tie);
  const toRow = (number: number): Row =>
    hasIds
      ? { id: `r${number}`, totalPageViews: -toRank(number) }
      : { companyName: `r${number}`, headquarters: "Tokyo", totalPageViews: -toRank(number) };
  const before = Array.from({ length: count }, (_, number) => number);
  const moved = move(before, manner, place);
  const moments = [before, moved];
  let readings = 0;
  let requests = 0;
  const loadPage = async (page: number, requestedSize = 25): Promise<Page> => {
    if (requestedSize > refusedAbove) throw refuse("400");
    requests++;
    if (page === 1) readings++;
    const size = Math.min(requestedSize, cap);
    const from = (page - 1) * size;
    const order = [...(page > at ? moved : before)];
    if (manner === "swaps" && from > 0 && from < count && toRank(from - 1) === toRank(from)) {
      [order[from - 1], order[from]] = [order[from] as number, order[from - 1] as number];
    }
    if (manner === "shuffles") order.sort((one, other) => toRank(one) - toRank(other) || draw(one) - draw(other));
    const numbers = order.slice(from, from + size);
    const isSpoilt = page === at && numbers.length > 1 && (isEach || readings === 1);
    const spoilt = place % Math.max(1, numbers.length - 1);
    if (isSpoilt && manner === "omits") numbers.splice(spoilt, 1);
    if (isSpoilt && manner === "doubles") numbers[spoilt + 1] = numbers[spoilt] as number;
    return {
      rows: numbers.map(toRow),
      page,
      pageSize: echoesRequestedSize ? requestedSize : size,
      total: hasTotal ? order.length : null,
    };
  };
  const draw = (number: number) => ((number + 1) * 7919 * (requests + 3)) % 1_013;
  return { loadPage, moments, toRow, toRank, countRequests: () => requests };
}

function move(order: readonly number[], manner: Drawn["manner"], place: number): number[] {
  const at = place % Math.max(1, order.length);
  if (manner === "drifts") return [...order.slice(0, at), order.length, ...order.slice(at)];
  if (manner === "leaves") return order.filter((_, index) => index !== at);
  const [moved, others] = [order.slice(at, at + 1), order.filter((_, index) => index !== at)];
  if (manner === "rises") return [...moved, ...others];
  return manner === "sinks" ? [...others, ...moved] : [...order];
}

/** @returns whether there was a list */
async function readDrawn(given: Drawn): Promise<boolean> {
  const { count, wanted, manner } = given;
  const { loadPage, moments, toRow, toRank, countRequests } = createMovingProvider(given);
  const list = await read({ loadPage }, { wanted, limit: createPageLimit() }).catch((error: unknown) => error);
  hold(countRequests() <= 4 * (count + 2) + 6, "a bounded number of requests");
  if (list instanceof FeedError) {
    hold(list.code === "FEED_RESPONSE_MALFORMED", `an error that says why: ${list}`);
    hold(manner !== "rests", "a list that rests is read");
    return false;
  }
  const toText = (rows: readonly Row[]) => JSON.stringify(rows);
  const { rows } = list as List;
  const most = wanted === "all" ? Number.POSITIVE_INFINITY : wanted;
  const isOfMoment = (order: readonly number[]) => {
    const whole = order.slice(0, most);
    if (manner !== "swaps" && manner !== "shuffles") return toText(rows) === toText(whole.map(toRow));
    // In any order within a rank, each rank has its rows, each once.
    const texts = rows.map((row) => JSON.stringify(row));
    const ranks = rows.map(({ totalPageViews }) => -Number(totalPageViews));
    return (
      new Set(texts).size === whole.length &&
      rows.length === whole.length &&
      ranks.every((rank, at) => rank === toRank(whole[at] as number))
    );
  };
  hold(moments.some(isOfMoment), `the list of one moment, whole and in its order: ${rows.length} of ${count}`);
  return true;
}

it("a list that changes while it is read, or has inconsistent pages is the provider's list of one moment or an error", async () => {
  const runs = toRuns(700, 4_000);
  let movingLists = 0;
  const law = fc.asyncProperty(drawn, async (given) => {
    fc.pre(!isBeyondProof(given));
    if ((await readDrawn(given)) && given.manner !== "rests") movingLists++;
  });
  await fc.assert(law, { seed: 7, numRuns: runs });
  expect(movingLists).toBeGreaterThan(runs / 4);
});

import { describe, it } from "@jest/globals";
import fc from "fast-check";
import { FeedError } from "../../../src/client/errors";
import type { Row } from "../../../src/feed/decode";
import { createPageLimit, type List } from "../../../src/feed/pages";
import { findSame, toIdentity } from "../../../src/feed/rankings/ranked-list";
import { read } from "../../feed/pages/odd-paging";
import { hold, toRuns } from "../../support/property";
import { rankRows } from "./rank-rows";

/** A ranking that changes once while it is read. */
interface Drawn {
  count: number;
  /** The most rows of a page. */
  cap: number;
  /** Rows that move, from a place to another one, before page `at` of the first reading or of each. */
  moves: [from: number, to: number][];
  /** Companies that come or go at that time. */
  drift: number;
  at: number;
  isEach: boolean;
  /** Every so many companies one has no ticker. */
  nameless: number;
}

const RUNS = toRuns(300, 3_000);

const drawn: fc.Arbitrary<Drawn> = fc.record({
  count: fc.integer({ min: 1, max: 200 }),
  cap: fc.oneof(fc.constant(10_000), fc.integer({ min: 5, max: 100 })),
  moves: fc.array(fc.tuple(fc.nat({ max: 199 }), fc.nat({ max: 199 })), { maxLength: 4 }),
  drift: fc.integer({ min: -2, max: 2 }),
  at: fc.integer({ min: 2, max: 5 }),
  isEach: fc.boolean(),
  nameless: fc.integer({ min: 2, max: 20 }),
});

const toName = (number: number) => `Company ${number}`;

function listMoments({ count, moves, drift }: Drawn): [before: number[], after: number[]] {
  const before = Array.from({ length: count }, (_, at) => at);
  const after = [...before];
  for (const [from, to] of moves) {
    const [moved] = after.splice(from % count, 1);
    if (moved !== undefined) after.splice(to % count, 0, moved);
  }
  if (drift > 0) after.unshift(...Array.from({ length: drift }, (_, at) => count + at));
  else after.splice(0, -drift);
  return [before, after];
}

async function readMoving(given: Drawn, wanted: number | "all"): Promise<List | FeedError> {
  const [before, after] = listMoments(given);
  const toRow = (number: number): Row => ({
    companyName: toName(number),
    tickerSymbol: number % given.nameless === 0 ? null : String(1_000 + number),
    headquarters: "Tokyo",
  });
  let readings = 0;
  const loadPage = async (page: number, requested = 25) => {
    if (page === 1) readings++;
    const size = Math.min(requested, given.cap);
    const order = page >= given.at && (given.isEach || readings === 1) ? after : before;
    return { rows: order.slice((page - 1) * size, page * size).map(toRow), page, pageSize: size, total: order.length };
  };
  return (await read({ loadPage }, { wanted, limit: createPageLimit() }).catch((error) => error)) as List | FeedError;
}

/** Each rank that a trend would show is the company's rank at one of both moments. */
function holdRanks(given: Drawn, { rows }: List, isWhole: boolean): void {
  const moments = listMoments(given);
  const list = rankRows(rows, isWhole);
  for (const number of new Set(moments.flat())) {
    const entry = list.entries.find(({ name }) => name === toName(number));
    const found = entry && findSame(list, toIdentity(entry, [list]));
    if (typeof found === "object")
      hold(
        moments.some((order) => order.indexOf(number) + 1 === found.rank),
        "a true rank",
      );
    // Only a company that one of the moments lacks is absent.
    else if (isWhole && found === undefined)
      hold(
        moments.some((order) => !order.includes(number)),
        "a true absence",
      );
  }
}

describe("a ranking whose order and length change between its pages", () => {
  it("gives ranks that were true at a moment, or an error", async () => {
    let flagged = 0;
    const law = fc.asyncProperty(drawn, async (given) => {
      const list = await readMoving(given, "all");
      if (!(list instanceof FeedError)) return holdRanks(given, list, true);
      flagged++;
      hold(list.code === "FEED_RESPONSE_MALFORMED", `an error that says why: ${list}`);
    });
    await fc.assert(law, { seed: 5, numRuns: RUNS });
    hold(flagged > RUNS / 30, "lists that change each time are flagged");
  });

  it("gives true ranks of its first rows, which one page holds", async () => {
    const law = fc.asyncProperty(drawn, async (given) => {
      const list = await readMoving({ ...given, cap: 10_000 }, 100);
      hold(!(list instanceof FeedError), "one page is of one moment");
      holdRanks(given, list as List, false);
    });
    await fc.assert(law, { seed: 6, numRuns: RUNS / 3 });
  });
});

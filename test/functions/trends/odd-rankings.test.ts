import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Row } from "../../../src/feed/decode";
import { listMoves, toMoverRow } from "../../../src/feed/rankings/movers";
import { findSame, toIdentity } from "../../../src/feed/rankings/ranked-list";
import { toRuns } from "../../support/property";
import { createOddWeeks } from "./odd-weeks";
import { createTrendBed, type TrendBed } from "./provider";
import { rankRows } from "./rank-rows";
import { countDiffering, createNames, findPlace, type RankedRow, toMoverRows, toTrendCell } from "./truth";

const MONDAY_MS = Date.UTC(2024, 0, 1);
const WEEK_MS = 7 * 86_400_000;
const COMPANIES = toRuns(400, 4_000);
const RUNS = toRuns(300, 3_000);

let bed: TrendBed;
let weeks: RankedRow[][];
let toNames: ReturnType<typeof createNames>;

beforeAll(async () => {
  weeks = createOddWeeks(11, { companies: COMPANIES, weeks: 12, share: 0.02 });
  toNames = createNames(weeks);
  bed = await createTrendBed();
  for (const [at, rows] of weeks.entries()) {
    const monday = new Date(MONDAY_MS + at * WEEK_MS).toISOString().slice(0, 10);
    bed.rankings[monday] = rows.map((row) => ({ ...row }));
  }
  await bed.open();
});
afterAll(() => bed.close());

const WEEKS = "2024-W01:2024-W12";
const last = () => weeks.at(-1) as RankedRow[];

/** Compares the cells of a trend after name and ticker. */
const countWrongRanks = (shown: readonly (readonly unknown[])[], expected: Parameters<typeof countDiffering>[1]) => {
  const ranks = shown.map((row) => row.slice(2));
  return countDiffering(ranks, expected);
};

/** The rows of all weeks that a text may mean. */
const listAll = (isMeant: (row: RankedRow) => boolean) => weeks.flatMap((rows) => rows.filter(isMeant));

describe("rankings with ties, equal names and tickers, null tickers, and companies that come and go", () => {
  it("have no cell of TREND that differs from a direct computation", async () => {
    const shown = await bed.show("RANKING.TREND", [["all"]], [[WEEKS]], null, null, false);
    const expected = last().map((company, at) => {
      const names = toNames(company);
      return weeks.map((rows) => (rows === last() ? at + 1 : toTrendCell(company, rows, names, last())));
    });
    const kinds = new Set(expected.flat().map((cell) => (typeof cell === "number" ? "rank" : cell)));
    expect(kinds).toEqual(new Set(["rank", "#N/A FEED_NO_VALUE", "#VALUE! FEED_AMBIGUOUS"]));
    expect(expected.length).toBeGreaterThan(0.95 * COMPANIES);
    expect(countWrongRanks(shown, expected)).toBe(0);
  }, 60_000);

  it("have each row of any period in TREND, whose columns are then the whole rankings", async () => {
    const shown = await bed.show("RANKING.TREND", [["any"]], [["2024-W10:2024-W12"]], "totalPageViews", null, false);
    const some = weeks.slice(-3);
    const toKey = ({ tickerSymbol, companyName, headquarters }: RankedRow) =>
      tickerSymbol ?? `${companyName} ${headquarters}`;
    expect(shown.slice(0, last().length).map(([name]) => name)).toEqual(last().map(({ companyName }) => companyName));
    const lists = some.map((rows) => rows.map(toKey));
    const former = lists.slice(0, 2).flat();
    expect(shown.length - last().length).toBe(new Set(former.filter((key) => !lists[2]?.includes(key))).size);
    for (const [at, rows] of some.entries()) {
      const cells = shown.map((row) => row[at + 2]);
      const ranked = cells.filter((cell) => typeof cell === "number").length;
      const uncertain = cells.filter((cell) => String(cell).startsWith("#VALUE! FEED_AMBIGUOUS")).length;
      expect(ranked).toBeLessThanOrEqual(rows.length);
      expect(ranked + uncertain).toBeGreaterThanOrEqual(new Set(lists[at]).size);
    }
  }, 60_000);

  it("give 0 differing cells of TREND for named companies, each by its ticker or its name", async () => {
    const texts = last()
      .slice(0, COMPANIES / 6)
      .map(({ tickerSymbol, companyName }, at) => (at % 2 === 0 && tickerSymbol) || companyName);
    const names = texts.map((text) => [text]);
    const shown = await bed.show("RANKING.TREND", names, [[WEEKS]], null, null, false);
    const expected = texts.map((text) => {
      const coded = listAll(({ tickerSymbol }) => tickerSymbol === text).slice(0, 1);
      const named = coded.length > 0 ? coded : listAll(({ companyName }) => companyName === text);
      const keys = new Set(named.map(({ tickerSymbol, headquarters }) => tickerSymbol ?? headquarters));
      const [company] = named;
      if (keys.size > 1 || company === undefined) return weeks.map(() => "#VALUE! FEED_AMBIGUOUS");
      const own = weeks.find((rows) => rows.includes(company)) ?? [];
      return weeks.map((rows) => toTrendCell(company, rows, toNames(company), own));
    });
    expect(countWrongRanks(shown, expected)).toBe(0);
  }, 60_000);

  it("have no cell of MOVERS that differs from a direct computation", async () => {
    const fields =
      "rank,previous.rank,change.rank,tickerSymbol,totalPageViews,previous.totalPageViews,growth.totalPageViews,status";
    const shown = await bed.show("RANKING.MOVERS", "2024-W12", null, "all", null, null, [[fields]], false);
    const toKey = ([rank, previous]: readonly unknown[]) =>
      typeof rank === "number" ? rank : 10_000 + Number(previous);
    const byKey = (one: readonly unknown[], other: readonly unknown[]) => toKey(one) - toKey(other);
    const expected = toMoverRows(last(), weeks.at(-2) as RankedRow[]);
    expect(new Set(expected.map((row) => row.at(-1)))).toEqual(new Set(["", "new", "gone", "#VALUE! FEED_AMBIGUOUS"]));
    expect(countDiffering([...shown].sort(byKey), [...expected].sort(byKey))).toBe(0);
  }, 60_000);
});

it(`two small rankings full of oddities are joined as the direct computation joins them, ${RUNS} times`, () => {
  for (let seed = 1; seed <= RUNS; seed++) {
    const [before = [], now = []] = createOddWeeks(seed, { companies: 7, weeks: 2, share: 0.3 });
    const [list, former] = [now, before].map((rows) => rankRows(rows as unknown as Row[], true));
    if (list === undefined || former === undefined) throw new Error("no list");
    const found = list.entries.map((entry) => {
      const same = findSame(former, toIdentity(entry, [list]));
      return typeof same === "string" ? same : Number(same.rank) - 1;
    });
    expect([seed, found]).toEqual([seed, now.map((row) => findPlace(row, before, createNames([now])(row), now))]);
    const statuses = listMoves({ now: list, before: former }).map((move) => {
      const { status } = toMoverRow(move, ["totalPageViews"], () => new Error("uncertain"));
      return status instanceof Error ? "#VALUE! FEED_AMBIGUOUS" : (status ?? "");
    });
    expect([seed, statuses.sort()]).toEqual([
      seed,
      toMoverRows(now, before)
        .map((row) => row.at(-1))
        .sort(),
    ]);
  }
});

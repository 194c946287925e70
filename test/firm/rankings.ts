import type { RankingRange } from "../../src/feed/rankings";
import { toHourRange } from "../../src/sandbox/data/page-views";
import { createRankingIndex } from "../../src/sandbox/data/ranking-index";
import { WEEK_MS } from "./provider";

/** The sandbox's, unless given otherwise. */
const SEED = 1;
const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.UTC(2023, 0, 1);
/** Days that have ended, whose rankings never change. */
const DAYS = 700;

const truth = createRankingIndex(SEED);

/** The range of a day; after the last one the first comes again. */
export function toRange(day: number): RankingRange {
  const date = new Date(FIRST_DAY_MS + (day % DAYS) * DAY_MS).toISOString().slice(0, 10);
  return { start: `${date}T00:00:00`, end: `${date}T23:59:59` };
}

/**
 * Describes the first row that differs from the provider's ranking; undefined if all are right.
 * @param weeks How often the provider's rankings had moved on.
 */
export function findWrongRow(
  day: number,
  rows: readonly Readonly<Record<string, unknown>>[],
  weeks = 0,
): string | undefined {
  const { start, end } = toRange(day);
  const toMs = (date: string) => Date.parse(`${date}Z`) + weeks * WEEK_MS;
  const range = toHourRange(toMs(start), toMs(end), Date.now());
  const ranked = truth.rankCompanies(range);
  if (rows.length !== ranked.length) return `${rows.length} rows instead of ${ranked.length}`;
  for (const [place, each] of ranked.entries()) {
    const { companyName, totalPageViews, totalUniquePageViews } = truth.createCompanyRanking(each, range);
    const row = rows[place]!;
    const isRight =
      row.companyName === companyName &&
      row.totalPageViews === totalPageViews &&
      row.totalUniquePageViews === totalUniquePageViews;
    if (!isRight) return `row ${place + 1} shows ${JSON.stringify(row).slice(0, 200)} instead of ${companyName}`;
  }
  return undefined;
}

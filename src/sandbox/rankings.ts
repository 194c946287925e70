import type { CompanyRanking, ErrorDetail, IndustryRanking } from "../contract/types";
import { type HourRange, toHourRange } from "./data/page-views";
import { INDUSTRY_PATHS } from "./data/taxonomy";
import { Refusal } from "./errors";
import { createPage, type PageQuery, type Provider } from "./provider";

/** The query of the three rankings (§4.4). */
export interface RankingQuery extends PageQuery {
  start_datetime: string;
  end_datetime: string;
}

/** Milliseconds of a date-time read as UTC, or undefined when there is no such day or time. */
function readDatetime(text: string): number | undefined {
  const ms = Date.parse(`${text}Z`);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 19) !== text ? undefined : ms;
}

const WEEK_MS = 7 * 24 * 3_600_000;

/** The hours of a query: those that begin from its start to its end, both inclusive to the second, and not after now. */
function readRange({ nowMs, weeks }: Provider, { start_datetime, end_datetime }: RankingQuery): HourRange {
  const startMs = readDatetime(start_datetime);
  const endMs = readDatetime(end_datetime);
  const details: ErrorDetail[] = [];
  const issue = "must be a real date and time written yyyy-MM-dd'T'HH:mm:ss";
  if (startMs === undefined) details.push({ field: "start_datetime", issue });
  if (endMs === undefined) details.push({ field: "end_datetime", issue });
  if (startMs !== undefined && endMs !== undefined && startMs > endMs) {
    details.push({ field: "end_datetime", issue: "must not be before start_datetime" });
  }
  if (details.length > 0) throw new Refusal(400, "INVALID_REQUEST", "The range of date-times is invalid.", details);
  const laterMs = weeks() * WEEK_MS;
  return toHourRange(startMs! + laterMs, endMs! + laterMs, nowMs() + laterMs);
}

/** Ranks listed companies, each as `create` makes it. */
function rankBy(create: "createCompanyRanking" | "createCompanyPageRanking") {
  return (provider: Provider, query: RankingQuery) => {
    const { rankingIndex, controls } = provider;
    const range = readRange(provider, query);
    const ranked = rankingIndex.rankCompanies(range);
    const pageable = { total: ranked.length, create: (nth: number) => rankingIndex[create](ranked[nth]!, range) };
    return createPage<CompanyRanking>(pageable, query, controls);
  };
}

export const rankCompanies = rankBy("createCompanyRanking");

/** Ranks listed companies, with the statistics of all 18 page types. */
export const rankCompanyPages = rankBy("createCompanyPageRanking");

/** Ranks industries. */
export function rankIndustries(provider: Provider, query: RankingQuery) {
  const ranked = provider.rankingIndex.rankIndustries(readRange(provider, query));
  const create = (nth: number): IndustryRanking => {
    const { place, views, uniqueViews } = ranked[nth]!;
    const { industryId, industryName, description, sectorName, subSectorName } = INDUSTRY_PATHS[place]!;
    return {
      industryId,
      industryName,
      industryDescription: description,
      sectorName,
      subSectorName,
      totalPageViews: views,
      totalUniquePageViews: uniqueViews,
    };
  };
  return createPage({ total: ranked.length, create }, query, provider.controls);
}

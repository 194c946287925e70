import { PAGE_TYPES } from "../contract/constants";
import type {
  CompanyPageRanking,
  CompanyRanking,
  EngagementTime,
  ErrorDetail,
  IndustryRanking,
  PageStatsValue,
} from "../contract/types";
import { createPageEngagement, sumEngagement } from "./data/engagement";
import { FAMILY_WORD } from "./data/identifiers";
import { createListing, type Listing, pickSubSectorOfListed, RANKED_COMPANIES } from "./data/listings";
import { createPageViews, type HourRange, toHourRange, type ViewCount } from "./data/page-views";
import { INDUSTRY_PATHS, pickIndustries } from "./data/taxonomy";
import { Refusal } from "./errors";
import { createPage, type PageQuery } from "./paging";
import type { Provider } from "./provider";

/** The query of the three rankings (§4.4). */
export interface RankingQuery extends PageQuery {
  start_datetime: string;
  end_datetime: string;
}

/** The company or industry in this place of the data, with its views. */
interface Ranked extends ViewCount {
  place: number;
}

/** Ranks any range of hours; the last ranges are kept, so that paging through one ranks it once. */
export interface RankingIndex {
  rankCompanies(range: HourRange): readonly Ranked[];
  rankIndustries(range: HourRange): readonly Ranked[];
  createCompanyRanking(ranked: Ranked, range: HourRange): CompanyRanking;
  createCompanyPageRanking(ranked: Ranked, range: HourRange): CompanyPageRanking;
}

const KEPT_RANGES = 8;

/** Remembers the answers for the last few ranges. */
function keepLast<Answer>(create: (range: HourRange) => Answer) {
  const kept = new Map<string, Answer>();
  return (range: HourRange): Answer => {
    const key = `${range.from}-${range.to}`;
    const answer = kept.get(key) ?? create(range);
    kept.delete(key);
    kept.set(key, answer);
    if (kept.size > KEPT_RANGES) kept.delete(kept.keys().next().value!);
    return answer;
  };
}

/** By page views, most first; ties by name, then by place, so that pages never overlap. */
function sortRanked(ranked: Ranked[], pickName: (place: number) => string): readonly Ranked[] {
  return ranked.sort((left, right) => {
    if (left.views !== right.views) return right.views - left.views;
    const [leftName, rightName] = [pickName(left.place), pickName(right.place)];
    if (leftName === rightName) return left.place - right.place;
    return leftName < rightName ? -1 : 1;
  });
}

/** Creates the rankings; a range without any recorded hour ranks nothing. */
export function createRankingIndex(seed: number): RankingIndex {
  const pageViews = createPageViews(seed);
  const listings: Listing[] = Array.from({ length: RANKED_COMPANIES }, (_, company) => createListing(seed, company));
  const industryOf = listings.map(
    (_, company) => pickIndustries([seed, FAMILY_WORD.listed, company], pickSubSectorOfListed(company))[0]!,
  );
  const nameOf = (company: number) => listings[company]!.names.shown;
  const rankCompanies = keepLast((range) => {
    if (range.from === range.to) return [];
    return sortRanked(
      listings.map((_, place) => ({ place, ...pageViews.countCompany(place, range) })),
      nameOf,
    );
  });
  const countPages = (company: number, range: HourRange) =>
    PAGE_TYPES.map((_, page) => ({
      ...pageViews.countPage(company, page, range),
      engagement: createPageEngagement(seed, company, page),
    }));
  const createRanking = ({ place, views, uniqueViews }: Ranked, pages: PageCount[]): CompanyRanking => ({
    companyName: nameOf(place),
    tickerSymbol: listings[place]!.tickerSymbol,
    headquarters: listings[place]!.headquarters,
    totalPageViews: views,
    totalUniquePageViews: uniqueViews,
    engagementTime: sumEngagement(pages),
  });
  return {
    rankCompanies,
    rankIndustries: keepLast((range) => sumIndustries(rankCompanies(range), industryOf)),
    createCompanyRanking: (ranked, range) => createRanking(ranked, countPages(ranked.place, range)),
    createCompanyPageRanking(ranked, range) {
      const pages = countPages(ranked.place, range);
      const stats = pages.map((count, page) => [PAGE_TYPES[page]!, toStats(count)]);
      return { ...createRanking(ranked, pages), pages: Object.fromEntries(stats) };
    },
  };
}

type PageCount = ViewCount & { engagement: EngagementTime | null };

function toStats({ views, uniqueViews, engagement }: PageCount): PageStatsValue | null {
  if (views === 0) return null;
  return { totalPageViews: views, totalUniquePageViews: uniqueViews, engagementTime: engagement };
}

/** An industry's views are those of the companies whose primary industry it is. */
function sumIndustries(companies: readonly Ranked[], industryOf: readonly number[]): readonly Ranked[] {
  if (companies.length === 0) return [];
  const sums = INDUSTRY_PATHS.map((_, place) => ({ place, views: 0, uniqueViews: 0 }));
  for (const { place, views, uniqueViews } of companies) {
    const sum = sums[industryOf[place]!]!;
    sum.views += views;
    sum.uniqueViews += uniqueViews;
  }
  return sortRanked(sums, (place) => INDUSTRY_PATHS[place]!.industryName);
}

/** Milliseconds of a date-time read as UTC, or undefined when there is no such day or time. */
function readDatetime(text: string): number | undefined {
  const ms = Date.parse(`${text}Z`);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 19) !== text ? undefined : ms;
}

/** The hours of a query: those that begin from its start to its end, both inclusive to the second. */
function readRange({ start_datetime, end_datetime }: RankingQuery): HourRange {
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
  return toHourRange(startMs!, endMs!);
}

/** Ranks listed companies. */
export function rankCompanies({ rankingIndex, controls }: Provider, query: RankingQuery) {
  const range = readRange(query);
  const ranked = rankingIndex.rankCompanies(range);
  const create = (nth: number) => rankingIndex.createCompanyRanking(ranked[nth]!, range);
  return createPage({ total: ranked.length, create }, query, controls);
}

/** Ranks listed companies, with the statistics of all 18 page types. */
export function rankCompanyPages({ rankingIndex, controls }: Provider, query: RankingQuery) {
  const range = readRange(query);
  const ranked = rankingIndex.rankCompanies(range);
  const create = (nth: number) => rankingIndex.createCompanyPageRanking(ranked[nth]!, range);
  return createPage({ total: ranked.length, create }, query, controls);
}

/** Ranks industries. */
export function rankIndustries({ rankingIndex, controls }: Provider, query: RankingQuery) {
  const ranked = rankingIndex.rankIndustries(readRange(query));
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
  return createPage({ total: ranked.length, create }, query, controls);
}

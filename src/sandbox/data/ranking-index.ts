import { PAGE_TYPES } from "../../contract/parameter-values";
import type { CompanyPageRanking, CompanyRanking, EngagementTime, PageStatsValue } from "../../contract/types";
import { LISTING_WORD } from "./identifiers";
import { createPageViews, type HourRange, type ViewCount } from "./page-views";
import { hash, PURPOSE } from "./random";
import { INDUSTRY_PATHS, pickIndustries } from "./taxonomy";
import { createListing, type Listing, pickBranchesOfListed, RANKED_COMPANIES } from "./universe";

/** The company or industry in this place of the data, with its views. */
interface Ranked extends ViewCount {
  place: number;
}

/** Ranks any range of hours; recent ranges are memoised, so that paging ranks a range once. */
export interface RankingIndex {
  rankCompanies(range: HourRange): readonly Ranked[];
  rankIndustries(range: HourRange): readonly Ranked[];
  createCompanyRanking(ranked: Ranked, range: HourRange): CompanyRanking;
  createCompanyPageRanking(ranked: Ranked, range: HourRange): CompanyPageRanking;
}

const MOST_RANGES = 8;

/** Memoises the results of the last few ranges. */
function memoiseRecent<Answer>(create: (range: HourRange) => Answer) {
  const recent = new Map<string, Answer>();
  return (range: HourRange): Answer => {
    const key = `${range.from}-${range.to}`;
    const answer = recent.get(key) ?? create(range);
    recent.delete(key);
    recent.set(key, answer);
    if (recent.size > MOST_RANGES) recent.delete(recent.keys().next().value!);
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
    (_, company) => pickIndustries([seed, LISTING_WORD.listed, company], pickBranchesOfListed(company))[0]!,
  );
  const nameOf = (company: number) => listings[company]!.names.shown;
  const rankCompanies = memoiseRecent((range) => {
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
    rankIndustries: memoiseRecent((range) => sumIndustries(rankCompanies(range), industryOf)),
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

const UNTRACKED_PAGE = PAGE_TYPES.indexOf("FUNCTIONALITY");

/** One company in this many has no engagement data at all. */
const UNTRACKED_EVERY = 25;

const toHundredths = (value: number) => Math.round(value * 100) / 100;

/** The minutes a visitor stays on a company's page of one type, or null when that is not tracked. */
function createPageEngagement(seed: number, company: number, page: number): EngagementTime | null {
  const habit = hash(seed, PURPOSE.engagement, company);
  if (page === UNTRACKED_PAGE || habit % UNTRACKED_EVERY === 0) return null;
  const drawn = hash(seed, PURPOSE.engagement, company, page, 1);
  const avg = toHundredths(0.4 + (drawn % 500) / 100);
  return {
    avg,
    min: habit % 11 === 0 ? null : toHundredths(avg * 0.1),
    max: habit % 13 === 0 ? null : toHundredths(avg * (3 + (drawn % 7))),
  };
}

/** The engagement across pages, the average weighed by views; null when no viewed page has any. */
function sumEngagement(pages: readonly { views: number; engagement: EngagementTime | null }[]): EngagementTime | null {
  const tracked = pages.filter(({ views, engagement }) => views > 0 && engagement !== null);
  if (tracked.length === 0) return null;
  const views = tracked.reduce((sum, page) => sum + page.views, 0);
  const minutes = tracked.reduce((sum, page) => sum + page.views * page.engagement!.avg, 0);
  const lowest = tracked.map(({ engagement }) => engagement!.min).filter((value) => typeof value === "number");
  const highest = tracked.map(({ engagement }) => engagement!.max).filter((value) => typeof value === "number");
  return {
    avg: toHundredths(minutes / views),
    min: lowest.length > 0 ? Math.min(...lowest) : null,
    max: highest.length > 0 ? Math.max(...highest) : null,
  };
}

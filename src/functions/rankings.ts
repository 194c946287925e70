import { session } from "../session/current";
import { lazily, stream } from "./stream";

const load = () => import(/* webpackChunkName: "views" */ "./views/rankings");
const openCompanies = lazily(async () => (await load()).openCompanies);
const openPages = lazily(async () => (await load()).openPages);
const openIndustries = lazily(async () => (await load()).openIndustries);

const openTrend = lazily(async () => (await import(/* webpackChunkName: "trends" */ "./views/trend")).openTrend);
const openMovers = lazily(async () => (await import(/* webpackChunkName: "trends" */ "./views/movers")).openMovers);

/**
 * Listed companies of Japan by page views over a range of time, as a table that spills.
 * @customfunction RANKING
 * @param start First day, as a date or "2024-01-01", or a range such as "-7d", "-4w", "MTD", "YTD", "2024-03", "2024-W12"
 * @param [end] Last day, the whole of it; may be left out when start is a range
 * @param [top] Rows wanted, or "all"; 100 when left out
 * @param [fields] Fields wanted, e.g. "rank,companyName,totalPageViews"; all when left out
 * @param [by] A measure to sort by instead of the provider's order, e.g. "totalUniquePageViews"
 * @param [headers] FALSE leaves the header row out
 * @param invocation Streams the table
 * @streaming
 * @requiresStreamAddress
 */
export function ranking(
  start: any,
  end: any,
  top: any,
  fields: any[][],
  by: any,
  headers: any,
  invocation: CustomFunctions.StreamingInvocation<any[][]>,
): void {
  stream(session, invocation, "RANKING", { start, end, top, fields, by, headers }, openCompanies);
}

/**
 * Listed companies of Japan with their views of each type of page, such as news or shareholders, as a table that spills.
 * @customfunction RANKING.PAGES
 * @param start First day, as a date or "2024-01-01", or a range such as "-7d", "-4w", "MTD", "YTD", "2024-03", "2024-W12"
 * @param [end] Last day, the whole of it; may be left out when start is a range
 * @param [pagetype] One type of page, e.g. "NEWS" or "stock prices", with all its statistics; when left out, the page views of all 18 types
 * @param [top] Rows wanted, or "all"; 100 when left out
 * @param [fields] Fields wanted, e.g. "companyName,totalUniquePageViews", which is the page type's where one is given; over all pages "allPages.totalPageViews", of any type "pages.NEWS.totalPageViews"
 * @param [headers] FALSE leaves the header row out
 * @param invocation Streams the table
 * @streaming
 * @requiresStreamAddress
 */
export function rankingPages(
  start: any,
  end: any,
  pagetype: any,
  top: any,
  fields: any[][],
  headers: any,
  invocation: CustomFunctions.StreamingInvocation<any[][]>,
): void {
  stream(session, invocation, "RANKING.PAGES", { start, end, pagetype, top, fields, headers }, openPages);
}

/**
 * Industries of Japan by page views over a range of time, as a table that spills.
 * @customfunction RANKING.INDUSTRIES
 * @param start First day, as a date or "2024-01-01", or a range such as "-7d", "-4w", "MTD", "YTD", "2024-03", "2024-W12"
 * @param [end] Last day, the whole of it; may be left out when start is a range
 * @param [top] Rows wanted, or "all"; all when left out
 * @param [fields] Fields wanted, e.g. "rank,industryName,totalPageViews"; all when left out
 * @param [by] A measure to sort by instead of the provider's order, e.g. "totalUniquePageViews"
 * @param [headers] FALSE leaves the header row out
 * @param invocation Streams the table
 * @streaming
 * @requiresStreamAddress
 */
export function rankingIndustries(
  start: any,
  end: any,
  top: any,
  fields: any[][],
  by: any,
  headers: any,
  invocation: CustomFunctions.StreamingInvocation<any[][]>,
): void {
  stream(session, invocation, "RANKING.INDUSTRIES", { start, end, top, fields, by, headers }, openIndustries);
}

/**
 * Ranks of listed companies or industries of Japan by page views over several periods, each a column, as a table that spills.
 * @customfunction RANKING.TREND
 * @param names Companies as tickers or names, industries as ids or names, e.g. A2:A20; or "top 20" or "all" of the latest period
 * @param periods Periods, each a column: "-12w" for the last twelve whole weeks, "2024-01:2024-12" for months, or cells with dates or periods
 * @param [measure] What a cell shows, e.g. "totalPageViews"; the rank when left out
 * @param [ranking] "companies", "industries", or a type of page such as "NEWS", by whose views companies are ranked; companies when left out
 * @param [headers] FALSE leaves the header row out
 * @param invocation Streams the table
 * @streaming
 * @requiresStreamAddress
 */
export function rankingTrend(
  names: any[][],
  periods: any[][],
  measure: any,
  ranking: any,
  headers: any,
  invocation: CustomFunctions.StreamingInvocation<any[][]>,
): void {
  stream(session, invocation, "RANKING.TREND", { names, periods, measure, ranking, headers }, openTrend);
}

/**
 * Listed companies or industries of Japan whose rank or page views changed most from one period to another, as a table that spills.
 * @customfunction RANKING.MOVERS
 * @param period A period such as "-7d", "2024-03", "2024-W12" or "2024-01:2024-03", or a date
 * @param [previous] The period to compare with; the one of equal length before when left out
 * @param [top] Rows wanted, or "all"; 100 when left out
 * @param [ranking] "companies", "industries", or a type of page such as "NEWS", by whose views companies are ranked; companies when left out
 * @param [by] The measure whose largest changes come first, up or down, e.g. "totalPageViews"; the rank when left out
 * @param [fields] Fields wanted, e.g. "rank,previous.rank,companyName,growth.totalPageViews"; the usual columns when left out
 * @param [headers] FALSE leaves the header row out
 * @param invocation Streams the table
 * @streaming
 * @requiresStreamAddress
 */
export function rankingMovers(
  period: any,
  previous: any,
  top: any,
  ranking: any,
  by: any,
  fields: any[][],
  headers: any,
  invocation: CustomFunctions.StreamingInvocation<any[][]>,
): void {
  const given = { period, previous, top, ranking, by, fields, headers };
  stream(session, invocation, "RANKING.MOVERS", given, openMovers);
}

session.formulas.offer({
  RANKING: ranking,
  "RANKING.PAGES": rankingPages,
  "RANKING.INDUSTRIES": rankingIndustries,
  "RANKING.TREND": rankingTrend,
  "RANKING.MOVERS": rankingMovers,
});

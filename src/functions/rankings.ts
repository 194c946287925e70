import { session } from "../session/current";
import { lazily, stream } from "./stream";

const load = () => import(/* webpackChunkName: "views" */ "./views/rankings");
const openCompanies = lazily(async () => (await load()).openCompanies);
const openPages = lazily(async () => (await load()).openPages);
const openIndustries = lazily(async () => (await load()).openIndustries);

/**
 * Listed companies of Japan by page views over a range of time, as a table that spills.
 * @customfunction RANKING
 * @param start First day, as a date or "2024-01-01", or a range such as "-7d", "-4w", "MTD", "YTD", "2024-03", "2024-W12"
 * @param [end] Last day, the whole of it; may be left out when start is a range
 * @param [top] Rows wanted, or "all"; 100 when left out
 * @param [fields] Fields wanted, e.g. "rank,companyName,totalPageViews"; all when left out
 * @param [by] A measure to sort by instead of the provider's order, e.g. "totalUniquePageViews"
 * @param [headers] FALSE leaves the header row out
 * @param invocation Streams the table, page by page
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
 * @param invocation Streams the table, page by page
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
 * @param invocation Streams the table, page by page
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

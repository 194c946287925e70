import { INDUSTRY_RANKING_FIELDS, PAGE_RANKING_FIELDS, RANKING_FIELDS, toPageFields } from "../feed/field-tables";
import type { Field } from "../feed/fields";
import type { List } from "../feed/pages";
import type { Query } from "../feed/query-cache";
import type { RankingRange } from "../feed/rankings";
import { session } from "../session/current";
import { type Given, readHeaders, readNames, readText, readTop } from "./arguments";
import { readPageType, toPageColumns, toPageFieldName, toPageRows } from "./page-types";
import { readRange, showRange } from "./periods";
import { stream } from "./stream";
import { openList, toRanked } from "./table";
import type { View } from "./view-observer";

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
  const ask = session.feed.rankings.queryCompanies;
  const kind = { ask, known: RANKING_FIELDS, named: "company", byDefault: DEFAULT_TOP };
  stream(session, invocation, "RANKING", { start, end, top, fields, by, headers }, (given) => openRanking(kind, given));
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
  const ask = session.feed.rankings.queryIndustries;
  const kind = { ask, known: INDUSTRY_RANKING_FIELDS, named: "industry", byDefault: "all" } as const;
  stream(session, invocation, "RANKING.INDUSTRIES", { start, end, top, fields, by, headers }, (given) =>
    openRanking(kind, given),
  );
}

const DEFAULT_TOP = 100;

/** The arguments that all rankings have. */
type RankingArguments = Given<"start" | "end" | "top" | "fields" | "headers">;

/** What is ranked. */
interface Kind {
  ask: (range: RankingRange, wanted: number | "all") => Query<List>;
  known: readonly Field[];
  /** One of them, in a sentence. */
  named: string;
  /** Rows wanted when `top` is not given. */
  byDefault: number | "all";
}

function openRanking({ ask, known, named, byDefault }: Kind, { by, ...given }: RankingArguments & Given<"by">): View {
  const { range, top, ...read } = readArguments(given, byDefault);
  const measure = readText(by, "by");
  return openList({
    ...read,
    query: ask(range, measure === null ? top : "all"),
    known,
    columns: known.map(({ name }) => name),
    empty: toEmpty(named, range),
    toRows: toRanked,
    sort: measure === null ? null : { by: measure, top },
  });
}

function openPages({ pagetype, ...given }: RankingArguments & Given<"pagetype">): View {
  const { range, top, names, ...read } = readArguments(given, DEFAULT_TOP);
  const type = readPageType(pagetype);
  return openList({
    ...read,
    query: session.feed.rankings.queryCompanyPages(range, top),
    known: type?.isListed === false ? [...PAGE_RANKING_FIELDS, ...toPageFields(type.key)] : PAGE_RANKING_FIELDS,
    names: names?.map((name) => toPageFieldName(name, type)) ?? null,
    columns: toPageColumns(type),
    empty: toEmpty("company", range),
    toRows: (rows) => toPageRows(toRanked(rows), type),
    cures: "lower top, name fewer fields, or fields of one page type",
  });
}

function readArguments({ start, end, top, fields, headers }: RankingArguments, byDefault: number | "all") {
  const { range, isRelative } = readRange(start, end, session.settings, session.ports.nowMs());
  return {
    range,
    rereadsOnRefresh: isRelative,
    top: readTop(top, byDefault),
    names: readNames(fields, "fields"),
    headers: readHeaders(headers),
    dateSystem: session.settings.dateSystem,
  };
}

const toEmpty = (named: string, range: RankingRange) =>
  `the provider ranks no ${named} from ${showRange(range)}; give another range`;

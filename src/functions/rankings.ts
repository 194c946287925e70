import { RANKING_FIELDS } from "../feed/field-tables";
import { session } from "../session/current";
import { type Argument, readHeaders, readNames, readText, readTop } from "./arguments";
import { openList, toRanked } from "./list";
import { readRange } from "./periods";
import { stream, type View } from "./stream";

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
  stream(session, invocation, () => openRanking(start, end, top, fields, by, headers));
}

const DEFAULT_TOP = 100;

function openRanking(
  start: Argument,
  end: Argument,
  top: Argument,
  fields: Argument,
  by: Argument,
  headers: Argument,
): View {
  const wanted = readTop(top, DEFAULT_TOP);
  const names = readNames(fields, "fields");
  const measure = readText(by, "by");
  const withHeaders = readHeaders(headers);
  const { range, isRelative } = readRange(start, end, session.settings, session.ports.nowMs());
  return openList({
    question: session.feed.rankings.askCompanies(range, measure === null ? wanted : "all"),
    isRelative,
    known: RANKING_FIELDS,
    names,
    columns: RANKING_FIELDS.map(({ name }) => name),
    headers: withHeaders,
    empty: `the provider ranks no company from ${range.start} to ${range.end}; give another range`,
    toRows: toRanked,
    sort: measure === null ? null : { by: measure, top: wanted },
    dateSystem: session.settings.dateSystem,
  });
}

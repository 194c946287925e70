import type { Row } from "../feed/decode";
import { ArgumentError, NoValueError } from "../feed/errors";
import { pickField, RANKING_FIELDS } from "../feed/fields";
import type { List } from "../feed/pages";
import { session } from "../session/current";
import { type Argument, readHeaders, readNames, readText, readTop } from "./arguments";
import { readRange } from "./periods";
import { type Settled, stream, type View } from "./stream";
import { readField, toTable } from "./table";

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

const EMPTY = "the provider ranks no company from";

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
  // The largest by another measure may stand anywhere in the provider's order.
  const question = session.feed.rankings.askCompanies(range, measure === null ? wanted : "all");
  return {
    questions: [question],
    isRelative,
    show([settled]) {
      const { rows, expected, isComplete } = readAnswer(settled);
      if (measure !== null && !isComplete) return null;
      if (rows.length === 0)
        throw new NoValueError("FEED_NO_VALUE", `${EMPTY} ${range.start} to ${range.end}; give another range`);
      const ranked = rows.map((row, index): Row => ({ ...row, rank: index + 1 }));
      const chosen =
        measure === null ? ranked : sortBy(ranked, measure).slice(0, wanted === "all" ? undefined : wanted);
      const count = wanted === "all" ? expected : Math.min(wanted, expected);
      return toTable(chosen, { names, known: RANKING_FIELDS, headers: withHeaders, expected: count });
    },
  };
}

function readAnswer(settled: Settled | undefined): List & { isComplete: boolean } {
  if (settled?.status !== "answered") throw settled?.error;
  const { value, isComplete } = settled.answer;
  return { ...(value as List), isComplete };
}

/** Largest first; rows without the measure, or with what is no number, last. @throws ArgumentError (FEED_ARGUMENT_INVALID) */
function sortBy(rows: readonly Row[], measure: string): Row[] {
  const { name, isNumber } = readField(measure, RANKING_FIELDS, rows);
  const measureOf = (row: Row) => {
    const value = pickField(row, name);
    if (!isNumber && typeof value === "string")
      throw new ArgumentError(`by must be a measure such as "totalPageViews", not "${measure}"`);
    return typeof value === "number" && Number.isFinite(value) ? value : Number.NEGATIVE_INFINITY;
  };
  return rows
    .map((row) => ({ row, value: measureOf(row) }))
    .sort((one, other) => other.value - one.value || 0)
    .map(({ row }) => row);
}

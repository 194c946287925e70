import { type Message, msg } from "../../client/messages";
import { INDUSTRY_RANKING_FIELDS, PAGE_RANKING_FIELDS, RANKING_FIELDS, toPageFields } from "../../feed/field-tables";
import type { Field } from "../../feed/fields";
import type { List } from "../../feed/pages";
import type { Query } from "../../feed/query-cache";
import type { RankingRange } from "../../feed/rankings";
import { session } from "../../session/current";
import { type Given, readNames, readText } from "../arguments";
import type { View } from "../view-observer";
import { readPageType, toPageColumns, toPageFieldName, toPageRows } from "./page-types";
import { readRange, showRange, toRangeName } from "./periods";
import { openList, readHeaders, readTop, toRanked } from "./table";

const DEFAULT_TOP = 100;

/** The arguments that all rankings have. */
type RankingArguments = Given<"start" | "end" | "top" | "fields" | "headers">;

/** A kind of ranking. */
interface Kind {
  toQuery: (range: RankingRange, wanted: number | "all") => Query<List>;
  known: readonly Field[];
  /** The ranked item's name, for sentences. */
  named: Message;
  /** Rows wanted when `top` is not given. */
  byDefault: number | "all";
}

/** Opens FEED.RANKING. @throws ArgumentError (FEED_ARGUMENT_INVALID) */
export function openCompanies(given: RankingArguments & Given<"by">): View {
  const toQuery = session.feed.rankings.queryCompanies;
  return openRanking({ toQuery, known: RANKING_FIELDS, named: msg`company`, byDefault: DEFAULT_TOP }, given);
}

/** Opens FEED.RANKING.INDUSTRIES. @throws ArgumentError (FEED_ARGUMENT_INVALID) */
export function openIndustries(given: RankingArguments & Given<"by">): View {
  const toQuery = session.feed.rankings.queryIndustries;
  return openRanking({ toQuery, known: INDUSTRY_RANKING_FIELDS, named: msg`industry`, byDefault: "all" }, given);
}

function openRanking(
  { toQuery, known, named, byDefault }: Kind,
  { by, ...given }: RankingArguments & Given<"by">,
): View {
  const { range, top, ...read } = readArguments(given, byDefault);
  const measure = readText(by, "by");
  return openList({
    ...read,
    query: toQuery(range, measure === null ? top : "all"),
    known,
    columns: known.map(({ name }) => name),
    empty: toEmpty(named, range),
    toRows: (rows) => toRanked(rows, toRangeName(range)),
    sort: measure === null ? null : { by: measure, top },
  });
}

/** Opens FEED.RANKING.PAGES. @throws ArgumentError (FEED_ARGUMENT_INVALID) */
export function openPages({ pagetype, ...given }: RankingArguments & Given<"pagetype">): View {
  const { range, top, names, ...read } = readArguments(given, DEFAULT_TOP);
  const type = readPageType(pagetype);
  return openList({
    ...read,
    query: session.feed.rankings.queryCompanyPages(range, top),
    known: type?.isListed === false ? [...PAGE_RANKING_FIELDS, ...toPageFields(type.key)] : PAGE_RANKING_FIELDS,
    names: names?.map((name) => toPageFieldName(name, type)) ?? null,
    columns: toPageColumns(type),
    empty: toEmpty(msg`company`, range),
    toRows: (rows) => toPageRows(toRanked(rows, toRangeName(range)), type),
    cures: msg`lower top, name fewer fields, or fields of one page type`,
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
  };
}

const toEmpty = (named: Message, range: RankingRange) =>
  msg`the provider ranks no ${named} from ${showRange(range)}; give another range`;

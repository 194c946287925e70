import { hasCode, NoValueError } from "../../client/errors";
import { msg } from "../../client/messages";
import { type Field, pickField } from "../../feed/fields";
import { foldPlain } from "../../feed/names/folded-letters";
import type { List } from "../../feed/pages";
import type { Query } from "../../feed/query-cache";
import { findSame, inSteps, type RankedList, type Steps } from "../../feed/rankings/ranked-list";
import { session } from "../../session/current";
import type { Given } from "../arguments";
import { assertMayFit, type Table } from "../cells";
import type { Day } from "../dates";
import { createQueries, type Queries } from "../grid";
import { readAnswer, type Settled, type View } from "../view-observer";
import { type Days, readPeriods, toPeriodName, toRankingRange } from "./period-list";
import { type RankingChoice, readRanking, readRankingMeasure, toRankedList, toUncertain } from "./ranking-kinds";
import { createStepwiseView, type Layout } from "./stepwise";
import { readHeaders, toFieldValue } from "./table";
import {
  type FirstRows,
  type GivenNames,
  type Line,
  type RankedLine,
  readRankedNames,
  toFirstLine,
  toNamedLines,
} from "./trend-lines";

type GivenTrend = Given<"names" | "periods" | "measure" | "ranking" | "headers">;

/** Columns before the periods: the name, and what identifies it. */
const LEADING_COLUMNS = 2;

/**
 * Rows read of each period for the first of a ranking: one request. They show more of a company's past than its rank
 * at the top would need, and FEED.RANKING reads as many.
 */
const FIRST_ROWS = 100;

/** Rows that are laid out at once. */
const ROWS_A_STEP = 500;

const CURES = msg`give fewer names or periods`;

/** A period of the formula, and its query. */
interface Period {
  query: Query<List>;
  /** The place of its query. */
  at: number;
  name: string;
  last: Day;
}

/** A period's ranking, or why there is none. */
interface Column extends Period {
  list: RankedList | null;
  error: unknown;
}

interface Options {
  ranking: RankingChoice;
  /** Rows asked for of each period. */
  wanted: number | "all";
  measure: Field;
  headers: boolean;
}

/** Opens FEED.RANKING.TREND. @throws ArgumentError (FEED_ARGUMENT_INVALID) */
export function openTrend({ names, periods, measure, ranking, headers }: GivenTrend): View {
  const { settings, ports } = session;
  const given = readRankedNames(names);
  const { value: days, isRelative } = readPeriods(periods, settings, ports.nowMs());
  const chosen = readRanking(ranking);
  const isTop = given.kind === "first" && typeof given.count === "number" && chosen.kind.pageType === null;
  const options: Options = {
    ranking: chosen,
    wanted: isTop ? Math.max(Number(given.count), FIRST_ROWS) : "all",
    measure: readRankingMeasure(measure, "measure", chosen),
    headers: readHeaders(headers),
  };
  if (given.kind === "names") assertMayFit(given.names.length * (days.length + LEADING_COLUMNS), CURES);
  const queries = createQueries<List>();
  const placed = days.map((each) => each && toPeriod(each, queries, options));
  return createStepwiseView(ports, {
    queries: queries.list,
    rereadsOnRefresh: isRelative,
    *layOut(settled): Layout {
      const columns = yield* toColumns(placed, settled, options);
      const byTime = sortByTime(columns);
      const lists = byTime.flatMap(({ list }) => list ?? []);
      if (lists.length === 0) throw byTime[0]?.error;
      const lines = yield* given.kind === "names" ? toNames(given, lists, chosen) : toFirst(given.count, byTime);
      return yield* layOutLines(lines, columns, byTime, options);
    },
  });
}

function toPeriod(days: Days, queries: Queries<List>, { ranking, wanted }: Options): Period {
  const at = queries.add(ranking.toQuery(toRankingRange(days), wanted));
  return { query: queries.list[at] as Query<List>, at, name: toPeriodName(days), last: days.last };
}

/** The periods' rankings, and null for an empty column. */
function* toColumns(
  periods: readonly (Period | null)[],
  settled: readonly Settled[],
  options: Options,
): Steps<(Column | null)[]> {
  const columns: (Column | null)[] = [];
  for (const period of periods) {
    columns.push(period && (yield* toColumn(period, settled[period.at], options)));
    yield;
  }
  return columns;
}

/** A period's ranking. */
function* toColumn(period: Period, settled: Settled | undefined, { ranking, wanted }: Options): Steps<Column> {
  try {
    const list = readAnswer<List>(settled);
    if (list.rows.length > 0) return { ...period, list: yield* toRankedList(list, ranking, wanted), error: null };
    const error = new NoValueError(
      "FEED_NO_VALUE",
      msg`the provider ranks no ${ranking.named} in ${period.name}; give another period`,
    );
    return { ...period, list: null, error };
  } catch (error) {
    return { ...period, list: null, error };
  }
}

/** Columns from the earliest to the latest, by their last days. */
const sortByTime = (columns: readonly (Column | null)[]): Column[] =>
  columns
    .flatMap((column) => column ?? [])
    .sort((one, other) => (one.last < other.last ? -1 : Number(one.last > other.last)));

/** The named rows: the one of a whole text with commas where it is the name of one, and not each part names another. */
function* toNames(
  { names, whole }: Extract<GivenNames, { kind: "names" }>,
  lists: readonly RankedList[],
  ranking: RankingChoice,
): Steps<Line[]> {
  const lines = yield* toNamedLines(names, lists, ranking);
  if (whole === null) return lines;
  const [line] = yield* toNamedLines([whole], lists, ranking);
  const isVery = line?.kind === "ranked" && foldPlain(line.entry.name) === foldPlain(String(whole.given));
  const isList = !isVery && (lines.every(({ kind }) => kind === "ranked") || !isNamed(line));
  return isList || line === undefined ? lines : [line];
}

const isUnknown = hasCode("FEED_NO_VALUE");

const isInvalid = hasCode("FEED_ARGUMENT_INVALID");

const isNamed = (line: Line | undefined): boolean =>
  line?.kind === "ranked" || (line?.kind === "error" && !isUnknown(line.error) && !isInvalid(line.error));

/** The first rows of the latest period, and for "any" those that only earlier ones have. @param columns by time */
function* toFirst(count: FirstRows, columns: readonly Column[]): Steps<Line[]> {
  const { list, error } = columns.at(-1) as Column;
  if (list === null) throw error;
  const lists = columns.flatMap((column) => column.list ?? []);
  const lines: Line[] = [];
  const first = list.entries.slice(0, typeof count === "number" ? count : undefined);
  yield* inSteps(first, (entry) => void lines.push(toFirstLine(entry, list, lists)));
  if (count !== "any") return lines;
  const seen = new Set(list.byKey.keys());
  for (const earlier of lists.slice(0, -1).reverse()) {
    const others = earlier.entries.filter(({ key }) => !seen.has(key));
    yield* inSteps(others, (entry) => void lines.push(toFirstLine(entry, earlier, lists)));
    for (const { key } of others) seen.add(key);
  }
  return lines;
}

function* layOutLines(
  lines: readonly Line[],
  columns: readonly (Column | null)[],
  byTime: readonly Column[],
  options: Options,
): Layout {
  const { ranking, headers, measure } = options;
  const header = headers ? [[...ranking.headers, ...columns.map((column) => column?.name)]] : [];
  const readers = columns.map((column) => column && createReader(column, options));
  const rows: unknown[][] = [...header];
  for (const line of lines) {
    if (rows.length % ROWS_A_STEP === 0) yield;
    if (line.kind === "blank") rows.push([]);
    else if (line.kind === "ranked") rows.push([...toLabels(line, byTime), ...readers.map((each) => each?.read(line))]);
    else
      rows.push([line.label, null, ...columns.map((each) => each && (each.list === null ? each.error : line.error))]);
  }
  yield;
  const readOrigin: Table["readOrigin"] = (row, at) => {
    const line = lines[row - header.length];
    const column = columns[at - LEADING_COLUMNS] ?? null;
    if (line?.kind !== "ranked" || column === null) return null;
    const entry = readers[at - LEADING_COLUMNS]?.find(line);
    const record = typeof entry === "object" && entry !== null ? entry.source : undefined;
    return { record, field: measure.name, query: column.query };
  };
  return { rows, cures: CURES, readOrigin };
}

/** The latest name and code; a row's own where it was taken from a ranking, or where several could be meant. */
function toLabels({ identity: { key }, entry, own }: RankedLine, byTime: readonly Column[]): unknown[] {
  const list = own ?? byTime.findLast((column) => column.list?.byKey.has(key))?.list;
  const isOwn = own !== null || list?.alike.has(key);
  const { source, name } = (isOwn ? null : list?.byKey.get(key)) ?? entry;
  return [name, source.tickerSymbol ?? source.industryId];
}

/** Reads the cells of a column; an error that several cells have is made once. */
function createReader({ name, list, error }: Column, { measure }: Options) {
  const absent = new NoValueError(
    "FEED_NO_VALUE",
    msg`it is not in the ranking of ${name}; choose a period in which it was viewed`,
  );
  const unread = new NoValueError(
    "FEED_NO_VALUE",
    msg`it is not among the first ${list?.entries.length} of ${name}; name it in place of "top", which reads the whole ranking`,
  );
  const unranked = new NoValueError(
    "FEED_NO_VALUE",
    msg`the provider has no number to rank it by in ${name}; choose another ranking`,
  );
  const find = ({ identity, entry, own }: RankedLine) => {
    if (list === null) return null;
    return list === own ? entry : findSame(list, identity);
  };
  return {
    find,
    read(line: RankedLine): unknown {
      const found = find(line);
      if (list === null || found === null) return error;
      if (found === "absent") return absent;
      if (found === "unread") return unread;
      if (found === "uncertain") return toUncertain(list, line.identity, name);
      if (measure.name === "rank") return found.rank ?? unranked;
      return toFieldValue(pickField(found.row, measure.name), measure);
    },
  };
}

import { NoValueError } from "../../client/errors";
import { msg } from "../../client/messages";
import { type Field, pickField } from "../../feed/fields";
import type { List } from "../../feed/pages";
import type { Query } from "../../feed/query-cache";
import { createNaming, findSame, type Identity, toIdentity } from "../../feed/rankings/joining";
import type { Entry, RankedList } from "../../feed/rankings/ranked-list";
import { session } from "../../session/current";
import { type Given, readScalar } from "../arguments";
import { assertMayFit, type Table } from "../cells";
import { createQueries } from "../grid";
import { readAnswer, type Settled, type View } from "../view-observer";
import { readPeriods, toPeriodName, toRankingRange } from "./period-list";
import { toSeveralNames, toUncertain, toUnknownName } from "./ranked-errors";
import { type RankingChoice, readRanking, readRankingMeasure, toRankedList } from "./ranking-kinds";
import { toFieldValue } from "./table";
import { readHeaders } from "./table-arguments";
import { type GivenName, readRankedNames } from "./trend-names";

type GivenTrend = Given<"names" | "periods" | "measure" | "ranking" | "headers">;

/** Columns before the periods: the name, and what identifies it. */
const LEADING_COLUMNS = 2;

/**
 * Rows read of each period for the first of a ranking: one request. They show more of a company's past than its rank
 * at the top would need, and FEED.RANKING reads as many.
 */
const FIRST_ROWS = 100;

const CURES = msg`give fewer names or periods`;

/** A period's ranking, or why there is none. */
interface Column {
  query: Query<List>;
  name: string;
  list: RankedList | null;
  error: unknown;
}

/** What a row of the table shows. */
type Line = { kind: "blank" } | { kind: "error"; label: unknown; error: unknown } | Ranked;

interface Ranked {
  kind: "ranked";
  identity: Identity;
  entry: Entry;
  /** The ranking that the line was taken from, where it is certain; null where it was named. */
  own: RankedList | null;
}

interface Layout {
  ranking: RankingChoice;
  measure: Field;
  headers: boolean;
  dateSystem: 1900 | 1904;
}

/** Opens FEED.RANKING.TREND. @throws ArgumentError (FEED_ARGUMENT_INVALID) */
export function openTrend({ names, periods, measure, ranking, headers }: GivenTrend): View {
  const { settings, ports } = session;
  const given = readRankedNames(names);
  const { value: days, isRelative } = readPeriods(periods, settings, ports.nowMs());
  const chosen = readRanking(ranking);
  const layout = {
    ranking: chosen,
    measure: readRankingMeasure(measure, "measure", chosen),
    headers: readHeaders(headers),
    dateSystem: settings.dateSystem,
  };
  if (given.kind === "names") assertMayFit(given.names.length * (days.length + LEADING_COLUMNS), CURES);
  const isTop = given.kind === "first" && given.count !== "all" && chosen.kind.pageType === null;
  const wanted = isTop ? Math.max(Number(given.count), FIRST_ROWS) : "all";
  const queries = createQueries<List>();
  const places = days.map((period) => queries.add(chosen.toQuery(toRankingRange(period), wanted)));
  return {
    queries: queries.list,
    rereadsOnRefresh: isRelative,
    show(settled) {
      const columns = days.map((period, at): Column | null => {
        const query = queries.list[places[at] ?? 0] as Query<List>;
        return toColumn(query, toPeriodName(period), settled[places[at] ?? 0], chosen, wanted);
      });
      if (!columns.every((column) => column !== null)) return null;
      const lists = columns.flatMap(({ list }) => list ?? []);
      if (lists.length === 0) throw columns[0]?.error;
      const lines = given.kind === "names" ? toLines(given.names, lists, chosen) : toFirst(given.count, columns);
      return layOut(lines, columns, layout);
    },
  };
}

/** A period's ranking; null while it is read. */
function toColumn(
  query: Query<List>,
  name: string,
  settled: Settled | undefined,
  ranking: RankingChoice,
  wanted: number | "all",
): Column | null {
  try {
    const { value, isComplete } = readAnswer<List>(settled);
    if (!isComplete) return null;
    if (value.rows.length > 0) return { query, name, list: toRankedList(value, ranking, wanted), error: null };
    const error = new NoValueError(
      "FEED_NO_VALUE",
      msg`the provider ranks no ${ranking.named} in ${name}; give another period`,
    );
    return { query, name, list: null, error };
  } catch (error) {
    return { query, name, list: null, error };
  }
}

/** The first rows of the last period. */
function toFirst(count: number | "all", columns: readonly Column[]): Line[] {
  const { list, error } = columns.at(-1) as Column;
  if (list === null) throw error;
  const lists = columns.flatMap((column) => column.list ?? []);
  const first = list.entries.slice(0, count === "all" ? undefined : count);
  return first.map((entry) => ({ kind: "ranked", entry, identity: toIdentity(entry, lists), own: list }));
}

function toLines(names: readonly GivenName[], lists: readonly RankedList[], { named }: RankingChoice): Line[] {
  const find = createNaming(lists);
  return names.map(({ given, reading }): Line => {
    if (reading.kind === "blank") return reading;
    const label = readLabel(given);
    if (reading.kind === "error") return { kind: "error", label, error: reading.error };
    const [entry, ...others] = find(reading.value);
    if (entry !== undefined && others.length === 0) {
      return { kind: "ranked", entry, identity: toIdentity(entry, lists), own: null };
    }
    const error =
      entry === undefined ? toUnknownName(reading.value, named) : toSeveralNames(reading.value, [entry, ...others]);
    return { kind: "error", label, error };
  });
}

/** The text that was given, or the error in its place. */
function readLabel(given: unknown): unknown {
  try {
    return readScalar(given);
  } catch (error) {
    return error;
  }
}

function layOut(lines: readonly Line[], columns: readonly Column[], layout: Layout): Table {
  const { ranking, headers, measure } = layout;
  const header = headers ? [[...ranking.headers, ...columns.map(({ name }) => name)]] : [];
  const readers = columns.map((column) => createReader(column, layout));
  const rows = lines.map((line) => {
    if (line.kind === "blank") return [];
    if (line.kind === "error")
      return [line.label, null, ...columns.map(({ list, error }) => (list === null ? error : line.error))];
    return [...toLabels(line, columns), ...readers.map(({ read }) => read(line))];
  });
  return {
    rows: [...header, ...rows],
    expected: header.length + rows.length,
    cures: CURES,
    readOrigin(row, at) {
      const line = lines[row - header.length];
      const column = columns[at - LEADING_COLUMNS];
      if (line?.kind !== "ranked" || column === undefined) return null;
      const entry = readers[at - LEADING_COLUMNS]?.find(line);
      const record = typeof entry === "object" && entry !== null ? entry.source : undefined;
      return { record, field: measure.name, query: column.query };
    },
  };
}

/** The latest name and code. */
function toLabels({ identity, entry }: Ranked, columns: readonly Column[]): unknown[] {
  const latest = columns.findLast(({ list }) => list?.byKey.has(identity.key))?.list?.byKey.get(identity.key)?.[0];
  const { source, name } = latest ?? entry;
  return [name, source.tickerSymbol ?? source.industryId];
}

/** Reads the cells of a column; an error that several cells have is made once. */
function createReader({ name, list, error }: Column, { measure, dateSystem }: Layout) {
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
  const find = ({ identity, entry, own }: Ranked) => {
    if (list === null) return null;
    return list === own ? entry : findSame(list, identity);
  };
  return {
    find,
    read(line: Ranked): unknown {
      const found = find(line);
      if (list === null || found === null) return error;
      if (found === "absent") return absent;
      if (found === "unread") return unread;
      if (found === "uncertain") return toUncertain(list, line.identity, name);
      if (measure.name === "rank") return found.rank ?? unranked;
      return toFieldValue(pickField(found.row, measure.name), measure, dateSystem);
    },
  };
}

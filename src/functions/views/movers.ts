import { ArgumentError, NoValueError } from "../../client/errors";
import { msg } from "../../client/messages";
import type { Row } from "../../feed/decode";
import type { List } from "../../feed/pages";
import type { Query } from "../../feed/query-cache";
import { listMoves, type Move, sortMoves, toMoverRow } from "../../feed/rankings/movers";
import { type Entry, type RankedList, type Steps, toIdentity } from "../../feed/rankings/ranked-list";
import { session } from "../../session/current";
import { type Given, readNames } from "../arguments";
import { readAnswer, type Settled, type View } from "../view-observer";
import { readOnePeriod, toPeriodName, toPrevious, toRankingRange } from "./period-list";
import { assertBegun, toRangeName } from "./periods";
import { type RankingChoice, readRanking, readRankingMeasure, toRankedList, toUncertain } from "./ranking-kinds";
import { createStepwiseView, type Layout } from "./stepwise";
import { readFields, readHeaders, readTop, toTable } from "./table";

type GivenMovers = Given<"period" | "previous" | "top" | "ranking" | "by" | "fields" | "headers">;

const DEFAULT_TOP = 100;

/** Rows that are laid out at once. */
const ROWS_A_STEP = 500;

/** Opens FEED.RANKING.MOVERS. @throws ArgumentError (FEED_ARGUMENT_INVALID) */
export function openMovers({ period, previous, top, ranking, by, fields, headers }: GivenMovers): View {
  const { settings, ports } = session;
  const nowMs = ports.nowMs();
  const now = readOnePeriod(period, "period", settings, nowMs);
  if (now === null)
    throw new ArgumentError(msg`period is missing; give a period such as "-7d", "2024-03" or "2024-W12"`);
  const before = readOnePeriod(previous, "previous", settings, nowMs);
  const [days, formerDays] = [now.value, before?.value ?? toPrevious(now.value)];
  assertBegun(toRankingRange(days), nowMs);
  const chosen = readRanking(ranking);
  const measures = chosen.measures.map(({ name }) => name).filter((name) => name !== "rank");
  const order = readRankingMeasure(by, "by", chosen).name;
  const wanted = readTop(top, DEFAULT_TOP);
  const names = readNames(fields, "fields");
  const isHeaded = readHeaders(headers);
  const ranges = [days, formerDays].map(toRankingRange);
  const queries = ranges.map((range) => chosen.toQuery(range, "all"));
  const [periodName, comparedWith] = ranges.map(toRangeName);
  return createStepwiseView(ports, {
    queries,
    rereadsOnRefresh: now.isRelative || before?.isRelative === true,
    *layOut([settled, former]): Layout {
      const list = yield* toWholeList(settled, chosen, toPeriodName(days));
      yield;
      const formerList = yield* toWholeList(former, chosen, toPeriodName(formerDays));
      yield;
      const lists = { now: list, before: formerList };
      const moves = listMoves(lists);
      yield;
      const sorted = sortMoves(moves, lists, order);
      const shown = wanted === "all" ? sorted : sorted.slice(0, wanted);
      const toError = (entry: Entry, isOfNow: boolean) => {
        const [other, period] = isOfNow ? [formerList, formerDays] : [list, days];
        return toUncertain(other, toIdentity(entry, [list, formerList]), toPeriodName(period));
      };
      const rows: Row[] = [];
      for (const move of shown) {
        if (rows.length % ROWS_A_STEP === 0) yield;
        rows.push(Object.assign(toMoverRow(move, measures, toError), { period: periodName, comparedWith }));
      }
      yield;
      const columns = readFields(names ?? toColumns(chosen, order), chosen.moverFields, rows);
      const table = toTable(rows, { fields: columns, headers: isHeaded });
      yield;
      const readOrigin = (row: number, column: number) =>
        toOrigin(shown[row - (isHeaded ? 1 : 0)], columns[column]?.name ?? "", queries);
      return { ...table, readOrigin };
    },
  });
}

/** A period's whole ranking. @throws NoValueError (FEED_NO_VALUE) where it is empty; the query's error */
function* toWholeList(settled: Settled | undefined, ranking: RankingChoice, period: string): Steps<RankedList> {
  const list = readAnswer<List>(settled);
  if (list.rows.length > 0) return yield* toRankedList(list, ranking, "all");
  throw new NoValueError(
    "FEED_NO_VALUE",
    msg`the provider ranks no ${ranking.named} in ${period}; give another period`,
  );
}

/** The usual columns; the views are the measure that the order is by. */
function toColumns({ kind }: RankingChoice, order: string): string[] {
  const measure = order === "rank" ? "totalPageViews" : order;
  const moves = ["rank", "previous.rank", "change.rank", kind.nameField, kind.codeField];
  return [...moves, measure, `previous.${measure}`, `growth.${measure}`, "status"];
}

/** The provider's row behind a cell, of the one period or the other. */
function toOrigin(mover: Move | undefined, field: string, [query, former]: readonly Query<unknown>[]) {
  if (mover === undefined) return null;
  const { now, before } = mover;
  const isFormer = field.startsWith("previous.") || now === null;
  const [entry, its] = isFormer ? [before, former] : [now, query];
  return { record: entry?.source, field, ...(its && { query: its }) };
}

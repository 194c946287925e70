import type { CellContent, SheetPlan } from "../../contract/workbook";
import { toLetters } from "../../taskpane/addresses";
import { type SheetTexts, toCells, toParameterCell } from "../../taskpane/sheets/plan";
import {
  ARROWS,
  GROWTH,
  MOST_ROWS,
  toBars,
  toHistory,
  toHistoryCells,
  toHistoryDays,
  toHistoryLine,
  toHistoryRow,
  toMeasure,
  toRows,
  toTablePlan,
  toTrendCell,
} from "./tables";
import type { Measure, RankedTexts } from "./texts";

export interface LeagueOptions {
  /** Periods as FEED.RANKING.TREND takes them, e.g. "-8w"; the last two are compared. */
  periods: string;
  top: number;
  /** "companies", "industries" or a page type. */
  ranking: string;
  /** The measure beside the rank. */
  measure: Measure;
}

/** The cells of the parameters after the periods. */
const [TOP, RANKING, MEASURE] = [toParameterCell(1), toParameterCell(2), toParameterCell(3)];

/** Rows from the ranks to the measures, which stand below. */
const APART = MOST_ROWS + 3;

/** Plans a league table: rank, change, small chart of the ranks, measure and growth, for the last of several periods. */
export function toLeaguePlan(options: LeagueOptions, texts: SheetTexts, ranked: RankedTexts): SheetPlan {
  return toTablePlan(
    {
      template: "league",
      hint: texts.rankingHint,
      parameters: [
        { label: ranked.periods, value: options.periods, hint: ranked.periodsHint, isText: true },
        { label: texts.rows, value: options.top, hint: ranked.rowsHint(MOST_ROWS) },
        { label: ranked.ranking, value: options.ranking, hint: ranked.rankingHint },
        { label: ranked.measure, value: ranked.measures[options.measure], hint: ranked.measureHint },
      ],
      toDays: toHistoryDays,
      rows: MOST_ROWS,
      top: options.top,
      widths: [10, 10, 38, 12, 16, 18, 12, 18],
      formats: { A: "", B: ARROWS, F: "#,##0", G: GROWTH, H: "" },
      charted: { names: "C", values: "F" },
      chartTitle: ranked.charts.league,
      changes: ["B", "G"],
      fresh: { column: "B", word: ranked.fresh },
      moved: { change: "B", name: "C", before: "H", now: "A", format: "0" },
      hasHistory: true,
      toLine: (row, moved) => toHistoryLine(row, moved, ranked),
      toTable: (row) => [
        ...toHeadings(ranked).map((content, column) => ({ at: `${toLetters(column)}${row}`, content })),
        ...toTable(row, ranked),
      ],
    },
    texts,
    ranked,
  );
}

/** The measure's heading is its name, which the person may change. */
const toHeadings = ({ measures, leagueHeadings: [rank, change, ...others] }: RankedTexts): CellContent[] => {
  const [name, code, ranks, growth, former] = others;
  const measure = { formula: `=IF(${MEASURE}="","${measures.totalPageViews}",${MEASURE})` };
  return [rank, change, name, code, ranks, measure, growth, former].map((each) => each ?? null);
};

/** The histories, and the formulas of the table. */
function toTable(row: number, texts: RankedTexts): SheetPlan["cells"] {
  const ranking = toCells(RANKING);
  const { last, former, rows, measure } = toHistory(row);
  const helpers = { rows: toRows(TOP), measure: toMeasure(MEASURE, texts) };
  const options = { last, former, measure, head: toHistory(row + APART).head, texts };
  const history = { row, rows: MOST_ROWS, names: `"top "&${rows}`, helpers, measure: null, ranking };
  return [
    ...toHistoryCells(history, texts.data),
    toTrendCell({ row: row + APART, measure: toCells(measure.replaceAll("$", "")), ranking }, row),
    ...Array.from({ length: MOST_ROWS }, (_, index) => toTableRow(row + 1 + index, options)).flat(),
  ];
}

interface RowOptions {
  last: string;
  former: string;
  measure: string;
  /** The cell that shows the error of all measures. */
  head: string;
  texts: RankedTexts;
}

function toTableRow(row: number, { last, former, measure, head, texts }: RowOptions): SheetPlan["cells"] {
  const [ranks, measures] = [toHistoryRow(row, last), toHistoryRow(row + APART, last)];
  // A missing rank is #N/A; one that is uncertain is another error, and stays one.
  const since = (value: string, missing: string) => `IF(${former}=0,"",IFNA(${value},"${missing}"))`;
  const columns = [
    ranks.now,
    since(`${ranks.before}-${ranks.now}`, texts.fresh),
    ranks.name,
    ranks.code,
    toBars(ranks.values, true),
    `IF(ISERROR(${head}),${head},${measures.now})`, // without its block it would be 0
    `IF(OR(${former}=0,${measure}="rank"),"",IFERROR(${measures.now}/${measures.before}-1,""))`,
    since(ranks.before, "–"),
  ];
  return columns.map((value, column) => ({
    at: `${toLetters(column)}${row}`,
    content: { formula: `=IF(${ranks.name}="","",${value})` },
  }));
}

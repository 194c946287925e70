import type { CellContent, SheetPlan } from "../../contract/workbook";
import { toLetters } from "../../taskpane/addresses";
import {
  type SheetTexts,
  toCells,
  toChartedRow,
  toChartPlace,
  toHead,
  toParameterCell,
  toWidths,
} from "../../taskpane/sheets/plan";
import {
  ARROWS,
  choose,
  GROWTH,
  MOST_ROWS,
  toBars,
  toChangeRules,
  toHistory,
  toHistoryCells,
  toHistoryRow,
  toMeasure,
  toMoved,
  toRows,
  toTrendCell,
} from "./expressions";
import type { RankedTexts } from "./texts";

export interface LeagueOptions {
  /** Periods as FEED.RANKING.TREND takes them, e.g. "-8w"; the last two are compared. */
  periods: string;
  top: number;
  /** "companies", "industries" or a page type. */
  ranking: string;
  /** The measure beside the rank, e.g. "totalPageViews". */
  measure: string;
}

/** The cells of the parameters after the periods. */
const [TOP, RANKING, MEASURE] = [toParameterCell(1), toParameterCell(2), toParameterCell(3)];

/** Rows from the ranks to the measures, which stand below. */
const APART = MOST_ROWS + 3;
const CHART_ROWS = 10;

/** Plans a league table: rank, change, small chart of the ranks, measure and growth, for the last of several periods. */
export function toLeaguePlan(options: LeagueOptions, texts: SheetTexts, ranked: RankedTexts): SheetPlan {
  const parameters = [
    { label: ranked.periods, value: options.periods, hint: ranked.periodsHint },
    { label: texts.rows, value: options.top, hint: ranked.rowsHint(MOST_ROWS) },
    { label: ranked.ranking, value: options.ranking, hint: ranked.rankingHint },
    { label: ranked.measure, value: options.measure, hint: ranked.measureHint },
  ];
  const row = toChartedRow(parameters) + 1;
  const [first, last] = [row + 1, row + MOST_ROWS];
  const name = ranked.names.league;
  const head = toHead(name, ranked.titles.league, texts.rankingHint, parameters, texts.asOf);
  const widths = toWidths([10, 10, 38, 12, 16, 18, 12, 18]);
  return {
    name,
    cells: [
      ...head.cells,
      { at: `A${row - 1}`, content: toLine(row, ranked) },
      ...toHeadings(row, ranked).map((content, column) => ({ at: `${toLetters(column)}${row}`, content })),
      ...toTable(row, ranked),
    ],
    styles: [
      ...head.styles,
      { range: `A${row - 1}`, style: "label" },
      { range: `A${row}:H${row}`, style: "heading" },
      ...["A", "B", "F", "G", "H"].map((letter) => ({ range: `${letter}${row}`, style: "numberHeading" as const })),
      { range: `K${row - 3}`, style: "note" },
    ],
    formats: [
      ...head.formats,
      { range: `B${first}:B${last}`, format: ARROWS },
      { range: `F${first}:F${last}`, format: "#,##0" },
      { range: `G${first}:G${last}`, format: GROWTH },
    ],
    widths,
    grouped: [],
    rules: [
      ...toChangeRules(`B${first}:B${last}`),
      ...toChangeRules(`G${first}:G${last}`),
      { range: `B${first}:B${last}`, formula: `=B${first}="${ranked.fresh}"`, style: "fresh" },
    ],
    frozenRows: row,
    printed: `A1:H${row + options.top}`,
    selected: toParameterCell(0),
    chart: {
      title: ranked.leagueChart,
      categories: `C${first}:C${row + CHART_ROWS}`,
      values: `F${first}:F${row + CHART_ROWS}`,
      at: toChartPlace(widths, row - 2),
    },
  };
}

/** The measure's heading is its name, which the person may change. */
const toHeadings = (row: number, { leagueHeadings: [rank, change, ...others] }: RankedTexts): CellContent[] => {
  const [name, code, ranks, growth, former] = others;
  const measure = { formula: `=${toHistory(row).measure}` };
  return [rank, change, name, code, ranks, measure, growth, former].map((each) => each ?? null);
};

/** What moved, in a line above the table. */
function toLine(row: number, texts: RankedTexts): { formula: string } {
  const { head, former, rows, isTooLong, period } = toHistory(row);
  const toColumn = (letter: string) => `$${letter}$${row + 1}:$${letter}$${row + MOST_ROWS}`;
  const columns = {
    change: toColumn("B"),
    name: toColumn("C"),
    before: toColumn("H"),
    now: toColumn("A"),
    format: "0",
    fresh: `COUNTIF(${toColumn("B")},"${texts.fresh}")`,
  };
  const moved = toMoved(columns, period, texts);
  const cases = [
    [`ISNA(${rows})`, `"${texts.noRows}"`],
    [`ISERROR(${head})`, head],
    [isTooLong, `"${texts.tooMany}"`],
    [`${former}=0`, `"${texts.noFormer}"`],
  ] as const;
  return { formula: `=${choose(cases, moved)}` };
}

/** The histories, and the formulas of the table. */
function toTable(row: number, texts: RankedTexts): SheetPlan["cells"] {
  const ranking = toCells(RANKING);
  const { last, former, rows, measure } = toHistory(row);
  const helpers = { rows: toRows(TOP), measure: toMeasure(MEASURE) };
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

import type { SheetPlan } from "../../contract/workbook";
import {
  type SheetTexts,
  toCells,
  toChartedRow,
  toChartPlace,
  toFormula,
  toHead,
  toParameterCell,
  toWidths,
} from "../../taskpane/sheets/plan";
import { ARROWS, GROWTH, toChangeRules, toMoved, toPeriodText } from "./expressions";
import type { RankedTexts } from "./texts";

export interface MoversOptions {
  /** A period as FEED.RANKING.MOVERS takes it, e.g. "-7d". */
  period: string;
  top: number;
  /** "companies", "industries" or a page type. */
  ranking: string;
  /** "rank" or a measure. */
  by: string;
}

/** Rows that have formats and rules, enough for any number that a person may write. */
const FORMATTED_ROWS = 5_000;
const CHART_ROWS = 10;

/** Plans a sheet of what moved most from one period to another: the columns of FEED.RANKING.MOVERS. */
export function toMoversPlan(options: MoversOptions, texts: SheetTexts, ranked: RankedTexts): SheetPlan {
  const parameters = [
    { label: texts.range, value: options.period, hint: ranked.periodHint },
    { label: ranked.previous, value: null, hint: ranked.previousHint, isSeldom: true },
    { label: texts.rows, value: options.top, hint: texts.rowsHint },
    { label: ranked.ranking, value: options.ranking, hint: ranked.rankingHint },
    { label: ranked.by, value: options.by, hint: ranked.byHint },
  ];
  const row = toChartedRow(parameters) + 1;
  const [first, last] = [row + 1, row + FORMATTED_ROWS];
  const name = ranked.names.movers;
  const head = toHead(name, ranked.titles.movers, texts.rankingHint, parameters, texts.asOf);
  const widths = toWidths([10, 16, 16, 38, 12, 16, 24, 24, 10]);
  const given = [0, 1, 2, 3, 4].map((place) => toCells(toParameterCell(place)));
  return {
    name,
    cells: [
      ...head.cells,
      { at: `A${row - 1}`, content: toLine(row, ranked) },
      { at: `A${row}`, content: toFormula("RANKING.MOVERS", given) },
    ],
    styles: [
      ...head.styles,
      { range: `A${row - 1}`, style: "label" },
      { range: `A${row}:I${row}`, style: "heading" },
      ...["A", "B", "C", "F", "G", "H"].map((letter) => ({
        range: `${letter}${row}`,
        style: "numberHeading" as const,
      })),
    ],
    formats: [
      ...head.formats,
      { range: `A${first}:B${last}`, format: "0" },
      { range: `C${first}:C${last}`, format: ARROWS },
      { range: `F${first}:G${last}`, format: "#,##0" },
      { range: `H${first}:H${last}`, format: GROWTH },
    ],
    widths,
    grouped: [],
    rules: [
      ...toChangeRules(`C${first}:C${last}`),
      ...toChangeRules(`H${first}:H${last}`),
      { range: `I${first}:I${last}`, formula: `=I${first}="new"`, style: "fresh" },
    ],
    frozenRows: row,
    printed: `A1:I${row + options.top}`,
    selected: toParameterCell(0),
    chart: {
      title: ranked.moversChart,
      categories: `D${first}:D${row + CHART_ROWS}`,
      values: `C${first}:C${row + CHART_ROWS}`,
      at: toChartPlace(widths, row - 2),
    },
  };
}

/** What moved, in a line above the table: of the rows that it shows. */
function toLine(row: number, texts: RankedTexts): { formula: string } {
  const toColumn = (letter: string) => `$${letter}$${row + 1}:$${letter}$${row + FORMATTED_ROWS}`;
  const columns = {
    change: toColumn("C"),
    name: toColumn("D"),
    before: toColumn("B"),
    now: toColumn("A"),
    format: "0",
    fresh: `COUNTIF(${toColumn("I")},"new")`,
  };
  const head = `$A$${row}`;
  const moved = toMoved(columns, toPeriodText(toParameterCell(0)), texts);
  return { formula: `=IF(ISERROR(${head}),${head},${moved})` };
}

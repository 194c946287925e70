import type { SheetPlan } from "../../contract/workbook";
import type { Given } from "../../taskpane/formula-text";
import { type SheetTexts, toCells, toFormula, toParameterCell, toTextArgument } from "../../taskpane/sheets/plan";
import { ARROWS, GROWTH, toMeasure, toMoved, toTablePlan } from "./tables";
import type { Measure, RankedTexts } from "./texts";

export interface MoversOptions {
  /** A period as FEED.RANKING.MOVERS takes it, e.g. "-7d". */
  period: string;
  top: number;
  /** "companies", "industries" or a page type. */
  ranking: string;
  by: "rank" | Measure;
}

/** Rows that have formats and rules, enough for any number that a person may write. */
const FORMATTED_ROWS = 5_000;

/** The cells to the right that the formulas read: the measure, and the days of both periods. */
const toHelpers = (row: number) => ({ measure: `K${row - 2}`, days: `K${row - 1}`, formerDays: `L${row - 1}` });

/** Plans a sheet of what moved most from one period to another: the columns of FEED.RANKING.MOVERS. */
export function toMoversPlan(options: MoversOptions, texts: SheetTexts, ranked: RankedTexts): SheetPlan {
  const { by } = options;
  const isByRank = by === "rank";
  return toTablePlan(
    {
      template: "movers",
      hint: texts.rankingHint,
      parameters: [
        { label: texts.range, value: options.period, hint: ranked.periodHint, isText: true },
        { label: ranked.previous, value: null, hint: ranked.previousHint, isSeldom: true, isText: true },
        { label: texts.rows, value: options.top, hint: texts.rowsHint },
        { label: ranked.ranking, value: options.ranking, hint: ranked.rankingHint },
        { label: ranked.by, value: isByRank ? ranked.rank : ranked.measures[by], hint: ranked.byHint },
      ],
      toDays: (row) => toHelpers(row).days,
      rows: FORMATTED_ROWS,
      top: options.top,
      widths: [10, 16, 16, 38, 12, 16, 24, 24, 10],
      formats: { A: "0", B: "0", C: ARROWS, F: "#,##0", G: "#,##0", H: GROWTH },
      charted: { names: "D", values: isByRank ? "C" : "H" },
      chartTitle: isByRank ? ranked.charts.places : ranked.charts.growth,
      changes: ["C", "H"],
      fresh: { column: "I", word: "new" },
      moved: isByRank
        ? { change: "C", name: "D", before: "B", now: "A", format: "0" }
        : { change: "H", name: "D", before: "G", now: "F", format: "#,##0" },
      hasHistory: false,
      toLine(row, moved) {
        const head = `$A$${row}`;
        const line = toMoved(moved, `"${ranked.against}"&${toHelpers(row).formerDays}`, ranked);
        return { formula: `=IF(ISERROR(${head}),${head},${line})` };
      },
      toTable(row) {
        const { measure, days } = toHelpers(row);
        const given = (place: number) => toCells(toParameterCell(place));
        const toMovers = (top: Given, ...others: Given[]) =>
          toFormula("RANKING.MOVERS", [given(0), given(1), top, given(3), toCells(measure), ...others]);
        const dates = toTextArgument("period,comparedWith");
        return [
          { at: measure, content: { formula: `=${toMeasure(toParameterCell(4), ranked, "rank")}` } },
          { at: days, content: toMovers({ kind: "number", value: 1 }, dates, { kind: "flag", value: false }) },
          { at: `A${row}`, content: toMovers(given(2)) },
        ];
      },
    },
    texts,
    ranked,
  );
}

import type { SheetPlan } from "../../contract/workbook";
import { type SheetTexts, toCells, toFormula, toParameterCell } from "../../taskpane/sheets/plan";
import { ARROWS, GROWTH, toMoved, toPeriodText, toTablePlan } from "./tables";
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

/** Plans a sheet of what moved most from one period to another: the columns of FEED.RANKING.MOVERS. */
export function toMoversPlan(options: MoversOptions, texts: SheetTexts, ranked: RankedTexts): SheetPlan {
  const given = [0, 1, 2, 3, 4].map((place) => toCells(toParameterCell(place)));
  const isByRank = options.by === "rank";
  return toTablePlan(
    {
      template: "movers",
      hint: texts.rankingHint,
      parameters: [
        { label: texts.range, value: options.period, hint: ranked.periodHint },
        { label: ranked.previous, value: null, hint: ranked.previousHint, isSeldom: true },
        { label: texts.rows, value: options.top, hint: texts.rowsHint },
        { label: ranked.ranking, value: options.ranking, hint: ranked.rankingHint },
        { label: ranked.by, value: options.by, hint: ranked.byHint },
      ],
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
        const line = toMoved(moved, toPeriodText(toParameterCell(0), ranked), ranked);
        return { formula: `=IF(ISERROR(${head}),${head},${line})` };
      },
      toTable: (row) => [{ at: `A${row}`, content: toFormula("RANKING.MOVERS", given) }],
    },
    texts,
    ranked,
  );
}

import type { SheetPlan } from "../../contract/workbook";
import { toLetters } from "../../taskpane/addresses";
import { type SheetTexts, toCells, toParameterCell } from "../../taskpane/sheets/plan";
import {
  HISTORY_COLUMNS,
  MOST_ROWS,
  PERIOD_LETTERS,
  SHARE_CHANGE,
  toBars,
  toHistory,
  toHistoryCells,
  toHistoryDays,
  toHistoryLine,
  toHistoryRow,
  toMeasure,
  toRows,
  toTablePlan,
} from "./tables";
import type { Measure, RankedTexts } from "./texts";

export interface RotationOptions {
  /** Periods as FEED.RANKING.TREND takes them, e.g. "-8w"; the last two are compared. */
  periods: string;
  top: number;
  measure: Measure;
}

const [TOP, MEASURE] = [toParameterCell(1), toParameterCell(2)];
/** Industries that the provider may have; their shares are of all. */
const MOST_INDUSTRIES = 1_000;

/** Plans a sheet of industries: each one's share of all views, how it changed, and its phase. */
export function toRotationPlan(options: RotationOptions, texts: SheetTexts, ranked: RankedTexts): SheetPlan {
  return toTablePlan(
    {
      template: "rotation",
      hint: ranked.rotationHint,
      parameters: [
        { label: ranked.periods, value: options.periods, hint: ranked.periodsHint, isText: true },
        { label: texts.rows, value: options.top, hint: ranked.rowsHint(MOST_ROWS) },
        { label: ranked.measure, value: ranked.measures[options.measure], hint: ranked.measureHint },
      ],
      toDays: toHistoryDays,
      rows: MOST_ROWS,
      top: options.top,
      widths: [10, 16, 36, 14, 16, 12, 14, 16],
      formats: { A: "", B: SHARE_CHANGE, F: "0.00%", G: "0.00%", H: "0.00%" },
      charted: { names: "C", values: "F" },
      chartTitle: ranked.charts.rotation,
      changes: ["B"],
      moved: { change: "B", name: "C", before: "G", now: "F", format: "0.00%" },
      hasHistory: true,
      toLine: (row, moved) =>
        toHistoryLine(row, moved, ranked, [[`ISNA(${toHistory(row).measure})`, `"${ranked.noShare}"`]]),
      toTable: (row) => [
        ...ranked.rotationHeadings.map((content, column) => ({ at: `${toLetters(column)}${row}`, content })),
        ...toTable(row, ranked),
      ],
      toRules: (toRange) => toPhaseRules(toRange("D"), ranked),
    },
    texts,
    ranked,
  );
}

function toPhaseRules(range: string, { phases }: RankedTexts): SheetPlan["rules"] {
  const [cell] = range.split(":");
  const styles = { leading: "up", improving: "fresh", weakening: "warm", lagging: "down" } as const;
  return (Object.keys(styles) as (keyof typeof styles)[]).map((phase) => ({
    range,
    formula: `=${cell}="${phases[phase]}"`,
    style: styles[phase],
  }));
}

/**
 * The history of each industry that any period has, since a share is of all of its period; its totals; and the formulas of
 * the table.
 */
function toTable(row: number, texts: RankedTexts): SheetPlan["cells"] {
  const ranking = { kind: "text", value: "industries" } as const;
  // Ranks have no sum, so that no share of them means anything.
  const helpers = {
    rows: toRows(TOP),
    measure: `IF(OR(${MEASURE}="rank",${MEASURE}="${texts.rank}"),NA(),${toMeasure(MEASURE, texts)})`,
  };
  const measure = toCells(toHistory(row).measure.replaceAll("$", ""));
  const history = { row, rows: MOST_INDUSTRIES, names: '"any"', helpers, measure, ranking };
  return [
    ...toHistoryCells(history, texts.rotationData),
    ...PERIOD_LETTERS.map((letter) => {
      const values = `${letter}${row + 1}:${letter}${row + MOST_INDUSTRIES}`;
      return { at: `${letter}${row - 1}`, content: { formula: `=IF(${letter}${row}="","",SUMIF(${values},">0"))` } };
    }),
    ...Array.from({ length: MOST_ROWS }, (_, index) => toTableCells(row, index + 1, texts)).flat(),
  ];
}

/** The cells of an industry by its place, from 1. */
function toTableCells(headings: number, place: number, { fresh, phases }: RankedTexts): SheetPlan["cells"] {
  const row = headings + place;
  const { last, former, rows } = toHistory(headings);
  const { name, now, before, values } = toHistoryRow(row, last);
  const totals = toHistoryRow(headings - 1, last);
  const [from, to] = HISTORY_COLUMNS;
  const all = `$${from}$${headings - 1}:$${to}$${headings - 1}`;
  const shares = `${values}/${all}`;
  const [change, share, mean] = [`$B${row}`, `$F${row}`, `$H${row}`];
  const toPhase = (high: string, low: string) => `IF(${share}>=${mean},"${high}","${low}")`;
  const rising = toPhase(phases.leading, phases.improving);
  const falling = toPhase(phases.weakening, phases.lagging);
  const columns = [
    String(place),
    `IF(${former}=0,"",IFNA(${now}/${totals.now}-${before}/${totals.before},"${fresh}"))`,
    name,
    `IF(ISNUMBER(${change}),IF(${change}>=0,${rising},${falling}),"")`,
    toBars(`IF(${all}="","",${shares})`, false),
    `${now}/${totals.now}`,
    `IF(${former}=0,"",IFNA(${before}/${totals.before},"–"))`,
    `AVERAGE(IF(ISNUMBER(${values}),${shares},""))`,
  ];
  return columns.map((value, column) => ({
    at: `${toLetters(column)}${row}`,
    // Those that the last period no longer has stand below the others.
    content: { formula: `=IF(IF(ISNUMBER(${rows}),OR(${name}="",${place}>${rows},ISNA(${now})),TRUE),"",${value})` },
  }));
}

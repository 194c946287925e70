import type { SheetPlan } from "../../contract/workbook";
import { toLetters } from "../addresses";
import {
  type SheetTexts,
  toCells,
  toFormula,
  toHead,
  toHeadingWidth,
  toParameterCell,
  toTableRow,
  toWidths,
} from "./plan";

/** The unit of figures; empty for figures as reported. */
export type Unit = "" | "k" | "m" | "bn";

/** The options of a comparison sheet. */
interface ComparisonOptions {
  /** Company ids or registration numbers. */
  companies: readonly string[];
  /** Names of the metrics. */
  metrics: readonly string[];
  /** A fiscal year, e.g. "2023" or "FY0". */
  year: string;
  unit: Unit;
}

/** Number of companies that the sheet takes, later ones included. */
export const toCapacity = (companies: number): number => Math.max(50, companies + 20);

/** Coloured rows below the last company, for further companies. */
const FREE_ROWS = 5;

/** Decimals for small figures in a large unit, which would otherwise show as 0 or -0. */
export const toFigureFormat = (unit: Unit): string => (unit === "bn" ? "#,##0.00" : unit === "m" ? "#,##0.0" : "#,##0");

/**
 * Plans a sheet of companies and their figures. Median and mean stand above the companies, out of the way of
 * further rows, and only where all figures are in one currency.
 */
export function toComparisonPlan({ companies, metrics, year, unit }: ComparisonOptions, texts: SheetTexts): SheetPlan {
  const parameters = [
    { label: texts.year, value: year, hint: texts.yearHint },
    { label: texts.unit, value: unit === "" ? null : unit, hint: texts.unitHint },
  ];
  const head = toHead(texts.comparisonTitle, texts.comparisonHint, parameters, texts.asOf);
  const heading = toTableRow(parameters);
  const rows = { heading, first: heading + 3, last: heading + 2 + toCapacity(companies.length) };
  const last = toLetters(metrics.length + 2);
  const headings = [texts.companyId, texts.company, "Currency", ...metrics];
  return {
    name: texts.comparisonName,
    cells: [
      ...head.cells,
      ...headings.map((content, column) => ({ at: `${toLetters(column)}${heading}`, content })),
      ...toStatistics(metrics.length, rows, texts),
      ...companies.map((content, index) => ({ at: `A${rows.first + index}`, content })),
      ...toTable(rows, last),
    ],
    styles: [
      ...head.styles,
      { range: `A${heading}:C${heading}`, style: "heading" },
      { range: `D${heading}:${last}${heading}`, style: "numberHeading" },
      { range: `A${heading + 1}:${last}${heading + 2}`, style: "section" },
      { range: `A${rows.first}:A${rows.first + companies.length - 1 + FREE_ROWS}`, style: "input" },
    ],
    formats: [...head.formats, { range: `D${heading + 1}:${last}${rows.last}`, format: toFigureFormat(unit) }],
    widths: toWidths([41, 42, 12, ...metrics.map((name) => Math.max(14, toHeadingWidth(name)))]),
    frozenRows: heading + 2,
    selected: toParameterCell(0),
  };
}

interface Rows {
  heading: number;
  first: number;
  last: number;
}

/** One formula for the names and one for all figures, whose first column is the currency. */
function toTable({ heading, first, last }: Rows, lastColumn: string) {
  const companies = toCells(`A${first}:A${last}`);
  const [year, unit] = [toCells(toParameterCell(0)), toCells(toParameterCell(1))];
  const metrics = toCells(`C${heading}:${lastColumn}${heading}`);
  return [
    { at: `B${first}`, content: toFormula("COMPANY", [companies, { kind: "text", value: "companyName" }]) },
    { at: `C${first}`, content: toFormula("FINANCIAL", [companies, year, metrics, null, unit]) },
  ];
}

/** Median and mean ignore errors and texts. */
function toStatistics(metrics: number, { heading, first, last }: Rows, texts: SheetTexts) {
  const [median, mean] = [heading + 1, heading + 2];
  const columns = Array.from({ length: metrics }, (_, index) => toLetters(index + 3));
  const toStatistic = (name: string, letter: string) => {
    const figures = `${letter}${first}:${letter}${last}`;
    const statistic = `IFERROR(${name}(FILTER(${figures},ISNUMBER(${figures}))),"")`;
    return { formula: `=IF(ISNUMBER(FIND(",",$C$${median})),NA(),${statistic})` };
  };
  return [
    { at: `A${median}`, content: texts.median },
    { at: `A${mean}`, content: texts.mean },
    { at: `C${median}`, content: { formula: `=TEXTJOIN(", ",TRUE,UNIQUE(IFERROR(C${first}:C${last},"")))` } },
    ...columns.flatMap((letter) => [
      { at: `${letter}${median}`, content: toStatistic("MEDIAN", letter) },
      { at: `${letter}${mean}`, content: toStatistic("AVERAGE", letter) },
    ]),
  ];
}

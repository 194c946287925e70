import type { CellContent, SheetPlan } from "../../contract/workbook";
import { toLetters } from "../addresses";
import { toUnitFormat } from "../figure-format";
import {
  type Parameter,
  type SheetTexts,
  toCells,
  toFormula,
  toHead,
  toHeadingWidth,
  toParameterCell,
  toTableRow,
  toTextArgument,
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

/** The columns before the figures. */
const [NAME, CURRENCY, ID] = ["A", "B", "C"];

/** Widths of names, of currencies with the parameters above them, and of ids, of which the beginning is enough. */
const WIDTHS = [42, 18, 12];

/** Plans a sheet of companies and their figures. Statistics stand above, out of the way of further rows. */
export function toComparisonPlan({ companies, metrics, year, unit }: ComparisonOptions, texts: SheetTexts): SheetPlan {
  const toParameters = (currency: CellContent): Parameter[] => [
    { label: texts.year, value: year, hint: texts.yearHint },
    { label: texts.unit, value: unit === "" ? null : unit, hint: texts.unitHint },
    { label: texts.statisticsIn, value: currency, hint: texts.statisticsHint },
  ];
  const heading = toTableRow(toParameters(null));
  const rows = { heading, first: heading + 5, last: heading + 4 + toCapacity(companies.length) };
  const parameters = toParameters(toFirstCurrency(rows));
  const head = toHead(texts.comparisonName, texts.comparisonTitle, texts.comparisonHint, parameters, texts.asOf);
  const last = toLetters(metrics.length + 2);
  const headings = [texts.company, texts.currency, texts.companyId, ...metrics];
  return {
    name: texts.comparisonName,
    cells: [
      ...head.cells,
      ...headings.map((content, column) => ({ at: `${toLetters(column)}${heading}`, content })),
      ...toStatistics(metrics.length, rows, texts),
      ...companies.map((content, index) => ({ at: `${ID}${rows.first + index}`, content })),
      ...toTable(rows, last),
    ],
    styles: [
      ...head.styles,
      { range: `${NAME}${heading}:${ID}${heading}`, style: "heading" },
      { range: `D${heading}:${last}${heading}`, style: "numberHeading" },
      { range: `${NAME}${heading + 1}:${last}${rows.first - 1}`, style: "section" },
      { range: `${ID}${rows.first}:${ID}${rows.first + companies.length - 1 + FREE_ROWS}`, style: "input" },
    ],
    formats: [...head.formats, { range: `D${heading + 1}:${last}${rows.last}`, format: toUnitFormat(unit) }],
    widths: toWidths([...WIDTHS, ...metrics.map((name) => Math.max(14, toHeadingWidth(name)))]),
    grouped: [ID],
    rules: [
      {
        range: `${NAME}${rows.first}:${last}${rows.last}`,
        formula: `=ISERROR(${NAME}${rows.first})`,
        style: "missing",
      },
    ],
    frozenRows: rows.first - 1,
    printed: `${NAME}1:${last}${rows.first + companies.length - 1 + FREE_ROWS}`,
    selected: toParameterCell(0),
  };
}

interface Rows {
  heading: number;
  first: number;
  last: number;
}

/** The currency of the first company that has one: a code of three letters. */
function toFirstCurrency({ first, last }: Rows): CellContent {
  const currencies = `${CURRENCY}${first}:${CURRENCY}${last}`;
  return { formula: `=IFERROR(INDEX(FILTER(${currencies},IFERROR(LEN(${currencies}),0)=3),1),"")` };
}

/** A formula for the names, one for the currencies and one for all figures; one request answers the last two. */
function toTable({ heading, first, last }: Rows, lastColumn: string) {
  const companies = toCells(`${ID}${first}:${ID}${last}`);
  const [year, unit] = [toCells(toParameterCell(0)), toCells(toParameterCell(1))];
  const metrics = toCells(`D${heading}:${lastColumn}${heading}`);
  return [
    { at: `${NAME}${first}`, content: toFormula("COMPANY", [companies, toTextArgument("companyName")]) },
    { at: `${CURRENCY}${first}`, content: toFormula("FINANCIAL", [companies, year, toTextArgument("currency")]) },
    { at: `D${first}`, content: toFormula("FINANCIAL", [companies, year, metrics, null, unit]) },
  ];
}

/** Statistics of the figures in the chosen currency; they leave out errors and texts. */
function toStatistics(metrics: number, { heading, first, last }: Rows, texts: SheetTexts) {
  const chosen = `$B$${toParameterCell(2).slice(1)}`;
  const columns = Array.from({ length: metrics }, (_, index) => toLetters(index + 3));
  const toFigures = (letter: string) => {
    const figures = `${letter}${first}:${letter}${last}`;
    return `FILTER(${figures},ISNUMBER(${figures})*(IFERROR($B${first}:$B${last},"")=${chosen}))`;
  };
  const statistics: [string, (figures: string) => string][] = [
    [texts.median, (figures) => `MEDIAN(${figures})`],
    [texts.mean, (figures) => `AVERAGE(${figures})`],
    [texts.upperQuartile, (figures) => `QUARTILE.INC(${figures},3)`],
    [texts.lowerQuartile, (figures) => `QUARTILE.INC(${figures},1)`],
  ];
  return statistics.flatMap(([label, toStatistic], index) => {
    const row = heading + 1 + index;
    return [
      { at: `${NAME}${row}`, content: label },
      { at: `${CURRENCY}${row}`, content: { formula: `=${chosen}` } },
      ...columns.map((letter) => ({
        at: `${letter}${row}`,
        content: { formula: `=IFERROR(${toStatistic(toFigures(letter))},"")` },
      })),
    ];
  });
}

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

/** Fiscal years, e.g. from "2019" to "2023", or from "FY-4" to "FY0". */
export interface Years {
  from: string;
  to: string;
  /** Number of years, {@link MOST_YEARS} at most. */
  count: number;
}

/** The options of a comparison sheet. */
interface ComparisonOptions {
  /** Company ids or registration numbers. */
  companies: readonly string[];
  /** Names of the metrics, one or more. */
  metrics: readonly string[];
  years: Years;
  unit: Unit;
}

export const MOST_YEARS = 10;

/** Number of companies that the sheet takes, later ones included; each metric of several years has their rows. */
export const toCapacity = (companies: number, years: number): number =>
  years === 1 ? Math.max(50, companies + 20) : companies + 3;

/** Coloured rows below the last company on a sheet of one year, for further companies. */
const FREE_ROWS = 5;

/** The columns before the figures; year-ends are on sheets of several years alone. */
const [NAME, CURRENCY, ID, YEAR_END] = ["A", "B", "C", "D"];

/** Widths of names, of currencies with the parameters above them, of ids, of which the beginning is enough, and of year-ends. */
const [WIDTHS, YEAR_END_WIDTH, FIGURE_WIDTH] = [[42, 18, 12], 12, 14];

/** A statistic: its label, and its function of the figures. */
type Statistic = readonly [label: string, toStatistic: (figures: string) => string];

/** The row above the headings, which tells what the statistics leave out, and where fiscal years differ. */
const NOTE_ROWS = 1;

/** Number of statistics of each table. */
const STATISTICS = 4;

/** A table: companies down, and across the metrics of one year, or the years of one metric. */
interface Block {
  /** The rows of the headings, of the first statistic, of the first company, and of the last one for which there is room. */
  heading: number;
  statistics: number;
  first: number;
  last: number;
  /** The headings from the first column on. */
  headings: readonly CellContent[];
  /** The columns of the figures. */
  columns: readonly string[];
  /** The cells that name the metrics, and the years. */
  metrics: string;
  years: string;
}

/** How the tables of a comparison are laid out. */
interface Layout {
  parameters: readonly Parameter[];
  blocks: readonly [Block, ...Block[]];
  /** The cells that only this layout has. */
  cells: SheetPlan["cells"];
  statistics: readonly Statistic[];
  /** The columns with the currency of each column of figures, in the rows of the first table. */
  currencies: readonly string[];
  widths: readonly number[];
  /** The last column that is printed. */
  lastColumn: string;
  /** The last row whose company may be typed in, by its colour. */
  lastInput: number;
}

/** Plans a sheet of companies and their figures, with statistics of the figures in one currency. */
export function toComparisonPlan(options: ComparisonOptions, texts: SheetTexts): SheetPlan {
  const layout = options.years.count === 1 ? toOneYear(options, texts) : toSeveralYears(options, texts);
  const { parameters, blocks, lastColumn, lastInput } = layout;
  const [{ heading, first, columns }] = blocks;
  const headingRow = options.years.count === 1 ? heading : 1; // each metric has headings of its own
  const head = toHead(texts.comparisonName, texts.comparisonTitle, texts.comparisonHint, parameters, texts.asOf);
  const bottom = Math.max(...blocks.map((block) => block.statistics + STATISTICS - 1), lastInput);
  const lastFigures = `${columns.at(-1)}${blocks.at(-1)?.last}`;
  return {
    name: texts.comparisonName,
    cells: [
      ...head.cells,
      { at: `${NAME}${heading - 1}`, content: toNote(layout, texts) },
      ...options.companies.map((content, index) => ({ at: `${ID}${first + index}`, content })),
      ...blocks.flatMap((block) => [...toTable(block, layout), ...toStatistics(block, layout)]),
      ...layout.cells,
    ],
    styles: [
      ...head.styles,
      { range: `${NAME}${heading - 1}`, style: "label" },
      ...(headingRow === 1 ? toHeadingStyles(1, lastColumn) : []),
      ...blocks.flatMap((block) => toStyles(block, lastColumn)),
      { range: `${ID}${first}:${ID}${lastInput}`, style: "input" },
    ],
    formats: [...head.formats, ...blocks.flatMap((block) => toFormats(block, options.unit))],
    widths: toWidths(layout.widths),
    grouped: [ID],
    rules: [{ range: `${NAME}${first}:${lastFigures}`, formula: `=ISERROR(${NAME}${first})`, style: "missing" }],
    headingRow,
    frozenRows: 1,
    printed: `A2:${lastColumn}${bottom}`,
    selected: toParameterCell(0),
  };
}

/** One table of all metrics; statistics stand above, out of the way of further rows. */
function toOneYear({ companies, metrics, years, unit }: ComparisonOptions, texts: SheetTexts): Layout {
  const year = { label: texts.year, value: years.to, hint: texts.yearHint, isText: true };
  const heading = toTableRow(toParameters([year], unit, null, texts)) + NOTE_ROWS;
  const first = heading + STATISTICS + 1;
  const columns = metrics.map((_, index) => toLetters(WIDTHS.length + index));
  const lastColumn = columns.at(-1) ?? ID;
  const block = {
    heading,
    statistics: heading + 1,
    first,
    last: first - 1 + toCapacity(companies.length, 1),
    headings: [texts.company, texts.currency, texts.companyId, ...metrics],
    columns,
    metrics: `${columns[0]}${heading}:${lastColumn}${heading}`,
    years: toParameterCell(0),
  };
  return {
    parameters: toParameters([year], unit, block, texts),
    blocks: [block],
    cells: [],
    statistics: [
      [texts.median, (figures) => `MEDIAN(${figures})`],
      [texts.mean, (figures) => `AVERAGE(${figures})`],
      [texts.upperQuartile, (figures) => `QUARTILE.INC(${figures},3)`],
      [texts.lowerQuartile, (figures) => `QUARTILE.INC(${figures},1)`],
    ],
    currencies: columns.map(() => CURRENCY),
    widths: [...WIDTHS, ...metrics.map((name) => Math.max(FIGURE_WIDTH, toHeadingWidth(name)))],
    lastColumn,
    lastInput: first + companies.length - 1 + FREE_ROWS,
  };
}

/**
 * A table of each metric, with statistics below. There are columns for as many years as a person may choose in the cells;
 * those of the chosen ones are printed. What the statistics read, the currency of each year, stands to their right.
 */
function toSeveralYears({ companies, metrics, years, unit }: ComparisonOptions, texts: SheetTexts): Layout {
  const ends = [
    { label: texts.firstYear, value: years.from, hint: texts.firstYearHint, isText: true },
    { label: texts.lastYear, value: years.to, hint: texts.lastYearHint, isText: true },
  ];
  const row = toTableRow(toParameters(ends, unit, null, texts)) + NOTE_ROWS;
  const toColumns = (from: number) => Array.from({ length: MOST_YEARS }, (_, index) => toLetters(from + index));
  const columns = toColumns(WIDTHS.length + 1);
  const currencies = toColumns(WIDTHS.length + MOST_YEARS + 2);
  const capacity = toCapacity(companies.length, years.count);
  const toBlock = (metric: string, index: number): Block => {
    const heading = row + index * (capacity + STATISTICS + 2);
    return {
      heading,
      statistics: heading + 1 + capacity,
      first: heading + 1,
      last: heading + capacity,
      headings: [metric, texts.currency, texts.companyId, texts.yearEnd, ...columns.map(toYear(columns, heading))],
      columns,
      metrics: `${NAME}${heading}`,
      years: `${columns[0]}${heading}:${columns.at(-1)}${heading}`,
    };
  };
  const blocks = metrics.map(toBlock) as [Block, ...Block[]];
  const [block] = blocks;
  return {
    parameters: toParameters(ends, unit, block, texts),
    blocks,
    cells: [
      ...[texts.company, texts.currency, texts.companyId, texts.yearEnd].map((content, column) => ({
        at: `${toLetters(column)}1`,
        content,
      })),
      ...columns.map((letter) => ({
        at: `${letter}1`,
        content: toNamedYear(`${letter}${row}`, `$${columns[0]}$${row}`, `$${ID}$${row + 1}`),
      })),
      ...toYearsCells(blocks, currencies[0] ?? "", texts),
    ],
    statistics: [
      [texts.median, (figures) => `MEDIAN(${figures})`],
      [texts.mean, (figures) => `AVERAGE(${figures})`],
      [texts.highest, (figures) => `MAX(${figures})`],
      [texts.lowest, (figures) => `MIN(${figures})`],
    ],
    currencies,
    widths: [...WIDTHS, YEAR_END_WIDTH, ...columns.map(() => FIGURE_WIDTH)],
    lastColumn: columns[years.count - 1] ?? YEAR_END,
    lastInput: block.last,
  };
}

/** The year of a column: the first one, then one more than that to the left, until the last. */
const toYear = (columns: readonly string[], heading: number) => (_: string, index: number) => {
  const [from, to] = [toParameterCell(0), toParameterCell(1)].map(toFixed);
  if (index === 0) return { formula: `=${from}` };
  const left = `${columns[index - 1]}${heading}`;
  const next = `IFERROR(${left}+1,"FY"&(MID(${left},3,9)+1))`;
  return { formula: `=IF(OR(${left}="",${left}&""=${to}&""),"",${next})` };
};

/** A cell such as "B3" as "$B$3". */
const toFixed = (cell: string): string => cell.replace(/([A-Z]+)(\d+)/, "$$$1$$$2");

/**
 * A year as the frozen row names it, with the fiscal year that a company has for it: "FY-4 (2020)". A spreadsheet may
 * calculate what IF leaves out, so that an empty heading asks for the first year again.
 */
function toNamedYear(heading: string, first: string, company: string): CellContent {
  const { formula } = toFact(company, `IF(${heading}="",${first},${heading})`, "periodYear");
  return { formula: `=${heading}&IF(LEFT(${heading},2)="FY",IFERROR(" ("&${formula.slice(1)}&")",""),"")` };
}

const toFact = (companies: string, years: string, fact: string) =>
  toFormula("FINANCIAL", [toCells(companies), toCells(years), toTextArgument(fact)]);

/** Year-ends, the companies beside each further table, and the currency of each year. */
function toYearsCells([block, ...others]: Layout["blocks"], column: string, texts: SheetTexts): SheetPlan["cells"] {
  const companies = toCompanies(block);
  const ends = toFact(companies, toParameterCell(1), "periodEnd");
  const ids = `${toFixed(`${ID}${block.first}`)}:${toFixed(`${ID}${block.last}`)}`;
  return [
    ...[block, ...others].map(({ first }) => ({ at: `${YEAR_END}${first}`, content: ends })),
    ...others.map(({ first }) => ({ at: `${ID}${first}`, content: { formula: `=IF(${ids}="","",${ids})` } })),
    { at: `${column}${block.heading - 1}`, content: texts.currencies },
    { at: `${column}${block.heading}`, content: { formula: `=${block.years}` } },
    { at: `${column}${block.first}`, content: toFact(companies, block.years, "currency") },
  ];
}

const toCompanies = ({ first, last }: Pick<Block, "first" | "last">): string => `${ID}${first}:${ID}${last}`;

/** @param block the first table; null while it is not known where it stands */
function toParameters(years: readonly Parameter[], unit: Unit, block: Block | null, texts: SheetTexts): Parameter[] {
  return [
    ...years,
    { label: texts.unit, value: unit === "" ? null : unit, hint: texts.unitHint },
    { label: texts.statisticsIn, value: block && toFirstCurrency(block), hint: texts.statisticsHint },
  ];
}

/** The currency of the first company that has one: a code of three letters. */
function toFirstCurrency({ first, last }: Block): CellContent {
  const currencies = `${CURRENCY}${first}:${CURRENCY}${last}`;
  return { formula: `=IFERROR(INDEX(FILTER(${currencies},IFERROR(LEN(${currencies}),0)=3),1),"")` };
}

/** The cells of the last year, the unit, and the currency of the statistics, which are the last parameters. */
const toLastCells = ({ parameters }: Layout) =>
  [3, 2, 1].map((place) => toParameterCell(parameters.length - place)) as [string, string, string];

/** Says that figures in other currencies are not in the statistics, and that latest years differ; empty where neither is so. */
function toNote(layout: Layout, texts: SheetTexts): CellContent {
  const [lastYear, , chosen] = toLastCells(layout);
  const [block] = layout.blocks;
  const [from, to] = [layout.currencies[0], layout.currencies.at(-1)];
  const codes = `IFERROR(${from}${block.first}:${to}${block.last},"")`;
  const others = `IF(SUMPRODUCT((LEN(${codes})=3)*(${codes}<>${chosen}))=0,"","${texts.otherCurrencies}")`;
  const years = `IFERROR(${toFact(toCompanies(block), lastYear, "periodYear").formula.slice(1)},"")`;
  return { formula: `=${others}&IF(MAX(${years})=MIN(${years}),"","${texts.otherYears}")` };
}

/** A formula for the names, one for the currencies and one for all figures; one request answers the last two. */
function toTable({ heading, first, headings, columns, metrics, years }: Block, layout: Layout): SheetPlan["cells"] {
  const [lastYear, unit] = toLastCells(layout);
  const companies = toCompanies(layout.blocks[0]);
  const names = toFormula("COMPANY", [toCells(companies), toTextArgument("companyName")]);
  const given = [toCells(companies), toCells(years), toCells(metrics), null, toCells(unit)];
  return [
    ...headings.map((content, column) => ({ at: `${toLetters(column)}${heading}`, content })),
    { at: `${NAME}${first}`, content: names },
    { at: `${CURRENCY}${first}`, content: toFact(companies, lastYear, "currency") },
    { at: `${columns[0]}${first}`, content: toFormula("FINANCIAL", given) },
  ];
}

/** Statistics of the figures in the chosen currency; they leave out errors and texts. */
function toStatistics({ statistics: row, first, last, columns }: Block, layout: Layout): SheetPlan["cells"] {
  const [{ first: top, last: end }] = layout.blocks;
  const chosen = toFixed(toLastCells(layout)[2]);
  const toFigures = (letter: string, index: number) => {
    const [figures, own] = [`${letter}${first}:${letter}${last}`, layout.currencies[index]];
    return `FILTER(${figures},ISNUMBER(${figures})*(IFERROR($${own}${top}:$${own}${end},"")=${chosen}))`;
  };
  return layout.statistics.flatMap(([label, toStatistic], index) => [
    { at: `${NAME}${row + index}`, content: label },
    { at: `${CURRENCY}${row + index}`, content: { formula: `=${chosen}` } },
    ...columns.map((letter, column) => ({
      at: `${letter}${row + index}`,
      content: { formula: `=IFERROR(${toStatistic(toFigures(letter, column))},"")` },
    })),
  ]);
}

const toHeadingStyles = (row: number, lastColumn: string): SheetPlan["styles"] => [
  { range: `${NAME}${row}:${ID}${row}`, style: "heading" },
  { range: `${YEAR_END}${row}:${lastColumn}${row}`, style: "numberHeading" },
];

function toStyles({ heading, statistics }: Block, lastColumn: string): SheetPlan["styles"] {
  return [
    ...toHeadingStyles(heading, lastColumn),
    { range: `${NAME}${statistics}:${lastColumn}${statistics + STATISTICS - 1}`, style: "section" },
  ];
}

function toFormats({ statistics, first, last, columns }: Block, unit: Unit): SheetPlan["formats"] {
  const [from, to] = [Math.min(statistics, first), Math.max(statistics + STATISTICS - 1, last)];
  return [
    ...(columns[0] === YEAR_END ? [] : [{ range: `${YEAR_END}${first}:${YEAR_END}${last}`, format: "yyyy-mm-dd" }]),
    { range: `${columns[0]}${from}:${columns.at(-1)}${to}`, format: toUnitFormat(unit) },
  ];
}

import type { CellContent, SheetPlan } from "../../contract/workbook";
import { toLetters } from "../../taskpane/addresses";
import type { Given } from "../../taskpane/formula-text";
import {
  type Parameter,
  type SheetTexts,
  toCells,
  toChartedRow,
  toChartPlace,
  toDates,
  toFormula,
  toHead,
  toParameterCell,
  toWidths,
} from "../../taskpane/sheets/plan";
import type { RankedTemplate, RankedTexts } from "./texts";

/** Rows of a table that formulas lay out one by one. */
export const MOST_ROWS = 100;

/** Periods of a history; a name and a code stand before them. */
const [MOST_PERIODS, LABELS] = [52, 2];

/** The columns of the history, to the right of what is printed. */
const FIRST = 10;
const [FROM, CODES, FORMERS, FIRST_PERIOD] = [FIRST, FIRST + 1, FIRST + 2, FIRST + LABELS].map(toLetters);
const [ROWS, MEASURES] = [FIRST + 3, FIRST + 4].map(toLetters);
const [TO, BEYOND] = [FIRST + LABELS + MOST_PERIODS - 1, FIRST + LABELS + MOST_PERIODS].map(toLetters);

/** Letters of the columns that hold periods. */
export const PERIOD_LETTERS = Array.from({ length: MOST_PERIODS }, (_, index) => toLetters(FIRST + LABELS + index));

/** The first and the last of them. */
export const HISTORY_COLUMNS = [FIRST_PERIOD, TO] as const;

/** Formulas that read a history. */
interface History {
  /** The cell that shows the error of the whole. */
  head: string;
  /** The cell with the position of the last period among the columns. */
  last: string;
  /** The cell with the number of values of the period before; 0 where there is none. */
  former: string;
  /** The cell with the number of rows; an error where the parameter is none. */
  rows: string;
  /** The cell with the measure. */
  measure: string;
  /** A condition that there are more periods than fit. */
  isTooLong: string;
  /** An expression for the name of the last period. */
  period: string;
}

/** The rows above the headings: one of notes, and one of cells that the table reads. */
const HELPERS = 2;

/** The cells by which the formulas of a table find its history, whose headings stand in a row. */
export const toHistory = (row: number): History => {
  const last = `$${CODES}$${row - HELPERS}`;
  return {
    head: `$${FROM}$${row}`,
    last,
    former: `$${FORMERS}$${row - HELPERS}`,
    rows: `$${ROWS}$${row - HELPERS}`,
    measure: `$${MEASURES}$${row - HELPERS}`,
    isTooLong: `$${BEYOND}$${row}<>""`,
    period: `INDEX($${FROM}$${row}:$${TO}$${row},1,${last})`,
  };
};

/** An expression for a number of rows: all that fit for a blank cell or a text, an error for what is no whole number from 1. */
export const toRows = (cell: string): string =>
  `IF(ISERROR(${cell}),${cell},IF(COUNT(${cell})=0,${MOST_ROWS},IF(AND(${cell}>=1,${cell}=ROUND(${cell},0)),MIN(${MOST_ROWS},${cell}),NA())))`;

/** An expression for the measure that a cell names, in words or as the formula's argument. @param byDefault where it is blank */
export const toMeasure = (cell: string, { rank, measures }: RankedTexts, byDefault = "totalPageViews"): string =>
  choose(
    [[byDefault, ""], ["rank", rank], ...Object.entries(measures)].map(
      ([name, word]) => [`${cell}="${word}"`, `"${name}"`] as const,
    ),
    cell,
  );

/** An expression for a day as "2024-03-31". The letters of TEXT's dates differ by the language of Excel. */
const toDayText = (day: string): string => `YEAR(${day})&"-"&TEXT(MONTH(${day}),"00")&"-"&TEXT(DAY(${day}),"00")`;

/** An expression for the first or the last day of a period by its name: "2024-W12", "2024-03" or its first and last day. */
function toDay(name: string, end: "first" | "last"): string {
  const isFirst = end === "first";
  const [year, number] = [`LEFT(${name},4)`, `RIGHT(${name},2)`];
  const monday = `DATE(${year},1,4)-WEEKDAY(DATE(${year},1,4),3)+7*(${number}-1)`;
  const week = isFirst ? monday : `${monday}+6`;
  const month = isFirst ? `DATE(${year},${number},1)` : `DATE(${year},${number}+1,0)`;
  const day = `${isFirst ? "LEFT" : "RIGHT"}(${name},10)`;
  return `IF(LEN(${name})>8,${day},${toDayText(`IF(MID(${name},6,1)="W",${week},${month})`)})`;
}

/** An expression for the days of a history, from the first period to the last. */
export const toHistoryDays = (row: number): string =>
  `${toDay(`$${FIRST_PERIOD}$${row}`, "first")}&" – "&${toDay(toHistory(row).period, "last")}`;

interface HistoryOptions {
  row: number;
  rows: number;
  /** A formula's expression for the first argument of FEED.RANKING.TREND. */
  names: string;
  /** Expressions for the number of rows and the measure of the sheet. */
  helpers: { rows: string; measure: string };
  /** The measure of this block; null for the rank. */
  measure: Given | null;
  ranking: Given;
}

/** The cells of a history. The periods are the first parameter. */
export function toHistoryCells(options: HistoryOptions, note: string): { at: string; content: CellContent }[] {
  const { row, rows, names, helpers } = options;
  const { last, former, ...history } = toHistory(row);
  const headings = `${FROM}${row}:${TO}${row}`;
  const values = `${FROM}${row + 1}:${TO}${row + rows}`;
  // More periods than fit would leave out the last ones, and those count.
  const position = `=IF(${history.isTooLong},NA(),COUNTA(${headings}))`;
  const before = `=IF(${last}<${LABELS + 2},0,COUNT(INDEX(${values},0,${last}-1)))`;
  return [
    { at: `${FROM}${row - HELPERS - 1}`, content: note },
    { at: `${FROM}${row - HELPERS}`, content: { formula: `=${names}` } },
    { at: last.replaceAll("$", ""), content: { formula: position } },
    { at: former.replaceAll("$", ""), content: { formula: before } },
    { at: history.rows.replaceAll("$", ""), content: { formula: `=${helpers.rows}` } },
    { at: history.measure.replaceAll("$", ""), content: { formula: `=${helpers.measure}` } },
    toTrendCell(options, row),
  ];
}

/** The block of one measure; a second one stands below the first, since both may grow to the right. */
export const toTrendCell = (
  { row, measure, ranking }: Omit<HistoryOptions, "names" | "rows" | "helpers">,
  helpersOf: number,
) => {
  const given = [toCells(`${FROM}${helpersOf - HELPERS}`), toCells(toParameterCell(0)), measure, ranking];
  return { at: `${FROM}${row}`, content: toFormula("RANKING.TREND", given) };
};

/** Expressions for the cells of a row of a history. @param last the cell with the position of the last period */
export const toHistoryRow = (row: number, last: string) => ({
  name: `$${FROM}${row}`,
  code: `$${CODES}${row}`,
  now: `INDEX($${FROM}${row}:$${TO}${row},1,${last})`,
  before: `INDEX($${FROM}${row}:$${TO}${row},1,${last}-1)`,
  values: `$${FIRST_PERIOD}${row}:$${TO}${row}`,
});

const BARS = "▁▂▃▄▅▆▇█";
/** The bar of values that are all alike. */
const MIDDLE_BAR = 4;

/**
 * An expression for a chart within a cell, since add-ins cannot make Excel's sparklines: a bar for each value, and a dot
 * for a missing one.
 *
 * @param isRank whether a lower value is better and gets a higher bar
 */
export function toBars(values: string, isRank: boolean): string {
  const numbers = `IF(ISNUMBER(${values}),${values},"")`;
  const [least, most] = [`MIN(${numbers})`, `MAX(${numbers})`];
  const height = isRank ? `${most}-${values}` : `${values}-${least}`;
  const place = `IF(${most}>${least},1+ROUND(${BARS.length - 1}*(${height})/(${most}-${least}),0),${MIDDLE_BAR})`;
  const bars = `IF(ISNUMBER(${values}),MID("${BARS}",${place},1),IF(ISERROR(${values}),"·",""))`;
  return `IF(COUNT(${values})<2,"",TEXTJOIN("",TRUE,${bars}))`;
}

/** Columns of a table whose changes a sentence tells. */
interface MovedColumns {
  /** Ranges of one length: the change, and the name. */
  change: string;
  name: string;
  /** Ranges of the values before and now, with their format. */
  before: string;
  now: string;
  format: string;
  /** Whether the ranges run across; default down. */
  isAcross?: boolean;
  /** An expression for how many are new; absent where it is not told. */
  fresh?: string;
}

/** An expression for the decimal point of the person's Excel, "." or ",", by which TEXT reads a format. */
const POINT = "MID(1/2,2,1)";

/** An expression for a format of TEXT, without separators of thousands where those are not commas. */
const toTextFormat = (format: string): string =>
  format === "#,##0" ? `IF(${POINT}=".","${format}","0")` : `"${format.replace(".", `"&${POINT}&"`)}"`;

/** An expression for the largest change up or down: the name, with its values before and now; empty where there is none. */
function toExtreme(kind: "MAX" | "MIN", columns: MovedColumns): string {
  const { change, name, before, now, format, isAcross = false } = columns;
  const extreme = `${kind}(IF(ISNUMBER(${change}),${change},""))`;
  const place = `MATCH(${extreme},${change},0)`;
  const pick = (range: string) => `INDEX(${range},${isAcross ? `1,${place}` : place})`;
  const show = (range: string) => `TEXT(${pick(range)},${toTextFormat(format)})`;
  const [sign, arrow] = kind === "MAX" ? [">", "▲"] : ["<", "▼"];
  return `IF(${extreme}${sign}0,"   ${arrow} "&${pick(name)}&" "&${show(before)}&" → "&${show(now)},"")`;
}

/**
 * An expression for a line that says what moved: the largest change up and down, and how many are new.
 *
 * @param period an expression for the name of the period
 */
export function toMoved(columns: MovedColumns, period: string, texts: RankedTexts): string {
  const news = columns.fresh === undefined ? [] : [`"   ${texts.news} "&${columns.fresh}`];
  const parts = [`"${texts.moved} "&${period}`, toExtreme("MAX", columns), toExtreme("MIN", columns), ...news];
  return parts.join("&");
}

/** Chooses the first expression whose condition holds. */
export const choose = (cases: readonly (readonly [condition: string, expression: string])[], last: string): string =>
  cases.reduceRight((otherwise, [condition, expression]) => `IF(${condition},${expression},${otherwise})`, last);

/** Green where a number has grown, red where it has fallen. */
export const toChangeRules = (range: string) => {
  const [cell] = range.split(":");
  return [
    { range, formula: `=AND(ISNUMBER(${cell}),${cell}>0)`, style: "up" as const },
    { range, formula: `=AND(ISNUMBER(${cell}),${cell}<0)`, style: "down" as const },
  ];
};

/** Places gained, as arrows. */
export const ARROWS = '"▲"0;"▼"0;"–"';

/** Growth as a share, and the change of a share. */
export const GROWTH = "+0.0%;-0.0%;0.0%";
export const SHARE_CHANGE = "+0.00%;-0.00%;0.00%";

/** A line above a table that a history fills: what moved, or why nothing can be said. @param cases that come before others */
export function toHistoryLine(
  row: number,
  columns: MovedColumns,
  texts: RankedTexts,
  cases: readonly (readonly [condition: string, expression: string])[] = [],
): { formula: string } {
  const { head, former, rows, isTooLong, period } = toHistory(row);
  const all = [
    [`ISNA(${rows})`, `"${texts.noRows}"`],
    ...cases,
    [`ISERROR(${head})`, head],
    [isTooLong, `"${texts.tooMany}"`],
    [`${former}=0`, `"${texts.noFormer}"`],
  ] as const;
  return { formula: `=${choose(all, toMoved(columns, period, texts))}` };
}

/** A sheet of a head, a chart beside it, a line on what moved, and a table. Columns are letters. */
interface TableSheet {
  template: RankedTemplate;
  hint: string;
  /** The first one is the period. */
  parameters: readonly Parameter[];
  /** An expression for the days of the period. */
  toDays: (row: number) => string;
  /** How many rows have formats, and how many are printed. */
  rows: number;
  top: number;
  /** Of the columns, in characters. */
  widths: readonly number[];
  /** Of columns with numbers; "" for numbers as they come. */
  formats: Readonly<Record<string, string>>;
  charted: Record<"names" | "values", string>;
  chartTitle: string;
  /** The columns whose growth is green, and whose fall is red. */
  changes: readonly string[];
  /** The column that says what is new, and its word there; absent where none does. */
  fresh?: { column: string; word: string };
  moved: Pick<MovedColumns, "change" | "name" | "before" | "now" | "format">;
  /** Whether a history fills it, which has a note above. */
  hasHistory: boolean;
  /** The line above the headings, on columns as ranges. */
  toLine: (row: number, moved: MovedColumns) => { formula: string };
  /** The cells from the headings on. */
  toTable: (row: number) => SheetPlan["cells"];
  /** Further rules; default none. @param toRange gives the rows of a column */
  toRules?: (toRange: (column: string) => string) => SheetPlan["rules"];
}

const CHART_ROWS = 10;

export function toTablePlan(sheet: TableSheet, texts: SheetTexts, ranked: RankedTexts): SheetPlan {
  const { template, hint, rows, top, charted, fresh, toRules = () => [] } = sheet;
  const toParameters = (days: string) => [...sheet.parameters, toDates(toParameterCell(0), days, texts)];
  const row = toChartedRow(toParameters("")) + 1;
  const toRange = (column: string, count = rows) => `${column}${row + 1}:${column}${row + count}`;
  const name = ranked.names[template];
  const head = toHead(name, ranked.titles[template], hint, toParameters(sheet.toDays(row)), texts.asOf);
  const widths = toWidths(sheet.widths);
  const end = toLetters(sheet.widths.length - 1);
  const formats = Object.entries(sheet.formats);
  return {
    name,
    cells: [
      ...head.cells,
      { at: `A${row - 1}`, content: sheet.toLine(row, toMovedColumns(sheet, row)) },
      ...sheet.toTable(row),
    ],
    styles: [
      ...head.styles,
      { range: `A${row - 1}`, style: "label" },
      { range: `A${row}:${end}${row}`, style: "heading" },
      ...formats.map(([column]) => ({ range: `${column}${row}`, style: "numberHeading" as const })),
      ...(sheet.hasHistory ? [{ range: `${FROM}${row - HELPERS - 1}`, style: "note" as const }] : []),
    ],
    formats: [
      ...head.formats,
      ...formats.flatMap(([column, format]) => (format === "" ? [] : [{ range: toRange(column), format }])),
    ],
    widths,
    grouped: [],
    rules: [
      ...sheet.changes.flatMap((column) => toChangeRules(toRange(column))),
      ...(fresh
        ? [
            {
              range: toRange(fresh.column),
              formula: `=${fresh.column}${row + 1}="${fresh.word}"`,
              style: "fresh" as const,
            },
          ]
        : []),
      ...toRules(toRange),
    ],
    headingRow: row,
    frozenRows: 1,
    printed: `A2:${end}${row + top}`,
    selected: toParameterCell(0),
    chart: {
      title: sheet.chartTitle,
      categories: toRange(charted.names, CHART_ROWS),
      values: toRange(charted.values, CHART_ROWS),
      at: toChartPlace(widths, row - 2),
    },
  };
}

function toMovedColumns({ moved, rows, fresh }: TableSheet, row: number): MovedColumns {
  const toRange = (column: string) => `$${column}$${row + 1}:$${column}$${row + rows}`;
  const { change, name, before, now, format } = moved;
  const columns = { change: toRange(change), name: toRange(name), before: toRange(before), now: toRange(now), format };
  return fresh ? { ...columns, fresh: `COUNTIF(${toRange(fresh.column)},"${fresh.word}")` } : columns;
}

import { PAGE_TYPES } from "../../contract/parameter-values";
import type { ChartPlan, SheetPlan } from "../../contract/workbook";
import { INDUSTRY_RANKING_FIELDS, PAGE_RANKING_FIELDS, RANKING_FIELDS } from "../../feed/field-tables";
import { type Field, isMeasure } from "../../feed/fields";
import { toLetters } from "../addresses";
import {
  type Parameter,
  type SheetTexts,
  toCells,
  toChartedRow,
  toChartPlace,
  toDates,
  toFormula,
  toHead,
  toHeadingWidth,
  toParameterCell,
  toTextArgument,
  toWidths,
} from "./plan";

export const RANKED = ["companies", "pages", "industries"] as const;

export type Ranked = (typeof RANKED)[number];

/** The options of a ranking sheet. */
export interface RankingOptions {
  ranked: Ranked;
  /** A page type's key, e.g. "NEWS"; empty for all types. */
  pageType: string;
  /** A range such as "-7d", or a first day. */
  start: string;
  /** The last day; empty where `start` is a range. */
  end: string;
  top: number | "all";
  /** Names of the fields shown, in the order of {@link listFields}. */
  fields: readonly string[];
}

/** The fields that a ranking can show, in the order of its columns. */
export function listFields(ranked: Ranked, pageType: string): readonly Field[] {
  if (ranked === "industries") return INDUSTRY_RANKING_FIELDS;
  if (ranked === "companies" || pageType !== "") return RANKING_FIELDS;
  const views = new Set(PAGE_TYPES.map((type) => `pages.${type}.totalPageViews`));
  return PAGE_RANKING_FIELDS.filter(({ name }) => LEADING.has(name) || views.has(name));
}

const LEADING = new Set(["rank", "companyName", "tickerSymbol", "headquarters", "totalPageViews"]);

/** The fields chosen at first: all but the seldom used ones. */
export const listFirstFields = (ranked: Ranked, pageType: string): string[] =>
  listFields(ranked, pageType)
    .map(({ name }) => name)
    .filter((name) => !SELDOM.has(name));

const SELDOM = new Set(["engagementTime.min", "engagementTime.max", "industryId", "industryDescription"]);

/** Number of formatted rows, enough for any later number of rows. */
const FORMATTED_ROWS = 5_000;
const CHART_ROWS = 10;

/** Plans a sheet that ranks companies or industries over a range; the formula reads the range from cells. */
export function toRankingPlan(options: RankingOptions, texts: SheetTexts): SheetPlan {
  const fields = listFields(options.ranked, options.pageType).filter(({ name }) => options.fields.includes(name));
  const parameters = toParameters(options, texts);
  const name = texts.rankingNames[options.ranked];
  const head = toHead(name, texts.rankingTitle[options.ranked], texts.rankingHint, parameters, texts.asOf);
  const row = toChartedRow(parameters);
  const isAll = fields.length === listFields(options.ranked, options.pageType).length;
  const shown = isAll ? null : options.fields.join(",");
  const last = toLetters(fields.length - 1);
  const widths = toWidths(fields.map(toWidth));
  const chart = toRankingChart(fields, row, toChartPlace(widths, row - 1), texts);
  const printed = options.top === "all" ? FORMATTED_ROWS : options.top;
  return {
    name,
    cells: [...head.cells, { at: `A${row}`, content: toRankingFormula(options, shown) }],
    styles: [
      ...head.styles,
      { range: `A${row}:${last}${row}`, style: "heading" },
      ...fields.flatMap(({ kind }, index) =>
        kind === "number" ? [{ range: `${toLetters(index)}${row}`, style: "numberHeading" as const }] : [],
      ),
    ],
    formats: [
      ...head.formats,
      ...fields.flatMap((field, index) => {
        const letter = toLetters(index);
        const range = `${letter}${row + 1}:${letter}${row + FORMATTED_ROWS}`;
        return field.kind === "number" ? [{ range, format: field.format ?? "0" }] : [];
      }),
    ],
    widths,
    grouped: fields.flatMap(({ name }, index) => (name === "industryId" ? [toLetters(index)] : [])),
    rules: [],
    headingRow: row,
    frozenRows: 1,
    printed: `A2:${last}${row + printed}`,
    selected: toParameterCell(0),
    ...(chart !== null && { chart }),
  };
}

function toParameters(options: RankingOptions, texts: SheetTexts): Parameter[] {
  const { ranked, pageType, start, end, top } = options;
  return [
    { label: texts.range, value: start, hint: texts.rangeHint, isText: true },
    { label: texts.to, value: end === "" ? null : end, hint: texts.toHint, isSeldom: true, isText: true },
    ...(ranked === "pages" && pageType !== "" ? [{ label: texts.pageType, value: pageType }] : []),
    { label: texts.rows, value: top, hint: texts.rowsHint },
    toDates(toParameterCell(0), `INDEX(${toRankingFormula(options, "period").formula.slice(1)},2)`, texts),
  ];
}

const FORMULAS = { companies: "RANKING", pages: "RANKING.PAGES", industries: "RANKING.INDUSTRIES" } as const;

function toRankingFormula({ ranked, pageType }: RankingOptions, fields: string | null): { formula: string } {
  const [start, end, third, fourth] = [0, 1, 2, 3].map((place) => toCells(toParameterCell(place)));
  const named = fields === null ? null : toTextArgument(fields);
  const given =
    ranked !== "pages"
      ? [start, end, third, named]
      : pageType === ""
        ? [start, end, null, third, named]
        : [start, end, third, fourth, named];
  return toFormula(
    FORMULAS[ranked],
    given.map((each) => each ?? null),
  );
}

const WIDTHS: Readonly<Record<string, number>> = {
  companyName: 42,
  headquarters: 18,
  industryName: 40,
  industryDescription: 48,
  industryId: 14,
  sectorName: 26,
  subSectorName: 30,
};

const toWidth = ({ name, header }: Field): number => Math.max(WIDTHS[name] ?? 0, toHeadingWidth(header));

/** The columns of a chart: names and the first measure; null where either is missing. */
export function findChartColumns(fields: readonly Field[]): { names: number; measure: number } | null {
  const names = fields.findIndex(({ name }) => name === "companyName" || name === "industryName");
  const measure = fields.findIndex(isMeasure);
  return names < 0 || measure < 0 ? null : { names, measure };
}

function toRankingChart(fields: readonly Field[], row: number, at: string, texts: SheetTexts): ChartPlan | null {
  const columns = findChartColumns(fields);
  if (columns === null) return null;
  const { names, measure } = columns;
  const toRange = (column: number) => `${toLetters(column)}${row + 1}:${toLetters(column)}${row + CHART_ROWS}`;
  return {
    title: `${texts.topTen}: ${fields[measure]?.header}`,
    categories: toRange(names),
    values: toRange(measure),
    at,
  };
}

import type { SheetPlan } from "../../contract/workbook";
import { toLetters } from "../addresses";
import { toUnitFormat } from "../figure-format";
import type { Unit } from "./comparison-plan";
import {
  type SheetTexts,
  toCells,
  toChartedRow,
  toChartPlace,
  toFormula,
  toHead,
  toParameterCell,
  toTextArgument,
  toWidths,
} from "./plan";

/** The options of a statement sheet. */
interface StatementOptions {
  /** A company id or registration number. */
  company: string;
  /** The company's name, for the sheet's name; empty where it is unknown. */
  companyName: string;
  /** Number of fiscal years, up to the latest. */
  years: number;
  unit: Unit;
  /** Values of consolidationType and the like, with commas; empty for the version that is preferred. */
  basis: string;
}

/** Number of formatted rows, more than any statement has. */
const FORMATTED_ROWS = 200;

/** Number of printed rows below the years: about as many as the three statements have. */
const PRINTED_ROWS = 60;

/**
 * Plans a sheet of one company's statements. The row of revenue is not known in advance, so the chart has a
 * row of its own above the years. The first column holds the parameters' labels alone, since ids need a wide column.
 */
export function toStatementPlan(options: StatementOptions, texts: SheetTexts): SheetPlan {
  const { years, companyName } = options;
  const parameters = toParameters(options, texts);
  const formulas = toFormulas();
  const name = companyName === "" ? texts.statementName : companyName;
  const head = toHead(name, formulas.title, texts.statementHint, parameters, texts.asOf);
  const row = toChartedRow(parameters) + 1;
  const toYears = (of: number) => `C${of}:${toLetters(years + 1)}${of}`;
  const widths = toWidths([16, 42, ...Array.from({ length: years }, () => 15)]);
  return {
    name,
    cells: [
      ...head.cells,
      { at: `B${row - 1}`, content: texts.charted },
      { at: `C${row - 1}`, content: formulas.revenue },
      { at: `B${row}`, content: formulas.statements },
    ],
    styles: [
      ...head.styles,
      { range: `B${row - 1}:${toLetters(years + 1)}${row - 1}`, style: "note" },
      { range: `B${row}`, style: "heading" },
      { range: toYears(row), style: "numberHeading" },
    ],
    formats: [
      ...head.formats,
      { range: toYears(row - 1), format: toUnitFormat(options.unit) },
      ...toFormats(options, row),
    ],
    widths,
    grouped: [],
    rules: toRules(row, toLetters(years + 1)),
    headingRow: row,
    frozenRows: 1,
    printed: `A2:${toLetters(years + 1)}${row + PRINTED_ROWS}`,
    selected: toParameterCell(0),
    chart: {
      title: texts.revenue,
      categories: toYears(row),
      values: toYears(row - 1),
      at: toChartPlace(widths, row - 2),
    },
  };
}

/** The sheet's formulas, which read the parameters from their cells. */
function toFormulas() {
  const toParameter = (place: number) => toCells(toParameterCell(place));
  const [company, years, unit, basis] = [toParameter(0), toParameter(1), toParameter(2), toParameter(3)];
  const name = toFormula("COMPANY", [company, toTextArgument("companyName")]).formula.slice(1);
  const layout = toTextArgument("statement");
  return {
    title: { formula: `=IFERROR(${name},${toParameterCell(0)})` },
    statements: toFormula("FINANCIALS", [company, years, null, layout, basis, unit]),
    revenue: toFormula("FINANCIAL", [company, years, toTextArgument("Revenue"), basis, unit]),
  };
}

/** Right-aligns a currency under its year. */
const TEXT_AT_THE_RIGHT = "0;-0;0;* @";

function toFormats({ years, unit }: StatementOptions, row: number): SheetPlan["formats"] {
  const toRows = (first: number, last: number) => `C${row + first}:${toLetters(years + 1)}${row + last}`;
  return [
    { range: toRows(0, 0), format: "0" },
    { range: toRows(1, 1), format: TEXT_AT_THE_RIGHT },
    // The second row is the period's end where the provider gives it, else a heading without figures.
    { range: toRows(2, 2), format: "yyyy-mm-dd" },
    { range: toRows(3, FORMATTED_ROWS), format: toUnitFormat(unit) },
  ];
}

/** Titles of statements are rows without a figure; subtotals are known by their names. */
function toRules(row: number, last: string): SheetPlan["rules"] {
  const first = row + 2;
  const [name, figures] = [`$B${first}`, `$C${first}:$${last}${first}`];
  const range = `B${first}:${last}${row + FORMATTED_ROWS}`;
  const isSubtotal = [
    `LEFT(${name},5)="Total"`,
    ...[" Profit", " Income"].map((end) => `RIGHT(${name},7)="${end}"`),
    ...["EBIT", "EBITDA"].map((metric) => `${name}="${metric}"`),
  ];
  return [
    {
      range,
      formula: `=AND(LEN(${name})>0,COUNT(${figures})=0,SUMPRODUCT(--ISERROR(${figures}))=0)`,
      style: "part",
    },
    { range, formula: `=OR(${isSubtotal.join(",")})`, style: "subtotal" },
    { range: range.replace("B", "C"), formula: `=ISERROR(C${first})`, style: "missing" },
  ];
}

function toParameters({ company, years, unit, basis }: StatementOptions, texts: SheetTexts) {
  return [
    { label: texts.companyId, value: company, isText: true },
    { label: texts.years, value: `FY${1 - years}:FY0`, hint: texts.yearsHint, isText: true },
    { label: texts.unit, value: unit === "" ? null : unit, hint: texts.unitHint },
    { label: texts.basis, value: basis === "" ? null : basis, hint: texts.basisHint },
  ];
}

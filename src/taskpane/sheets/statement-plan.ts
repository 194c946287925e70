import type { SheetPlan } from "../../contract/workbook";
import { toFigureFormat, type Unit } from "./comparison-plan";
import {
  type SheetTexts,
  toCells,
  toFormula,
  toHead,
  toLetter,
  toParameterCell,
  toTableRow,
  toTextArgument,
  toWidths,
} from "./plan";

/** What a sheet of one company's statements is to show. */
export interface StatementWish {
  /** A company id or registration number. */
  company: string;
  /** What the company is called, for the sheet's name; empty where it is not known. */
  companyName: string;
  /** How many fiscal years, up to the latest. */
  years: number;
  unit: Unit;
  /** Values of consolidationType and the like, with commas; empty for the version that is preferred. */
  basis: string;
}

/** Rows that are formatted: more than any statement has. */
const FORMATTED_ROWS = 200;

/**
 * Plans a sheet of one company's statements. Where revenue stands in them is not known beforehand, so the chart has a
 * row of its own beside the years.
 */
export function toStatementPlan(wish: StatementWish, texts: SheetTexts): SheetPlan {
  const { years, companyName } = wish;
  const parameters = toParameters(wish, texts);
  const formulas = toFormulas();
  const head = toHead(formulas.title, texts.statementNote, parameters, texts.asOf);
  const row = toTableRow(parameters);
  const [lastYear, beside] = [toLetter(years), toLetter(years + 2)];
  const spans = `B${row}:${lastYear}${row}`;
  const revenues = `${toLetter(years + 3)}${row}:${toLetter(years + 2 + years)}${row}`;
  return {
    name: companyName === "" ? texts.statementName : companyName,
    cells: [
      ...head.cells,
      { at: `A${row}`, content: formulas.statements },
      { at: `${beside}${row}`, content: texts.revenue },
      { at: `${toLetter(years + 3)}${row}`, content: formulas.revenue },
    ],
    styles: [
      ...head.styles,
      { range: `A${row}`, style: "heading" },
      { range: spans, style: "numberHeading" },
      { range: `${beside}${row}`, style: "label" },
    ],
    formats: [...head.formats, ...toFormats(wish, row), { range: revenues, format: toFigureFormat(wish.unit) }],
    widths: { ...toWidths([32, ...Array.from({ length: years }, () => 15)]), [beside]: 12 },
    frozenRows: row,
    selected: toParameterCell(0),
    chart: {
      title: texts.revenue,
      categories: spans,
      values: revenues,
      at: `${beside}${row + 2}:${toLetter(years + 9)}${row + 18}`,
    },
  };
}

/** All read the parameters from their cells, in the order of {@link toParameters}. */
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

function toFormats({ years, unit }: StatementWish, row: number): SheetPlan["formats"] {
  const toRows = (first: number, last: number) => `B${row + first}:${toLetter(years)}${row + last}`;
  return [
    { range: toRows(0, 0), format: "0" },
    // The second row is the end of the year where the provider tells it, and else a heading without figures.
    { range: toRows(2, 2), format: "yyyy-mm-dd" },
    { range: toRows(3, FORMATTED_ROWS), format: toFigureFormat(unit) },
  ];
}

function toParameters({ company, years, unit, basis }: StatementWish, texts: SheetTexts) {
  return [
    { label: texts.companyId, value: company },
    { label: texts.years, value: `FY${1 - years}:FY0`, note: texts.yearsNote },
    { label: texts.unit, value: unit === "" ? null : unit, note: texts.unitNote },
    { label: texts.basis, value: basis === "" ? null : basis, note: texts.basisNote },
  ];
}

import type { SheetPlan } from "../../contract/workbook";
import { toFigureFormat, type Unit } from "./comparison-plan";
import { type SheetTexts, toCells, toFormula, toHead, toLetter, toParameterCell, toTableRow, toWidths } from "./plan";

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
  const { years, unit } = wish;
  const parameters = toParameters(wish, texts);
  const [company, span, unitCell, basis] = parameters.map((_, place) => toCells(toParameterCell(place)));
  const given = { company: company ?? null, years: span ?? null, unit: unitCell ?? null, basis: basis ?? null };
  const name = toFormula("COMPANY", [given.company, { kind: "text", value: "companyName" }]).formula.slice(1);
  const title = { formula: `=IFERROR(${name},${toParameterCell(0)})` };
  const head = toHead(title, texts.statementNote, parameters, texts.asOf);
  const row = toTableRow(parameters);
  const [lastYear, beside] = [toLetter(years), toLetter(years + 2)];
  const [from, to] = [toLetter(years + 3), toLetter(years + 2 + years)];
  const layout = { kind: "text", value: "statement" } as const;
  return {
    name: wish.companyName === "" ? texts.statementName : wish.companyName,
    cells: [
      ...head.cells,
      {
        at: `A${row}`,
        content: toFormula("FINANCIALS", [given.company, given.years, null, layout, given.basis, given.unit]),
      },
      { at: `${beside}${row}`, content: texts.revenue },
      {
        at: `${from}${row}`,
        content: toFormula("FINANCIAL", [given.company, given.years, REVENUE, given.basis, given.unit]),
      },
    ],
    styles: [
      ...head.styles,
      { range: `A${row}`, style: "heading" },
      { range: `B${row}:${lastYear}${row}`, style: "numberHeading" },
      { range: `${beside}${row}`, style: "label" },
    ],
    formats: [
      ...head.formats,
      { range: `B${row}:${lastYear}${row}`, format: "0" },
      // The second row is the end of the year where the provider tells it, and else a heading without figures.
      { range: `B${row + 2}:${lastYear}${row + 2}`, format: "yyyy-mm-dd" },
      { range: `B${row + 3}:${lastYear}${row + FORMATTED_ROWS}`, format: toFigureFormat(unit) },
      { range: `${from}${row}:${to}${row}`, format: toFigureFormat(unit) },
    ],
    widths: { ...toWidths([32, ...Array.from({ length: years }, () => 15)]), [beside]: 12 },
    frozenRows: row,
    selected: toParameterCell(0),
    chart: {
      title: texts.revenue,
      categories: `B${row}:${lastYear}${row}`,
      values: `${from}${row}:${to}${row}`,
      at: `${beside}${row + 2}:${toLetter(years + 9)}${row + 18}`,
    },
  };
}

const REVENUE = { kind: "text", value: "Revenue" } as const;

function toParameters({ company, years, unit, basis }: StatementWish, texts: SheetTexts) {
  return [
    { label: texts.company, value: company },
    { label: texts.years, value: `FY${1 - years}:FY0`, note: texts.yearsNote },
    { label: texts.unit, value: unit === "" ? null : unit, note: texts.unitNote },
    { label: texts.basis, value: basis === "" ? null : basis, note: texts.basisNote },
  ];
}

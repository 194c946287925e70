import type { CellContent, SheetPlan } from "../../contract/workbook";
import { readArea, toLetters } from "../addresses";
import { type Given, toFormulaText } from "../formula-text";
import type { sheetWords } from "./words";

/** The words of the sheets themselves. */
export type SheetTexts = (typeof sheetWords)["en"];

/** A value that a person may change on the sheet, with its label and a hint. */
export interface Parameter {
  label: string;
  value: CellContent;
  hint?: string;
  /** Whether it stays uncoloured while it is empty, as a seldom used one. */
  isSeldom?: boolean;
  /** Whether what is typed stays text, as a period must: Excel takes "2024-03" for the first of that month. */
  isText?: boolean;
  /** Whether it is no value to change, but what a formula says of those above. */
  isFact?: boolean;
}

/** The row of the first parameter, below the repeated headings and the title. */
const FIRST_PARAMETER = 3;

/** The cell of the parameter at a position of the list, from 0. */
export const toParameterCell = (place: number): string => `B${FIRST_PARAMETER + place}`;

/** The row of the table, below the parameters, the time of the data and the hints. */
export const toTableRow = (parameters: readonly Parameter[]): number =>
  FIRST_PARAMETER + parameters.length + listHints(parameters).length + 2;

/** The row of the table below a chart, which needs this height for the names of ten bars. */
export const toChartedRow = (parameters: readonly Parameter[]): number => Math.max(toTableRow(parameters), 13);

const listHints = (parameters: readonly Parameter[]): string[] =>
  parameters.flatMap(({ label, hint }) => (hint === undefined ? [] : [`${label}: ${hint}`]));

/** The time of a sheet's data; its name tells the formula from equal ones on other sheets. */
const toAsOf = (sheet: string) => toFormula("STATUS", [toTextArgument("asof"), toTextArgument(sheet)]);

/** A plan under another name, for the sheet whose name it is to have. */
export function rename(plan: SheetPlan, name: string): SheetPlan {
  const { formula } = toAsOf(plan.name);
  const isAsOf = (content: CellContent) => typeof content === "object" && content?.formula === formula;
  const cells = plan.cells.map((cell) => (isAsOf(cell.content) ? { ...cell, content: toAsOf(name) } : cell));
  return { ...plan, name, cells };
}

/**
 * The head of every sheet: title, parameters, time of the data, and hints.
 *
 * @param name of the sheet
 */
export function toHead(
  name: string,
  title: CellContent,
  hint: string,
  parameters: readonly Parameter[],
  asOf: string,
): Pick<SheetPlan, "cells" | "styles" | "formats"> {
  const rows = parameters.map((parameter, index) => ({ ...parameter, row: FIRST_PARAMETER + index }));
  const last = FIRST_PARAMETER + parameters.length;
  const hints = [hint, ...listHints(parameters)];
  return {
    cells: [
      { at: "A2", content: title },
      ...rows.flatMap(({ row, label, value }) => [
        { at: `A${row}`, content: label },
        { at: `B${row}`, content: value },
      ]),
      { at: `A${last}`, content: asOf },
      { at: `B${last}`, content: toAsOf(name) },
      ...hints.map((content, index) => ({ at: `A${last + 1 + index}`, content })),
    ].filter(({ content }) => content !== null),
    styles: [
      { range: "A2", style: "title" },
      { range: `A${FIRST_PARAMETER}:A${last}`, style: "label" },
      ...rows
        .filter(({ value, isSeldom = false, isFact = false }) => !isFact && (value !== null || !isSeldom))
        .map(({ row }) => ({ range: `B${row}`, style: "input" as const })),
      { range: `A${last + 1}:A${last + hints.length}`, style: "note" },
    ],
    formats: [
      ...rows.filter(({ isText = false }) => isText).map(({ row }) => ({ range: `B${row}`, format: "@" })),
      { range: `B${last}`, format: "yyyy-mm-dd hh:mm" },
    ],
  };
}

/**
 * The days that a period means by now, with its words: "Last 7 days: 2024-03-01 – 2024-03-07".
 *
 * @param period its cell
 * @param days an expression
 */
export function toDates(period: string, days: string, { dates, lately, last }: SheetTexts): Parameter {
  const toCases = (cases: object, cell: string, others: string): string =>
    Object.entries(cases).reduceRight((rest, [code, name]) => `IF(${cell}="${code}","${name}: ",${rest})`, others);
  const counted = `SUBSTITUTE(${toCases(last, `RIGHT(${period})`, '""')},"#",MID(${period},2,LEN(${period})-2))`;
  const words = toCases(lately, period, `IF(LEFT(${period})="-",${counted},"")`);
  return { label: dates, value: { formula: `=IFERROR(${words}&${days},"")` }, isFact: true };
}

/** A period of the forms in words, such as "-8w". */
export const toPeriodName = (code: string, { lately, last }: SheetTexts): string =>
  lately[code] ?? (last[code.slice(-1)] ?? code).replace("#", code.slice(1, -1));

/**
 * A plan whose headings stand in the first row too, which is frozen alone, unless it has one of its own. Excel freezes all
 * rows above a frozen one, and a head with its chart would take half of a screen.
 */
export function withHeadings(plan: SheetPlan): SheetPlan {
  const { headingRow, printed, cells, styles } = plan;
  if (headingRow === 1) return plan;
  const headings = styles.filter(({ range }) => readArea(range).row === headingRow - 1);
  const repeated = Array.from({ length: readArea(printed).columns }, (_, index) => {
    const letter = toLetters(index);
    return { at: `${letter}1`, content: { formula: `=IFERROR(${letter}${headingRow}&"","")` } };
  });
  return {
    ...plan,
    cells: [...repeated, ...cells],
    styles: [...headings.map(({ range, style }) => ({ range: range.replaceAll(/\d+/g, "1"), style })), ...styles],
  };
}

/** Widths in characters: of the hints, of a chart, and of a column without a width of its own. */
const [HINTS_WIDTH, CHART_WIDTH, COLUMN_WIDTH] = [56, 60, 10];

/** The cells of a chart beside the head, from the title down to a row. */
export function toChartPlace(widths: Readonly<Record<string, number>>, lastRow: number): string {
  const findColumn = (width: number, from = 0): number => {
    const left = width - (widths[toLetters(from)] ?? COLUMN_WIDTH);
    return left <= 0 ? from : findColumn(left, from + 1);
  };
  const first = findColumn(HINTS_WIDTH) + 1;
  return `${toLetters(first)}2:${toLetters(findColumn(CHART_WIDTH, first))}${lastRow}`;
}

/** A formula of the add-in as a cell's content. */
export const toFormula = (name: string, given: readonly Given[]): { formula: string } => ({
  formula: toFormulaText({ name, given }),
});

export const toTextArgument = (value: string): Given => ({ kind: "text", value });

export const toCells = (text: string): Given => ({ kind: "cells", text });

/** The width of a heading in bold letters. */
export const toHeadingWidth = (heading: string): number => Math.ceil(heading.length * 1.2) + 3;

/** Widths by letter; the first two columns are wide enough for the head. */
export function toWidths(columns: readonly number[]): Record<string, number> {
  const least = [16, 24];
  return Object.fromEntries(columns.map((width, index) => [toLetters(index), Math.max(width, least[index] ?? 0)]));
}

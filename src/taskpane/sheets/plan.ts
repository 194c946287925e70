import type { CellContent, SheetPlan } from "../../contract/workbook";
import { toLetters } from "../addresses";
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
}

/** The row of the first parameter, below title and hint. */
const FIRST_PARAMETER = 3;

/** The cell of the parameter at a position of the list, from 0. */
export const toParameterCell = (place: number): string => `B${FIRST_PARAMETER + place}`;

/** The row of the table, below the parameters, the time of the data, the hints and a blank row. */
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
 * The head of every sheet: title, hint, parameters, time of the data, and the parameters' hints.
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
  const hints = listHints(parameters);
  return {
    cells: [
      { at: "A1", content: title },
      { at: "A2", content: hint },
      ...rows.flatMap(({ row, label, value }) => [
        { at: `A${row}`, content: label },
        { at: `B${row}`, content: value },
      ]),
      { at: `A${last}`, content: asOf },
      { at: `B${last}`, content: toAsOf(name) },
      ...hints.map((content, index) => ({ at: `A${last + 1 + index}`, content })),
    ].filter(({ content }) => content !== null),
    styles: [
      { range: "A1", style: "title" },
      { range: "A2", style: "note" },
      { range: `A${FIRST_PARAMETER}:A${last}`, style: "label" },
      ...rows
        .filter(({ value, isSeldom = false }) => value !== null || !isSeldom)
        .map(({ row }) => ({ range: `B${row}`, style: "input" as const })),
      { range: `A${last + 1}:A${last + hints.length}`, style: "note" },
    ],
    formats: [{ range: `B${last}`, format: "yyyy-mm-dd hh:mm" }],
  };
}

/** Widths in characters: of the hints, of a chart, and of a column without a width of its own. */
const [HINTS_WIDTH, CHART_WIDTH, COLUMN_WIDTH] = [56, 60, 10];

/** The cells of a chart beside the head, down to a row, in the frozen rows. */
export function toChartPlace(widths: Readonly<Record<string, number>>, lastRow: number): string {
  const findColumn = (width: number, from = 0): number => {
    const left = width - (widths[toLetters(from)] ?? COLUMN_WIDTH);
    return left <= 0 ? from : findColumn(left, from + 1);
  };
  const first = findColumn(HINTS_WIDTH) + 1;
  return `${toLetters(first)}1:${toLetters(findColumn(CHART_WIDTH, first))}${lastRow}`;
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

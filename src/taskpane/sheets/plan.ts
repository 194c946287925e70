import type { CellContent, SheetPlan } from "../../contract/workbook";
import { toLetters } from "../addresses";
import { type Given, toFormulaText } from "../formula-text";
import type { Texts } from "../texts";

/** The words of the sheets themselves. */
export type SheetTexts = Texts["ofSheets"]["sheet"];

/** A value that a person may change on the sheet, with its name before it and what it may be in a line below. */
export interface Parameter {
  label: string;
  value: CellContent;
  hint?: string;
  /** Whether it stays uncoloured while it is empty: most people never need it. */
  isSeldom?: boolean;
}

/** The rows of title and note above the first parameter. */
const FIRST_PARAMETER = 3;

/** Where the parameter that stands at a place of the list, counted from 0, is on the sheet. */
export const toParameterCell = (place: number): string => `B${FIRST_PARAMETER + place}`;

/** The row below the parameters, when the data is of, the notes and a blank one. */
export const toTableRow = (parameters: readonly Parameter[]): number =>
  FIRST_PARAMETER + parameters.length + listHints(parameters).length + 2;

/** The same with a chart beside all that: ten bars keep their names from this height on. */
export const toChartedRow = (parameters: readonly Parameter[]): number => Math.max(toTableRow(parameters), 13);

const listHints = (parameters: readonly Parameter[]): string[] =>
  parameters.flatMap(({ label, hint }) => (hint === undefined ? [] : [`${label}: ${hint}`]));

/** What stands above the table of every sheet: title, note, parameters, as of when the data is, and their notes. */
export function toHead(
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
      { at: `B${last}`, content: toFormula("STATUS", [{ kind: "text", value: "asof" }]) },
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

/** Room in characters that the notes need, and a chart; of a column that has no width of its own. */
const [HINTS_WIDTH, CHART_WIDTH, COLUMN_WIDTH] = [56, 60, 10];

/** The cells of a chart right of all that, down to a row: in sight without scrolling, and while the table scrolls. */
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

/** Room for a heading, whose letters are bold. */
export const toHeadingWidth = (heading: string): number => Math.ceil(heading.length * 1.2) + 3;

/** Widths by letter; what stands above a table in its first two columns has its room as well. */
export function toWidths(columns: readonly number[]): Record<string, number> {
  const least = [16, 24];
  return Object.fromEntries(columns.map((width, index) => [toLetters(index), Math.max(width, least[index] ?? 0)]));
}

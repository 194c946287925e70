import type { CellContent, SheetPlan } from "../../contract/workbook";
import { type Given, toFormulaText } from "../formula-text";
import type { Texts } from "../texts";

/** The words of the sheets themselves. */
export type SheetTexts = Texts["ofSheets"]["sheet"];

/** A value that a person may change on the sheet, with its name before it and what it may be behind it. */
export interface Parameter {
  label: string;
  value: CellContent;
  note?: string;
}

/** The rows of title and note above the first parameter. */
const FIRST_PARAMETER = 3;

/** Where the parameter that stands at a place of the list, counted from 0, is on the sheet. */
export const toParameterCell = (place: number): string => `B${FIRST_PARAMETER + place}`;

/** The row below the parameters, with when the data is of, and a blank one. */
export const toTableRow = (parameters: readonly Parameter[]): number => FIRST_PARAMETER + parameters.length + 2;

/** What stands above the table of every sheet: title, note, parameters and as of when the data is. */
export function toHead(
  title: CellContent,
  note: string,
  parameters: readonly Parameter[],
  asOf: string,
): Pick<SheetPlan, "cells" | "styles" | "formats"> {
  const rows = parameters.map((parameter, index) => ({ ...parameter, row: FIRST_PARAMETER + index }));
  const last = FIRST_PARAMETER + parameters.length;
  return {
    cells: [
      { at: "A1", content: title },
      { at: "A2", content: note },
      ...rows.flatMap(({ row, label, value, note: hint = null }) => [
        { at: `A${row}`, content: label },
        { at: `B${row}`, content: value },
        { at: `C${row}`, content: hint },
      ]),
      { at: `A${last}`, content: asOf },
      { at: `B${last}`, content: toFormula("STATUS", [{ kind: "text", value: "asof" }]) },
    ].filter(({ content }) => content !== null),
    styles: [
      { range: "A1", style: "title" },
      { range: "A2", style: "note" },
      { range: `A${FIRST_PARAMETER}:A${last}`, style: "label" },
      { range: `B${FIRST_PARAMETER}:B${last - 1}`, style: "input" },
      { range: `C${FIRST_PARAMETER}:C${last}`, style: "note" },
    ],
    formats: [{ range: `B${last}`, format: "yyyy-mm-dd hh:mm" }],
  };
}

/** A formula of the add-in as a cell's content. */
export const toFormula = (name: string, given: readonly Given[]): { formula: string } => ({
  formula: toFormulaText({ name, given }),
});

/** The longest text that may stand in a formula. */
const LONGEST_TEXT = 255;

/** A text in a formula: one that is too long for it is put together from pieces. */
export function toTextArgument(text: string): Given {
  if (text.length <= LONGEST_TEXT) return { kind: "text", value: text };
  const pieces = text.match(new RegExp(`[^]{1,${LONGEST_TEXT}}`, "gu")) ?? [];
  return { kind: "expression", text: pieces.map((piece) => `"${piece.replaceAll('"', '""')}"`).join("&") };
}

export const toCells = (text: string): Given => ({ kind: "cells", text });

/** The letter of a column, counted from 0. */
export function toLetter(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : toLetter(Math.floor(column / 26) - 1) + last;
}

/** Room for a heading, whose letters are bold. */
export const toHeadingWidth = (heading: string): number => Math.ceil(heading.length * 1.2) + 3;

/** Widths by letter; what stands above a table in its first two columns has its room as well. */
export function toWidths(columns: readonly number[]): Record<string, number> {
  const least = [16, 24];
  return Object.fromEntries(columns.map((width, index) => [toLetter(index), Math.max(width, least[index] ?? 0)]));
}

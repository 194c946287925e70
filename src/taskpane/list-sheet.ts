import type { SheetPlan } from "../contract/workbook";
import { toLetters } from "./addresses";

const HEADING_ROW = 4;

/** The first row of a list on its sheet. */
export const FIRST_ROW = HEADING_ROW + 1;

interface ListSheet extends Pick<SheetPlan, "name"> {
  title: string;
  note: string;
  headings: readonly string[];
  /** Of the columns, in characters. */
  widths: readonly number[];
}

/** Plans a sheet for a list, whose rows are too many to plan cell by cell and are written from {@link FIRST_ROW} on. */
export function toListSheet({ name, title, note, headings, widths }: ListSheet, rows: number): SheetPlan {
  const last = toLetters(headings.length - 1);
  return {
    name,
    cells: [
      { at: "A1", content: title },
      { at: "A2", content: note },
      ...headings.map((content, index) => ({ at: `${toLetters(index)}${HEADING_ROW}`, content })),
    ],
    styles: [
      { range: "A1", style: "title" },
      { range: "A2", style: "note" },
      { range: `A${HEADING_ROW}:${last}${HEADING_ROW}`, style: "heading" },
    ],
    formats: [],
    widths: Object.fromEntries(widths.map((width, index) => [toLetters(index), width])),
    grouped: [],
    rules: [],
    frozenRows: HEADING_ROW,
    printed: `A1:${last}${HEADING_ROW + rows}`,
    selected: `A${FIRST_ROW}`,
  };
}

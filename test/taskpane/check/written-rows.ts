import type { RuleId } from "../../../src/taskpane/check/finding";
import type { Figure } from "../../../src/taskpane/check/input";
import { type Book, type Company, toFigure } from "./book";

/** A workbook and its faults. */
export interface Written {
  name: string;
  book: Book;
  seeds: { rule: RuleId; sheet: string; cells: string[] }[];
}

/** A cell with a FEED formula. */
export interface Fed {
  formula: string;
  figure: Figure | null;
}

export const fed = (
  formula: string,
  company: Company,
  metric: string,
  year: number,
  own: Partial<Figure> = {},
): Fed => ({
  formula,
  figure: toFigure(company, metric, year, own),
});

/** Enters rows from A1 on: a text that begins with "=" is a formula, null leaves a cell empty. */
export function enterRows(
  book: Book,
  sheet: string,
  rows: readonly (readonly (string | number | Fed | null)[])[],
): void {
  for (const [r, row] of rows.entries()) {
    for (const [c, content] of row.entries()) {
      const address = `${String.fromCharCode(65 + c)}${r + 1}`;
      if (content === null) continue;
      if (typeof content === "object")
        book.feed(sheet, address, content.formula, ...(content.figure ? [content.figure] : []));
      else if (typeof content === "string" && content.startsWith("=")) book.enter(sheet, address, content);
      else book.type(sheet, address, content);
    }
  }
}

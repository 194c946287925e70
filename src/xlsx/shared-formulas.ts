import { tokenize } from "@borgar/fx/xlsx";
import { COLUMNS, fromLetters, ROWS, toLetters } from "./addresses";

/** A formula that other cells share, as it reads in a cell so many rows below and columns to the right of its own. */
export type Shared = (rows: number, columns: number) => string;

/** A part of a reference: a cell, a column or a row, each with what holds it in its place. */
const PART = /(\$?)([a-z]{1,3})(\$?)(\d{1,7})|(\$?)([a-z]{1,3})|(\$?)(\d{1,7})/gi;
/** What the formulas' reader calls references to cells, columns and rows. */
const REFERENCES = ["range", "range_beam", "range_ternary"];

export function createShared(formula: string): Shared {
  const tokens = tokenize(formula, { withLocation: false }).map(({ type, value }) => {
    if (!REFERENCES.includes(type)) return value;
    const at = value.lastIndexOf("!") + 1;
    return { sheet: value.slice(0, at), reference: value.slice(at) };
  });
  return (rows, columns) =>
    tokens
      .map((token) => {
        if (typeof token === "string") return token;
        return token.sheet + (shift(token.reference, rows, columns) ?? "#REF!");
      })
      .join("");
}

/** A reference elsewhere; null where it runs over the sheet's edge. */
function shift(reference: string, rows: number, columns: number): string | null {
  let isInside = true;
  const toColumn = (hold: string, letters: string) => {
    const column = fromLetters(letters) + (hold ? 0 : columns);
    isInside &&= column >= 0 && column < COLUMNS;
    return isInside ? hold + toLetters(column) : "";
  };
  const toRow = (hold: string, number: string) => {
    const row = Number(number) + (hold ? 0 : rows);
    isInside &&= row >= 1 && row <= ROWS;
    return hold + row;
  };
  const shifted = reference.replace(PART, (_, holdA, letters, holdB, number, holdC, column, holdD, row) => {
    if (letters !== undefined) return toColumn(holdA, letters) + toRow(holdB, number);
    return column !== undefined ? toColumn(holdC, column) : toRow(holdD, row);
  });
  return isInside ? shifted : null;
}

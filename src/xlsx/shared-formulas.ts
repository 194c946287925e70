import { tokenize, translateTokensToA1, translateTokensToR1C1 } from "@borgar/fx/xlsx";
import { toAddress } from "./addresses";

/** A formula that other cells share, as it reads in one of them; a reference over the sheet's edge is #REF!. */
export type Shared = (row: number, column: number) => string;

/** @param row the row of the cell that has the formula's text, and its column */
export function createShared(formula: string, row: number, column: number): Shared {
  const relative = translateTokensToR1C1(
    tokenize(formula, { withLocation: false, mergeRefs: false }),
    toAddress(row, column),
  );
  return (row, column) =>
    translateTokensToA1(relative, toAddress(row, column), { wrapEdges: false })
      .map(({ value }) => value)
      .join("");
}

import type { FormulaCell } from "../support/formula-cells";
import type { Page } from "./test-bed";

/** Types the Revenue of 2023 of each company into separate cells. */
export const typeRevenues = ({ formulas }: Page, ids: Iterable<string>): FormulaCell[] =>
  [...ids].map((id) => formulas.type("FINANCIAL", [[id]], [[2023]], [["Revenue"]]));

/** The current content of each cell; an error by its code and text. */
export const readCells = (cells: readonly FormulaCell[]): unknown[] => cells.map(({ shown }) => shown.at(-1)?.[0]?.[0]);

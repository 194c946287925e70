import type { BlockCell, BlockLine } from "./block";
import type { Figures } from "./figures";
import { decimalsOf, type Hypothesis, yearOf } from "./hypotheses";
import { findReason, type Reason } from "./reasons";
import { type Agreement, compare } from "./typed-numbers";

/** How a typed number agrees with the provider's figure. */
export interface CellAgreement {
  cell: BlockCell;
  /** "unknown" where the provider has no figure. */
  agreement: Agreement | "unknown";
  /** The provider's figure in the line's unit and sign; null without one. */
  figure: number | null;
  /** The fiscal year of the figure; null where the cell has none. */
  year: number | null;
  /** The decimals in which its line is typed. */
  decimals: number;
  /** Set where it differs. */
  reason: Reason | null;
}

/** Compares each cell of a line with the provider's figure, if the line is what a hypothesis says. */
export function compareLine(line: BlockLine, hypothesis: Hypothesis, figures: Figures): CellAgreement[] {
  const decimals = decimalsOf(line);
  return line.cells.map((cell) => {
    const year = yearOf(cell, hypothesis);
    const own = year === null ? null : figures.find(cell.company, year, hypothesis);
    if (own === null) return { cell, agreement: "unknown", figure: null, year, decimals, reason: null };
    const figure = (hypothesis.sign * own) / hypothesis.unit;
    const agreement = compare(cell.typed, figure, decimals);
    const reason = agreement === "differs" ? findReason({ cell, hypothesis, decimals, figures }) : null;
    return { cell, agreement, figure, year, decimals, reason };
  });
}

import { findClashes, findOddCells, withoutRepeats } from "../contrasts";
import { type FigureBlock, groupBy, toMetricKey } from "../figure-blocks";
import type { FigureCell } from "../model";
import type { Rule } from "../rule";

/**
 * What: amounts in different units, such as thousands and millions, in one formula, or in one metric's cells.
 * Why: the sum is a thousand times too large or too small in one of its parts.
 * How: the unit is what FEED divides by, times or through the powers of ten of ordinary formulas. Cells of one metric and
 * company that touch one another must share it, unless one figure stands there in both.
 * Example: =B2+C2, where B2 has the unit "m" and C2 the unit "k".
 */
export const mixedUnit: Rule = {
  id: "mixedUnit",
  gravity: "error",
  find: (subject) =>
    withoutRepeats(
      subject.blocks.flatMap((block) => findOddCells(withoutRestated(block), "unit", toLineKey) ?? []),
      findClashes(subject, "unit"),
    ),
};

const toLineKey = ({ figure }: FigureCell) => `${figure.companyId} ${toMetricKey(figure)}`;

/** Leaves out the figures that a block shows twice, as in millions and in billions beside them: both units are meant. */
function withoutRestated(block: FigureBlock): FigureBlock {
  const groups = groupBy(block, (cell) => `${toLineKey(cell)} ${cell.figure.year} ${cell.figure.period ?? ""}`);
  return [...groups.values()].flatMap((group) => (group.length === 1 ? group : []));
}

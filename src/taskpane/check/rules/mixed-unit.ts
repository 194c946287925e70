import { findClashes, findOddCells, withoutRepeats } from "../contrasts";
import { toMetricKey } from "../figure-blocks";
import type { Rule } from "../rule";

/**
 * What: amounts in different units, such as thousands and millions, in one formula, or in one metric's cells.
 * Why: the sum is a thousand times too large or too small in one of its parts.
 * How: the unit is what FEED divides by, times or through the powers of ten of ordinary formulas. Cells of one metric and
 * company that touch one another must share it.
 * Example: =B2+C2, where B2 has the unit "m" and C2 the unit "k".
 */
export const mixedUnit: Rule = {
  id: "mixedUnit",
  gravity: "error",
  find: (subject) =>
    withoutRepeats(
      subject.blocks.flatMap(
        (block) => findOddCells(block, "unit", ({ figure }) => `${figure.companyId} ${toMetricKey(figure)}`) ?? [],
      ),
      findClashes(subject, "unit"),
    ),
};

import type { CellKey } from "../cell-keys";
import { findClashes, findOddCells, withoutRepeats } from "../contrasts";
import type { Rule } from "../rule";

/**
 * What: consolidated figures beside figures of a parent company alone, in one metric's cells or in one formula.
 * Why: the second leave out all subsidiaries; growth or a ranking between the two says nothing.
 * How: the version of each figure, as the provider names it. Cells whose formulas name another version than their
 * neighbours do so on purpose, and count only within a formula. There, one company's group over its parent is meant
 * where both formulas name their version.
 * Example: a row of revenue that is non-consolidated until 2019 and consolidated from 2020.
 */
export const mixedConsolidation: Rule = {
  id: "mixedConsolidation",
  gravity: "warning",
  find: (subject) => {
    const inBlocks = subject.blocks.flatMap((block) => findOddCells(block, "consolidation") ?? []);
    const { model } = subject;
    const isMeant = (key: CellKey) => model.figureAt(key)?.hasBasis === true;
    const isOfOne = ([one = 0, other = 0]: readonly CellKey[]) =>
      model.figureAt(one)?.companyId === model.figureAt(other)?.companyId;
    return withoutRepeats(
      inBlocks.filter(({ cells }) => !cells.every(isMeant)),
      findClashes(subject, "consolidation").filter(({ evidence }) => !(evidence.every(isMeant) && isOfOne(evidence))),
    );
  },
};

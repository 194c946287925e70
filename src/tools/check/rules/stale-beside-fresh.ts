import { findClashes, findOddCells, withoutRepeats } from "../contrasts";
import type { Rule } from "../rule";

/**
 * What: figures past their age limit, or whose refresh failed, beside figures that are up to date.
 * Why: a restatement may have reached one of them and not the other.
 * How: the workbook's own refresh settings decide what is stale; cells that touch one another, or one formula's.
 * Example: four years of an hour ago, and one of last month whose refresh failed.
 */
export const staleBesideFresh: Rule = {
  id: "staleBesideFresh",
  gravity: "note",
  find: (subject) =>
    withoutRepeats(
      subject.blocks.flatMap((block) => findOddCells(block, "age", () => "") ?? []),
      findClashes(subject, "age"),
    ),
};

import { findClashes, findOddCompanies, withoutRepeats } from "../contrasts";
import type { Rule } from "../rule";

/**
 * What: "FY0" (or "FY-1" …) that means different years for companies that stand side by side.
 * Why: the column has one heading and several years; the company with the older report looks unchanged.
 * How: the fiscal year behind each relative year of one metric, in cells that touch one another or in one formula.
 * Example: "FY0" is 2024 for four peers and 2022 for the fifth.
 */
export const latestYearDiffers: Rule = {
  id: "latestYearDiffers",
  gravity: "warning",
  *find(subject) {
    const found = withoutRepeats(findOddCompanies(subject, "latestYear"), findClashes(subject, "latestYear"));
    for (const each of found) {
      const [usual, odd] = each.evidence.map((key) => subject.model.figureAt(key)?.year);
      yield usual === undefined || odd === undefined
        ? each
        : { ...each, values: { usual: String(usual), odd: String(odd) } };
    }
  },
};

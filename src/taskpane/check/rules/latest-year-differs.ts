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
  find: (subject) => withoutRepeats(findOddCompanies(subject, "latestYear"), findClashes(subject, "latestYear")),
};

import { findClashes, findOddCompanies, withoutRepeats } from "../contrasts";
import type { Rule } from "../rule";

/**
 * What: companies of one comparison whose fiscal years of the same number end more than three months apart.
 * Why: the same year is then another season, and in part another economy.
 * How: the period's last day of figures of one metric and one fiscal year, in cells that touch one another or in one
 * formula. Figures without a period end are left out.
 * Example: revenue of 2023 of one company until March, of its peer until December.
 */
export const yearEndsApart: Rule = {
  id: "yearEndsApart",
  gravity: "note",
  find: (subject) => withoutRepeats(findOddCompanies(subject, "yearEnd"), findClashes(subject, "yearEnd")),
};

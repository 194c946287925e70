import { findClashes } from "../contrasts";
import type { Rule } from "../rule";

/**
 * What: one formula adds, compares or divides amounts of different currencies.
 * Why: yen and dollars have no sum; their ratio moves with the exchange rate.
 * How: each amount's currency is followed through ordinary formulas. A multiplication by anything but a power of
 * ten that is written in it may be an exchange rate, and ends the trail. Amounts that merely stand beside one another are no fault.
 * Example: =SUM(B2:B9), where B7 is in USD and the others are in JPY.
 */
export const mixedCurrency: Rule = {
  id: "mixedCurrency",
  gravity: "error",
  find: (subject) => findClashes(subject, "currency"),
};

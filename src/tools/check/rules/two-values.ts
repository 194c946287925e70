import { groupBy, toMetricKey } from "../figure-blocks";
import type { Rule } from "../rule";

/** Amounts that differ by less are one: what is left is binary rounding. */
const SAME = 1e-9;

/**
 * What: one figure of one company, year and version that two cells show with different values.
 * Why: one of the two is old or wrong, and each part of the model goes on with its own.
 * How: the provider's amounts before any unit, of cells with the same company, metric, year, period, version and currency.
 * Example: Input!C5 and Summary!B9 both show the revenue of 2023, 12,819 and 12,790.
 */
export const twoValues: Rule = {
  id: "twoValues",
  gravity: "error",
  *find({ model }) {
    const groups = groupBy(model.figures.values(), ({ figure }) => {
      const { companyId, year, period, consolidation, currency } = figure;
      return JSON.stringify([companyId, toMetricKey(figure), year, period, consolidation, currency]);
    });
    for (const [first, ...others] of groups.values()) {
      if (first === undefined) continue;
      const { amount } = first.figure;
      const odd = others.filter(({ figure }) => Math.abs(figure.amount - amount) > SAME * Math.abs(amount));
      const [other] = odd;
      if (other === undefined) continue;
      const values = { one: amount, other: other.figure.amount };
      yield { at: other.key, cells: odd.map(({ key }) => key), evidence: [first.key, other.key], values };
    }
  },
};

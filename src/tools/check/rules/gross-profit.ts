import type { Rule } from "../rule";
import { isBalanced, listStatements } from "../statements";

/**
 * What: revenue less cost of goods sold is not the gross profit.
 * Why: the three then come from different versions or reports, or the provider's answer is wrong.
 * How: the provider's amounts of one company, year and version, wherever in the workbook they stand; rounding is allowed for,
 * and costs may be negative.
 * Example: revenue 1,000, costs 600, gross profit 350.
 */
export const grossProfit: Rule = {
  id: "grossProfit",
  gravity: "warning",
  *find({ model }) {
    for (const { find } of listStatements(model).values()) {
      const [revenue, cost, profit] = ["Revenue", "Cost of Goods Sold", "Gross Profit"].map(find);
      if (revenue === undefined || cost === undefined || profit === undefined) continue;
      const lines = [revenue, cost, profit].map(({ figure }) => figure.amount);
      const expected = revenue.figure.amount - Math.abs(cost.figure.amount);
      if (isBalanced(expected, profit.figure.amount, lines)) continue;
      const cells = [profit.key, revenue.key, cost.key];
      const values = { expected, shown: profit.figure.amount };
      yield { at: profit.key, cells, evidence: [revenue.key, profit.key], around: cells, values };
    }
  },
};

import type { FigureCell } from "../model";
import type { Rule } from "../rule";
import { isBalanced, listStatements, toStatementKey } from "../statements";

const FLOWS = ["Operating Cash Flow", "Investing Cash Flow", "Financing Cash Flow"];
const CASH = "Cash and equivalents";

/** Exchange rates and changes of the group move cash as well: only what they hardly explain is reported. */
const UNEXPLAINED_SHARE = 0.1;

/**
 * What: cash has moved by another amount than the three cash flows of the year together.
 * Why: the flows and the balance then belong to different versions or years.
 * How: the provider's amounts of one company and version in two years in succession; a tenth of the largest amount may be
 * missing, since exchange rates and acquisitions move cash too.
 * Example: cash rises from 100 to 300, and the flows add up to -50.
 */
export const cashFlow: Rule = {
  id: "cashFlow",
  gravity: "warning",
  *find({ model }) {
    const all = listStatements(model);
    for (const { find } of all.values()) {
      const cash = find(CASH);
      const flows = FLOWS.map(find).filter((cell) => cell !== undefined);
      if (cash === undefined || flows.length < FLOWS.length) continue;
      const before = all.get(toStatementKey({ ...cash.figure, year: cash.figure.year - 1 }))?.find(CASH);
      if (before === undefined || !isYearLater(before, cash)) continue;
      const moved = cash.figure.amount - before.figure.amount;
      const expected = flows.reduce((sum, { figure }) => sum + figure.amount, 0);
      const lines = [cash, before, ...flows].map(({ figure }) => figure.amount);
      if (isBalanced(expected, moved, lines, UNEXPLAINED_SHARE)) continue;
      const cells = [cash.key, before.key, ...flows.map(({ key }) => key)];
      yield {
        at: cash.key,
        cells,
        evidence: [before.key, cash.key],
        around: cells,
        values: { expected, shown: moved },
      };
    }
  },
};

/** A fiscal year may have been shortened; its flows are then of fewer months. */
function isYearLater(before: FigureCell, after: FigureCell): boolean {
  const [from, to] = [before.figure.periodEnd, after.figure.periodEnd];
  return from === null || to === null || from.slice(5, 7) === to.slice(5, 7);
}

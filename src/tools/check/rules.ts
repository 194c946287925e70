import type { Rule } from "./rule";
import { balanceSheet } from "./rules/balance-sheet";
import { cashFlow } from "./rules/cash-flow";
import { grossProfit } from "./rules/gross-profit";
import { latestYearDiffers } from "./rules/latest-year-differs";
import { leftOut } from "./rules/left-out";
import { mixedConsolidation } from "./rules/mixed-consolidation";
import { mixedCurrency } from "./rules/mixed-currency";
import { mixedUnit } from "./rules/mixed-unit";
import { staleBesideFresh } from "./rules/stale-beside-fresh";
import { twoValues } from "./rules/two-values";
import { typedNumber } from "./rules/typed-number";
import { yearEndsApart } from "./rules/year-ends-apart";

/** All rules, in the order in which the pane lists them. */
export const RULES: readonly Rule[] = [
  mixedCurrency,
  mixedUnit,
  mixedConsolidation,
  yearEndsApart,
  latestYearDiffers,
  twoValues,
  grossProfit,
  balanceSheet,
  cashFlow,
  typedNumber,
  leftOut,
  staleBesideFresh,
];

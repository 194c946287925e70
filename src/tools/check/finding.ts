import type { Place } from "../../contract/workbook";
import type { Figure } from "./input";

/** The rules, in the order in which the pane lists them. */
export const RULE_IDS = [
  "mixedCurrency",
  "mixedUnit",
  "mixedConsolidation",
  "yearEndsApart",
  "latestYearDiffers",
  "twoValues",
  "grossProfit",
  "balanceSheet",
  "cashFlow",
  "typedNumber",
  "leftOut",
  "staleBesideFresh",
] as const;

export type RuleId = (typeof RULE_IDS)[number];

/** The gravest first: a number that is wrong, one that may be, and one to know of. */
export const GRAVITIES = ["error", "warning", "note"] as const;

export type Gravity = (typeof GRAVITIES)[number];

/** A cell that a finding rests on. */
export interface Evidence {
  place: Place;
  /** What stands behind it; null for a cell without a figure. */
  figure: Figure | null;
  /** Its formula, or what was typed. */
  content: string;
}

export interface Finding {
  rule: RuleId;
  gravity: Gravity;
  /** The cell to look at. */
  place: Place;
  /** The cells that it is compared with. */
  around: Place;
  /** Two cells that contradict each other, or one. */
  evidence: readonly Evidence[];
  /** Further facts of its sentence. */
  values: Readonly<Record<string, string | number>>;
  /** How many cells it is about. */
  count: number;
  /**
   * Names it in later checks: by its rule, its sheet, its formula and what that reads, its figures and its number
   * of cells. Inserted rows and columns leave it alone, and so does a new name of its sheet.
   */
  key: string;
}

import type { CellState, Place } from "../../contract/workbook";
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
  "hiddenError",
  "typedNumber",
  "leftOut",
  "slippedReference",
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

/** A cell of a fix. */
export interface FixedCell {
  /** The cell, such as "B3". */
  address: string;
  /** What it holds now; the formula is empty for a typed number. */
  before: Pick<CellState, "formula" | "value">;
  /** Its new formula. */
  formula: string;
  /** The number that it shows then; null where only the host can tell. */
  shown: number | null;
}

/** Formulas that mend a finding, in its own cells alone. */
export interface Fix {
  sheet: string;
  cells: readonly FixedCell[];
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
  /** Null where only a person can decide. */
  fix: Fix | null;
  /**
   * Names it in later checks: by its rule, its sheet, its formula and what that reads, its figures, its error and its
   * number of cells. Inserted rows and columns leave it alone, and so does a new name of its sheet.
   */
  key: string;
}

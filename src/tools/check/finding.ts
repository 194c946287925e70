import type { Place, WorkbookContents } from "../../contract/workbook";
import type { RuleId } from "./texts";

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

/** What stands behind a figure of the provider. */
export interface Figure {
  companyId: string;
  /** The name that is known without a request, else the id. */
  company: string;
  metric: string;
  statement: string;
  /** Fiscal year. */
  year: number;
  /** A part of the year such as "HY2"; null for the whole year. */
  period: string | null;
  /** Last day of the period, YYYY-MM-DD; null where the answer has none. */
  periodEnd: string | null;
  currency: string | null;
  consolidation: string | null;
  /** What the formula divides the provider's amount by; null for a zero, which does not show it. */
  divisor: number | null;
  /** The provider's amount. */
  amount: number;
  /** Years back from the latest one where the formula says "FY0" or "FY-1"; null where it names a year. */
  yearsBack: number | null;
  /** Whether the formula names the version, such as "NON_CONSOLIDATED". */
  hasBasis: boolean;
  /** When the provider gave it, milliseconds since the Unix epoch. */
  asOfMs: number;
  isStale: boolean;
}

/** A cell that a FEED formula fills. */
export interface FeedFact {
  sheet: string;
  row: number;
  column: number;
  /** The figures of the calls in its formula, in the order of the text; null for a call that shows none. */
  parts: readonly (Figure | null)[];
  /** Rows and columns that its table fills; null for a single cell. */
  spill: readonly [rows: number, columns: number] | null;
  /** Whether another cell's formula fills it. */
  isSpilled: boolean;
}

/** Everything that a check reads, as plain data. */
export interface CheckInput extends WorkbookContents {
  facts: readonly FeedFact[];
  /** The namespace of the add-in's formulas. */
  namespace: string;
}

import type { WorkbookContents } from "../../contract/workbook";

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

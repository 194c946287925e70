import type { Financials, FinancialYear } from "../../../src/feed/decode";

/** A version of a fiscal year: figures by consolidation and metric. */
export function toYear(
  year: number,
  figures: Readonly<Record<string, Readonly<Record<string, number>>>>,
  fields: Record<string, unknown> = {},
): FinancialYear {
  const statements = Object.entries(figures).map(([consolidationType, metrics]) => ({
    statementType: "INCOME_STATEMENT",
    consolidationType,
    metrics: Object.entries(metrics).map(([name, value]) => ({ name, value })),
  }));
  const own = { year, currency: "JPY", periodType: "ANNUAL", period: "FY4", financialType: "FULL", ...fields };
  return { year, fields: own, statements };
}

export const toAnswer = (companyId: string, ...years: FinancialYear[]): Financials => ({ companyId, years });

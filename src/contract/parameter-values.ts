/** The 18 page types of the rankings, in the document's order (§2.6). */
export const PAGE_TYPES = [
  "OVERVIEW",
  "COMPETITOR_OVERVIEW",
  "SEGMENT_COMPARISON",
  "NEWS",
  "MA",
  "SHAREHOLDERS",
  "EXECUTIVES_CHART",
  "AFFILIATES",
  "STOCK_PRICES",
  "INVESTOR_RELATIONS",
  "STATS",
  "TECHNOLOGY",
  "FINANCIAL_RESULTS",
  "SEGMENT",
  "KPI_CHARTS",
  "ESTIMATES",
  "BETA",
  "FUNCTIONALITY",
] as const;

/** The values of the company_type parameter (§4.3). */
export const COMPANY_TYPES = ["PUBLIC", "PRIVATE", "ALL"] as const;

/** The three statements of a fiscal year (§2.3). */
export const STATEMENT_TYPES = ["INCOME_STATEMENT", "BALANCE_SHEET", "CASH_FLOW"] as const;

/** Names a statement. */
type StatementType = (typeof STATEMENT_TYPES)[number];

/** Known metric names by statement type, in the document's order; others may occur (§2.3). */
export const METRICS: Readonly<Record<StatementType, readonly string[]>> = {
  INCOME_STATEMENT: [
    "Revenue",
    "Cost of Goods Sold",
    "Gross Profit",
    "Operating Expenses",
    "EBITDA",
    "EBIT",
    "Net Income",
  ],
  BALANCE_SHEET: ["Total Assets", "Total Liabilities", "Cash and equivalents", "Inventory", "Accounts Receivable"],
  CASH_FLOW: ["Operating Cash Flow", "Investing Cash Flow", "Financing Cash Flow"],
};

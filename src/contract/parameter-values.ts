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

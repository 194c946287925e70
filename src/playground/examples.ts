import { COMPANIES } from "./sample-layout";

/** Formulas to copy into a cell, by function; only sample data has companies that are known beforehand. */
export function createExamples(sample: boolean): Record<string, string> {
  const company = sample ? `"${COMPANIES[0]?.id}"` : "A2";
  return {
    FINANCIAL: `=FEED.FINANCIAL(${company}, "2020:2024", "Revenue", , "m")`,
    RANKING: '=FEED.RANKING("-7d", , 10)',
  };
}

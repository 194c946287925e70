import { FeedError } from "../../client/errors";
import type { Financials } from "../../feed/decode";
import { pickMetric } from "../../feed/financials/metrics";
import { listYears } from "../../feed/financials/periods";

/** What the chart shows of a fiscal year; null where there is no figure, or several that differ. */
export interface YearFigures {
  year: number;
  revenue: number | null;
  netIncome: number | null;
}

export interface Series {
  /** Currency of all years; null where the provider names none. */
  currency: string | null;
  /** Ascending. */
  years: readonly YearFigures[];
  /** How many years are not shown since their currency is another one. */
  leftOut: number;
}

const MOST_YEARS = 10;

/** Picks revenue and net income of a company's latest years, all in the currency of the last of them. */
export function pickSeries(financials: Financials): Series {
  const years = listYears(financials).slice(-MOST_YEARS);
  const figures = years
    .map((year) => ({
      year,
      revenue: pickNumber(financials, year, "Revenue"),
      netIncome: pickNumber(financials, year, "Net Income"),
      currency: tryPick(financials, year, "currency"),
    }))
    .filter(({ revenue, netIncome }) => revenue !== null || netIncome !== null);
  const currency = figures.at(-1)?.currency ?? null;
  const same = figures.filter((each) => each.currency === currency);
  return {
    currency: currency === null ? null : String(currency),
    years: same.map(({ year, revenue, netIncome }) => ({ year, revenue, netIncome })),
    leftOut: figures.length - same.length,
  };
}

function pickNumber(financials: Financials, year: number, name: string): number | null {
  const value = tryPick(financials, year, name);
  return typeof value === "number" ? value : null;
}

/** A figure that cannot be told leaves its place in the chart empty, as it leaves a cell without a value. */
function tryPick(financials: Financials, year: number, name: string): number | string | null {
  try {
    return pickMetric(financials, year, { name, basis: [] }).value;
  } catch (error) {
    if (error instanceof FeedError) return null;
    throw error;
  }
}

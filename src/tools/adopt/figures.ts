import type { Financials } from "../../feed/decode";
import { listMetrics, toShortName } from "../../feed/financials/metric-lists";
import { pickMetric } from "../../feed/financials/metrics";
import { listVersions, listYears } from "../../feed/financials/periods";

/** Which figure of a company and year a formula gives. */
export interface Choice {
  /** The metric as a formula names it. */
  metric: string;
  /** The consolidation as a formula's basis; null for the formula's own choice. */
  basis: string | null;
}

/** The figures of the block's companies, as formulas would give them. */
export interface Figures {
  /** By the companies' index in the block; null where there is no answer. */
  answers: readonly (Financials | null)[];
  /** All metrics that any answer has, as a formula names them. */
  metrics: readonly string[];
  /** Null, and each consolidation that an answer has. */
  bases: readonly (string | null)[];
  /** The fiscal years that any answer has, ascending. */
  years: readonly number[];
  /** A figure; null where the formula would show an error. */
  find(company: number, year: number, choice: Choice): number | null;
}

export function createFigures(answers: readonly (Financials | null)[]): Figures {
  const present = answers.filter((answer) => answer !== null);
  const versions = listVersions(present, []);
  const listed = listMetrics(versions);
  const consolidations = versions.flatMap(({ statements }) =>
    statements.map(({ consolidationType }) => consolidationType),
  );
  const known = new Map<string, number | null>();
  return {
    answers,
    metrics: listed.map((metric) => toShortName(metric, listed)),
    bases: [null, ...new Set(consolidations.filter((text) => text !== ""))],
    years: [...new Set(present.flatMap((answer) => listYears(answer)))].sort((one, other) => one - other),
    find(company, year, { metric, basis }) {
      const key = `${company} ${year} ${basis ?? ""} ${metric}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const figure = pick(answers[company] ?? null, year, { metric, basis });
      known.set(key, figure);
      return figure;
    },
  };
}

function pick(answer: Financials | null, year: number, { metric, basis }: Choice): number | null {
  if (answer === null) return null;
  try {
    const { value } = pickMetric(answer, year, { name: metric, basis: basis === null ? [] : [basis] });
    return typeof value === "number" ? value : null;
  } catch {
    return null; // the formula would show the error
  }
}

import { FeedError } from "../../client/errors";
import type { FindFacts, FormulaResult } from "../../refresh/formula-results";
import type { XlsxValue } from "../../xlsx/sheet";
import { type Answer, toFormulaError } from "../answers";
import { toFormula } from "../formula-text";
import { COMPANY, PAGE, type Page } from "../schemas";
import type { Tool } from "../tool";

interface Given extends Page {
  companies: string[];
  years?: string;
  metrics?: string[];
  basis?: string;
  unit?: string;
}

const COLUMNS = [
  "company",
  "year",
  "metric",
  "value",
  "unit",
  "currency",
  "consolidation",
  "periodEnd",
  "asOf",
  "problem",
];

/** Shows figures, each with what is known of it. */
export const financials: Tool<Given> = {
  name: "get_financials",
  description:
    "Financial figures of companies by year and metric, each with unit, currency, consolidation, period end and as-of. value null: problem says why.",
  properties: {
    companies: { type: "array", items: COMPANY, minItems: 1, maxItems: 100 },
    years: { type: "string", description: 'Such as "2023", "2019:2023", "FY0" (latest), "FY-4:FY0"; default all' },
    metrics: { type: "array", items: { type: "string" }, description: 'Such as "Revenue"; default all' },
    basis: {
      type: "string",
      description: '"CONSOLIDATED", "NON_CONSOLIDATED", or "HY2" for a half-year; default annual',
    },
    unit: { type: "string", description: '"m" divides by a million; "JPY m" also demands the currency' },
    ...PAGE,
  },
  required: ["companies"],
  async run({ companies, years, metrics, basis, unit }, { calculate }): Promise<Answer> {
    const { createFindFacts } = await import("../../refresh/formula-results");
    const formula = toFormula("FINANCIALS", [companies, years, metrics, undefined, basis, unit]);
    const [result] = (await calculate(formula)) as [FormulaResult];
    if (result.error !== null) throw toFormulaError(result.error);
    const rows = listFigures(result, createFindFacts(result));
    return { title: "Financials", columns: COLUMNS, rows, formulas: [result.formula], asOf: result.asOf };
  },
};

/** The columns of company, year and currency stand before the metrics. */
const LEADING = 3;

/** Gives a row for each figure of a table that has companies and years down, and metrics across. */
function listFigures(result: FormulaResult, findFacts: FindFacts): unknown[][] {
  const [header = [], ...rows] = result.rows;
  const findOrigin = result.calls[0]?.readOrigins();
  return rows.flatMap((row, nth) => {
    const [company, year = null] = row;
    const find = (column: number) => toSentence(findOrigin?.(nth + 1, column).error);
    if (isError(year)) return [toProblem([company, null, null], find(1))];
    if (year === "") return [toProblem([company, null, null], "FEED_NO_VALUE: the provider has no such year of it")];
    return header.slice(LEADING).map((metric, m) => {
      const [place, value = null] = [[company, year, metric], row[LEADING + m]];
      if (isError(value)) return toProblem(place, find(LEADING + m));
      if (value === "" || value === null) return toProblem(place, "FEED_NO_VALUE: the provider has no such figure");
      const facts = findFacts(nth + 1, LEADING + m);
      const { unit, currency = null, consolidationType = null, periodEnd = null } = facts ?? {};
      return [...place, value, unit ?? "1", currency, consolidationType, periodEnd, result.asOf, null];
    });
  });
}

const toProblem = (place: readonly unknown[], problem: string): unknown[] => [
  ...place,
  ...Array.from({ length: COLUMNS.length - place.length - 1 }, () => null),
  problem,
];

const isError = (value: XlsxValue): value is { error: string } => typeof value === "object" && value !== null;

const toSentence = (error: unknown): string =>
  error instanceof FeedError ? `${error.code}: ${error.message}` : "FEED_NO_VALUE: there is no figure";

import { FeedError } from "../../client/errors";
import type { FindFacts, FormulaResult } from "../../refresh/formula-results";
import type { XlsxValue } from "../../xlsx/sheet";
import { type Answer, toFormulaError } from "../answers";
import { toFormula } from "../formula-text";
import { COMPANY, PAGE, toTextSchema, toTextsSchema } from "../schemas";
import type { Tool } from "../tool";
import { calculateOne } from "./table";

interface Given {
  companies: string[];
  years?: string;
  metrics?: string[];
  basis?: string;
  unit?: string;
}

const FACTS = ["unit", "currency", "consolidation", "periodEnd", "asOf"];

/** Shows figures, each with what is known of it. */
export const financials: Tool<Given> = {
  name: "get_financials",
  description:
    "Financial figures of companies by year and metric, each with unit, currency, consolidation, period end and as-of. value null: problem says why.",
  properties: {
    companies: { type: "array", items: COMPANY, minItems: 1, maxItems: 100 },
    years: toTextSchema('Such as "2023", "2019:2023", "FY0" (latest), "FY-4:FY0"; default all', 200),
    metrics: toTextsSchema('Such as "Revenue"; default all', 200),
    basis: toTextSchema('"CONSOLIDATED", "NON_CONSOLIDATED", or "HY2" for a half-year; default annual', 60),
    unit: toTextSchema('"m" divides by a million; "JPY m" also demands the currency', 60),
    ...PAGE,
  },
  required: ["companies"],
  async run({ companies, years, metrics, basis, unit }, work): Promise<Answer> {
    const { createFindFacts } = await import("../../refresh/formula-results");
    const formula = toFormula("FINANCIALS", [companies, years, metrics, undefined, basis, unit]);
    const result = await calculateOne(formula, work);
    const rows = listFigures(result, createFindFacts(result, work.host.session.feed));
    return {
      title: "Financials",
      columns: ["company", "year", "metric", "value", ...FACTS, "problem"],
      rows,
      formulas: [result.formula],
      asOf: result.asOf,
    };
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
      const { unit, currency = null, consolidationType = null, periodEnd = null, asOf = null } = facts ?? {};
      return [...place, value, unit ?? "1", currency, consolidationType, periodEnd, asOf, null];
    });
  });
}

const toProblem = (place: unknown[], problem: string) => [...place, null, ...FACTS.map(() => null), problem];

const isError = (value: XlsxValue): value is { error: string } => typeof value === "object" && value !== null;

/** As a tool's own error has it: a cell's sentence may speak of the pane. */
function toSentence(error: unknown): string {
  const known = error instanceof FeedError ? { code: error.code, sentence: error.message } : undefined;
  const { code, message, cure } = toFormulaError(known);
  return `${code}: ${message}; ${cure}`;
}

import type { FinancialYear } from "../../src/contract/types";
import { createFinancialYears, FIRST_YEAR, LAST_YEAR } from "../../src/sandbox/data/financials";
import { createCompanyId } from "../../src/sandbox/data/identifiers";

/** The sandbox's, unless given otherwise. */
const SEED = 1;
const METRICS = ["Revenue", "Total Assets", "Operating Cash Flow"] as const;

export interface Cell {
  companyId: string;
  year: number;
  metric: string;
}

/** The cells of a company: a row of ten years with alternating figures. */
export function listCells(company: number): Cell[] {
  const companyId = toCompanyId(company);
  return Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, place) => ({
    companyId,
    year: FIRST_YEAR + place,
    metric: METRICS[(company + place) % METRICS.length]!,
  }));
}

export const toCompanyId = (company: number): string => createCompanyId(SEED, "private", company);

/** The expected values of these cells by the provider's data; null without a figure. */
export function listTruths(company: number): (number | null)[] {
  const years = createFinancialYears(SEED, company);
  return listCells(company).map((cell) => pickFigure(years, cell));
}

type Years = readonly Pick<FinancialYear, "year" | "statements">[];

/** A cell's figure in a company's years, the consolidated one where there are several; null without one. */
export function pickFigure(years: Years, { year, metric }: Cell): number | null {
  const statements = years.find((each) => each.year === year)?.statements ?? [];
  const found = statements.flatMap(({ consolidationType, metrics }) =>
    metrics.filter(({ name }) => name === metric).map(({ value }) => ({ value, consolidationType })),
  );
  const whole = found.find(({ consolidationType }) => consolidationType === "CONSOLIDATED") ?? found[0];
  return whole?.value ?? null;
}

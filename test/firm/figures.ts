import { createFinancialYears, FIRST_YEAR, LAST_YEAR } from "../../src/sandbox/data/financials";
import { createCompanyId } from "../../src/sandbox/data/identifiers";

/** Of the sandbox, unless it is told another. */
const SEED = 1;
const METRICS = ["Revenue", "Total Assets", "Operating Cash Flow"] as const;

/** A cell of an analyst's workbook. */
export interface Cell {
  companyId: string;
  year: number;
  metric: string;
}

/** The cells of a company: a row of ten years, whose figures take turns. */
export function listCells(company: number): Cell[] {
  const companyId = toCompanyId(company);
  return Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, place) => ({
    companyId,
    year: FIRST_YEAR + place,
    metric: METRICS[(company + place) % METRICS.length]!,
  }));
}

export const toCompanyId = (company: number): string => createCompanyId(SEED, "private", company);

/** What each of these cells must show, by the provider's data; null where it has no figure. */
export function listTruths(company: number): (number | null)[] {
  const years = createFinancialYears(SEED, company);
  return listCells(company).map(({ year, metric }) => {
    const statements = years.find((each) => each.year === year)?.statements ?? [];
    const found = statements.flatMap(({ consolidationType, metrics }) =>
      metrics.filter(({ name }) => name === metric).map(({ value }) => ({ value, consolidationType })),
    );
    const whole = found.find(({ consolidationType }) => consolidationType === "CONSOLIDATED") ?? found[0];
    return whole?.value ?? null;
  });
}

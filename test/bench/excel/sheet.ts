import { METRICS } from "../../../src/contract/parameter-values";
import type { CompanyFinancials, CompanyPage, FinancialYear } from "../../../src/contract/types";
import type { FunctionCall } from "../../office/bridge";
import { createDirectReading } from "../../support/direct-reading";

/** A formula of a cell: its name without the namespace, its arguments as Excel passes them, and its address if it matters. */
export type CellCall = readonly [name: string, parameters: readonly unknown[], address?: string];

/** A sheet with a row for each company and year, and a column for each metric; all figures are formulas. */
export interface Sheet {
  companyIds: readonly string[];
  years: readonly number[];
  metrics: readonly string[];
  calls: readonly CellCall[];
}

const YEARS = 10;
const METRIC_NAMES = Object.values(METRICS).flat().slice(0, 14);

/** Picks the first companies with every metric in every year, so that each cell has a figure. */
export async function readSheet(origin: string, companies = 100): Promise<Sheet> {
  const read = await createDirectReading(origin);
  const page = await read<CompanyPage>("/asia/private-markets/v1/companies?country=ALL&page_size=5000");
  const chosen: CompanyFinancials[] = [];
  for (const { id } of page.data) {
    const financials = await read<CompanyFinancials>(`/asia/private-markets/v1/financials/companies/${id}`);
    if (isComplete(financials)) chosen.push(financials);
    if (chosen.length === companies) break;
  }
  const years = chosen[0]!.years.map(({ year }) => year);
  return createSheet(
    chosen.map(({ companyId }) => companyId),
    years,
    METRIC_NAMES,
  );
}

function isComplete({ years }: CompanyFinancials): boolean {
  const toNames = ({ statements }: FinancialYear) =>
    statements.flatMap(({ metrics }) => metrics.map(({ name }) => name));
  return years.length === YEARS && years.every((year) => METRIC_NAMES.every((name) => toNames(year).includes(name)));
}

export function createSheet(
  companyIds: readonly string[],
  years: readonly number[],
  metrics: readonly string[],
): Sheet {
  const rows = companyIds.flatMap((id) => years.map((year) => ({ id, year })));
  const calls = rows.flatMap(({ id, year }) => metrics.map((metric) => toFinancial(id, year, metric)));
  return { companyIds, years, metrics, calls };
}

export const toFunctionCalls = ({ calls }: Sheet): FunctionCall[] =>
  calls.map(([functionName, parameters]) => ({
    ...{ functionName, parameters: [...parameters], stream: true, cancelable: true, allowErrors: true },
  }));

/** FINANCIAL's arguments as Excel passes them: ranges as matrices, omitted ones as null. */
export const toFinancial = (id: string, year: number, metric: string): CellCall => [
  "FINANCIAL",
  [[[id]], [[year]], [[metric]], null, null],
];

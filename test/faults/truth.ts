import type { CompanyFinancials, CompanyPage } from "../../src/contract/types";
import type { Read } from "../support/direct-reading";

const MARKETS = "/asia/private-markets/v1";

/**
 * Reads the Revenue of 2023 of the first companies with exactly one such number.
 * @param count How many companies, at most 100.
 * @param country Default Japan.
 */
export async function readRevenues(read: Read, count: number, country = "JPN"): Promise<Map<string, number>> {
  const { data } = await read<CompanyPage>(`${MARKETS}/companies?country=${country}&page_size=100`);
  const revenues = new Map<string, number>();
  for (const { id } of data) {
    if (revenues.size === count) break;
    const value = pickRevenue(await read<CompanyFinancials>(`${MARKETS}/financials/companies/${id}?year=2023`));
    if (value !== null) revenues.set(id, value);
  }
  return revenues;
}

function pickRevenue({ years }: CompanyFinancials): number | null {
  const metrics = years.flatMap(({ statements }) => statements).flatMap((statement) => statement?.metrics ?? []);
  const [only, ...others] = metrics.filter(({ name }) => name === "Revenue");
  return others.length === 0 && typeof only?.value === "number" ? only.value : null;
}

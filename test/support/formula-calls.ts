import { readFileSync } from "node:fs";
import { join } from "node:path";
import type {
  CompanyFinancials,
  CompanyPage,
  CompanyPageRankingPage,
  CompanyRankingPage,
  IndustryRankingPage,
  Sector,
  TaxonomyCompany,
  TaxonomyCompanyPage,
} from "../../src/contract/types";
import type { Read } from "./direct-reading";

/** A function as functions.json declares it to Excel. */
interface DeclaredFunction {
  id: string;
  parameters: { name: string; dimensionality?: "matrix"; optional?: boolean }[];
}

/** Those of the built functions.json. */
export const DECLARED: readonly DeclaredFunction[] = JSON.parse(
  readFileSync(join(__dirname, "../../dist/web/functions.json"), "utf8"),
).functions;

/** Gives a call all its arguments: an omitted one is null. */
export const toPadded = (name: string, given: readonly unknown[]): unknown[] =>
  (DECLARED.find(({ id }) => id === name)?.parameters ?? []).map((_, place) => given[place] ?? null);

const RANGE = ["2024-01-01", "2024-01-31"];
const QUERY = "start_datetime=2024-01-01T00:00:00&end_datetime=2024-01-31T23:59:59&page=1&page_size=2";
const TAXONOMIES = "/asia/industry-taxonomies/v1";
const MARKETS = "/asia/private-markets/v1";

/** The API's data of one company, its industry and January, read without the feed. */
export interface Facts {
  companies: CompanyPage["data"];
  years: CompanyFinancials["years"];
  record: TaxonomyCompany;
  constituents: TaxonomyCompany[];
  universe: TaxonomyCompany[];
  tree: Sector[];
  ranking: CompanyRankingPage["data"];
  pages: CompanyPageRankingPage["data"];
  industries: IndustryRankingPage["data"];
}

const primaryOf = (record: TaxonomyCompany) => record.taxonomy.find((entry) => entry.isPrimaryIndustry);

export async function readFacts(read: Read): Promise<Facts> {
  const { data: companies } = await read<CompanyPage>(`${MARKETS}/companies?country=JPN&page_size=2`);
  const id = companies[0]?.id as string;
  const record = await read<TaxonomyCompany>(`${TAXONOMIES}/companies/${id}`);
  const list = "country=JPN&company_type=ALL";
  const industry = primaryOf(record)?.industryId;
  const under = `${TAXONOMIES}/industries/${industry}/companies?${list}&page_size=5000`;
  return {
    companies,
    record,
    years: (await read<CompanyFinancials>(`${MARKETS}/financials/companies/${id}`)).years,
    constituents: (await read<TaxonomyCompanyPage>(under)).data,
    universe: (await read<TaxonomyCompanyPage>(`${TAXONOMIES}/companies?${list}&page_size=2`)).data,
    tree: await read<Sector[]>(`${TAXONOMIES}/tree`),
    ranking: (await read<CompanyRankingPage>(`/japan/ranking/v1/companies?${QUERY}`)).data,
    pages: (await read<CompanyPageRankingPage>(`/japan/ranking/v1/company-pages?${QUERY}`)).data,
    industries: (await read<IndustryRankingPage>(`/japan/ranking/v1/industries?${QUERY}`)).data,
  };
}

/** A year's revenue, consolidated where there are several. */
function toRevenue({ statements }: Facts["years"][number]): number | undefined {
  const found = statements.flatMap(({ consolidationType, metrics }) =>
    metrics.filter(({ name }) => name === "Revenue").map(({ value }) => ({ consolidationType, value })),
  );
  return (found.find(({ consolidationType }) => consolidationType === "CONSOLIDATED") ?? found[0])?.value;
}

/** A call of each formula with the id of the first company, and its expected rows. */
export const CALLS: Record<string, (facts: Facts, id: string) => { parameters: unknown[]; rows: unknown[][] }> = {
  FINANCIAL: ({ years }, id) => ({
    parameters: [[[id]], [years.map(({ year }) => year)], [["Revenue"]]],
    rows: [years.map(toRevenue)],
  }),
  FINANCIALS: ({ years }, id) => ({
    parameters: [[[id]], years.map(({ year }) => [year]), [["Revenue"]], "wide", null, null, false],
    rows: years.map((year) => [id, year.year, year.currency, toRevenue(year)]),
  }),
  COMPANY: ({ companies: [company] }, id) => ({
    parameters: [[[id]], [["companyName", "registrationNumber", "registeredAddress.city"]]],
    rows: [[company?.companyName, company?.registrationNumber, company?.registeredAddress?.city]],
  }),
  COMPANIES: ({ companies }) => ({
    parameters: ["JPN", null, 2, [["id", "companyName"]], null, false],
    rows: companies.map(({ id, companyName }) => [id, companyName]),
  }),
  "COMPANY.OFFICERS": ({ companies: [company] }, id) => ({
    parameters: [[[id]], [["companyName", "role"]], false],
    rows: (company?.representatives ?? []).map(({ role }) => [company?.companyName, role]),
  }),
  "COMPANY.FIND": ({ companies: [company] }, id) => ({
    parameters: [company?.registrationNumber, "JPN", null, [["companyId", "registrationNumber"]], false],
    rows: [[id, company?.registrationNumber]],
  }),
  "COMPANY.ID": ({ companies: [company] }, id) => ({ parameters: [company?.registrationNumber, "JPN"], rows: [[id]] }),
  "COMPANY.MATCH": ({ companies: [company] }, id) => ({
    parameters: [[[company?.registrationNumber]], "JPN", null, [["companyId", "state"]], false],
    rows: [[id, "exact"]],
  }),
  TAXONOMY: ({ tree }) => ({
    parameters: ["sector", null, false],
    rows: tree.map(({ sectorId, sectorName }) => [sectorId, sectorName]),
  }),
  CLASSIFICATION: ({ record }, id) => ({
    parameters: [[[id]], "primary.industryName"],
    rows: [[primaryOf(record)?.industryName]],
  }),
  CONSTITUENTS: ({ record, constituents }) => ({
    parameters: [primaryOf(record)?.industryId, "JPN", null, null, [["companyId"]], null, false],
    rows: constituents.map(({ companyId }) => [companyId]),
  }),
  UNIVERSE: ({ universe }) => ({
    parameters: ["JPN", "ALL", 2, [["companyId", "companyFormalName"]], false],
    rows: universe.map(({ companyId, companyFormalName }) => [companyId, companyFormalName]),
  }),
  PEERS: ({ record, constituents }, id) => ({
    parameters: [id, null, null, null, null, [["companyId"]], false],
    rows: constituents
      .filter((company) => company.companyId !== id && primaryOf(company)?.industryId === primaryOf(record)?.industryId)
      .map(({ companyId }) => [companyId]),
  }),
  RANKING: ({ ranking }) => ({
    parameters: [...RANGE, 2, [["companyName", "totalPageViews"]], null, false],
    rows: ranking.map(({ companyName, totalPageViews }) => [companyName, totalPageViews]),
  }),
  "RANKING.PAGES": ({ pages }) => ({
    parameters: [...RANGE, "NEWS", 2, [["companyName", "totalPageViews"]], false],
    rows: pages.map((row) => [row.companyName, row.pages.NEWS?.totalPageViews ?? 0]),
  }),
  "RANKING.INDUSTRIES": ({ industries }) => ({
    parameters: [...RANGE, 2, [["industryId", "totalUniquePageViews"]], null, false],
    rows: industries.map(({ industryId, totalUniquePageViews }) => [industryId, totalUniquePageViews]),
  }),
  "RANKING.TREND": ({ ranking }) => ({
    parameters: [[["top 2"]], [["2024-01"]], null, null, false],
    rows: ranking.map(({ companyName, tickerSymbol }, at) => [companyName, tickerSymbol, at + 1]),
  }),
  "RANKING.MOVERS": ({ ranking }) => ({
    parameters: ["2024-01", "2024-01", 2, null, null, [["rank", "previous.rank", "change.rank", "companyName"]], false],
    rows: ranking.map(({ companyName }, at) => [at + 1, at + 1, 0, companyName]),
  }),
  STATUS: () => ({ parameters: [], rows: [["sample data"]] }),
};

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
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
import { toOutcome } from "../office/deliveries";
import { createOfficeRuntime, type OfficeRuntime } from "../office/runtime";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading, type Read } from "../support/direct-reading";

const WEB = join(__dirname, "../../dist/web");
const BUNDLE = readFileSync(join(WEB, "functions.js"), "utf8");

interface Declared {
  id: string;
  parameters: { name: string }[];
}

const DECLARED: Declared[] = JSON.parse(readFileSync(join(WEB, "functions.json"), "utf8")).functions;

const RANGE = ["2024-01-01", "2024-01-31"];
const QUERY = "start_datetime=2024-01-01T00:00:00&end_datetime=2024-01-31T23:59:59&page=1&page_size=2";
const TAXONOMIES = "/asia/industry-taxonomies/v1";
const MARKETS = "/asia/private-markets/v1";

/** The API's data of one company, its industry and January, read without the feed. */
interface Facts {
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

let companion: RunningCompanion;
let facts: Facts;
let runtime: OfficeRuntime;

const primaryOf = (record: TaxonomyCompany) => record.taxonomy.find((entry) => entry.isPrimaryIndustry);

async function readFacts(read: Read): Promise<Facts> {
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

/** A call of each formula, and its expected rows. */
const CALLS: Record<string, (facts: Facts, id: string) => { parameters: unknown[]; rows: unknown[][] }> = {
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
  "COMPANY.FIND": ({ companies: [company] }, id) => ({
    parameters: [company?.registrationNumber, "JPN", null, [["companyId", "registrationNumber"]], false],
    rows: [[id, company?.registrationNumber]],
  }),
  "COMPANY.ID": ({ companies: [company] }, id) => ({ parameters: [company?.registrationNumber, "JPN"], rows: [[id]] }),
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
  PEERS: ({ constituents }, id) => ({
    parameters: [id, null, null, null, null, [["companyId"]], false],
    rows: constituents.filter(({ companyId }) => companyId !== id).map(({ companyId }) => [companyId]),
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
  STATUS: () => ({ parameters: [], rows: [["sample data"]] }),
};

/** Calls a formula as Excel does and waits for the expected number of rows, or an error. */
async function call(name: string, parameters: unknown[], rows: number): Promise<unknown> {
  const declared = DECLARED.find(({ id }) => id === name)?.parameters ?? [];
  const padded = declared.map((_, place) => parameters[place] ?? null);
  const id = runtime.call(name, padded, { stream: true, allowErrors: true });
  for (;;) {
    const outcome = toOutcome(await runtime.next(id));
    if (!("value" in outcome)) return outcome;
    const shown = outcome.value as unknown[][];
    if (shown.length >= rows && shown[0]?.[0] !== "connecting…") return shown;
  }
}

beforeAll(async () => {
  companion = await startCompanion({ companies: 300 });
  facts = await readFacts(await createDirectReading(companion.origin));
});

beforeEach(async () => {
  runtime = createOfficeRuntime({ origin: companion.origin });
  runtime.load(BUNDLE);
  await runtime.ready;
});

afterEach(() => runtime.dispose());

afterAll(() => companion.close());

describe("each formula of the built functions.js on the genuine runtime", () => {
  it("is called below", () => {
    expect(Object.keys(CALLS).sort()).toEqual(DECLARED.map(({ id }) => id).sort());
  });

  it.each(Object.entries(CALLS))("shows, as FEED.%s, the values of a direct read", async (name, toCall) => {
    const { parameters, rows } = toCall(facts, facts.companies[0]?.id as string);
    expect(rows.flat().length).toBeGreaterThan(0);
    expect(await call(name, parameters, rows.length)).toEqual(rows);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { METRICS } from "../../src/contract/parameter-values";
import type { Company, CompanyFinancials, FinancialYear, Sector, TaxonomyCompany } from "../../src/contract/types";
import { createFinancialYears } from "../../src/sandbox/data/financials";
import REFUSED_BODIES from "./refused-bodies.json";
import { PRIVATE_MARKETS, type RunningSandbox, startSandbox, TAXONOMIES } from "./running-sandbox";

const COUNT = 1_000;
const FINANCIALS = `${PRIVATE_MARKETS}/financials`;
const ALL = "country=ALL&company_type=ALL&page_size=9000";

let sandbox: RunningSandbox;
let companies: Company[];
let tree: Sector[];
let universe: TaxonomyCompany[];
beforeAll(async () => {
  sandbox = await startSandbox({ companies: COUNT });
  companies = (await search("country=JPN&page_size=300")).data;
  tree = await list("tree");
  universe = (await list(`companies?${ALL}`)).data;
});
afterAll(() => sandbox.close());

const search = async (query: string) => (await sandbox.read(`${PRIVATE_MARKETS}/companies?${query}`)).body;
const list = async (path: string) => (await sandbox.read(`${TAXONOMIES}/${path}`)).body;
const readIds = ({ data }: { data: Company[] }) => data.map(({ id }) => id);
const readCompanyIds = (rows: readonly { companyId: string }[]) => rows.map(({ companyId }) => companyId);

describe("company search", () => {
  it("lists the companies of the country and no other; ALL is the sum of the countries", async () => {
    const japan = await search(`country=JPN&page_size=${COUNT}`);
    expect(new Set(japan.data.map((company: Company) => company.registeredAddress!.country))).toEqual(new Set(["JPN"]));
    const codes = ["JPN", "SGP", "IDN", "THA", "VNM", "PHL"];
    const totals = await Promise.all(codes.map(async (code) => (await search(`country=${code}`)).total));
    expect(totals.every((total) => total > 0)).toBe(true);
    expect(totals.reduce((sum, total) => sum + total, 0)).toBe((await search("country=ALL")).total);
  });

  it("has pages of 25 without gap or overlap, and an empty page past the end", async () => {
    const first = await search("country=JPN");
    expect([first.page, first.pageSize, first.data.length]).toEqual([1, 25, 25]);
    const ids: string[] = [];
    for (let page = 1; ids.length < first.total; page += 1)
      ids.push(...readIds(await search(`country=JPN&page=${page}`)));
    expect(ids).toEqual(readIds(await search(`country=JPN&page_size=${COUNT}`)));
    expect(new Set(ids).size).toBe(first.total);
    expect(await search("country=JPN&page=99")).toEqual({ data: [], page: 99, pageSize: 25, total: first.total });
  });

  it.each(["page=0", "page=-1", "page_size=0", "page_size=-25", "page=2147483648"])("refuses %s", async (query) => {
    const reply = await sandbox.read(`${PRIVATE_MARKETS}/companies?country=JPN&${query}`);
    expect(reply.status).toBe(400);
    expect(reply.body.error.details[0].field).toBe(query.split("=")[0]);
  });

  it("finds one company by registration number or id, in its own country only", async () => {
    const [company] = (await search("country=JPN&page=2")).data as Company[];
    for (const identifier of [company!.registrationNumber!, company!.id, company!.id.toUpperCase()]) {
      expect(await search(`country=JPN&identifier=${identifier}`)).toMatchObject({
        total: 1,
        data: [{ id: company!.id }],
      });
      expect(await search(`country=ALL&identifier=${identifier}`)).toMatchObject({ total: 1 });
      expect(await search(`country=SGP&identifier=${identifier}`)).toMatchObject({ total: 0, data: [] });
    }
    expect(await search("country=ALL&identifier=0000000000000")).toMatchObject({ total: 0, data: [] });
  });

  it.each(["companyName", "registrationNumber"] as const)("sorts by %s in both directions", async (field) => {
    const values = async (sort: string) =>
      (await search(`country=ALL&page_size=${COUNT}&sort=${sort}`)).data.map((company: Company) => company[field]!);
    const ascending = await values(field);
    expect(ascending).toEqual([...ascending].sort());
    expect(await values(`-${field}`)).toEqual([...ascending].reverse());
  });

  it("refuses an unknown sort field, and names the known ones", async () => {
    const reply = await sandbox.read(`${PRIVATE_MARKETS}/companies?country=JPN&sort=revenue`);
    expect(reply.status).toBe(400);
    expect(reply.body.error.details[0]).toEqual({ field: "sort", issue: expect.stringContaining("companyName") });
  });
});

describe("a company by id", () => {
  it("equals the one of the search, for an id in any letter case", async () => {
    const [company] = (await search("country=THA")).data as Company[];
    for (const id of [company!.id, company!.id.toUpperCase()]) {
      expect((await sandbox.read(`${PRIVATE_MARKETS}/companies/${id}`)).body).toEqual(company);
    }
  });

  it("does not exist beyond the number of companies configured", async () => {
    const larger = await startSandbox({ companies: COUNT + 1 });
    const { body } = await larger.read(`${PRIVATE_MARKETS}/companies?country=ALL&page=${COUNT + 1}&page_size=1`);
    await larger.close();
    const [extra] = body.data as Company[];
    expect((await sandbox.read(`${PRIVATE_MARKETS}/companies/${extra!.id}`)).status).toBe(404);
    expect(await search(`country=ALL&identifier=${extra!.registrationNumber}`)).toMatchObject({ total: 0 });
  });
});

it("the financials of one company are all years, or the requested one, or none if it is missing", async () => {
  const path = `${FINANCIALS}/companies/${companies[0]!.id}`;
  const all = (await sandbox.read(path)).body as CompanyFinancials;
  expect(all.years.map(({ year }) => year)).toEqual([2015, 2016, 2017, 2018, 2019, 2020, 2021, 2022, 2023, 2024]);
  expect((await sandbox.read(`${path}?year=2021`)).body.years).toEqual([all.years[6]]);
  const none = await sandbox.read(`${path}?year=1999`);
  expect([none.status, none.body]).toEqual([200, { companyId: companies[0]!.id, years: [] }]);
});

describe("the financials of several companies", () => {
  it("are the union of both lists, each company once, in the requested order", async () => {
    const [first, second, third] = companies;
    const { body } = await sandbox.send(FINANCIALS, {
      companyIds: [second!.id, first!.id.toUpperCase(), second!.id],
      identifiers: [first!.registrationNumber, third!.registrationNumber],
    });
    expect(readCompanyIds(body.data)).toEqual([second!.id, first!.id, third!.id]);
    expect([body.page, body.pageSize, body.total]).toEqual([1, 3, 3]);
  });

  it("are the same as one by one", async () => {
    const ids = companies.slice(0, 40).map(({ id }) => id);
    const { body } = await sandbox.send(FINANCIALS, { companyIds: ids, year: 2023 });
    const single = await Promise.all(
      ids.map(async (id) => (await sandbox.read(`${FINANCIALS}/companies/${id}?year=2023`)).body),
    );
    expect(body.data).toEqual(single);
  });

  it("omit unknown companies", async () => {
    const unknown = "00000000-0000-4000-8000-000000000000";
    const { status, body } = await sandbox.send(FINANCIALS, {
      companyIds: [unknown, companies[0]!.id],
      identifiers: ["0"],
    });
    expect([status, readCompanyIds(body.data), body.total]).toEqual([200, [companies[0]!.id], 1]);
  });

  const BODIES = REFUSED_BODIES as unknown as [string, unknown, string][];
  it.each(BODIES)("are refused for %s", async (_what, body, field) => {
    const reply = await sandbox.send(FINANCIALS, body);
    expect(reply.status).toBe(400);
    expect(reply.body.error.details[0].field).toBe(field);
  });
});

const INDEXES = Array.from({ length: 1_500 }, (_, index) => index);
const everyYear = INDEXES.flatMap((index) => createFinancialYears(1, index));

/** The amounts of each consolidation of a year, by metric name. */
function readAmounts({ statements }: FinancialYear): Record<string, number>[] {
  const types = [...new Set(statements.map(({ consolidationType }) => consolidationType))];
  return types.map((type) =>
    Object.fromEntries(
      statements
        .filter(({ consolidationType }) => consolidationType === type)
        .flatMap(({ metrics }) => metrics.map(({ name, value }) => [name, value])),
    ),
  );
}

describe("amounts", () => {
  const amounts = everyYear.flatMap(readAmounts);
  const complete = amounts.filter((year) => Object.keys(year).length === 15);

  it("obey the identities of an income statement exactly", () => {
    expect(amounts.filter((year) => year["Gross Profit"] !== year.Revenue! - year["Cost of Goods Sold"]!)).toEqual([]);
    expect(complete.filter((year) => year.EBIT !== year["Gross Profit"]! - year["Operating Expenses"]!)).toEqual([]);
    expect(complete.length).toBeGreaterThan(5_000);
  });

  it("are ordered: EBITDA above EBIT above net income, assets above their parts", () => {
    expect(complete.filter((year) => year.EBITDA! < year.EBIT! || year.EBIT! < year["Net Income"]!)).toEqual([]);
    const sumParts = (year: Record<string, number>) =>
      year["Cash and equivalents"]! + year.Inventory! + year["Accounts Receivable"]!;
    expect(complete.filter((year) => year["Total Assets"]! <= sumParts(year))).toEqual([]);
  });

  it("make the yearly change of cash the sum of the three cash flows", () => {
    const steps = INDEXES.slice(0, 300).flatMap((index) => {
      const years = createFinancialYears(1, index).map((year) => ({
        year: year.year,
        ...readAmounts(year)[0],
      })) as Record<string, number>[];
      return years.slice(1).map((year, nth) => ({ before: years[nth]!, year }));
    });
    const checked = steps.filter(
      ({ before, year }) =>
        before.year! + 1 === year.year && Object.keys(year).length === 16 && "Cash and equivalents" in before,
    );
    expect(checked.length).toBeGreaterThan(1_000);
    for (const { before, year } of checked) {
      const flows = year["Operating Cash Flow"]! + year["Investing Cash Flow"]! + year["Financing Cash Flow"]!;
      expect(year["Cash and equivalents"]! - before["Cash and equivalents"]!).toBe(flows);
    }
  });

  it("include losses and debts above assets as exceptions", () => {
    const share = (count: number) => count / complete.length;
    const losses = share(complete.filter((year) => year["Net Income"]! < 0).length);
    const indebted = share(complete.filter((year) => year["Total Liabilities"]! > year["Total Assets"]!).length);
    expect(losses).toBeGreaterThan(0.02);
    expect(losses).toBeLessThan(0.35);
    expect(indebted).toBeGreaterThan(0);
    expect(indebted).toBeLessThan(0.1);
  });
});

describe("years", () => {
  it("end in the calendar year of their label and last twelve months", () => {
    const nextDay = (date: string) => new Date(Date.parse(date) + 86_400_000).toISOString().slice(5, 10);
    const wrong = everyYear.filter(
      ({ year, periodYear, financialPeriodStart, financialPeriodEnd }) =>
        periodYear !== year ||
        Number(financialPeriodEnd!.slice(0, 4)) !== year ||
        Date.parse(financialPeriodEnd!) - Date.parse(financialPeriodStart!) < 364 * 86_400_000 ||
        financialPeriodStart!.slice(5) !== nextDay(financialPeriodEnd!),
    );
    expect(wrong).toEqual([]);
    const ends = new Set(everyYear.map(({ financialPeriodEnd }) => financialPeriodEnd!.slice(5)));
    expect(ends).toContain("03-31");
    expect(ends).toContain("12-31");
    expect(ends).toContain("02-29");
  });

  it("of the first 20 Japanese companies are complete, consolidated and in yen", async () => {
    for (const { id } of companies.slice(0, 20)) {
      const { years } = (await sandbox.read(`${FINANCIALS}/companies/${id}`)).body as CompanyFinancials;
      expect(years).toHaveLength(10);
      for (const { currency, financialType, statements } of years) {
        expect([currency, financialType]).toEqual(["JPY", "FULL"]);
        expect(statements.map(({ consolidationType }) => consolidationType)).toEqual(Array(3).fill("CONSOLIDATED"));
        expect(
          Object.fromEntries(statements.map((each) => [each.statementType, each.metrics.map(({ name }) => name)])),
        ).toEqual(METRICS);
      }
    }
  });

  it("elsewhere are sometimes missing, partial, unconsolidated or in dollars", () => {
    const counts = INDEXES.map((index) => createFinancialYears(1, index).length);
    expect(new Set(counts)).toEqual(new Set([0, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
    expect(everyYear.some(({ financialType }) => financialType === "SUMMARY")).toBe(true);
    expect(everyYear.some(({ currency }) => currency === "USD")).toBe(true);
    const types = new Set(
      everyYear.map(({ statements }) => [...new Set(statements.map((each) => each.consolidationType))].join()),
    );
    expect(types).toEqual(new Set(["CONSOLIDATED", "NON_CONSOLIDATED", "CONSOLIDATED,NON_CONSOLIDATED"]));
    expect(everyYear.some(({ statements }) => statements[0]!.metrics.length < METRICS.INCOME_STATEMENT.length)).toBe(
      true,
    );
  });
});

it("the tree has 10 sectors of 4 sub-sectors of 5 industries, each with its own id", () => {
  const subSectors = tree.flatMap((sector) => sector.subSectors);
  const industries = subSectors.flatMap((subSector) => subSector.industries);
  expect(tree.map(({ subSectors }) => subSectors.length)).toEqual(Array(10).fill(4));
  expect(subSectors.map(({ industries }) => industries.length)).toEqual(Array(40).fill(5));
  const ids = [
    ...tree.map(({ sectorId }) => sectorId),
    ...subSectors.map(({ subSectorId }) => subSectorId),
    ...industries.map(({ industryId }) => industryId),
  ];
  expect(new Set(ids).size).toBe(250);
});

describe("the list of classified companies", () => {
  it("holds private and listed ones, separated by company_type", async () => {
    const listed = (await list("companies?country=ALL&company_type=PUBLIC&page_size=9000")).data as TaxonomyCompany[];
    const unlisted = (await list("companies?country=ALL&company_type=PRIVATE&page_size=9000"))
      .data as TaxonomyCompany[];
    expect(listed.every(({ isPublic }) => isPublic)).toBe(true);
    expect(unlisted.some(({ isPublic }) => isPublic)).toBe(false);
    expect([...readCompanyIds(unlisted), ...readCompanyIds(listed)]).toEqual(readCompanyIds(universe));
    expect(new Set(readCompanyIds(universe)).size).toBe(universe.length);
  });

  it("has one primary classification for each company, and all names from the tree", () => {
    type Entry = TaxonomyCompany["taxonomy"][number];
    const toNames = (entry: Pick<Entry, "sectorName" | "subSectorName" | "industryName">) =>
      [entry.sectorName, entry.subSectorName, entry.industryName].join();
    const subSectors = tree.flatMap((sector) => sector.subSectors.map((each) => ({ ...sector, ...each })));
    const leaves = subSectors.flatMap((subSector) => subSector.industries.map((each) => ({ ...subSector, ...each })));
    const names = new Map(leaves.map((leaf) => [leaf.industryId, toNames(leaf)]));
    const isNamed = (entry: Entry) => toNames(entry) === names.get(entry.industryId!);
    const hasOne = ({ taxonomy }: TaxonomyCompany) => taxonomy.filter((each) => each.isPrimaryIndustry).length === 1;
    expect(universe.filter((company) => !hasOne(company) || !company.taxonomy.every(isNamed))).toEqual([]);
  });

  it("has nulls for unlisted companies, and values for almost all listed ones", () => {
    const isRight = ({ isPublic, tickerSymbol, exchangeName, listingDate }: TaxonomyCompany) =>
      isPublic ? exchangeName !== null : [tickerSymbol, exchangeName, listingDate].every((value) => value === null);
    expect(universe.filter((company) => !isRight(company))).toEqual([]);
    const listed = universe.filter(({ isPublic }) => isPublic);
    for (const field of ["tickerSymbol", "listingDate", "companyInformalName"] as const) {
      const missing = listed.filter((company) => company[field] === null).length;
      expect(missing).toBeGreaterThan(0);
      expect(missing).toBeLessThan(listed.length);
    }
  });

  it("shares its ids with the private companies, most of which it contains", async () => {
    const { data } = (await sandbox.read(`${PRIVATE_MARKETS}/companies?country=ALL&page_size=1000`)).body;
    const known = new Set(readCompanyIds(universe));
    const shared = data.filter(({ id }: Company) => known.has(id));
    expect(shared.length).toBeGreaterThan(900);
    expect(shared.length).toBeLessThan(1_000);
    const unclassified = data.find(({ id }: Company) => !known.has(id));
    expect((await sandbox.read(`${TAXONOMIES}/companies/${unclassified.id}`)).status).toBe(404);
    const listed = universe.find(({ isPublic }) => isPublic)!;
    expect((await sandbox.read(`${PRIVATE_MARKETS}/companies/${listed.companyId}`)).status).toBe(404);
    expect((await sandbox.read(`${TAXONOMIES}/companies/${listed.companyId}`)).body).toEqual(listed);
  });
});

describe("a grouping endpoint", () => {
  it("lists every company with any classification in the subtree, each once", async () => {
    const sector = tree[3]!;
    const subSector = sector.subSectors[1]!;
    const industry = subSector.industries[4]!;
    const nodes = [
      [`sectors/${sector.sectorId}`, "sectorId", sector.sectorId],
      [`sub-sectors/${subSector.subSectorId}`, "subSectorId", subSector.subSectorId],
      [`industries/${industry.industryId}`, "industryId", industry.industryId],
    ] as const;
    for (const [path, field, id] of nodes) {
      const expected = universe.filter(({ taxonomy }) => taxonomy.some((entry) => entry[field] === id));
      const { data, total } = await list(`${path}/companies?${ALL}`);
      expect(readCompanyIds(data)).toEqual(readCompanyIds(expected));
      expect(total).toBe(expected.length);
      expect(total).toBeGreaterThan(0);
    }
  });

  it("gives the primary classification alone, and all of them with show_all_industries", async () => {
    const path = `sectors/${tree[0]!.sectorId}/companies?${ALL}`;
    const short = (await list(path)).data as TaxonomyCompany[];
    expect(short.every(({ taxonomy }) => taxonomy.length === 1 && taxonomy[0]!.isPrimaryIndustry)).toBe(true);
    expect((await list(`${path}&show_all_industries=false`)).data).toEqual(short);
    const byId = new Map(universe.map((company) => [company.companyId, company]));
    const full = (await list(`${path}&show_all_industries=true`)).data as TaxonomyCompany[];
    expect(full).toEqual(full.map(({ companyId }) => byId.get(companyId)));
    expect(full.some(({ taxonomy }) => taxonomy.length > 1)).toBe(true);
  });

  it("filters by country and type, and has pages", async () => {
    const path = `sectors/${tree[0]!.sectorId}/companies?country=SGP&company_type=PRIVATE`;
    const whole = await list(`${path}&page_size=9000`);
    expect(whole.data.every((company: TaxonomyCompany) => company.countryCode === "SGP" && !company.isPublic)).toBe(
      true,
    );
    const pages = [await list(`${path}&page_size=4`), await list(`${path}&page_size=4&page=2`)];
    expect(pages.flatMap(({ data }) => data)).toEqual(whole.data.slice(0, 8));
    expect(pages[1].total).toBe(whole.data.length);
  });

  it("finds a node at its own level only", async () => {
    const path = `sectors/${tree[0]!.subSectors[0]!.subSectorId}/companies?${ALL}`;
    expect((await sandbox.read(`${TAXONOMIES}/${path}`)).status).toBe(404);
  });
});

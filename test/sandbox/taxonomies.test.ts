import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Company, Sector, TaxonomyCompany } from "../../src/contract/types";
import { PRIVATE_MARKETS, type RunningSandbox, startSandbox, TAXONOMIES } from "./running-sandbox";

const ALL = "country=ALL&company_type=ALL&page_size=9000";

let sandbox: RunningSandbox;
let tree: Sector[];
let universe: TaxonomyCompany[];
beforeAll(async () => {
  sandbox = await startSandbox({ companies: 1_000 });
  tree = (await sandbox.read(`${TAXONOMIES}/tree`)).body;
  universe = (await sandbox.read(`${TAXONOMIES}/companies?${ALL}`)).body.data;
});
afterAll(() => sandbox.close());

const list = async (path: string) => (await sandbox.read(`${TAXONOMIES}/${path}`)).body;
const readIds = (companies: TaxonomyCompany[]) => companies.map(({ companyId }) => companyId);

describe("the tree", () => {
  it("has 10 sectors of 4 sub-sectors of 5 industries, each with its own id", () => {
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
});

describe("the list of classified companies", () => {
  it("holds private and listed ones, separated by company_type", async () => {
    const listed = (await list("companies?country=ALL&company_type=PUBLIC&page_size=9000")).data as TaxonomyCompany[];
    const unlisted = (await list("companies?country=ALL&company_type=PRIVATE&page_size=9000"))
      .data as TaxonomyCompany[];
    expect(listed.every(({ isPublic }) => isPublic)).toBe(true);
    expect(unlisted.some(({ isPublic }) => isPublic)).toBe(false);
    expect([...readIds(unlisted), ...readIds(listed)]).toEqual(readIds(universe));
    expect(new Set(readIds(universe)).size).toBe(universe.length);
  });

  it("has one primary classification for each company, and all names from the tree", () => {
    const names = new Map(
      tree.flatMap(({ sectorName, subSectors }) =>
        subSectors.flatMap(({ subSectorName, industries }) =>
          industries.map(({ industryId, industryName }) => [
            industryId,
            [sectorName, subSectorName, industryName].join(),
          ]),
        ),
      ),
    );
    const isNamed = ({ industryId, sectorName, subSectorName, industryName }: TaxonomyCompany["taxonomy"][number]) =>
      [sectorName, subSectorName, industryName].join() === names.get(industryId!);
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
    const known = new Set(readIds(universe));
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
      expect(readIds(data)).toEqual(readIds(expected));
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

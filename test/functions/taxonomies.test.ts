import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { type Formulas, loadFormulas } from "../support/formula-cells";
import { COMPANY_HEADER, startTaxonomySandbox, type TaxonomySandbox, toCompanyRow } from "./taxonomy-sandbox";

let sandbox: TaxonomySandbox;
let formulas: Formulas;

beforeAll(async () => {
  sandbox = await startTaxonomySandbox();
});
beforeEach(async () => {
  sandbox.companion.controls.reset();
  formulas = await loadFormulas(sandbox.companion.origin);
});
afterEach(() => formulas.close());
afterAll(() => sandbox.companion.close());

const show = (name: string, ...parameters: unknown[]) => formulas.type(name, ...parameters).next();
const showOne = async (name: string, ...parameters: unknown[]) => (await show(name, ...parameters))[0]?.[0];

describe("FEED.TAXONOMY", () => {
  const industries = () =>
    sandbox.tree.flatMap((sector) =>
      sector.subSectors.flatMap((subSector) =>
        subSector.industries.map((industry) => [
          sector.sectorId,
          sector.sectorName,
          subSector.subSectorId,
          subSector.subSectorName,
          subSector.description,
          industry.industryId,
          industry.industryName,
          industry.description,
        ]),
      ),
    );

  it("gives the whole tree, one row an industry, for one request", async () => {
    const [header, ...rows] = await show("TAXONOMY");
    expect(header).toEqual([
      "Sector id",
      "Sector",
      "Sub-sector id",
      "Sub-sector",
      "Sub-sector description",
      "Industry id",
      "Industry",
      "Industry description",
    ]);
    expect(rows).toEqual(industries());
    expect(sandbox.calls()).toEqual(["getTaxonomyTree"]);
  });

  it("gives one level with its parents, and several levels for one request", async () => {
    expect(await show("TAXONOMY", "sector", null, false)).toEqual(
      sandbox.tree.map(({ sectorId, sectorName }) => [sectorId, sectorName]),
    );
    expect(await show("TAXONOMY", "Sub-Sector")).toEqual([
      ["Sector id", "Sector", "Sub-sector id", "Sub-sector", "Sub-sector description"],
      ...sandbox.tree.flatMap(({ sectorId, sectorName, subSectors }) =>
        subSectors.map((each) => [sectorId, sectorName, each.subSectorId, each.subSectorName, each.description]),
      ),
    ]);
    expect(sandbox.calls()).toEqual(["getTaxonomyTree"]);
  });

  it.each(["SEC04", "sec04", "sector:SEC04", " Sector: sec04 "])(
    "gives the branch below a sector given as %s",
    async (parent) => {
      const below = industries().filter(([sectorId]) => sectorId === "SEC04");
      expect(below.length).toBeGreaterThan(0);
      expect(await show("TAXONOMY", null, parent, false)).toEqual(below);
      expect(await show("TAXONOMY", "subSector", parent, false)).toHaveLength(4);
    },
  );

  it("gives the branch below a sub-sector", async () => {
    const below = industries().filter((row) => row[2] === "SUB0401");
    expect(await show("TAXONOMY", "industry", "SUB0401", false)).toEqual(below);
  });

  it.each([null, 0, ""])("treats %p as omitted for each argument", async (blank) => {
    expect(await show("TAXONOMY", blank, blank)).toHaveLength(industries().length + 1);
  });

  it.each([
    [
      "a name for an id",
      ["industry", "Semiconductors"],
      /^#N\/A FEED_NOT_FOUND: .*"Semiconductors"; did you mean SUB0401 \(a sub-sector, Semiconductors\)\?$/,
    ],
    ["an id that is not there", [null, "SUB0499"], /^#N\/A FEED_NOT_FOUND: .*did you mean SUB04/],
    [
      "an industry",
      [null, "IND040101"],
      /^#VALUE! FEED_ARGUMENT_INVALID: "IND040101" is an industry; give the id of a sub-sector or a sector$/,
    ],
    ["a sub-sector above sub-sectors", ["subSector", "SUB0401"], /"SUB0401" is a sub-sector; give the id of a sector$/],
    ["anything above sectors", ["sector", "SEC04"], /^#VALUE! .*parent must be left out with level "sector"/],
    ["too long a text", [null, "x".repeat(101)], /^#VALUE! .*parent must be an id of the taxonomy/],
    ["another level", ["company"], /^#VALUE! .*level must be "industry", "subSector" or "sector", not "company"/],
    ["wrong headers", [null, null, "maybe"], /^#VALUE! .*headers must be TRUE or FALSE/],
  ])("reports %s with its remedy", async (_, parameters, message) => {
    expect(await showOne("TAXONOMY", ...parameters)).toMatch(message);
  });
});

describe("FEED.UNIVERSE", () => {
  it("gives the classified companies of a country, one row each", async () => {
    const { data } = await sandbox.list("companies?country=THA");
    expect(data.length).toBeGreaterThan(10);
    expect(await show("UNIVERSE", "THA")).toEqual([COMPANY_HEADER, ...data.map((company) => toCompanyRow(company))]);
    expect(sandbox.calls()).toEqual(["listTaxonomyCompanies"]);
    expect(sandbox.query()).toEqual({ country: "THA", company_type: "ALL", page: "1", page_size: "1000" });
  });

  it("accepts type, top, fields and headers", async () => {
    const first = sandbox.everyone.filter(({ isPublic }) => isPublic).slice(0, 2);
    const fields = [["tickerSymbol"], ["exchangeCode"]];
    expect(await show("UNIVERSE", "ALL", "PUBLIC", 2, fields, false)).toEqual(
      first.map(({ tickerSymbol, exchangeCode }) => [tickerSymbol, exchangeCode]),
    );
  });

  it.each([null, 0, ""])("rejects %p as country", async (blank) => {
    expect(await showOne("UNIVERSE", blank)).toMatch(/^#VALUE! .*country is missing/);
  });

  it("reports that a country has no company", async () => {
    expect(await showOne("UNIVERSE", "XYZ")).toBe(
      '#N/A FEED_NO_VALUE: the provider has no company in XYZ; try country "ALL", or refresh later',
    );
  });

  it("passes on an error in an argument", async () => {
    const bad = new CustomFunctions.Error(CustomFunctions.ErrorCode.notAvailable);
    expect(await show("UNIVERSE", bad)).toEqual([["#N/A"]]);
    expect(await show("UNIVERSE", "JPN", bad)).toEqual([["#N/A"]]);
  });
});

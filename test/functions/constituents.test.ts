import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { TaxonomyCompany } from "../../src/contract/types";
import { type Formulas, loadFormulas } from "../support/formula-cells";
import { until } from "../support/until";
import {
  COMPANY_HEADER,
  startTaxonomySandbox,
  type TaxonomySandbox,
  toCompanyRow,
  toPrimary,
} from "./taxonomy-sandbox";

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
const listed = () => sandbox.everyone.find(({ isPublic }) => isPublic) as TaxonomyCompany;

describe("FEED.CONSTITUENTS", () => {
  it.each([
    ["sector", "SEC04", "sectors/SEC04"],
    ["sub-sector", "SUB0401", "sub-sectors/SUB0401"],
    ["industry", "IND040101", "industries/IND040101"],
  ])("gives a %s's companies with their primary classification, for the tree and the list", async (_, node, path) => {
    const { data } = await sandbox.list(`${path}/companies?country=ALL&show_all_industries=true`);
    sandbox.companion.controls.reset();
    expect(await show("CONSTITUENTS", node, "ALL")).toEqual([
      COMPANY_HEADER,
      ...data.map((company) => toCompanyRow(company)),
    ]);
    expect(sandbox.calls()).toHaveLength(2);
    expect(sandbox.calls()[0]).toBe("getTaxonomyTree");
    expect(sandbox.query()).toEqual({ country: "ALL", company_type: "ALL", page: "1", page_size: "1000" });
    // The request that checks a list's end comes after its result, and must not reach the next test.
    await until(() => formulas.session.feed.activity.pending() === 0);
  });

  it("sends the node id as in the tree, with the country and type", async () => {
    const { data } = await sandbox.list("sectors/SEC04/companies?country=JPN", "PUBLIC");
    const [first] = data as [TaxonomyCompany];
    expect(await show("CONSTITUENTS", "sec04", "jpn", "public", 1, null, null, false)).toEqual([toCompanyRow(first)]);
    expect(sandbox.companion.controls.requests.at(-1)?.url).toContain("/sectors/SEC04/companies?");
    expect(sandbox.query()).toEqual({ country: "JPN", company_type: "PUBLIC", page: "1", page_size: "26" });
  });

  it("gives a row for each classification with allindustries; top counts companies", async () => {
    const { data } = await sandbox.list("sub-sectors/SUB0401/companies?country=ALL&show_all_industries=true");
    const first = data.slice(0, 5);
    const rows = first.flatMap((company) => company.taxonomy.map((entry) => toCompanyRow(company, entry)));
    expect(rows.length).toBeGreaterThan(5);
    expect(await show("CONSTITUENTS", "SUB0401", "ALL", null, 5, null, true, false)).toEqual(rows);
    expect(sandbox.query()).toMatchObject({ show_all_industries: "true", page_size: "30" });
  });

  it("accepts fields of the row's classification, the primary one and the company", async () => {
    const { data } = await sandbox.list("sectors/SEC04/companies?country=ALL&show_all_industries=true");
    const company = data.find(({ taxonomy }) => taxonomy.length > 1) as TaxonomyCompany;
    const rows = await show(
      "CONSTITUENTS",
      "SEC04",
      "ALL",
      null,
      null,
      [["companyId,industryName,primary.industryName,isActive"]],
      true,
      false,
    );
    expect(rows.filter(([id]) => id === company.companyId)).toEqual(
      company.taxonomy.map((entry) => [
        company.companyId,
        entry.industryName,
        toPrimary(company)?.industryName,
        company.isActive,
      ]),
    );
    const all = await show("CONSTITUENTS", "SEC04", "ALL", null, 1, [["all"]]);
    expect(all[0]).toHaveLength(16 + 9 + 9);
  });

  it("grows as its pages arrive", async () => {
    const total = (await sandbox.list("sectors/SEC04/companies?country=ALL")).total;
    sandbox.companion.controls.pageCap = 30;
    const cell = formulas.type("CONSTITUENTS", "SEC04", "ALL", null, null, null, null, false);
    const lengths = [(await cell.next()).length];
    while (lengths.at(-1) !== total) lengths.push((await cell.next()).length);
    expect(lengths[0]).toBe(30);
    expect(lengths.slice(1, 10)).toEqual(lengths.slice(0, 9).map((length) => length + 30)); // throttled from then on
    expect([...lengths].sort((one, other) => one - other)).toEqual(lengths);
    await until(() => formulas.session.feed.activity.pending() === 0);
  });

  it("grows beside waiting formulas, and reads the tree once for several nodes", async () => {
    const total = (await sandbox.list("sectors/SEC04/companies?country=ALL")).total;
    sandbox.companion.controls.reset();
    sandbox.companion.controls.pageCap = 30;
    const cell = formulas.type("CONSTITUENTS", "SEC04", "ALL", null, null, null, null, false);
    const others = ["SEC01", "SEC02", "SEC03", "SUB0401", "IND040101"].map((node) =>
      formulas.type("CONSTITUENTS", node, "ALL", null, 3),
    );
    const lengths = [(await cell.next()).length];
    while (lengths.at(-1) !== total) lengths.push((await cell.next()).length);
    // Pages that come within a moment are shown together while other cells wait.
    expect(lengths.slice(0, -1).filter((length) => length % 30 !== 0)).toEqual([]);
    expect([...lengths].sort((one, other) => one - other)).toEqual(lengths);
    for (const other of others) expect(await other.next()).toHaveLength(4);
    expect(sandbox.companion.controls.count("getTaxonomyTree")).toBe(1);
    expect(sandbox.companion.controls.count("listSectorCompanies")).toBe(Math.ceil(total / 30) + 3);
  });

  it("refetches tree and list once at a refresh, and keeps the table if that fails", async () => {
    const cells = ["SEC04", "sec04", "sector:SEC04"].map((node) => formulas.type("CONSTITUENTS", node, "ALL", null, 3));
    for (const cell of cells) expect(await cell.next()).toHaveLength(4);
    expect(sandbox.calls()).toEqual(["getTaxonomyTree", "listSectorCompanies"]);
    await formulas.session.refresh();
    expect(sandbox.calls().slice(2).sort()).toEqual(["getTaxonomyTree", "listSectorCompanies"]);
    sandbox.companion.controls.answers.listSectorCompanies = { status: 403, times: Number.POSITIVE_INFINITY };
    await formulas.session.refresh();
    expect(cells.map(({ shown }) => shown.length)).toEqual([1, 1, 1]);
  });

  it.each([
    ["no node", [null, "JPN"], /^#VALUE! .*node is missing; give the id of an industry, sub-sector or sector/],
    ["a blank node", [0, "JPN"], /node is missing/],
    ["an empty node", ["", "JPN"], /node is missing/],
    ["too long a node", ["x".repeat(200), "JPN"], /node must be an id of the taxonomy/],
    ["no country", ["SEC04"], /^#VALUE! .*country is missing/],
    ["a country's name", ["SEC04", "Japan"], /country must be a code of three letters/],
    ["another type", ["SEC04", "JPN", "listed"], /type must be "PUBLIC", "PRIVATE" or "ALL", not "listed"/],
    ["a wrong top", ["SEC04", "JPN", null, -1], /top must be a whole number from 1, or "all"/],
    ["a wrong allindustries", ["SEC04", "JPN", null, null, null, "yes"], /allindustries must be TRUE or FALSE/],
    ["wrong headers", ["SEC04", "JPN", null, null, null, null, 7], /headers must be TRUE or FALSE/],
  ])("reports %s with its remedy, without a request", async (_, parameters, message) => {
    expect(await showOne("CONSTITUENTS", ...parameters)).toMatch(message);
    expect(sandbox.companion.controls.requests).toEqual([]);
  });

  it.each([null, 0, ""])("treats %p as omitted for type, top, fields and allindustries", async (blank) => {
    const rows = await show("CONSTITUENTS", "IND040101", "ALL", blank, blank, [[blank]], blank);
    expect(rows[0]).toEqual(COMPANY_HEADER);
    expect(sandbox.query()).toEqual({ country: "ALL", company_type: "ALL", page: "1", page_size: "1000" });
  });

  it("suggests the id for a name, and a wider list for an empty one", async () => {
    expect(await showOne("CONSTITUENTS", "Wafers", "JPN")).toBe(
      '#N/A FEED_NOT_FOUND: the taxonomy has no node "Wafers"; did you mean IND040105 (an industry, Wafers)?',
    );
    expect(sandbox.companion.controls.count("getTaxonomyTree")).toBe(1);
    expect(await showOne("CONSTITUENTS", "IND040105", "XYZ", "public")).toBe(
      '#N/A FEED_NO_VALUE: the provider has no listed company under "IND040105" in XYZ; try country "ALL" or type "ALL", or another node',
    );
  });

  it("names the closest match of an unknown field", async () => {
    expect(await showOne("CONSTITUENTS", "SEC04", "ALL", null, 1, [["industryNam"]])).toMatch(
      /^#VALUE! .*no field "industryNam"; the closest is /,
    );
  });
});

describe("FEED.PEERS", () => {
  it.each([
    ["industry", "industries", "industryId", null],
    ["sub-sector", "sub-sectors", "subSectorId", "Sub-sector"],
    ["sector", "sectors", "sectorId", "sector"],
  ] as const)(
    "gives the other companies of a company's primary %s, for one request and the list",
    async (_, path, key, level) => {
      const company = listed();
      const id = toPrimary(company)?.[key];
      const { data } = await sandbox.list(`${path}/${id}/companies?country=ALL&show_all_industries=true`);
      const others = data.filter((each) => each.companyId !== company.companyId && toPrimary(each)?.[key] === id);
      expect(others.length).toBeLessThan(data.length - 1); // some have it as another classification
      sandbox.companion.controls.reset();
      const peers = await show("PEERS", company.companyId.toUpperCase(), level, "ALL", null, null, null, false);
      expect(peers).toEqual(others.map((each) => toCompanyRow(each)));
      expect(sandbox.calls()).toHaveLength(2);
      expect(sandbox.calls()[0]).toBe("getTaxonomyCompany");
    },
  );

  it("gives other matches on request, and says which they are", async () => {
    const company = listed();
    const id = toPrimary(company)?.industryId;
    const { data } = await sandbox.list(`industries/${id}/companies?country=ALL&show_all_industries=true`);
    const others = data.filter(({ companyId }) => companyId !== company.companyId);
    const peers = await show(
      "PEERS",
      company.companyId,
      null,
      "ALL",
      null,
      null,
      [["companyId,matchedBy"]],
      false,
      true,
    );
    expect(peers).toEqual(
      others.map((each) => [each.companyId, toPrimary(each)?.industryId === id ? "primary" : "other"]),
    );
    const [headers] = (await show("PEERS", company.companyId, null, "ALL", null, 1, null, true, true)) as string[][];
    expect(headers?.at(-1)).toBe("Matched by");
  });

  it("excludes the company from top, and uses the country of the settings", async () => {
    const company = sandbox.everyone.find(
      ({ isPublic, countryCode }) => isPublic && countryCode === "JPN",
    ) as TaxonomyCompany;
    const sector = toPrimary(company)?.sectorId;
    const { data } = await sandbox.list(`sectors/${sector}/companies?country=JPN`);
    const others = data
      .filter((each) => each.companyId !== company.companyId && toPrimary(each)?.sectorId === sector)
      .slice(0, 4);
    const cell = formulas.type("PEERS", company.companyId, "sector", 0, 0, 4, [["companyId"]], false);
    expect(await cell.next()).toEqual(others.map(({ companyId }) => [companyId]));
    expect(sandbox.query()).toEqual({ country: "JPN", company_type: "ALL", page: "1", page_size: "29" });
    formulas.session.change({ country: "ALL" });
    await cell.next();
    expect(sandbox.query()).toMatchObject({ country: "ALL" });
    expect(sandbox.companion.controls.count("getTaxonomyCompany")).toBe(1);
  });

  it.each([
    ["no company", [null], /^#VALUE! .*company is missing; give a company's name, ticker, registration number or id/],
    ["a blank company", [0], /company is missing/],
    ["an empty company", [""], /company is missing/],
    ["a truth", [true], /company must be a company's name, ticker, registration number or id/],
    ["another level", ["a", "group"], /level must be "industry", "subSector" or "sector"/],
    ["a country's name", ["a", null, "Japan"], /country must be a code of three letters/],
    ["another type", ["a", null, null, "big"], /type must be "PUBLIC", "PRIVATE" or "ALL"/],
    ["a wrong top", ["a", null, null, null, 1.5], /top must be a whole number from 1/],
    ["wrong headers", ["a", null, null, null, null, null, "maybe"], /headers must be TRUE or FALSE/],
  ])("reports %s with its remedy, without a request", async (_, parameters, message) => {
    expect(await showOne("PEERS", ...parameters)).toMatch(message);
    expect(sandbox.companion.controls.requests).toEqual([]);
  });

  it("reports that no other company exists, or that the company is unknown", async () => {
    const company = listed();
    expect(await showOne("PEERS", company.companyId, null, "XYZ")).toBe(
      '#N/A FEED_NO_VALUE: the provider has no other company of the same industry in XYZ; try country "ALL", or a wider level',
    );
    expect(await showOne("PEERS", "00000000-0000-4000-8000-000000000000")).toMatch(/^#N\/A FEED_NOT_FOUND: /);
  });
});

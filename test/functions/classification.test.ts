import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { TaxonomyCompany, TaxonomyEntry } from "../../src/contract/types";
import { toCell } from "../../src/functions/cells";
import { type Formulas, loadFormulas } from "../support/formula-cells";
import { startTaxonomySandbox, type TaxonomySandbox, toPrimary } from "./taxonomy-sandbox";

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

const ENTRY_HEADER = [
  "Sector id",
  "Sector",
  "Sub-sector id",
  "Sub-sector",
  "Industry id",
  "Industry",
  "Primary industry",
  "Analyst mapped",
  "Score",
];
const toEntryRow = (entry: TaxonomyEntry) => [
  entry.sectorId,
  entry.sectorName,
  entry.subSectorId,
  entry.subSectorName,
  entry.industryId,
  entry.industryName,
  entry.isPrimaryIndustry,
  entry.analystMapped,
  entry.score,
];
const withSeveral = () => sandbox.everyone.find(({ taxonomy }) => taxonomy.length > 2) as TaxonomyCompany;
const listed = () => sandbox.everyone.find(({ isPublic }) => isPublic) as TaxonomyCompany;

describe("FEED.CLASSIFICATION", () => {
  it("gives a row for each classification of a company, for one request", async () => {
    const company = withSeveral();
    expect(await show("CLASSIFICATION", [[company.companyId]])).toEqual([
      ENTRY_HEADER,
      ...company.taxonomy.map(toEntryRow),
    ]);
    expect(await show("CLASSIFICATION", [[company.companyId.toUpperCase()]], 0, false)).toEqual(
      company.taxonomy.map(toEntryRow),
    );
    expect(sandbox.calls()).toEqual(["getTaxonomyCompany"]);
  });

  it("gives one field of the record; a day is a serial", async () => {
    const company = listed();
    const id = [[company.companyId]];
    const days = (Date.parse(company.listingDate as string) - Date.UTC(1899, 11, 30)) / 86_400_000;
    expect(await showOne("CLASSIFICATION", id, "tickerSymbol")).toBe(company.tickerSymbol);
    expect(await showOne("CLASSIFICATION", id, "ISPUBLIC")).toBe(true);
    expect(await show("CLASSIFICATION", id, "Formal name")).toEqual([[toCell(company.companyFormalName)]]);
    expect(await showOne("CLASSIFICATION", id, "listingDate")).toBe(days);
    expect(await showOne("CLASSIFICATION", id, "primary.industryName")).toBe(toPrimary(company)?.industryName);
    expect(sandbox.calls()).toEqual(["getTaxonomyCompany"]);
  });

  it("gives a classification's field as a column and an object as a table", async () => {
    const company = withSeveral();
    const column = company.taxonomy.map(({ industryName }) => [industryName]);
    const id = [[company.companyId]];
    expect(await show("CLASSIFICATION", id, "industryName")).toEqual(column);
    expect(await show("CLASSIFICATION", id, "taxonomy.industryName")).toEqual(column);
    expect(await show("CLASSIFICATION", id, "score")).toEqual(company.taxonomy.map(({ score }) => [score]));
    expect(await show("CLASSIFICATION", id, "taxonomy")).toHaveLength(company.taxonomy.length + 1);
    expect(await show("CLASSIFICATION", id, "primary", false)).toEqual([
      toEntryRow(toPrimary(company) as TaxonomyEntry),
    ]);
  });

  it("gives a field for each company of a range; an invalid company affects its own cell alone", async () => {
    const company = withSeveral();
    const unknown = "00000000-0000-4000-8000-000000000000";
    const range = [[company.companyId], [null], [true], [unknown], [company.companyId], [""]];
    const [first, blank, wrong, missing, again, ...rest] = await show("CLASSIFICATION", range, "primary.sectorId");
    expect([first, blank, again]).toEqual([[toPrimary(company)?.sectorId], [""], [toPrimary(company)?.sectorId]]);
    expect(wrong?.[0]).toMatch(/^#VALUE! .*company must be a company's name, ticker, registration number or id/);
    expect(missing?.[0]).toMatch(/^#N\/A FEED_NOT_FOUND/);
    expect(rest).toEqual([]);
    expect(sandbox.calls()).toEqual(["getTaxonomyCompany", "getTaxonomyCompany"]);
  });

  it("accepts companies as comma text; a blank range counts as blank", async () => {
    const company = withSeveral();
    const primary = [toPrimary(company)?.sectorId];
    const text = `${company.companyId}, ${company.companyId}`;
    expect(await show("CLASSIFICATION", [[text]], "primary.sectorId")).toEqual([primary, primary]);
    expect(await show("CLASSIFICATION", [[null], [""]], "primary.sectorId")).toEqual([[""]]);
  });

  it("reports that one cell cannot hold several classifications", async () => {
    const { companyId, taxonomy } = withSeveral();
    expect(await show("CLASSIFICATION", [[companyId], [companyId]], "industryName")).toEqual(
      Array.from({ length: 2 }, () => [
        `#VALUE! FEED_AMBIGUOUS: the company has ${taxonomy.length} classifications; ask for a field of "primary", or for this company alone`,
      ]),
    );
  });

  it("resolves a registration number once", async () => {
    const { data } = await sandbox.read<{ data: { id: string; registrationNumber: string }[] }>(
      "/asia/private-markets/v1/companies?country=ALL&page_size=1",
    );
    const [company] = data;
    const known = sandbox.everyone.find(({ companyId }) => companyId === company?.id) as TaxonomyCompany;
    const number = String(company?.registrationNumber);
    sandbox.companion.controls.reset();
    expect(await show("CLASSIFICATION", [[number]], "companyLegalName")).toEqual([[toCell(known.companyLegalName)]]);
    expect(await showOne("CLASSIFICATION", [[number]], "countryCode")).toBe(known.countryCode);
    expect(sandbox.companion.controls.count("getTaxonomyCompany")).toBe(1);
    expect(sandbox.companion.controls.count("searchCompanies")).toBe(1);
  });

  it.each([
    [
      "no company",
      [[[null]], "isPublic"],
      /^#VALUE! .*company is missing; give a company's name, ticker, registration number or id/,
    ],
    ["a blank company", [[[0]]], /company is missing/],
    ["no company at all", [[[""]]], /company is missing/],
    ["a truth for a company", [[[true]]], /^#VALUE! .*company must be/],
    [
      "a range without a field",
      [[["a"], ["b"]]],
      /^#VALUE! .*name a field such as "primary.industryName"; without one, a single company is shown$/,
    ],
    ["a range with a table", [[["a"], ["b"]], "primary"], /^#VALUE! .*name a field such as/],
    ["a truth for a field", [[["a"]], true], /^#VALUE! .*field must be text/],
    ["wrong headers", [[["a"]], null, "maybe"], /headers must be TRUE or FALSE/],
  ])("reports %s with its remedy, without a request", async (_, parameters, message) => {
    expect(await showOne("CLASSIFICATION", ...parameters)).toMatch(message);
    expect(sandbox.companion.controls.requests).toEqual([]);
  });

  it("names the closest match of an unknown field; an absent field has no value", async () => {
    const company = sandbox.everyone.find(({ isPublic }) => !isPublic);
    const id = [[company?.companyId]];
    expect(await showOne("CLASSIFICATION", id, "tickerSymbl")).toMatch(
      /^#VALUE! .*no field "tickerSymbl"; the closest is "tickerSymbol"/,
    );
    expect(await showOne("CLASSIFICATION", id, "tickerSymbol")).toBe(
      "#N/A FEED_NO_VALUE: the provider gives no tickerSymbol for the company; ask for another field",
    );
  });
});

import { describe, expect, it } from "@jest/globals";
import { createControls } from "../../src/sandbox";
import { createCompany } from "../../src/sandbox/data/companies";
import { pickCountry } from "../../src/sandbox/data/countries";
import { createFinancialYears } from "../../src/sandbox/data/financials";
import {
  COMPANIES_LIMIT,
  createCompanyId,
  createRegistrationNumber,
  pickIndexOfId,
  pickIndexOfRegistration,
} from "../../src/sandbox/data/identifiers";
import { createListing, createUniverse, LISTED_COMPANIES, RANKED_COMPANIES } from "../../src/sandbox/data/universe";
import { createProvider } from "../../src/sandbox/provider";
import { NOW_MS, PRIVATE_MARKETS, startSandbox } from "./running-sandbox";

const indexes = (count: number) => Array.from({ length: count }, (_, index) => index);
const companies = indexes(5_000).map((index) => createCompany(1, index));
const listings = indexes(LISTED_COMPANIES).map((index) => createListing(1, index));
/** Beginnings of the hostile names. */
const HOSTILE = ["=HYPERLINK(", "+1 ", "@cmd", "<img ", "\u202e", "-2", "Nul\u0000", "Endless ".repeat(5_000)];

describe("the data", () => {
  it("is the same for the same seed and different for another", () => {
    expect(createCompany(1, 77)).toEqual(companies[77]);
    expect(createFinancialYears(1, 77)).toEqual(createFinancialYears(1, 77));
    expect(createCompany(2, 77).id).not.toBe(companies[77]!.id);
    expect(createFinancialYears(2, 77)).not.toEqual(createFinancialYears(1, 77));
  });

  it("restates the last year of a quarter of the companies each week, and of no other year", () => {
    const some = indexes(400);
    const toRevenues = (index: number, weeks: number) =>
      createFinancialYears(1, index, weeks).map(({ statements }) => statements[0]!.metrics);
    const isOther = (index: number, weeks: number) =>
      JSON.stringify(toRevenues(index, weeks)) !== JSON.stringify(toRevenues(index, weeks - 1));
    for (const weeks of [1, 2]) {
      const restated = some.filter((index) => isOther(index, weeks)).length;
      expect(restated > 60 && restated < 140).toBe(true);
    }
    for (const index of some) {
      const [before, after] = [0, 2].map((weeks) => createFinancialYears(1, index, weeks));
      expect(after!.filter(({ year }) => year < 2024)).toEqual(before!.filter(({ year }) => year < 2024));
    }
  });

  it("includes the companies used by samples", () => {
    const japanese = companies.filter(({ registeredAddress }) => registeredAddress!.country === "JPN").slice(0, 3);
    expect(japanese.map(({ id, companyName, registrationNumber }) => [id, companyName, registrationNumber])).toEqual([
      ["3d1ce6e7-7fd1-463c-ab13-8646d111213d", "株式会社さくら食品", "9530193052711"],
      ["91c6b211-c4b4-490a-a1f2-3fcde0a6f08f", "Yuzuriha Energy Corporation", "7280102827537"],
      ["bca112fc-4390-457f-887d-2e836eaf9ed3", "Komorebi Education Inc.", "1840122989776"],
    ]);
  });

  it("of a company is the same for any number of companies", async () => {
    const small = await startSandbox({ companies: 60 });
    const large = await startSandbox({ companies: 200_000 });
    const paths = companies
      .slice(0, 10)
      .flatMap(({ id }) => [`${PRIVATE_MARKETS}/companies/${id}`, `${PRIVATE_MARKETS}/financials/companies/${id}`]);
    for (const path of paths) expect((await large.read(path)).text).toBe((await small.read(path)).text);
    const last = await large.read(`${PRIVATE_MARKETS}/companies?country=ALL&page=8000`);
    expect([last.body.total, last.body.data.length]).toEqual([200_000, 25]);
    await Promise.all([small.close(), large.close()]);
  });

  it("of the taxonomy is the same for any number of companies", () => {
    const few = createUniverse(1, 100);
    const many = createUniverse(1, 10_000);
    for (const companyId of [createCompanyId(1, "private", 42), createCompanyId(1, "listed", 42)]) {
      const fromFew = few.createTaxonomyCompany(few.pickPosition(companyId)!);
      expect(many.createTaxonomyCompany(many.pickPosition(companyId)!)).toEqual(fromFew);
    }
  });

  it.each([-1, 1.5, Number.NaN, COMPANIES_LIMIT + 1])("is refused for %d companies", async (count) => {
    await expect(startSandbox({ companies: count })).rejects.toThrow(RangeError);
  });

  it("resolves the last company of the largest data set", () => {
    const provider = createProvider(1, COMPANIES_LIMIT, createControls(), { nowMs: () => NOW_MS });
    expect(provider.companyIndex.pickById(createCompanyId(1, "private", COMPANIES_LIMIT - 1))).toBe(
      COMPANIES_LIMIT - 1,
    );
  });
});

describe("identifiers", () => {
  it("are unique and resolve to their company", () => {
    const found = indexes(20_000).map((index) => [
      pickIndexOfId(1, "private", createCompanyId(1, "private", index)),
      pickIndexOfRegistration(1, createRegistrationNumber(1, index)),
    ]);
    expect(found.filter(([byId, byNumber], index) => byId !== index || byNumber !== index)).toEqual([]);
  });

  it("of one family are unknown in the other", () => {
    expect(pickIndexOfId(1, "listed", createCompanyId(1, "private", 5))).toBeUndefined();
    expect(pickIndexOfId(2, "private", createCompanyId(1, "private", 5))).toBeUndefined();
  });

  it("are version 4 UUIDs and, in Japan, corporate numbers with a check digit", () => {
    expect(
      companies.every(({ id }) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
    ).toBe(true);
    const numbers = companies
      .filter((_, index) => pickCountry(index).code === "JPN")
      .map((company) => company.registrationNumber!);
    const isGood = (number: string) => {
      const sum = [...number.slice(1)]
        .reverse()
        .reduce((total, digit, place) => total + Number(digit) * (1 + (place % 2)), 0);
      return /^\d{13}$/.test(number) && Number(number[0]) === 9 - (sum % 9);
    };
    expect(numbers.filter((number) => !isGood(number))).toEqual([]);
  });
});

describe("names", () => {
  const names = companies.map(({ companyName }) => companyName!);

  it("are in English and in Japanese, with kana and variant kanji", () => {
    for (const pattern of [/^Sakura /, /さくら/, /髙/, /高/, /コモレビ/, /^株式会社/, /株式会社$/, /Co\., Ltd\.$/]) {
      expect(names.some((name) => pattern.test(name))).toBe(true);
    }
  });

  it("are of one company, but for a few that are of a private and a listed one", () => {
    const toWords = (name: string) =>
      name
        .replace(/^(株式会社|PT |บริษัท |Công ty )|株式会社$| จำกัด$/g, "")
        .replace(/ (Co\., Ltd\.|Inc\.|Corporation|K\.K\.|Pte\. Ltd\.|LLP|JSC|Corp\.)$/, "");
    const listed = new Set(listings.flatMap(({ names }) => [names.formal, names.english].map(toWords)));
    const shared = new Set(
      names.map(toWords).filter((name) => listed.has(name) && !HOSTILE.some((start) => name.startsWith(start))),
    );
    expect([...shared].sort()).toEqual(["Sakura Bakery", "Tamayura Chemicals", "さくら食品"]);
  });

  it("speak of the company's industries, which are of one sector", () => {
    const universe = createUniverse(1, 5_000);
    const taxonomies = universe.positions().map((position) => universe.createTaxonomyCompany(position));
    const isOf = (word: RegExp) => taxonomies.filter(({ companyEnglishName }) => word.test(companyEnglishName ?? ""));
    for (const [word, industries] of [
      [/ Education /, ["Evening Schools"]],
      [/ Marine /, ["Ferries", "Sea Freight"]],
    ] as const) {
      const primary = isOf(word).map(({ taxonomy }) => taxonomy[0]!.industryName);
      expect([...new Set(primary)].sort()).toEqual(industries);
    }
    expect(taxonomies.filter(({ taxonomy }) => new Set(taxonomy.map(({ sectorId }) => sectorId)).size > 1)).toEqual([]);
    const industries = new Set(taxonomies.map(({ taxonomy }) => taxonomy[0]!.industryId));
    expect(industries.size).toBe(200);
  });

  it("are hostile for a few companies, listed ones too, but not for the first 200", () => {
    const isHostile = (name: string) => HOSTILE.some((start) => name.startsWith(start));
    expect(names.slice(0, 200).filter(isHostile)).toEqual([]);
    expect(listings.slice(0, 200).filter(({ names }) => isHostile(names.shown))).toEqual([]);
    for (const start of HOSTILE) {
      expect(names.some((name) => name.startsWith(start))).toBe(true);
      expect(listings.slice(0, RANKED_COMPANIES).some(({ names }) => names.shown.startsWith(start))).toBe(true);
    }
    expect(names.filter(isHostile).length).toBeLessThan(30);
  });
});

describe("nullable fields", () => {
  it("are sometimes present and sometimes not", () => {
    const look = (company: unknown, path: string) =>
      path
        .split(".")
        .reduce<unknown>((part, name) => (part as Record<string, unknown> | null | undefined)?.[name], company);
    const alone = ["employees.nonConsolidated", "employees.nonConsolidated.employeeRange"];
    const fields = ["businessDescription", "telephoneNumber", "websiteUrl", "representatives", "employees"];
    for (const field of [...fields, ...alone, "employees.consolidated"]) {
      const present = companies.filter((company) => look(company, field) != null).length;
      expect([field, present > 0 && present < companies.length]).toEqual([field, true]);
    }
  });

  it("are all present in the first 20 companies, but for nulls the document shows", () => {
    for (const company of companies.slice(0, 20)) expect(Object.keys(company)).toHaveLength(15);
  });
});

it("tickers are unique within a country", () => {
  const tickers = listings.flatMap(({ country, tickerSymbol }) =>
    tickerSymbol === null ? [] : `${country.code} ${tickerSymbol}`,
  );
  expect(new Set(tickers).size).toBe(tickers.length);
  expect(tickers.length).toBeGreaterThan(0.98 * LISTED_COMPANIES);
});

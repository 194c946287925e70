import { describe, expect, it } from "@jest/globals";
import { decodeFinancials, type Row } from "../../src/feed/decode";
import { readFound } from "../../src/taskpane/company-search";
import { pickSeries } from "../../src/taskpane/find/Chart";
import { toConstituents, toPeers, toRevenue } from "../../src/taskpane/find/CompanyActions";
import { pickBranches, readBranches } from "../../src/taskpane/find/IndustryTree";
import { readListing, readProfile } from "../../src/taskpane/find/Profile";
import { toParts } from "../../src/taskpane/picker/CompanyRow";
import { toTexts } from "../../src/taskpane/texts";
import CASES from "./find-facts.json";

const mark = (name: string, query: string) =>
  toParts(name, query)
    .map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))
    .join("");

describe("the search text is marked in a name", () => {
  it.each(CASES.marked as [string, string, string][])("%s by %s", (name, query, marked) => {
    expect(mark(name, query)).toBe(marked);
  });
});

describe("a company of the index", () => {
  const row = { companyId: "a", companyName: "A Inc.", companyFormalName: "株式会社A", companyEnglishName: "A Inc." };

  it("has its name in the reader's language first, and the other once", () => {
    expect(readFound(row, "en")).toMatchObject({ name: "A Inc.", otherName: "株式会社A" });
    expect(readFound(row, "ja")).toMatchObject({ name: "株式会社A", otherName: "A Inc." });
    const nameless = { companyId: "a", companyName: "A Inc." };
    expect(readFound(nameless, "ja")).toMatchObject({ name: "A Inc.", otherName: null });
    expect(readFound({ companyId: "a" }, "en")).toMatchObject({ name: "a", otherName: null });
    expect(readFound({ companyName: "A Inc." }, "en")).toBeNull();
  });
});

describe("formulas", () => {
  it("contain provider texts as quoted texts", () => {
    expect(toRevenue('a"b')).toEqual({ formula: '=FEED.FINANCIAL("a""b", "FY0", "Revenue")', format: "#,##0" });
    expect(toPeers("a", null)).toBe('=FEED.PEERS("a")');
    expect(toConstituents({ level: "sector", id: '1")&"' }, "ALL")).toBe('=FEED.CONSTITUENTS("sector:1"")&""", "ALL")');
  });
});

const toYear = (year: number, revenue: unknown, more: Row = {}): Row => ({
  year,
  currency: "JPY",
  statements: [
    {
      statementType: "INCOME_STATEMENT",
      consolidationType: "CONSOLIDATED",
      metrics: [{ name: "Revenue", value: revenue }],
    },
  ],
  ...more,
});

const series = (...years: Row[]) => pickSeries(decodeFinancials({ companyId: "a", years }));

describe("the figures of a chart", () => {
  it("are in ascending years, the latest ten", () => {
    const years = Array.from({ length: 12 }, (_, index) => toYear(2024 - index, index));
    const latest = [2015, 2016, 2017, 2018, 2019, 2020, 2021, 2022, 2023, 2024];
    expect(series(...years).years.map(({ year }) => year)).toEqual(latest);
  });

  it("are missing, never zero, if the answer has none, no number or two different ones", () => {
    const { years } = series(
      toYear(2020, 5),
      toYear(2021, "12"),
      toYear(2022, null),
      toYear(2023, 1, { period: "FY" }),
      toYear(2023, 2, { period: "FY4" }),
    );
    expect(years).toEqual([{ year: 2020, revenue: 5, netIncome: null }]);
  });

  it("are of annual statements alone, in the ten years that have one", () => {
    const annual = Array.from({ length: 10 }, (_, index) => toYear(2014 + index, index));
    const { years } = series(...annual, toYear(2023, 4, { period: "HY2" }), toYear(2024, 9, { period: "HY1" }));
    expect(years.map(({ year, revenue }) => [year, revenue])).toEqual(annual.map(({ year }, index) => [year, index]));
  });

  it("are in the currency of the last year, with the number of excluded years", () => {
    const found = series(toYear(2020, 5, { currency: "USD" }), toYear(2021, 6), toYear(2022, 7));
    expect(found).toMatchObject({ currency: "JPY", leftOut: 1 });
    expect(found.years.map(({ year }) => year)).toEqual([2021, 2022]);
  });
});

describe("a record", () => {
  it("has no contact data, and omits values that are no text", () => {
    const row = {
      companyName: "=HYPERLINK(1)",
      businessDescription: { odd: true },
      websiteUrl: 7n,
      representatives: [
        { fullName: "A", role: "REPRESENTATIVE_DIRECTOR", email: "a@example.com", phone: "1", dob: "2000-01-01" },
        { role: "DIRECTOR" },
        null,
      ],
    };
    expect(readProfile(row, toTexts("en"))).toEqual({
      company: [{ name: "Company", value: "=HYPERLINK(1)" }],
      people: [{ name: "A", value: "Representative director" }],
      employees: [],
    });
    expect(readProfile(row, toTexts("ja")).company).toEqual([{ name: "企業名", value: "=HYPERLINK(1)" }]);
  });

  it("has the primary classification first", () => {
    const taxonomy = [
      { sectorName: "A", industryName: "B" },
      { sectorName: "C", isPrimaryIndustry: true },
    ];
    const { classifications } = readListing({ taxonomy }, toTexts("en"));
    expect(classifications.map(({ text, isPrimary }) => [text, isPrimary])).toEqual([
      ["C", true],
      ["A › B", false],
    ]);
  });
});

describe("the tree of a provider", () => {
  it("has a shared node below each parent, and shows the id of an unnamed one", () => {
    const shared = { subSectorId: 7, industries: [] };
    const branches = readBranches([
      { sectorId: "S1", sectorName: "One", subSectors: [shared] },
      { sectorId: "S2", sectorName: "Two", subSectors: [shared] },
    ]);
    expect(branches.map(({ branches: [below] }) => [below?.key, below?.name, below?.path])).toEqual([
      ["/S1/7", "7", ["One"]],
      ["/S2/7", "7", ["Two"]],
    ]);
    expect(pickBranches(branches, "two").map(({ name }) => name)).toEqual(["Two"]);
  });
});

import { describe, expect, it } from "@jest/globals";
import type { Financials } from "../../src/feed/decode";
import { pickYear, readYear, readYearRange, toYearOptions } from "../../src/functions/financial-arguments";

const read = (value: unknown) => readYear(value, 1900);

describe("a fiscal year", () => {
  it.each([
    [2023, { kind: "fiscal", year: 2023 }],
    ["2023", { kind: "fiscal", year: 2023 }],
    [" fy2023 ", { kind: "fiscal", year: 2023 }],
    ["FY 2023", { kind: "fiscal", year: 2023 }],
    [1900, { kind: "fiscal", year: 1900 }],
    [2999, { kind: "fiscal", year: 2999 }],
    ["FY0", { kind: "latest", offset: 0 }],
    ["fy-1", { kind: "latest", offset: -1 }],
    [3000, { kind: "day", day: "1908-03-18" }],
    [45000, { kind: "day", day: "2023-03-15" }],
    [45000.7, { kind: "day", day: "2023-03-15" }],
    ["2023-03-15", { kind: "day", day: "2023-03-15" }],
    ...["LTM", "ttm", "Q1", "1Q", "2023Q4", "Q4 2023", "FY24 H1", "第1四半期", "下期"].map(
      (text) => [text, { kind: "part", text }] as const,
    ),
  ])("accepts %p", (value, choice) => {
    expect(read(value)).toEqual(choice);
  });

  it.each([
    ["FY4", /period of the provider.*"FY0"/],
    ["Revenue", /year and metric look swapped/],
    ["last year", /year must be like 2023/],
    [2023.5, /year must be like 2023/],
    [1899, /year must be like 2023/],
    [-1, /year must be like 2023/],
    ["FY+1", /year must be like 2023/],
    [true, /year must be like 2023/],
    ["23", /year must be like 2023/],
  ])("rejects %p", (value, message) => {
    expect(() => read(value)).toThrow(message);
  });

  it("can be an ascending range", () => {
    expect(readYearRange("2021:2023", 1900)).toEqual([2021, 2022, 2023].map((year) => ({ kind: "fiscal", year })));
    expect(readYearRange("FY-2:FY0", 1900)).toEqual([-2, -1, 0].map((offset) => ({ kind: "latest", offset })));
    expect(readYearRange("2023", 1900)).toBeNull();
    expect(readYearRange(2023, 1900)).toBeNull();
  });

  it.each(["2023:2021", "2021:FY0", "2021:2022:2023", "FY0:FY-2", "2023-01-01:2023-12-31"])(
    "rejects the range %s",
    (text) => {
      expect(() => readYearRange(text, 1900)).toThrow(/a range of years is like "2019:2023"/);
    },
  );

  it("requests one year alone, all for a relative year, and period bounds for a date", () => {
    expect(toYearOptions(read(2023))).toEqual({ year: 2023 });
    expect(toYearOptions(read("FY0"))).toEqual({ withPeriods: false });
    expect(toYearOptions(read(45000))).toEqual({ withPeriods: true });
  });
});

describe("a year in an answer", () => {
  const toYear = (year: number, start?: string, end?: string) => ({
    year,
    fields: { financialPeriodStart: start, financialPeriodEnd: end },
    statements: [{ statementType: "INCOME_STATEMENT", consolidationType: "", metrics: [] }],
  });
  const march: Financials = {
    companyId: "c",
    years: [toYear(2024, "2023-04-01", "2024-03-31"), toYear(2022, "2021-04-01", "2022-03-31")],
  };

  it("is the company's latest for FY0, and counts back by calendar years", () => {
    expect(pickYear(march, read("FY0"))).toBe(2024);
    expect(pickYear(march, read("FY-1"))).toBe(2023);
  });

  it.each([
    ["2023-04-01", 2024],
    ["2024-03-31", 2024],
    ["2022-03-31", 2022],
  ])("is the one that contains %s, both bounds included", (day, year) => {
    expect(pickYear(march, read(day))).toBe(year);
  });

  it("is an error if no fiscal year contains the day", () => {
    expect(() => pickYear(march, read("2022-10-01"))).toThrow(
      /no fiscal year of this company has 2022-10-01; ask for one of 2024, 2022/,
    );
  });

  it("is an argument error if the provider gives no period bounds", () => {
    const bare: Financials = { companyId: "c", years: [toYear(2023)] };
    expect(() => pickYear(bare, read("2023-06-01"))).toThrow(/does not say when its fiscal years end/);
  });

  it.each(["n/a", "unknown", "31/03/2021", ""])("has no end if it is %p, and no date picks it", (end) => {
    const odd: Financials = { companyId: "c", years: [toYear(2020, "2019-04-01", end), toYear(2023)] };
    expect(() => pickYear(odd, read("2023-05-05"))).toThrow(/does not say when its fiscal years end/);
  });

  it("is ambiguous if two fiscal years contain the day", () => {
    const both: Financials = {
      companyId: "c",
      years: [toYear(2023, "2023-01-01", "2023-12-31"), toYear(2024, "2023-04-01", "2024-03-31")],
    };
    expect(() => pickYear(both, read("2023-06-01"))).toThrow(/several fiscal years: 2023, 2024/);
  });
});

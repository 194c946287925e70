import { describe, expect, it } from "@jest/globals";
import type { Financials } from "../../src/feed/decode";
import { pickYear, readYear, readYearRange, toYearOptions } from "../../src/functions/financial-arguments";
import rows from "./financial-years.json";

const read = (value: unknown) => readYear(value, 1900);

describe("a fiscal year", () => {
  it.each<unknown[]>(rows.accepted)("accepts %p", (value, choice) => {
    expect(read(value)).toEqual(choice);
  });

  it.each<unknown[]>(rows.rejected)("rejects %p", (value, message) => {
    expect(() => read(value)).toThrow(new RegExp(String(message)));
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

  const noEnd = /does not say when its fiscal years end/;
  const both = [toYear(2023, "2023-01-01", "2023-12-31"), toYear(2024, "2023-04-01", "2024-03-31")];
  it.each<[what: string, years: Financials["years"], day: string, message: RegExp]>([
    [
      "none has the day",
      march.years,
      "2022-10-01",
      /no fiscal year of this company has 2022-10-01; ask for one of 2024, 2022/,
    ],
    ["two have the day", both, "2023-06-01", /several fiscal years: 2023, 2024/],
    ["none has an end", [toYear(2023)], "2023-06-01", noEnd],
    ...["n/a", "unknown", "31/03/2021", ""].map((end): [string, Financials["years"], string, RegExp] => {
      return [
        `its end is ${JSON.stringify(end)}`,
        [toYear(2020, "2019-04-01", end), toYear(2023)],
        "2023-05-05",
        noEnd,
      ];
    }),
  ])("is an error for a date if %s", (_what, years, day, message) => {
    expect(() => pickYear({ companyId: "c", years }, read(day))).toThrow(message);
  });
});

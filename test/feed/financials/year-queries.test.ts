import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Financials } from "../../../src/feed/decode";
import { createYearQueries, type YearQueries } from "../../../src/feed/financials";
import type { Query } from "../../../src/feed/query-cache";

let yearQueries: YearQueries;
let made: { key: readonly unknown[]; isClosed: (nowMs: number) => boolean }[];

beforeEach(() => {
  made = [];
  yearQueries = createYearQueries(
    (companyId, year, isClosed): Query<Financials> => {
      const key = [companyId, year];
      made.push({ key, isClosed });
      return { key, load: () => Promise.reject(new Error("not asked here")) };
    },
    (year, nowMs) => year < nowMs,
  );
});

const keyOf = (companyId: string, year: number | null) => yearQueries.query(companyId, year).key;

describe("the years of a company", () => {
  it("are one query for the first year and one for all others", () => {
    expect([2023, 2022, 2021, 2023, null].map((year) => keyOf("a", year))).toEqual([
      ["a", 2023],
      ["a", null],
      ["a", null],
      ["a", 2023],
      ["a", null],
    ]);
    expect(keyOf("b", 2022)).toEqual(["b", 2022]);
    expect(made).toHaveLength(3);
  });

  it("return the same query to equal callers", () => {
    expect(yearQueries.query("a", 2023)).toBe(yearQueries.query("a", 2023));
    expect(yearQueries.query("a", 2022)).toBe(yearQueries.query("A", 2021));
  });

  it("are closed when each requested year is past, and never if all years were requested", () => {
    yearQueries.query("a", 2020);
    yearQueries.query("a", 2021);
    const isClosed = (nowMs: number) => made.map((each) => each.isClosed(nowMs));
    expect(isClosed(2020)).toEqual([false, false]);
    expect(isClosed(2021)).toEqual([true, false]);
    expect(isClosed(2022)).toEqual([true, true]);
    yearQueries.query("a", null);
    expect(isClosed(2022)).toEqual([true, false]);
  });
});

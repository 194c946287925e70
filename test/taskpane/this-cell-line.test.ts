import { describe, expect, it } from "@jest/globals";
import type { FinancialYear, Row } from "../../src/feed/decode";
import type { Query, State } from "../../src/feed/query-cache";
import type { Origin } from "../../src/session/calls";
import { toTexts } from "../../src/taskpane/texts";
import { type LineFacts, toLine } from "../../src/taskpane/this-cell/line";

const ID = "3d1ce6e7-7fd1-463c-ab13-8646d111213d";
const NOW_MS = new Date("2026-11-20T20:00:00").getTime();
const FETCHED_MS = new Date("2026-11-20T19:22:00").getTime();
const YEAR = {
  year: 2020,
  fields: { currency: "JPY", financialPeriodStart: "2019-04-01", financialPeriodEnd: "2020-03-31" },
} as unknown as FinancialYear;
const PLACE = {
  value: 6_227_746_000,
  name: "Revenue",
  statementType: "INCOME_STATEMENT",
  consolidationType: "CONSOLIDATED",
  year: YEAR,
};

const answered = (value: unknown) =>
  ({
    status: "answered",
    answer: { value, asOfMs: FETCHED_MS, isComplete: true },
    error: null,
  }) as unknown as State<unknown>;
const toQuery = (...key: readonly unknown[]) => ({ key }) as unknown as Query<unknown>;

function tell(facts: Partial<LineFacts> & { answer?: unknown }, language = "en-US"): string | null {
  const { answer = { companyId: ID, years: [] }, ...more } = facts;
  return toLine(
    {
      known: { query: toQuery("financials", { companyId: ID }, 2020, false), state: answered(answer) },
      origin: { error: null, places: [PLACE] },
      unit: "m",
      names: () => "Sakura Foods",
      resolution: null,
      nowMs: NOW_MS,
      ...more,
    },
    toTexts(language),
  );
}

describe("the line of a figure", () => {
  it("tells company, metric, year and its end, amount, unit, version and time", () => {
    expect(tell({})).toBe(
      "Sakura Foods · Revenue · FY2020 (to 31 Mar 2020) · JPY 6,227,746,000 ÷ 1m · consolidated · fetched 19:22",
    );
  });

  it("is Japanese in a Japanese Excel", () => {
    expect(tell({ unit: "百万円" }, "ja-JP")).toBe(
      "Sakura Foods · 売上高 · 2020 年度(2020年3月31日まで) · JPY 6,227,746,000 ÷ 百万 · 連結 · 19:22 取得",
    );
  });

  it.each([
    [null, "JPY 6,227,746,000 · consolidated"],
    [[[1]], "JPY 6,227,746,000 · consolidated"],
    [[[1000]], "JPY 6,227,746,000 ÷ 1,000 · consolidated"],
    [" BN ", "JPY 6,227,746,000 ÷ 1bn · consolidated"],
    ["1e6", "JPY 6,227,746,000 ÷ 1,000,000 · consolidated"],
  ])("names the unit %j", (unit, amount) => {
    expect(tell({ unit })).toContain(amount);
  });

  it("names a period that is a part of the year", () => {
    const year = { year: 2020, fields: { ...YEAR.fields, period: "HY2", periodType: "HALF_YEARLY" } } as never;
    expect(tell({ origin: { error: null, places: [{ ...PLACE, year }] } })).toContain("FY2020 HY2 (to 31 Mar 2020)");
  });

  it("tells the year of a row's other cells", () => {
    const origin: Origin = { error: null, places: [], rowPlaces: [PLACE] };
    expect(tell({ origin })).toBe("Sakura Foods · FY2020 (to 31 Mar 2020) · fetched 19:22");
  });
});

describe("the company of the line", () => {
  const resolution = {
    name: "さくら食品",
    country: "JPN",
    companyId: ID.toUpperCase(),
    companyName: "さくら食品株式会社",
  };
  const names = () => undefined;

  it("has the name that the formula's name resolved to where no record is known", () => {
    expect(tell({ names, resolution })).toMatch(/^さくら食品株式会社 · Revenue/);
  });

  it("has its id where nothing names it", () => {
    expect(tell({ names })).toMatch(new RegExp(`^${ID} · Revenue`));
    expect(tell({ names, resolution: { ...resolution, companyId: "another" } })).toMatch(
      new RegExp(`^${ID} · Revenue`),
    );
  });

  it("has the name of its record in a list, with the days of a ranking", () => {
    const record: Row = { companyId: ID, companyEnglishName: "Sakura Bakery", companyFormalName: "さくらベーカリー" };
    const query = toQuery("rankCompanies", "2024-01-01T00:00:00", "2024-01-07T23:59:59", 25);
    const known = { query, state: answered({ rows: [record] }) };
    const line = (language: string) => tell({ known, names, origin: { error: null, places: [], record } }, language);
    expect(line("en-US")).toBe("Sakura Bakery · 2024-01-01 – 2024-01-07 · fetched 19:22");
    expect(line("ja-JP")).toBe("さくらベーカリー · 2024-01-01 – 2024-01-07 · 19:22 取得");
  });

  it("gives way to the answer's kind where the answer is of no company", () => {
    const known = { query: toQuery("getTaxonomyTree"), state: answered([{ sectorId: "1" }]) };
    expect(tell({ known, origin: null })).toBe("The taxonomy · fetched 19:22");
  });
});

describe("the line", () => {
  it("names the field of a company's record", () => {
    const known = { query: toQuery("getCompany", ID), state: answered({ id: ID }) };
    const origin: Origin = { error: null, places: [], field: "legalName" };
    expect(tell({ known, origin })).toBe("Sakura Foods · legalName · fetched 19:22");
  });

  it("is none before the answer", () => {
    const known = { query: toQuery("getTaxonomyTree"), state: { status: "pending" } as const };
    expect(tell({ known })).toBeNull();
  });
});

import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { FeedError } from "../../../src/client/errors";
import { decodeFinancials, type Financials } from "../../../src/feed/decode";
import { listFigures } from "../../../src/feed/financials/metric-lists";
import { pickMetric } from "../../../src/feed/financials/metrics";
import { findLatestYear, isInterim, listYears, pickVersions } from "../../../src/feed/financials/periods";
import { toRuns } from "../../support/property";
import CASES from "./periods.json";

const YEAR = 2024;
const METRICS = ["Revenue", "EBITDA"];

const toVersion = (fields: object, values: readonly number[] = [1], year = YEAR) => ({
  year,
  ...fields,
  statements: values.map((value, index) => ({
    statementType: "INCOME_STATEMENT",
    consolidationType: "CONSOLIDATED",
    metrics: [{ name: METRICS[index], value }],
  })),
});
const financialsOf = (...years: object[]): Financials => decodeFinancials({ companyId: "a", years });
const bounds = (financialPeriodStart: unknown, financialPeriodEnd: unknown) => ({
  financialPeriodStart,
  financialPeriodEnd,
});
const WHOLE = bounds("2023-04-01", "2024-03-31");
const HALF = bounds("2023-10-01", "2024-03-31");

/** Whether a version counts as the year's if it is the only one. */
const isOfYear = (fields: object) => pickVersions(financialsOf(toVersion(fields)), YEAR, []).length === 1;

describe("a version of a year", () => {
  it.each(CASES.annual as [string, object][])("is annual: one %s", (_, fields) => {
    expect(isOfYear(fields)).toBe(true);
  });

  it.each(CASES.interim as [string, object][])("is interim: %s", (_, fields) => {
    expect(isOfYear(fields)).toBe(false);
  });

  it("without a period counts as none if another one is annual", () => {
    const [annual, bare] = [toVersion({ periodType: "ANNUAL" }, [1]), toVersion({}, [2, 3])];
    for (const years of [
      [annual, bare],
      [bare, annual],
    ]) {
      const financials = financialsOf(...years);
      expect(pickMetric(financials, YEAR, { name: "Revenue", basis: [] }).value).toBe(1);
      expect(() => pickMetric(financials, YEAR, { name: "EBITDA", basis: [] })).toThrow(/no basis|no metric "EBITDA"/);
    }
  });
});

describe("an interim version", () => {
  const annual = toVersion({ periodType: "ANNUAL", period: "FY4", financialType: "FULL" });
  const half = toVersion({ periodType: "HALF", period: "HY2", financialType: "SHORT" }, [2, 7]);
  const pick = (basis: string[], ...versions: object[]) =>
    pickMetric(financialsOf(...versions), YEAR, { name: "EBITDA", basis }).value;

  it("is selected by its period or period type, alone or with other bases", () => {
    for (const basis of [["HY2"], ["half"], ["CONSOLIDATED", "hy2"]]) expect(pick(basis, annual, half)).toBe(7);
  });

  it.each([["CONSOLIDATED"], ["FULL"], ["SHORT"], ["ANNUAL"]])(
    "is not selected by %s, which is no interim period",
    (text) => {
      expect(() => pick([text], annual, half)).toThrow(
        'EBITDA of 2024 has only interim figures (HY2); add "HY2" as basis',
      );
    },
  );

  it("is not selected by a word that the annual version has too", () => {
    const one = toVersion({ periodType: "KESSAN", ...WHOLE });
    const other = toVersion({ periodType: "KESSAN", ...HALF }, [2, 7]);
    expect(() => pick(["KESSAN"], one, other)).toThrow(/EBITDA of 2024 has only interim figures/);
  });

  it("without a distinct word cannot be selected, and the error says so", () => {
    expect(() => pick([], toVersion(HALF, [2, 7]))).toThrow(
      "2024 has only interim figures, which have no name to ask for; give another year",
    );
  });
});

describe("annual versions of one year", () => {
  const of = (period: string, end: string | null, values: number[]) =>
    toVersion({ periodType: "ANNUAL", period, financialPeriodEnd: end }, values);
  const pick = (name: string, ...versions: object[]) =>
    pickMetric(financialsOf(...versions), YEAR, { name, basis: [] }).value;

  it("with different ends are not mixed: a value that one lacks is ambiguous", () => {
    const versions = [of("FY4", "2024-03-31", [1]), of("FY", "2024-12-31", [1, 5])];
    expect(pick("Revenue", ...versions)).toBe(1);
    expect(() => pick("EBITDA", ...versions)).toThrow("stands in only one of several periods; give a basis: FY");
  });

  it("of possibly the same period complete each other", () => {
    expect(pick("EBITDA", of("FY4", "2024-03-31", [1]), of("FY", "2024-03-31", [1, 5]))).toBe(5);
    expect(pick("EBITDA", of("FY4", "2024-03-31", [1]), of("FY4", null, [1, 5]))).toBe(5);
  });

  it("with different ends are not selected by consolidation", () => {
    const [first, last] = [of("FY4", "2024-03-31", [1]), of("FY4", "2024-12-31", [2])];
    const parent = { ...last, statements: last.statements.map((each) => ({ ...each, consolidationType: "PARENT" })) };
    expect(() => pick("Revenue", first, parent)).toThrow(/has several values; give a basis: CONSOLIDATED, PARENT/);
  });
});

describe("the latest year", () => {
  it("is the latest with an annual statement, even an empty one", () => {
    const annual = toVersion({ periodType: "ANNUAL" }, [], 2025);
    expect(findLatestYear(financialsOf(toVersion({ period: "HY1" }, [1], 2026), annual, toVersion({}, [1])))).toBe(
      YEAR,
    );
    expect(findLatestYear(financialsOf(toVersion({ period: "HY1" })))).toBeNull();
  });
});

/** Words of annual, interim and unspecified versions, each with matching bounds or none. */
const LABELS = {
  annual: [{ periodType: "ANNUAL", period: "FY4" }, { periodType: "annual" }, { period: "fy4" }, { period: "FY" }],
  interim: [
    { periodType: "INTERIM", period: "HY1" },
    { periodType: "HALF_YEAR", period: "HY2" },
    { period: "hy2" },
    { periodType: "QUARTERLY", period: "FY4" },
    { periodType: "Quarter", period: "Q1" },
    { periodType: "ANNUAL", period: "HY2" },
  ],
};
const drawVersion = fc.boolean().chain((isAnnual) =>
  fc.record({
    isAnnual: fc.constant(isAnnual),
    label: fc.constantFrom(...(isAnnual ? LABELS.annual : LABELS.interim)),
    bounds: fc.constantFrom({}, isAnnual ? WHOLE : HALF),
    year: fc.constantFrom(YEAR, YEAR - 1),
    names: fc.subarray(METRICS, { minLength: 1 }),
  }),
);
type Drawn = typeof drawVersion extends fc.Arbitrary<infer Version> ? Version : never;

/** Every number identifies its version. */
const toAnswer = (drawn: readonly Drawn[]) =>
  financialsOf(
    ...drawn.map(({ label, bounds: own, year, names }, at) => ({
      ...toVersion({ ...label, ...own, currency: `C${at}` }, [], year),
      statements: names.map((name) => ({
        statementType: "INCOME_STATEMENT",
        consolidationType: "CONSOLIDATED",
        metrics: [{ name, value: at }],
      })),
    })),
  );

describe("any arrangement of periods", () => {
  const drawAnswer = fc.array(drawVersion, { minLength: 1, maxLength: 6 });

  it("gives the annual figure, fact and year without a basis, or an error", () => {
    fc.assert(
      fc.property(drawAnswer, fc.constantFrom(...METRICS, "currency"), (drawn, name) => {
        const answer = toAnswer(drawn);
        const annual = drawn.filter(({ isAnnual }) => isAnnual).map(({ year }) => year);
        expect(findLatestYear(answer)).toBe(annual.length === 0 ? null : Math.max(...annual));
        expect(listYears(answer)).toEqual([...new Set(annual)].sort());
        try {
          const { value } = pickMetric(answer, YEAR, { name, basis: [] });
          expect(drawn[Number(String(value).replace("C", ""))]).toMatchObject({ isAnnual: true, year: YEAR });
        } catch (error) {
          expect(["FEED_NO_VALUE", "FEED_AMBIGUOUS"]).toContain((error as FeedError).code);
        }
      }),
      { seed: 20, numRuns: toRuns(500, 3_000) },
    );
  });

  it("lists every annual figure and no other without a basis", () => {
    fc.assert(
      fc.property(drawAnswer, (drawn) => {
        const figures = listFigures(toAnswer(drawn), { years: [YEAR - 1, YEAR], names: null, basis: [] });
        const annual = drawn.flatMap(({ isAnnual, names }, at) => (isAnnual ? names.map(() => at) : []));
        expect(figures.map(({ value }) => value).sort()).toEqual(annual.sort());
        expect(figures.some(({ year }) => isInterim(year))).toBe(false);
      }),
      { seed: 21, numRuns: toRuns(300, 1_000) },
    );
  });

  it("gives a figure of that period for each basis an error lists", () => {
    fc.assert(
      fc.property(drawAnswer, (drawn) => {
        const answer = toAnswer(drawn);
        const pick = (basis: string[]) => pickMetric(answer, YEAR, { name: "EBITDA", basis });
        const isThere = drawn.some((each) => !each.isAnnual && each.year === YEAR && each.names.includes("EBITDA"));
        try {
          pick([]);
        } catch (error) {
          const texts = [...(error as FeedError).message.matchAll(/add (.*) as basis$/g)].flatMap(([, text]) =>
            [...(text as string).matchAll(/"([^"]+)"/g)].map(([, each]) => each as string),
          );
          for (const text of texts) {
            try {
              for (const { year } of pick([text]).places) expect(isInterim(year)).toBe(true);
            } catch (second) {
              if (!(second instanceof FeedError)) throw second;
              expect(second.code).toBe(isThere ? "FEED_AMBIGUOUS" : "FEED_NO_VALUE");
            }
          }
        }
      }),
      { seed: 22, numRuns: toRuns(500, 2_000) },
    );
  });
});

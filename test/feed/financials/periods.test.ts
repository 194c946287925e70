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
});

it("the latest year is the latest with an annual statement, even an empty one", () => {
  const annual = toVersion({ periodType: "ANNUAL" }, [], 2025);
  expect(findLatestYear(financialsOf(toVersion({ period: "HY1" }, [1], 2026), annual, toVersion({}, [1])))).toBe(YEAR);
  expect(findLatestYear(financialsOf(toVersion({ period: "HY1" })))).toBeNull();
});

/** Words of annual, interim and unspecified versions, each with matching bounds or none. */
const LABELS: Record<"annual" | "interim", object[]> = CASES.labels;
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
    const runs = toRuns(500, 3_000);
    let figures = 0;
    const law = fc.property(drawAnswer, fc.constantFrom(...METRICS, "currency"), (drawn, name) => {
      const answer = toAnswer(drawn);
      const annual = drawn.filter(({ isAnnual }) => isAnnual).map(({ year }) => year);
      expect(findLatestYear(answer)).toBe(annual.length === 0 ? null : Math.max(...annual));
      expect(listYears(answer)).toEqual([...new Set(annual)].sort());
      try {
        const { value } = pickMetric(answer, YEAR, { name, basis: [] });
        expect(drawn[Number(String(value).replace("C", ""))]).toMatchObject({ isAnnual: true, year: YEAR });
        figures++;
      } catch (error) {
        expect(["FEED_NO_VALUE", "FEED_AMBIGUOUS"]).toContain((error as FeedError).code);
      }
    });
    fc.assert(law, { seed: 20, numRuns: runs });
    expect(figures).toBeGreaterThan(runs / 4);
  });

  it("lists every annual figure and no other without a basis", () => {
    const law = fc.property(drawAnswer, (drawn) => {
      const figures = listFigures(toAnswer(drawn), { years: [YEAR - 1, YEAR], names: null, basis: [] });
      const annual = drawn.flatMap(({ isAnnual, names }, at) => (isAnnual ? names.map(() => at) : []));
      expect(figures.map(({ value }) => value).sort()).toEqual(annual.sort());
      expect(figures.some(({ year }) => isInterim(year))).toBe(false);
    });
    fc.assert(law, { seed: 21, numRuns: toRuns(300, 1_000) });
  });

  it("gives a figure of that period for each basis an error lists", () => {
    const runs = toRuns(500, 2_000);
    let listed = 0;
    const law = fc.property(drawAnswer, (drawn) => {
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
            const { places } = pick([text]);
            expect(places.length).toBeGreaterThan(0);
            for (const { year } of places) expect(isInterim(year)).toBe(true);
            listed++;
          } catch (second) {
            if (!(second instanceof FeedError)) throw second;
            expect(second.code).toBe(isThere ? "FEED_AMBIGUOUS" : "FEED_NO_VALUE");
          }
        }
      }
    });
    fc.assert(law, { seed: 22, numRuns: runs });
    expect(listed).toBeGreaterThan(runs / 10);
  });
});

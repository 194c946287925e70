import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { FeedError } from "../../../src/client/errors";
import { METRICS } from "../../../src/contract/constants";
import { decodeFinancials, type Financials } from "../../../src/feed/decode";
import { FigureIndex } from "../../../src/feed/financials/figure-index";
import { JAPANESE_WORDS, toEnglish } from "../../../src/feed/financials/japanese";
import { isKnownMetric, isPeriodFact, pickMetric, toFigureFacts } from "../../../src/feed/financials/metrics";
import { toName } from "../../../src/feed/financials/names";
import { toRuns } from "../../support/property";
import CASES from "./metrics.json";

type Metrics = Record<string, unknown>;

const statement = (statementType: string, consolidationType: string, metrics: Metrics) => ({
  statementType,
  consolidationType,
  metrics: Object.entries(metrics).map(([name, value]) => ({ name, value })),
});
const incomeOf = (consolidationType: string, metrics: Metrics) =>
  statement("INCOME_STATEMENT", consolidationType, metrics);
const income = (metrics: Metrics) => incomeOf("CONSOLIDATED", metrics);
const yearOf = (statements: unknown[], fields: object = {}) => ({ year: 2023, currency: "JPY", ...fields, statements });
const financialsOf = (...years: unknown[]): Financials => decodeFinancials({ companyId: "a", years });
const pick = (financials: Financials, name: string, basis: string[] = [], year = 2023) =>
  pickMetric(financials, year, { name, basis }).value;
const codeOf = (read: () => unknown) => {
  try {
    return read();
  } catch (error) {
    return (error as FeedError).code;
  }
};

const plain = financialsOf(
  yearOf(
    [
      income({ Revenue: 100, "Cost of Goods Sold": 60, EBIT: null }),
      statement("CASH_FLOW", "CONSOLIDATED", { "Investing Cash Flow": -7 }),
    ],
    { financialPeriodEnd: "2023-03-31", periodYear: 2023 },
  ),
);

describe("a metric", () => {
  it.each(CASES.spellings)("is found by %p", (name) => {
    expect(pick(plain, name)).toBe(60);
  });

  it("can be negative, and can be named with its statement", () => {
    expect(pick(plain, "cash flow.Investing Cash Flow")).toBe(-7);
    expect(codeOf(() => pick(plain, "CASH_FLOW.Revenue"))).toBe("FEED_NO_VALUE");
  });

  it("can have a dot in its name or a one-word statement, and a basis a comma", () => {
    const odd = financialsOf(
      yearOf([
        statement("SUPPLEMENT", "CONSOLIDATED, IFRS", { "Non Op. Income": 4 }),
        statement("SUPPLEMENT", "CONSOLIDATED, GAAP", { "Non Op. Income": 5 }),
      ]),
    );
    expect(pick(odd, "Non Op. Income", ["CONSOLIDATED", "IFRS"])).toBe(4);
    expect(pick(odd, "SUPPLEMENT.Non Op. Income", ["CONSOLIDATED", "GAAP"])).toBe(5);
  });

  it("that is null is FEED_NO_VALUE, never 0", () => {
    expect(() => pick(plain, "EBIT")).toThrow(/EBIT of 2023 is empty/);
    expect(codeOf(() => pick(plain, "EBIT"))).toBe("FEED_NO_VALUE");
  });

  it("missing from the year is FEED_NO_VALUE with the available ones, as is a missing year", () => {
    expect(() => pick(plain, "Profit")).toThrow(
      'no metric "Profit" in 2023; ask for one of Revenue, Cost of Goods Sold, EBIT, Investing Cash Flow',
    );
    expect(() => pick(plain, "Revenue", [], 2020)).toThrow("no fiscal year 2020; ask for one of 2023");
    expect(codeOf(() => pick(financialsOf(), "Revenue", [], 2020))).toBe("FEED_NO_VALUE");
  });

  it.each([["12"], [""], [true], [{}], [[]], [JSON.parse("1e400")], [JSON.parse("-1e400")]])(
    "with the value %p is malformed, and its neighbour is not",
    (value) => {
      const financials = financialsOf(yearOf([income({ Bad: value, Good: 5 })]));
      expect(codeOf(() => pick(financials, "Bad"))).toBe("FEED_RESPONSE_MALFORMED");
      expect(pick(financials, "Good")).toBe(5);
    },
  );

  it("is known if the API document names it", () => {
    expect(["net income", "currency", "CO2"].map(isKnownMetric)).toEqual([true, true, false]);
  });
});

describe("one of several values", () => {
  const several = financialsOf(yearOf([incomeOf("NON_CONSOLIDATED", { Revenue: 40 }), income({ Revenue: 100 })]));

  it("is the consolidated one, unless another basis is given", () => {
    expect(pick(several, "Revenue")).toBe(100);
    expect(pick(several, "Revenue", ["non consolidated"])).toBe(40);
  });

  it("is missing for a basis that the answer lacks; the error lists the bases it has", () => {
    expect(() => pick(several, "Revenue", ["PRO_FORMA"])).toThrow(
      'Revenue of 2023 has no basis "PRO_FORMA"; give one of NON_CONSOLIDATED, CONSOLIDATED',
    );
  });

  it("is not a consolidated half-year's for the year", () => {
    const halves = financialsOf(
      yearOf([incomeOf("NON_CONSOLIDATED", { Revenue: 100 })], { periodType: "ANNUAL" }),
      yearOf([income({ Revenue: 40 })], { periodType: "INTERIM" }),
    );
    expect(pick(halves, "Revenue")).toBe(100);
    expect(pick(halves, "Revenue", ["interim"])).toBe(40);
    expect(() => pick(halves, "Revenue", ["CONSOLIDATED"])).toThrow(
      'Revenue of 2023 has no basis "CONSOLIDATED"; give one of NON_CONSOLIDATED, ANNUAL, CONSOLIDATED, INTERIM',
    );
    const apart = financialsOf(
      yearOf([incomeOf("NON_CONSOLIDATED", { Revenue: 40 })], { periodType: "ANNUAL" }),
      yearOf([income({ Revenue: 100 })], { periodType: "ANNUAL" }),
    );
    expect(pick(apart, "Revenue")).toBe(100);
  });

  it("is the common value if all are equal", () => {
    const twice = yearOf([income({ Revenue: 100 })]);
    expect(pick(financialsOf(twice, twice), "Revenue")).toBe(100);
  });

  it("is ambiguous between two annual versions, and either's text selects one", () => {
    const of = (period: string, value: number) =>
      yearOf([income({ Revenue: value })], { period, periodType: "ANNUAL" });
    const financials = financialsOf(of("FY4", 1), of("FY2", 2));
    expect(() => pick(financials, "Revenue")).toThrow("Revenue of 2023 has several values; give a basis: FY4, FY2");
    expect(pick(financials, "Revenue", ["FY4"])).toBe(1);
    expect(pick(financials, "Revenue", ["ANNUAL", "fy2"])).toBe(2);
  });

  it("is ambiguous between two statements, and either's name selects one", () => {
    const financials = financialsOf(
      yearOf([income({ "Net Income": 1 }), statement("CASH_FLOW", "CONSOLIDATED", { "Net Income": 2 })]),
    );
    expect(() => pick(financials, "net income")).toThrow(
      'ask for "INCOME_STATEMENT.Net Income" or "CASH_FLOW.Net Income"',
    );
    expect(pick(financials, "CASH_FLOW.Net Income")).toBe(2);
  });

  it("that no basis selects is reported as the provider's ambiguity", () => {
    const financials = financialsOf(yearOf([income({ Revenue: 1, REVENUE: 2 })]));
    expect(() => pick(financials, "Revenue")).toThrow(/stands twice .* report it to the provider/);
  });
});

describe("a fact of a year", () => {
  it("belongs to the version that a basis selects", () => {
    const versions = financialsOf(
      yearOf([income({ Revenue: 1 })], { currency: "USD", period: "FY4" }),
      yearOf([incomeOf("PARENT", { Revenue: 2 })], { currency: "JPY", period: "FY" }),
      yearOf([], { currency: "EUR", period: "HY1" }),
    );
    const currencies = [["CONSOLIDATED"], ["PARENT"], ["HY1"]].map((basis) => pick(versions, "currency", basis));
    expect(currencies).toEqual(["USD", "JPY", "EUR"]);
    expect(codeOf(() => pick(versions, "currency"))).toBe("FEED_AMBIGUOUS");
    expect(codeOf(() => pick(versions, "currency", ["PARENT", "FY4"]))).toBe("FEED_NO_VALUE");
  });

  it("is a text, a date or a number of the answer", () => {
    const facts = ["currency", "Period End", "period_year", "consolidationType"].map((name) => pick(plain, name));
    expect(facts).toEqual(["JPY", "2023-03-31", 2023, "CONSOLIDATED"]);
  });

  it("missing from the answer is FEED_NO_VALUE", () => {
    expect(() => pick(plain, "periodStart")).toThrow("the provider does not give periodStart for 2023");
  });

  it("needs an answer with periods only if it is a period bound or the period's year", () => {
    expect(["periodStart", "PERIOD END", "periodYear"].every(isPeriodFact)).toBe(true);
    expect(["period", "Revenue"].some(isPeriodFact)).toBe(false);
  });

  it("that differs between statements is selected by their basis", () => {
    const financials = financialsOf(
      yearOf([incomeOf("PARENT", { A: 1 }), statement("BALANCE_SHEET", "GROUP", { B: 2 })]),
    );
    expect(() => pick(financials, "consolidationType")).toThrow(/give a basis: PARENT, GROUP$/);
    expect(pick(financials, "consolidationType", ["GROUP"])).toBe("GROUP");
  });
});

describe("the properties of a figure", () => {
  const factsOf = (...years: unknown[]) =>
    toFigureFacts(pickMetric(financialsOf(...years), 2023, { name: "Revenue", basis: [] }).places);

  it("come from its year and statement", () => {
    const revenue = income({ Revenue: 100 });
    const other = incomeOf("NON_CONSOLIDATED", { Revenue: 40 });
    expect(factsOf(yearOf([other, revenue], { financialPeriodEnd: "2023-03-31" }))).toEqual({
      currency: "JPY",
      periodEnd: "2023-03-31",
      statementType: "INCOME_STATEMENT",
      consolidationType: "CONSOLIDATED",
    });
  });

  it("are null if the answer lacks them or they are no text", () => {
    const bare = yearOf([statement("", "", { Revenue: 1 })], { currency: null, financialPeriodEnd: 20230331 });
    expect(new Set(Object.values(factsOf(bare)))).toEqual(new Set([null]));
  });

  it("are those common to all places of the same number", () => {
    const twice = ["INCOME_STATEMENT", "CASH_FLOW"].map((type) => statement(type, "CONSOLIDATED", { Revenue: 1 }));
    expect(factsOf(yearOf(twice))).toMatchObject({ statementType: null, consolidationType: "CONSOLIDATED" });
    const [one] = twice;
    expect(factsOf(yearOf([one]), yearOf([one], { currency: "USD" })).currency).toBeNull();
  });
});

describe("the bases that an error lists", () => {
  const bases = fc.constantFrom("CONSOLIDATED", "NON_CONSOLIDATED", "Parent Only", "PARENT_ONLY", "");
  const years = fc.array(
    fc.record({
      period: fc.constantFrom("FY4", "FY", "Q2", "fy 4", undefined),
      financialType: fc.constantFrom("FULL", "INTERIM", null),
      statements: fc.array(
        fc.record({
          type: fc.constantFrom("INCOME_STATEMENT", "CASH_FLOW", ""),
          basis: bases,
          value: fc.integer({ min: 0, max: 3 }),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
    { minLength: 1, maxLength: 3 },
  );

  /** Applies every basis that an ambiguity lists, until values or unresolvable errors remain. */
  const follow = (financials: Financials, choice: { name: string; basis: string[] }, depth: number): void => {
    try {
      expect(Number.isInteger(pick(financials, choice.name, choice.basis))).toBe(true);
    } catch (error) {
      if (!(error instanceof FeedError)) throw error;
      expect(depth).toBeLessThan(6);
      const interim = /has only interim figures .*; add (".*") as basis$/.exec(error.message)?.[1];
      if (interim !== undefined) {
        const texts = [...interim.matchAll(/"([^"]+)"/g)].map(([, text]) => text as string);
        for (const text of texts) follow(financials, { ...choice, basis: [...choice.basis, text] }, depth + 1);
        return;
      }
      expect(error.code).toBe("FEED_AMBIGUOUS");
      if (/stands twice/.test(error.message)) return;
      const qualified = [...error.message.matchAll(/"([^"]+\.Revenue)"/g)].map(([, name]) => name as string);
      const basis = /give a basis: (.*)$/.exec(error.message)?.[1]?.split(", ") ?? [];
      expect(qualified.length + basis.length).toBeGreaterThan(0);
      for (const name of qualified) follow(financials, { ...choice, name }, depth + 1);
      for (const text of basis) follow(financials, { ...choice, basis: [...choice.basis, text] }, depth + 1);
    }
  };

  it("each lead to a value or to a shorter list", () => {
    fc.assert(
      fc.property(years, (drawn) => {
        const financials = financialsOf(
          ...drawn.map(({ statements, ...fields }) =>
            yearOf(
              statements.map(({ type, basis, value }) => statement(type, basis, { Revenue: value })),
              fields,
            ),
          ),
        );
        follow(financials, { name: "Revenue", basis: [] }, 0);
      }),
      { seed: 4, numRuns: toRuns(300, 2_000) },
    );
  });
});

const NAMES = ["Revenue", "revenue", "EBIT", "P.EBIT", "Net Income"];

const metric = fc.record({
  name: fc.constantFrom(...NAMES),
  value: fc.oneof(fc.nat(2), fc.constantFrom(null, "1", undefined)),
});
const drawnStatement = fc.record({
  statementType: fc.constantFrom("P", "B"),
  consolidationType: fc.constantFrom("CONSOLIDATED", "consolidated", "NON_CONSOLIDATED", ""),
  metrics: fc.array(metric, { maxLength: 4 }),
});
const version = fc.record({
  year: fc.constantFrom(2021, 2022),
  periodType: fc.constantFrom("ANNUAL", "HY2", undefined),
  statements: fc.array(drawnStatement, { maxLength: 3 }),
});

describe("an index of figures", () => {
  it("finds exactly what is picked, or leaves it to be picked", () => {
    let found = 0;
    fc.assert(
      fc.property(fc.array(version, { maxLength: 3 }), (years) => {
        const financials = financialsOf(...years);
        const index = new FigureIndex(financials);
        for (const year of [2021, 2022, 2023]) {
          for (const name of NAMES) {
            const number = index.find(year, toName(name));
            if (number === null) continue;
            expect(number).toBe(codeOf(() => pick(financials, name, [], year)));
            found++;
          }
        }
      }),
      { seed: 5, numRuns: toRuns(600, 3_000) },
    );
    expect(found).toBeGreaterThan(200);
  });

  it("finds every figure of a usual answer", () => {
    const metrics = NAMES.slice(2).map((name, value) => ({ name, value }));
    const years = [{ year: 2021, periodType: "ANNUAL", statements: [{ consolidationType: "CONSOLIDATED", metrics }] }];
    const index = new FigureIndex(financialsOf(...years));
    expect(["ebit", "netincome", "p.ebit", "none"].map((name) => index.find(2021, name))).toEqual([0, 2, null, null]);
  });
});

describe("Japanese names in arguments", () => {
  it.each(CASES.japanese as ["metric" | "basis" | "unit", unknown, unknown][])(
    "%s %p is %p",
    (kind, written, english) => {
      expect(toEnglish(kind, written)).toEqual(english);
    },
  );

  it("there is one for every metric of the API document but EBITDA, which is written so in Japan", () => {
    const known = new Set<string>(Object.values(JAPANESE_WORDS.metric));
    expect(Object.values(METRICS).flatMap((names) => names.filter((name) => !known.has(name)))).toEqual(["EBITDA"]);
  });
});

import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { FeedError } from "../../../src/client/errors";
import { METRICS } from "../../../src/contract/parameter-values";
import { decodeFinancials, type Financials } from "../../../src/feed/decode";
import { JAPANESE_WORDS, toEnglish } from "../../../src/feed/financials/japanese";
import { isKnownMetric } from "../../../src/feed/financials/metric-lists";
import { FigureIndex, isPeriodFact, pickMetric, toFigureFacts } from "../../../src/feed/financials/metrics";
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
/** The value that is read, or the code and message of the error. */
const outcomeOf = (read: () => unknown) => {
  try {
    return read();
  } catch (error) {
    return `${(error as FeedError).code} ${(error as FeedError).message}`;
  }
};

type Answer = readonly [fields: object, ...statements: [type: string, basis: string, metrics: Metrics][]][];
const ANSWERS = CASES.answers as unknown as Readonly<Record<keyof typeof CASES.answers, Answer>>;
const readAnswer = (which: keyof typeof ANSWERS) =>
  financialsOf(
    ...ANSWERS[which].map(([fields, ...all]) =>
      yearOf(
        all.map((each) => statement(...each)),
        fields,
      ),
    ),
  );

describe("a metric", () => {
  it.each(CASES.spellings)("is found by %p", (name) => {
    expect(pick(readAnswer("plain"), name)).toBe(60);
  });

  const PICKS = CASES.picks as unknown as [string, keyof typeof ANSWERS, string, string[], unknown, number?][];
  it.each(PICKS)("of an answer %s", (_, answer, name, basis, expected, year = 2023) => {
    const outcome = outcomeOf(() => pick(readAnswer(answer), name, basis, year));
    if (Array.isArray(expected)) for (const part of expected) expect(outcome).toContain(part);
    else expect(outcome).toBe(expected);
  });

  const NO_NUMBERS = [["12"], [""], [true], [{}], [[]], [JSON.parse("1e400")], [JSON.parse("-1e400")]];
  it.each(NO_NUMBERS)("with the value %p is malformed, and its neighbour is not", (value) => {
    const financials = financialsOf(yearOf([income({ Bad: value, Good: 5 })]));
    expect(outcomeOf(() => pick(financials, "Bad"))).toMatch(/^FEED_RESPONSE_MALFORMED /);
    expect(pick(financials, "Good")).toBe(5);
  });

  it.each([
    ["Revenu", '; do you mean "Revenue"?'],
    ["revenues", '; do you mean "Revenue"?'],
    ["INCOME_STATEMENT.Revenu", '; do you mean "Revenue"?'],
    ["EBITA", '; do you mean "EBIT"?'],
    ["Sales", "; ask for one of Revenue, EBIT, Investing Cash Flow"],
    // Another measure is no misspelling.
    ["EBITDA", "; ask for one of Revenue, EBIT, Investing Cash Flow"],
    ["Financing Cash Flow", "; ask for one of Revenue, EBIT, Investing Cash Flow"],
    ["Operating Cash Flow", "; ask for one of Revenue, EBIT, Investing Cash Flow"],
  ])("that is missing names the closest of the year, or all: %s", (name, cure) => {
    const answer = financialsOf(yearOf([income({ Revenue: 1, EBIT: 2, "Investing Cash Flow": 3 })]));
    expect(outcomeOf(() => pick(answer, name))).toBe(`FEED_NO_VALUE no metric "${name}" in 2023${cure}`);
  });

  it("is known if the API document names it", () => {
    expect(["net income", "currency", "CO2"].map(isKnownMetric)).toEqual([true, true, false]);
  });

  it("needs an answer with periods only if it is a period bound or the period's year", () => {
    const facts = ["periodStart", "PERIOD END", "periodYear", "period", "Revenue"].filter(isPeriodFact);
    expect(facts).toEqual(["periodStart", "PERIOD END", "periodYear"]);
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

const drawnYears = fc.array(
  fc.record({
    period: fc.constantFrom("FY4", "FY", "Q2", "fy 4", undefined),
    financialType: fc.constantFrom("FULL", "INTERIM", null),
    statements: fc.array(
      fc.record({
        type: fc.constantFrom("INCOME_STATEMENT", "CASH_FLOW", ""),
        basis: fc.constantFrom("CONSOLIDATED", "NON_CONSOLIDATED", "Parent Only", "PARENT_ONLY", ""),
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

it("the bases that an error lists each lead to a value or to a shorter list", () => {
  const law = fc.property(drawnYears, (drawn) => {
    const financials = financialsOf(
      ...drawn.map(({ statements, ...fields }) =>
        yearOf(
          statements.map(({ type, basis, value }) => statement(type, basis, { Revenue: value })),
          fields,
        ),
      ),
    );
    follow(financials, { name: "Revenue", basis: [] }, 0);
  });
  fc.assert(law, { seed: 4, numRuns: toRuns(300, 2_000) });
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
    const law = fc.property(fc.array(version, { maxLength: 3 }), (years) => {
      const financials = financialsOf(...years);
      const index = new FigureIndex(financials);
      for (const year of [2021, 2022, 2023]) {
        for (const name of NAMES) {
          const number = index.find(year, toName(name));
          if (number === null) continue;
          expect(number).toBe(outcomeOf(() => pick(financials, name, [], year)));
          found++;
        }
      }
    });
    fc.assert(law, { seed: 5, numRuns: toRuns(600, 3_000) });
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
  const JAPANESE = CASES.japanese as ["metric" | "basis" | "unit", unknown, unknown][];
  it.each(JAPANESE)("%s %p is %p", (kind, written, english) => {
    expect(toEnglish(kind, written)).toEqual(english);
  });

  it("there is one for every metric of the API document but EBITDA, which is written so in Japan", () => {
    const known = new Set<string>(Object.values(JAPANESE_WORDS.metric));
    expect(Object.values(METRICS).flatMap((names) => names.filter((name) => !known.has(name)))).toEqual(["EBITDA"]);
  });
});

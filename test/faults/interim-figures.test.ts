import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { annualOf, halfOf, startYearsProvider, type Version, type YearsProvider } from "./years-provider";

const A = "aaaaaaaa-0000-4000-8000-000000000000";
const B = "bbbbbbbb-0000-4000-8000-000000000000";

let provider: YearsProvider;

beforeEach(async () => {
  provider = await startYearsProvider();
});
afterEach(() => provider.close());

const has = (...versions: Version[]) => provider.years.set(A, versions);
const figure = async (year: unknown, metric: string, basis: string | null = null) =>
  (await provider.show("FINANCIAL", [[A]], [[year]], [[metric]], basis))[0]?.[0];
const interimText = (text: string) => `#N/A FEED_NO_VALUE: ${text}`;

const NO_EBITDA = interimText('EBITDA of 2024 has only interim figures (HY2); add "HY2" as basis');

describe("a year whose annual statement lacks a metric that a half-year has", () => {
  const annual = annualOf(2024, { Revenue: 100 });
  const [first, second] = [halfOf(2024, 1, { Revenue: 40 }), halfOf(2024, 2, { Revenue: 60, EBITDA: 7 })];

  it.each([
    ["the annual version comes first", [annual, first, second]],
    ["an interim version comes first", [second, first, annual]],
    [
      "its period type is in other letters",
      [
        { ...second, periodType: "Interim" },
        { ...annual, periodType: "annual" },
      ],
    ],
    ["nothing says what period the annual version is of", [second, { ...annual, periodType: undefined, period: null }]],
  ])("is #N/A with the basis to use if %s", async (_, versions) => {
    has(...versions);
    expect(await figure(2024, "EBITDA")).toBe(NO_EBITDA);
    expect(await figure("FY0", "EBITDA")).toBe(NO_EBITDA);
    expect(await figure("2024-11-30", "EBITDA")).toBe(NO_EBITDA);
    expect([await figure(2024, "Revenue"), await figure("FY0", "currency")]).toEqual([100, "JPY"]);
    expect(await figure(2024, "EBITDA", "HY2")).toBe(7);
  });

  it("is #N/A among other companies too, which are requested without the year", async () => {
    has(second, annual);
    provider.years.set(B, [annualOf(2023, { EBITDA: 5 }), annualOf(2024, { EBITDA: 6 })]);
    const shown = await provider.show("FINANCIAL", [[A], [B]], [[2023, 2024]], [["EBITDA"]]);
    expect(shown).toEqual([
      [interimText("no fiscal year 2023; ask for one of 2024"), NO_EBITDA],
      [5, 6],
    ]);
  });

  it("lists every basis if several parts of the year have it", async () => {
    has(annual, halfOf(2024, 1, { EBITDA: 3 }), second);
    expect(await figure(2024, "EBITDA")).toBe(
      interimText('EBITDA of 2024 has only interim figures (HY1, HY2); add "HY1" or "HY2" as basis'),
    );
  });
});

describe("a year with interim figures alone", () => {
  it("is #N/A with the basis to use, and FY0 is the latest year with an annual statement", async () => {
    has(halfOf(2024, 1, { Revenue: 60, EBITDA: 9 }), annualOf(2023, { Revenue: 90 }), annualOf(2022, { Revenue: 80 }));
    const toAmbiguity = interimText('2024 has only interim figures (HY1); add "HY1" as basis');
    expect(await figure(2024, "Revenue")).toBe(toAmbiguity);
    expect(await figure(2024, "currency")).toBe(toAmbiguity);
    expect([await figure("FY0", "Revenue"), await figure("FY-1", "Revenue")]).toEqual([90, 80]);
    expect(await figure("FY0", "EBITDA")).toMatch(/no metric "EBITDA" in 2023/);
    expect(await figure(2024, "Revenue", "HY1")).toBe(60);
    expect(await figure(2024, "Revenue", "CONSOLIDATED, interim")).toBe(60);
    expect(await figure(2024, "Revenue", "CONSOLIDATED")).toBe(toAmbiguity);
  });

  it("is no year of a company without any annual statement", async () => {
    has(halfOf(2024, 1, { Revenue: 60 }), halfOf(2023, 2, { Revenue: 50 }));
    const toAmbiguity = interimText(
      `the provider has no annual statement of this company; give 2024 as year and "HY1" as basis`,
    );
    expect(await figure("FY0", "Revenue")).toContain(toAmbiguity);
    expect((await provider.show("FINANCIALS", A))[0]?.[0]).toContain(toAmbiguity);
  });
});

describe("a table of financials", () => {
  const versions = () => [
    halfOf(2025, 1, { Revenue: 55, Backlog: 1 }),
    halfOf(2024, 2, { Revenue: 60, EBITDA: 7 }),
    annualOf(2024, { Revenue: 100, EBIT: 9 }),
    annualOf(2023, { Revenue: 90, EBIT: 8 }),
  ];

  it("in the wide layout has a row for each annual statement, and nothing of other periods", async () => {
    has(...versions());
    expect(await provider.show("FINANCIALS", A)).toEqual([
      ["Company", "Year", "Currency", "Revenue", "EBIT"],
      [A, 2023, "JPY", 90, 8],
      [A, 2024, "JPY", 100, 9],
    ]);
    expect(await provider.show("FINANCIALS", A, "2024", "Revenue,EBITDA,Backlog,periodEnd")).toEqual([
      ["Company", "Year", "Currency", "Revenue", "EBITDA", "Backlog", "Period end"],
      [A, 2024, "JPY", 100, "", "", 45_657],
    ]);
  });

  it("does not mix two interim periods that match one basis", async () => {
    has(halfOf(2024, 1, { Revenue: 40, EBIT: 1 }), halfOf(2024, 2, { Revenue: 60, EBITDA: 7 }));
    const [, row] = await provider.show("FINANCIALS", A, null, null, "wide", "INTERIM");
    const toAmbiguity = (name: string, fault: string) => `#VALUE! FEED_AMBIGUOUS: ${name} of 2024 ${fault}`;
    expect(row?.slice(3)).toEqual([
      toAmbiguity("Revenue", "has several values; give a basis: HY1, HY2"),
      toAmbiguity("EBITDA", "stands in only one of several periods; give a basis: HY2"),
      toAmbiguity("EBIT", "stands in only one of several periods; give a basis: HY1"),
    ]);
  });

  it("keeps other companies' rows if one has interim figures alone", async () => {
    has(halfOf(2024, 1, { Revenue: 60 }));
    provider.years.set(B, [annualOf(2024, { Revenue: 9 })]);
    expect(await provider.show("FINANCIALS", `${A},${B}`, null, null, null, null, null, false)).toEqual([
      [A, "", "", ""],
      [B, 2024, "JPY", 9],
    ]);
  });
});

describe("a date as year", () => {
  it("is the fiscal year that contains it, whatever interim periods contain it too", async () => {
    has(
      halfOf(2025, 1, { Revenue: 60 }, { financialPeriodStart: "2024-10-01", financialPeriodEnd: "2025-03-31" }),
      annualOf(2024, { Revenue: 100 }),
    );
    expect(await figure("2024-11-30", "Revenue")).toBe(100);
    expect(await figure("2025-02-28", "Revenue")).toMatch(/^#N\/A FEED_NO_VALUE: no fiscal year of this company has/);
  });
});

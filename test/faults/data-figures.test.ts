import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { CompanyFinancials, CompanyFinancialsPage, FinancialYear } from "../../src/contract/types";
import { readCells } from "./revenue";
import { createTestBed, type Page, type TestBed } from "./test-bed";
import { readRevenues } from "./truth";

const MANY = "/asia/private-markets/v1/financials";

let testBed: TestBed;
let revenues: Map<string, number>;
let ids: string[];
let page: Page;

beforeAll(async () => {
  testBed = await createTestBed({ companies: 400 });
  revenues = await readRevenues(testBed.read, 60);
  ids = [...revenues.keys()];
});
beforeEach(async () => {
  testBed.provider.controls.reset();
  testBed.faultProxy.reset();
  page = await testBed.open();
});
afterEach(() => page.close());
afterAll(() => testBed.close());

/** The final cells of a column: the Revenue of 2023 of each company. */
async function showRevenues(companies: readonly string[]): Promise<unknown[]> {
  const column = companies.map((id) => [id]);
  const cell = page.formulas.type("FINANCIAL", column, [[2023]], [["Revenue"]]);
  await page.rest();
  return (cell.shown.at(-1) ?? []).flat();
}

async function showRevenue(): Promise<unknown> {
  return (await showRevenues(ids.slice(0, 1)))[0];
}

const countRequests = () => testBed.faultProxy.requests.filter(({ path }) => path.startsWith(MANY)).length;

/** Replaces the first company's Revenue of 2023 by this JSON. */
function writeRevenue(json: string): void {
  const value = revenues.get(ids[0] as string);
  testBed.faultProxy.write = (text) => text.replaceAll(`"Revenue","value":${value}`, `"Revenue","value":${json}`);
}

describe("a column of companies' figures", () => {
  it("is completed by splitting if POST /financials answers fewer than requested, with the true total", async () => {
    testBed.provider.controls.pageCap = 10;
    expect(await showRevenues(ids)).toEqual([...revenues.values()]);
    expect(countRequests()).toBeLessThanOrEqual(9);
  });

  it("is completed by splitting if it answers the first few and its total claims they are all", async () => {
    testBed.provider.controls.postFirst = 7;
    expect(await showRevenues(ids)).toEqual([...revenues.values()]);
    expect(countRequests()).toBeLessThanOrEqual(15);
  });

  it("is read one by one if it never answers several", async () => {
    testBed.provider.controls.postFirst = 1;
    expect(await showRevenues(ids.slice(0, 30))).toEqual([...revenues.values()].slice(0, 30));
    expect(testBed.faultProxy.requests.filter(({ path }) => path === MANY)).toHaveLength(2);
    expect(countRequests()).toBeLessThanOrEqual(32);
    expect(new Set(testBed.faultProxy.requests.flatMap(({ query }) => [...query.keys()]))).toEqual(new Set(["year"]));
  });

  it.each([
    ["left out", null, /^#N\/A FEED_NOT_FOUND: /],
    ["refused with 404", 404, /^#N\/A FEED_NOT_FOUND: /],
    ["refused with 400", 400, /^#VALUE! FEED_REQUEST_INVALID: /],
  ])("has every value but one if one id among many is %s", async (_, status, errorText) => {
    const bad = "00000000-0000-4000-8000-000000000000";
    testBed.faultProxy.answer = ({ path, body }) => {
      const isMeant = JSON.stringify([path, body]).includes(bad);
      return isMeant && status !== null ? { status, json: {} } : undefined;
    };
    const shown = await showRevenues([...ids.slice(0, 30), bad, ...ids.slice(30)]);
    expect(shown[30]).toMatch(errorText);
    expect(shown.filter((__, index) => index !== 30)).toEqual([...revenues.values()]);
    expect(countRequests()).toBeLessThanOrEqual(20);
  });

  it("fetches a company alone if another one came in its place", async () => {
    testBed.faultProxy.change = (body, { path }) => {
      if (path !== MANY) return body;
      const { data, ...rest } = body as CompanyFinancialsPage;
      return { ...rest, data: data.map((each, at) => (at === 0 ? { ...each, companyId: "somebody-else" } : each)) };
    };
    expect(await showRevenues(ids.slice(0, 3))).toEqual([...revenues.values()].slice(0, 3));
  });
});

describe("a figure", () => {
  it.each(["NaN", "-Infinity", "1e400", '"1,234"', "true", "{}"])(
    "of %s is flagged, and its neighbours are right",
    async (json) => {
      writeRevenue(json);
      const [first, ...others] = await showRevenues(ids.slice(0, 20));
      expect(first).toBe(
        "#N/A FEED_RESPONSE_MALFORMED: Revenue of 2023 is no number in the provider's answer; report it to the provider",
      );
      expect(others).toEqual([...revenues.values()].slice(1, 20));
      expect(countRequests()).toBe(1);
    },
  );

  it("above 2^53 is the nearest double", async () => {
    writeRevenue("9223372036854775807");
    expect(await showRevenue()).toBe(2 ** 63);
    page.close();
    page = await testBed.open();
    writeRevenue("9007199254740993");
    expect(await showRevenue()).toBe(9007199254740992);
  });

  it("that is null is #N/A, never 0", async () => {
    writeRevenue("null");
    expect(await showRevenue()).toBe(
      "#N/A FEED_NO_VALUE: Revenue of 2023 is empty at the provider; ask for another year or metric",
    );
  });

  it("that is 0 is 0", async () => {
    writeRevenue("0");
    expect(await showRevenue()).toBe(0);
  });
});

/** Replaces the statements of the first company's answer by these years'. */
function changeYears(change: (years: FinancialYear[]) => unknown): void {
  testBed.faultProxy.change = (body) => {
    const { years, ...rest } = body as CompanyFinancials;
    return years === undefined ? body : { ...rest, years: change(years.filter(({ year }) => year === 2023)) };
  };
}

const toTwice = (change: (text: string) => string, key: string) => (years: FinancialYear[]) => [
  ...years,
  ...(JSON.parse(
    JSON.stringify(years, (name, value) => (name === key ? change(value) : name === "value" ? value + 1 : value)),
  ) as FinancialYear[]),
];

describe("a year that holds a metric twice", () => {
  it("is ambiguous if nothing but the value differs", async () => {
    changeYears(toTwice((text) => text, "period"));
    expect(await showRevenue()).toMatch(
      /^#VALUE! FEED_AMBIGUOUS: Revenue of 2023 stands twice .* report it to the provider$/,
    );
  });

  it("is ambiguous if two statements have it, and the error names both", async () => {
    changeYears(toTwice(() => "NOTES", "statementType"));
    expect(await showRevenue()).toBe(
      '#VALUE! FEED_AMBIGUOUS: Revenue of 2023 stands in several statements; ask for "INCOME_STATEMENT.Revenue" or "NOTES.Revenue"',
    );
  });

  it("is the consolidated one of two consolidations", async () => {
    changeYears(toTwice(() => "NON_CONSOLIDATED", "consolidationType"));
    expect(await showRevenue()).toBe(revenues.get(ids[0] as string));
  });

  it("is ambiguous if two annual versions have it, and the error names both", async () => {
    changeYears(toTwice(() => "FY", "period"));
    expect(await showRevenue()).toBe(
      "#VALUE! FEED_AMBIGUOUS: Revenue of 2023 has several values; give a basis: FY4, FY",
    );
  });

  it("is the annual one if a half-year has it too", async () => {
    changeYears(toTwice(() => "HY2", "period"));
    expect(await showRevenue()).toBe(revenues.get(ids[0] as string));
  });
});

describe("data missing from the provider or beyond its document", () => {
  const show = async (year: unknown, metric: string) => {
    const cell = page.formulas.type("FINANCIAL", [[ids[0]]], [[year]], [[metric]]);
    await page.rest();
    return readCells([cell])[0];
  };

  it("is #N/A for a missing metric, with the available ones", async () => {
    expect(await show(2023, "Goodwill")).toMatch(
      /^#N\/A FEED_NO_VALUE: no metric "Goodwill" in 2023; ask for one of Revenue, /,
    );
  });

  it("is #N/A for a missing year", async () => {
    expect(await show(1990, "Revenue")).toMatch(/^#N\/A FEED_NO_VALUE: no fiscal year 1990; /);
  });

  it("is shown unchanged: an unknown statement, enumeration value and field", async () => {
    changeYears((years) =>
      years.map((year) => ({
        ...year,
        outlook: "new",
        financialType: "FORECAST_BY_MANAGEMENT",
        statements: [
          { statementType: "SEGMENTS", consolidationType: "GROUP", metrics: [{ name: "Robots", value: 7 }] },
        ],
      })),
    );
    expect(await show(2023, "SEGMENTS.Robots")).toBe(7);
    expect(await show(2023, "financialType")).toBe("FORECAST_BY_MANAGEMENT");
  });
});

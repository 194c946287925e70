import { afterAll, afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { CompanyFinancials, CompanyRankingPage, FinancialYear } from "../../src/contract/types";
import { readCells } from "./revenue";
import { createTestBed, type Page, type TestBed } from "./test-bed";
import { readRevenues } from "./truth";

const RANKING = "/japan/ranking/v1/companies";
const RANGE = ["2024-01-01", "2024-01-31"] as const;

let testBed: TestBed;
let page: Page;

beforeEach(async () => {
  testBed ??= await createTestBed({ companies: 50 });
  testBed.faultProxy.reset();
  page = await testBed.open();
});
afterEach(() => page.close());
afterAll(() => testBed.close());

/** The final cells of a formula. */
async function show(name: string, ...parameters: unknown[]): Promise<unknown[][]> {
  const cell = page.formulas.type(name, ...parameters);
  await page.rest();
  return cell.shown.at(-1)?.map((row) => [...row]) ?? [];
}

describe("an error's body", () => {
  it("that is HTML is replaced by the status", async () => {
    const html = { headers: { "content-type": "text/html" }, text: "<h1>Oops <script>x()</script></h1>" };
    for (const [status, error] of [
      [400, /^#VALUE! FEED_REQUEST_INVALID: the provider refused the request with 400; [^<>]*$/],
      [404, /^#N\/A FEED_NOT_FOUND: [^<>]*$/],
    ] as const) {
      testBed.faultProxy.answer = ({ path }) => (path === RANKING ? { ...html, status } : undefined);
      expect((await show("RANKING", ...RANGE, status, "companyName", null, false))[0]?.[0]).toMatch(error);
    }
  });
});

describe("a missing value of a ranking", () => {
  const changeRows = (change: (row: object, at: number) => object) => {
    testBed.faultProxy.change = (body) => {
      const { data, ...rest } = body as CompanyRankingPage;
      return { ...rest, data: data.map(change) };
    };
  };

  it("is an empty cell: engagement times that are null, whole or in part", async () => {
    const times = [null, { avg: 2, min: null }];
    changeRows((row, at) => ({ ...row, engagementTime: times[at] }));
    const fields = "engagementTime.avg,engagementTime.min,engagementTime.max";
    expect(await show("RANKING", ...RANGE, 2, [[fields]], null, false)).toEqual([
      ["", "", ""],
      [2, "", ""],
    ]);
  });

  it("is 0 for a null page type, and an empty cell for a missing one", async () => {
    changeRows((row) => ({ ...row, pages: { NEWS: null } }));
    const fields = "pages.NEWS.totalPageViews,pages.MA.totalPageViews";
    expect(await show("RANKING.PAGES", ...RANGE, null, 1, [[fields]], false)).toEqual([[0, ""]]);
  });
});

describe("a figure", () => {
  /** Replaces the statements of 2023 of a company, and gives its id. */
  async function changeYears(change: (year: FinancialYear) => object): Promise<string> {
    const [id = ""] = (await readRevenues(testBed.read, 1)).keys();
    testBed.faultProxy.change = (body) => {
      const { years, ...rest } = body as CompanyFinancials;
      return years === undefined ? body : { ...rest, years: years.filter(({ year }) => year === 2023).map(change) };
    };
    return id;
  }
  const toStatement = (statementType: string, name: string, value: unknown) => [
    { statementType, consolidationType: "GROUP", metrics: [{ name, value }] },
  ];

  it.each([
    [0, 0],
    [null, "#N/A FEED_NO_VALUE: Revenue of 2023 is empty at the provider; ask for another year or metric"],
  ])("that is %p is shown as %p", async (value, shown) => {
    const id = await changeYears((year) => ({
      ...year,
      statements: toStatement("INCOME_STATEMENT", "Revenue", value),
    }));
    expect(await show("FINANCIAL", [[id]], [[2023]], [["Revenue"]])).toEqual([[shown]]);
  });

  it("is shown unchanged: of an unknown statement, with an enumeration value and a field that are unknown", async () => {
    const id = await changeYears((year) => ({
      ...{ ...year, outlook: "new", financialType: "FORECAST_BY_MANAGEMENT" },
      statements: toStatement("SEGMENTS", "Robots", 7),
    }));
    const cells = ["SEGMENTS.Robots", "financialType"].map((metric) =>
      page.formulas.type("FINANCIAL", [[id]], [[2023]], [[metric]]),
    );
    await page.rest();
    expect(readCells(cells)).toEqual([7, "FORECAST_BY_MANAGEMENT"]);
  });
});

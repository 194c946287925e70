import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { createTestBed, type Page, type TestBed } from "./test-bed";

const MARKETS = "/asia/private-markets/v1";
const LISTS = [`${MARKETS}/companies`, `${MARKETS}/financials`, "/asia/industry-taxonomies/v1/companies"];

let testBed: TestBed;
let page: Page;

beforeAll(async () => {
  testBed = await createTestBed({ companies: 20, transport: "proxy" });
});
beforeEach(async () => {
  testBed.provider.controls.reset();
  page = await testBed.open();
});
afterEach(() => page.close());
afterAll(() => testBed.close());

describe("a formula whose company is a piece of a path", () => {
  it.each(["..", ".", "../../token", "a/b", "a\\b", "%2e%2e", "https://evil.example/x", "a?page=1", "a#b"])(
    "finds no company by %s, which stands in no path",
    async (text) => {
      const cells = [
        page.formulas.type("COMPANY", [[text]], [["companyName"]]),
        page.formulas.type("FINANCIAL", [[text]], [[2023]], [["Revenue"]]),
        page.formulas.type("CLASSIFICATION", [[text]], [["companyName"]]),
      ];
      await page.rest();
      const error = expect.stringContaining(`#N/A FEED_NO_VALUE: no company in JPN is called "${text}"; `);
      expect(cells.map(({ shown }) => shown)).toEqual(cells.map(() => [[[error]]]));
      const paths = testBed.provider.controls.requests.map(({ url }) => url.split("?")[0]);
      expect([...LISTS, "/token"]).toEqual(expect.arrayContaining([...new Set(paths)]));
    },
  );
});

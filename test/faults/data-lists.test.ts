import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { CompanyPage } from "../../src/contract/types";
import type { Answering, Received } from "../support/http-server";
import { createTestBed, type Page, type TestBed } from "./test-bed";

const LIST = "/asia/private-markets/v1/companies";
const COUNT = 200;

let testBed: TestBed;
let ids: string[];
let page: Page;

beforeAll(async () => {
  testBed = await createTestBed({ companies: COUNT });
  ids = (await testBed.read<CompanyPage>(`${LIST}?country=ALL&page_size=${COUNT}`)).data.map(({ id }) => id);
});
beforeEach(async () => {
  testBed.provider.controls.reset();
  testBed.faultProxy.reset();
  page = await testBed.open();
});
afterEach(() => page.close());
afterAll(() => testBed.close());

/** The final cells with all companies' ids. */
async function showIds(): Promise<unknown[]> {
  const cell = page.formulas.type("COMPANIES", "ALL", null, "all", [["id"]], null, false);
  await page.rest();
  return (cell.shown.at(-1) ?? []).flat();
}

const countRequests = () => testBed.faultProxy.requests.filter(({ path }) => path === LIST).length;
const readPage = ({ query }: Received) => Number(query.get("page"));

/** Changes each page of the list; `request` counts the list's requests from 1. */
function changePages(change: (list: CompanyPage, page: number, request: number) => CompanyPage): void {
  testBed.faultProxy.change = (body, request) =>
    request.path === LIST ? change(body as CompanyPage, readPage(request), countRequests()) : body;
}

const FLAGGED = "#N/A FEED_RESPONSE_MALFORMED: ";
const REPEATED = `${FLAGGED}the provider's pages have some rows twice and others not at all; refresh later, or give a smaller top`;

describe("a list in a cell", () => {
  it("is flagged, without an endless loop, if its provider ignores page", async () => {
    Object.assign(testBed.provider.controls, { ignorePage: true, pageCap: 50 });
    expect(await showIds()).toEqual([
      `${FLAGGED}the provider announced 200 rows and gives the same 50 for every page; ask for the first 50 at most, or report it to the provider`,
    ]);
    expect(countRequests()).toBeLessThanOrEqual(4);
  });

  it.each([
    ["too small", -120],
    ["0", -COUNT],
  ])("is complete if its total is %s", async (_, totalOffset) => {
    Object.assign(testBed.provider.controls, { totalOffset, pageCap: 40 });
    expect(await showIds()).toEqual(ids);
  });

  it("is complete if its total is that of each page", async () => {
    Object.assign(testBed.provider.controls, { pageCap: 40, pageCapLie: true });
    expect(await showIds()).toEqual(ids);
    expect(countRequests()).toBe(6);
  });

  it("is flagged if its total announces more rows than come", async () => {
    testBed.provider.controls.totalOffset = 50;
    expect(await showIds()).toEqual([
      `${FLAGGED}the provider announced 250 rows and its pages hold only 200; ask for the first 200 at most, or report it to the provider`,
    ]);
    expect(countRequests()).toBeLessThanOrEqual(4);
  });

  it("is complete if its page_size is capped, and the cap is remembered", async () => {
    testBed.provider.controls.pageCap = 30;
    expect(await showIds()).toEqual(ids);
    const sizes = testBed.faultProxy.requests
      .filter(({ path }) => path === LIST)
      .map(({ query }) => query.get("page_size"));
    expect(sizes).toEqual(["1000", ...Array(6).fill("30")]);
  });

  it.each([
    ["told in the answer", (list: CompanyPage) => list],
    ["not told", (list: CompanyPage) => ({ ...list, pageSize: 1000 })],
  ])("is complete if its page_size is ignored, the size in use %s", async (_, change) => {
    testBed.faultProxy.answer = ({ path, query }) => {
      if (path === LIST) query.set("page_size", "40");
      return undefined;
    };
    changePages(change);
    expect(await showIds()).toEqual(ids);
    expect(countRequests()).toBeLessThanOrEqual(7);
  });

  it("is read in a smaller page_size if the first is refused", async () => {
    testBed.provider.controls.pageSizeRefusedAbove = 100;
    expect(await showIds()).toEqual(ids);
    const sizes = testBed.faultProxy.requests
      .filter(({ path }) => path === LIST)
      .map(({ query }) => query.get("page_size"));
    expect(sizes.slice(0, 2)).toEqual(["1000", "100"]);
    expect(new Set(sizes.slice(1))).toEqual(new Set(["100"]));
  });

  it("is reread and complete if its total changes between pages", async () => {
    testBed.provider.controls.pageCap = 80;
    changePages((list, _, request) => ({ ...list, total: request === 2 ? COUNT + 1 : COUNT }));
    expect(await showIds()).toEqual(ids);
    expect(countRequests()).toBeGreaterThan(3);
  });

  it("is flagged if its total never settles", async () => {
    testBed.provider.controls.pageCap = 80;
    changePages((list, _, request) => ({ ...list, total: COUNT + request }));
    expect(await showIds()).toEqual([expect.stringMatching(/^#N\/A FEED_RESPONSE_MALFORMED: the provider/)]);
    expect(countRequests()).toBeLessThanOrEqual(12);
  });

  it("is reread and complete if its pages repeat a row, as after an insertion", async () => {
    testBed.provider.controls.pageCap = 80;
    let last: CompanyPage["data"] = [];
    changePages((list, place, request) => {
      const data = place > 1 && request <= 3 ? [...last, ...list.data.slice(0, -1)] : list.data;
      last = list.data.slice(-1);
      return { ...list, data };
    });
    expect(await showIds()).toEqual(ids);
  });

  it("is flagged if its pages repeat a different row at each reading", async () => {
    testBed.provider.controls.pageCap = 80;
    changePages((list, place, request) => {
      return place === 1
        ? list
        : { ...list, data: [...list.data.slice(0, -1), { ...list.data[0]!, id: ids[request]! }] };
    });
    expect(await showIds()).toEqual([REPEATED]);
    expect(countRequests()).toBeLessThanOrEqual(12);
  });

  it.each<[string, Answering]>([
    ["404", { status: 404, json: { code: "NOT_FOUND" } }],
    ["400", { status: 400, json: { code: "INVALID_REQUEST" } }],
    ["empty", { json: { data: [], page: 5, pageSize: 50, total: COUNT } }],
  ])("is complete if its page past the end is %s", async (_, answering) => {
    testBed.provider.controls.pageCap = 50;
    testBed.faultProxy.answer = (request) => (request.path === LIST && readPage(request) > 4 ? answering : undefined);
    expect(await showIds()).toEqual(ids);
    expect(countRequests()).toBe(5);
  });
});

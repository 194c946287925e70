import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { CompanyFinancials, CompanyPage, FinancialsRequest } from "../../src/contract/types";
import { readCells } from "./revenue";
import { createTestBed, type Page, type TestBed } from "./test-bed";

const MARKETS = "/asia/private-markets/v1";
const COMPANIES = 100;
const FIRST = 2023;
const NEXT = 2022;

let testBed: TestBed;
let truth: Map<string, Map<number, number>>;
let page: Page;

beforeAll(async () => {
  testBed = await createTestBed({ companies: 600 });
  truth = await readTruth();
});
beforeEach(async () => {
  testBed.provider.controls.reset();
  page = await testBed.open();
});
afterEach(() => page.close());
afterAll(() => testBed.close());

/** The Revenue of both years of 100 companies that have one, by each company's own read. */
async function readTruth() {
  const { data } = await testBed.read<CompanyPage>(`${MARKETS}/companies?country=JPN&page_size=200`);
  const revenues = new Map<string, Map<number, number>>();
  for (const { id } of data) {
    if (revenues.size === COMPANIES) break;
    const { years } = await testBed.read<CompanyFinancials>(`${MARKETS}/financials/companies/${id}`);
    const both = new Map([FIRST, NEXT].flatMap((year) => pickRevenue(years, year)));
    if (both.size === 2) revenues.set(id, both);
  }
  return revenues;
}

function pickRevenue(years: CompanyFinancials["years"], year: number): [number, number][] {
  const metrics = years.filter((each) => each.year === year).flatMap(({ statements }) => statements ?? []);
  const [only, ...others] = metrics.flatMap(({ metrics }) => metrics ?? []).filter(({ name }) => name === "Revenue");
  return others.length === 0 && typeof only?.value === "number" ? [[year, only.value]] : [];
}

/** Types the Revenue of a year of each company into separate cells, and gives the companies per request. */
async function showYear(year: number) {
  const { controls } = testBed.provider;
  controls.requests.length = 0;
  const cells = [...truth.keys()].map((id) => page.formulas.type("FINANCIAL", [[id]], [[year]], [["Revenue"]]));
  await page.rest();
  const right = [...truth.values()].map((revenues) => revenues.get(year));
  const sent = controls.requests.filter(({ operationId }) => operationId !== "createToken");
  const sizes = sent.map(({ body }) => (body as FinancialsRequest | undefined)?.companyIds?.length ?? 1);
  return { shown: readCells(cells), right, sent, sizes: sizes.sort((one, other) => other - one) };
}

describe("the figures of 100 companies in 100 cells, first with an unknown provider and then a known one,", () => {
  it.each([
    ["everything", {}, [25, 25, 25, 25], [25, 25, 25, 25]],
    ["pages of 25", { pageCap: 25 }, [25, 25, 25, 25], [25, 25, 25, 25]],
    ["pages of 10", { pageCap: 10 }, [25, 25, 25, 25, ...Array(4).fill(10), ...Array(4).fill(5)], Array(10).fill(10)],
    [
      "pages of 10, each said to be all",
      { pageCap: 10, pageCapLie: true },
      [25, 25, 25, 25, ...Array(4).fill(10), ...Array(4).fill(5)],
      Array(10).fill(10),
    ],
    [
      "always the first 7",
      { postFirst: 7 },
      [25, 25, 25, 25, ...Array(8).fill(7), ...Array(4).fill(4)],
      [...Array(14).fill(7), 2],
    ],
  ])("are right if POST /financials answers with %s", async (_, manner, first, next) => {
    Object.assign(testBed.provider.controls, manner);
    const answer = await showYear(FIRST);
    expect(answer.shown).toEqual(answer.right);
    expect(answer.sizes).toEqual(first);
    const again = await showYear(NEXT);
    expect(again.shown).toEqual(again.right);
    expect(again.sizes).toEqual(next);
    expect(new Set([...answer.right, ...again.right]).size).toBeGreaterThan(COMPANIES);
    const bodies = [...answer.sent, ...again.sent].map(({ body }) => Object.keys(body as object).sort());
    expect(new Set(bodies.map(String))).toEqual(new Set(["companyIds,year", "companyIds"])); // one year, then all
  });
});

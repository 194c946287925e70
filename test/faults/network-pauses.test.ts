import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { FormulaCell } from "../support/formula-cells";
import type { Answering } from "../support/http-server";
import { until } from "../support/until";
import { readCells, typeRevenues } from "./revenue";
import { createTestBed, type Page, type TestBed } from "./test-bed";
import { readRevenues } from "./truth";

let testBed: TestBed;
let page: Page;
let ids: string[];
let revenues: number[];

beforeAll(async () => {
  testBed = await createTestBed();
  const truth = await readRevenues(testBed.read, 60);
  [ids, revenues] = [[...truth.keys()], [...truth.values()]];
});
beforeEach(async () => {
  testBed.faultProxy.reset();
  testBed.provider.controls.reset();
  await open(1_000); // retries pass by themselves, a pause does not
});
afterEach(() => page.close());
afterAll(() => testBed.close());

async function open(hurryMs: number): Promise<void> {
  page = await testBed.open({ hurryMs });
  await page.formulas.session.connect();
  testBed.faultProxy.reset();
}

const countRequests = () => testBed.faultProxy.requests.filter(({ path }) => path.includes("/financials")).length;

/** Answers a number of requests for financials in the provider's place. */
function refuse(answering: Answering, times = Number.POSITIVE_INFINITY): void {
  testBed.faultProxy.answer = ({ path }) =>
    path.includes("/financials") && countRequests() <= times ? answering : undefined;
}

const limit = (retryAfter?: string): Answering => ({
  status: 429,
  headers: retryAfter === undefined ? {} : { "retry-after": retryAfter },
  json: {},
});

const untilShown = (...cells: FormulaCell[]) => until(() => cells.every(({ shown }) => shown.length > 0));

/** Shows that another family continues. */
const readTree = () => untilShown(page.formulas.type("TAXONOMY"));

describe("financials that are answered 429", () => {
  it("with Retry-After 3600 pause for an hour and say so, then show their values", async () => {
    refuse(limit("3600"), 1);
    const first = typeRevenues(page, ids.slice(0, 1));
    await untilShown(...first);
    const others = typeRevenues(page, ids.slice(1));
    await untilShown(...others);
    await readTree();
    const limited = expect.stringMatching(
      /^#N\/A FEED_RATE_LIMITED: too many requests; it is requested again by itself in 60 minutes/,
    );
    expect(readCells([...first, ...others])).toEqual(ids.map(() => limited));
    expect(countRequests()).toBe(1);
    await page.clock.advance(3_599_000);
    expect(countRequests()).toBe(1);
    await page.clock.advance(1_000);
    await until(() => readCells([...first, ...others]).every((shown) => typeof shown === "number"));
    expect(readCells([...first, ...others])).toEqual(revenues);
    expect(countRequests()).toBeLessThanOrEqual(5);
  });
});

describe("financials in a burst of 503", () => {
  it("keep their values, stop requests, then probe one by one, and resume when one is answered", async () => {
    const cells = typeRevenues(page, ids.slice(0, 50));
    await untilShown(...cells);
    testBed.provider.controls.perturb = (value) => value + 1;
    testBed.faultProxy.reset();
    refuse({ status: 503, json: {} });
    await page.formulas.session.refresh();
    expect(readCells(cells)).toEqual(revenues.slice(0, 50));
    expect(countRequests()).toBe(6);
    const late = typeRevenues(page, ids.slice(50));
    await untilShown(...late);
    await readTree();
    const failed = expect.stringMatching(/^#N\/A FEED_SERVER_FAILED: .*503/);
    expect(readCells(late)).toEqual(ids.slice(50).map(() => failed));
    expect(countRequests()).toBe(6);
    await page.clock.advance(2_000);
    await until(() => countRequests() === 7);
    testBed.faultProxy.answer = () => undefined;
    await page.clock.advance(4_000);
    await until(() => readCells([...cells, ...late]).every((shown, index) => shown === (revenues[index] ?? 0) + 1));
    expect(readCells([...cells, ...late])).toEqual(revenues.map((value) => value + 1));
    expect(countRequests()).toBeLessThanOrEqual(11);
  });
});

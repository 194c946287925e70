import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { toParameters } from "../support/formula-arguments";
import { readSignatures } from "../support/formula-signatures";
import { until } from "../support/until";
import { readCells, typeRevenues } from "./revenue";
import { createTestBed, type Page, type TestBed } from "./test-bed";
import { readRevenues } from "./truth";

let testBed: TestBed;
let page: Page;
let revenues: Map<string, number>;

beforeAll(async () => {
  testBed = await createTestBed();
  revenues = await readRevenues(testBed.read, 1);
});
beforeEach(async () => {
  testBed.faultProxy.reset();
  page = await testBed.open();
  await page.formulas.session.connect();
  testBed.faultProxy.reset();
});
afterEach(() => page.close());
afterAll(() => testBed.close());

describe("a formula whose provider never answers", () => {
  it("says so after 30 seconds, whichever formula it is, and shows its value once there is one", async () => {
    const { formulas, clock } = page;
    testBed.faultProxy.answer = ({ path }) => (path === "/token" ? undefined : { raw: () => {} });
    const dataFormulas = readSignatures().filter(({ name }) => name !== "STATUS");
    const cells = dataFormulas.map((signature) => formulas.type(signature.name, ...toParameters(signature, "", null)));
    const figures = typeRevenues(page, revenues.keys());
    await until(() => testBed.faultProxy.requests.length >= 5);
    await clock.advance(29_000);
    expect([...cells, ...figures].flatMap(({ shown }) => shown)).toEqual([]);
    await clock.advance(1_000);
    const late = expect.stringMatching(/^#N\/A FEED_(TIMED_OUT|INDEX_NOT_READY): .*(refresh|connect)/);
    expect(readCells([...cells, ...figures])).toEqual([...cells, ...figures].map(() => late));
    for (const cell of cells) cell.cancel();
    testBed.faultProxy.reset();
    await clock.advance(60_000); // queries of the silent time are given up, and their slots are free
    await formulas.session.refresh();
    await page.rest();
    expect(readCells(figures)).toEqual([...revenues.values()]);
  });
});

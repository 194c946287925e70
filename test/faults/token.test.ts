import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Controls } from "../../src/sandbox";
import { readCells, typeRevenues } from "./revenue";
import { createTestBed, type Page, type TestBed } from "./test-bed";
import { readRevenues } from "./truth";

let testBed: TestBed;
let controls: Controls;
let page: Page;
let ids: string[];
let revenues: number[];

beforeAll(async () => {
  testBed = await createTestBed();
  controls = testBed.provider.controls;
  const truth = await readRevenues(testBed.read, 30);
  [ids, revenues] = [[...truth.keys()], [...truth.values()]];
});
/** Each test starts with a connected page with a token; retries pass by themselves, a pause does not. */
beforeEach(async () => {
  page = await testBed.open({ hurryMs: 1_000 });
  controls.reset();
  await page.formulas.session.connect();
  controls.reset();
  testBed.faultProxy.reset();
});
afterEach(() => page.close());
afterAll(() => testBed.close());

/** Types the first company's Revenue on a page without a token, and gives the final content of its cell. */
async function showFirst(): Promise<unknown> {
  page.formulas.session.feed.token.forget();
  const cells = typeRevenues(page, ids.slice(0, 1));
  await page.rest();
  return readCells(cells)[0];
}

const exchanges = () => controls.count("createToken");
const reads = () => controls.count() - exchanges();

describe("a token endpoint", () => {
  it.each([
    ["without access_token", { withoutAccessToken: true }, "holds no access token; check the base URL"],
    ["with expires_in 0", { expiresIn: 0 }, "the access token for 0 seconds had expired on arrival; tell the provider"],
    [
      "with expires_in −1",
      { expiresIn: -1 },
      "the access token for -1 seconds had expired on arrival; tell the provider",
    ],
  ])("that answers %s gets one more exchange, and the cell says so", async (_how, tokenFaults, sentence) => {
    Object.assign(controls, { tokenFaults });
    const shown = await showFirst();
    expect(shown).toMatch(/^#N\/A FEED_TOKEN_MALFORMED: /);
    expect(shown).toContain(sentence);
    expect([exchanges(), reads()]).toEqual([2, 0]);
  });
});

describe("a token", () => {
  it("that expires in the middle of a refresh is renewed, invisibly to every cell", async () => {
    const cells = typeRevenues(page, ids);
    await page.rest();
    controls.reset();
    controls.perturb = (value) => value + 1;
    testBed.faultProxy.answer = async ({ path }) => {
      if (path !== "/token" && exchanges() === 0) controls.dropTokens();
      return undefined;
    };
    const refreshed = await page.formulas.session.refresh();
    await page.rest();
    expect(refreshed).toMatchObject({ failures: [], isCancelled: false });
    expect(cells.map(({ shown }) => shown.flat(2))).toEqual(revenues.map((value) => [value, value + 1]));
    expect(exchanges()).toBe(1);
  });
});

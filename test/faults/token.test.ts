import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Company } from "../../src/contract/types";
import { ALL_SCOPES, type Controls } from "../../src/sandbox";
import { drain } from "../support/clock";
import type { Received } from "../support/http-server";
import { until } from "../support/until";
import { readCells, typeRevenues } from "./revenue";
import { createTestBed, type Page, type TestBed } from "./test-bed";
import { readRevenues } from "./truth";

let testBed: TestBed;
let controls: Controls;
let page: Page;
let ids: string[];
let revenues: number[];
/** The first 20 companies; each is a separate read, so they exceed the parallel ones. */
let names: string[];
const scopes = [...ALL_SCOPES];

beforeAll(async () => {
  testBed = await createTestBed({ scopes });
  controls = testBed.provider.controls;
  const truth = await readRevenues(testBed.read, 60);
  [ids, revenues] = [[...truth.keys()], [...truth.values()]];
  const companies = ids.slice(0, 20).map((id) => testBed.read<Company>(`/asia/private-markets/v1/companies/${id}`));
  names = (await Promise.all(companies)).map(({ companyName }) => companyName ?? "");
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
  it("that always fails with 503 gets three attempts, and the cell says so", async () => {
    controls.answers.createToken = { status: 503, times: Number.POSITIVE_INFINITY };
    expect(await showFirst()).toMatch(/^#N\/A FEED_SERVER_FAILED: .*503.*refresh later$/);
    expect([exchanges(), reads()]).toEqual([3, 0]);
  });

  it("that fails with 500 twice still yields the value", async () => {
    controls.answers.createToken = { status: 500, times: 2 };
    expect(await showFirst()).toBe(revenues[0]);
    expect(exchanges()).toBe(3);
  });

  it("that answers with HTML is a network failure, and the cell says so", async () => {
    controls.bodyFaults.createToken = "html";
    expect(await showFirst()).toMatch(/^#N\/A FEED_NETWORK_FAILED: .*no JSON.*check the network/);
    expect([exchanges(), reads()]).toEqual([3, 0]);
  });

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

  it('that answers with expires_in "300" is believed, and the cell shows the value', async () => {
    controls.tokenFaults = { expiresIn: "300" };
    expect(await showFirst()).toBe(revenues[0]);
    expect(exchanges()).toBe(1);
  });

  it("that answers with expires_in 1e12 is believed for an hour, and the cells show their values", async () => {
    controls.tokenFaults = { expiresIn: 1e12 };
    expect(await showFirst()).toBe(revenues[0]);
    await page.clock.advance(3_600_000);
    expect(exchanges()).toBe(1);
    const later = typeRevenues(page, ids.slice(1, 2));
    await page.rest();
    expect(readCells(later)).toEqual(revenues.slice(1, 2));
    expect(exchanges()).toBe(2);
  });

  it("that is slow while 2,000 cells wait gets one request, and all show their values", async () => {
    const letGo = testBed.faultProxy.hold(({ path }) => path === "/token");
    page.formulas.session.feed.token.forget();
    const cells = typeRevenues(
      page,
      Array.from({ length: 2_000 }, (_, index) => ids[index % ids.length] ?? ""),
    );
    await until(() => testBed.faultProxy.requests.length > 0);
    await drain();
    expect(testBed.faultProxy.requests.map(({ path }) => path)).toEqual(["/token"]);
    letGo();
    await page.rest();
    expect(readCells(cells)).toEqual(cells.map((_, index) => revenues[index % ids.length]));
    expect([exchanges(), reads()]).toEqual([1, 3]);
  });
});

describe("a token", () => {
  it("that expires between check and use is renewed once, and the cell shows its value", async () => {
    controls.dropTokens();
    const cells = typeRevenues(page, ids.slice(0, 1));
    await page.rest();
    expect(readCells(cells)).toEqual(revenues.slice(0, 1));
    expect([exchanges(), reads()]).toEqual([1, 2]);
  });

  it("that many requests see refused at once is renewed once, and all cells show their values", async () => {
    controls.dropTokens();
    let reads = 0;
    const letGo = testBed.faultProxy.hold(({ path }) => path !== "/token" && ++reads === 5);
    const cells = names.map((_, index) => page.formulas.type("COMPANY", [[ids[index]]], [["companyName"]]));
    await until(() => reads > 5);
    letGo(); // one refusal comes late, when a read was sent with a new token
    await page.rest();
    expect(readCells(cells)).toEqual(names);
    expect(exchanges()).toBe(1);
    expect(controls.requests.filter(({ status }) => status === 401)).toHaveLength(5); // as many as are sent in parallel
  });

  it("that is always refused is tried twice, and the cell says so", async () => {
    testBed.faultProxy.answer = ({ path }) => (path === "/token" ? undefined : { status: 401, json: {} });
    const cells = typeRevenues(page, ids.slice(0, 1));
    await page.rest();
    expect(readCells(cells)).toEqual([expect.stringMatching(/^#N\/A FEED_UNAUTHORISED: .*connect again/)]);
    expect(testBed.faultProxy.requests.map(({ path }) => path === "/token")).toEqual([false, true, false]);
  });

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

describe("a client", () => {
  afterEach(() => void scopes.splice(0, scopes.length, ...ALL_SCOPES));

  it("that may not read one family is refused in its cells alone", async () => {
    scopes.splice(0, scopes.length, ...ALL_SCOPES.filter((scope) => !scope.includes("taxonom")));
    page.formulas.session.feed.token.forget();
    const barred = page.formulas.type("TAXONOMY");
    const cells = typeRevenues(page, ids);
    await page.rest();
    expect(readCells([barred])).toEqual([expect.stringMatching(/^#N\/A FEED_SCOPE_MISSING: .*ask the provider/)]);
    expect(readCells(cells)).toEqual(revenues);
  });

  it("that may not read one country is refused in its cells alone", async () => {
    const abroad = ids[7] ?? "";
    const isAbroad = ({ path, body }: Received) => path.includes(abroad) || JSON.stringify(body).includes(abroad);
    const error = { code: "COUNTRY", message: "The token lacks the scope of this country." };
    testBed.faultProxy.answer = (request) => (isAbroad(request) ? { status: 403, json: { error } } : undefined);
    const cells = typeRevenues(page, ids);
    await page.rest();
    const barred = expect.stringMatching(
      /^#N\/A FEED_SCOPE_MISSING: .*lacks the scope of this country.*ask the provider/,
    );
    expect(readCells(cells)).toEqual(revenues.map((value, index) => (index === 7 ? barred : value)));
    expect(exchanges()).toBe(0);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { FastifyRequest } from "fastify";
import { createEntry } from "../../src/sandbox/index";
import { NOW_MS, PRIVATE_MARKETS, type RunningSandbox, startSandbox, TAXONOMIES } from "./running-sandbox";

const SEARCH = `${PRIVATE_MARKETS}/companies?country=JPN`;
const TREE = `${TAXONOMIES}/tree`;
const MANY = `${PRIVATE_MARKETS}/financials`;

let sandbox: RunningSandbox;
let ids: string[];
beforeAll(async () => {
  sandbox = await startSandbox({ companies: 200 });
  ids = (await sandbox.read(`${SEARCH}&page_size=60`)).body.data.map(({ id }: { id: string }) => id);
});
beforeEach(() => {
  sandbox.controls.reset();
  sandbox.clock.nowMs = NOW_MS;
});
afterAll(() => sandbox.close());

const exchange = async () => sandbox.exchange(sandbox.createForm(await sandbox.sign()));

describe("the request log", () => {
  it("counts by operation, with address, body and status, until it is reset", async () => {
    await sandbox.read(SEARCH);
    await sandbox.send(MANY, { companyIds: [ids[0]] });
    await sandbox.read(`${SEARCH}&page=0`);
    const { controls } = sandbox;
    expect([controls.count(), controls.count("searchCompanies"), controls.count("rankCompanies")]).toEqual([3, 2, 0]);
    expect(controls.requests.map(({ operationId, status }) => [operationId, status])).toEqual([
      ["searchCompanies", 200],
      ["getFinancialsOfMany", 200],
      ["searchCompanies", 400],
    ]);
    expect(controls.requests[1]).toMatchObject({
      method: "POST",
      url: `/sample${MANY}`,
      body: { companyIds: [ids[0]] },
      atMs: NOW_MS,
    });
    controls.reset();
    expect(controls.count()).toBe(0);
  });

  it("keeps the latest 5,000 and counts all", () => {
    const { controls } = sandbox;
    for (let nth = 0; nth < 5_002; nth += 1) {
      controls.record({
        operationId: "getTaxonomyTree",
        method: "GET",
        url: `/${nth}`,
        body: undefined,
        status: 200,
        atMs: 0,
      });
    }
    expect([controls.requests.length, controls.requests[0]!.url, controls.count()]).toEqual([5_000, "/2", 5_002]);
  });

  it("never holds an assertion", async () => {
    await exchange();
    expect(sandbox.controls.requests).toMatchObject([{ operationId: "createToken", body: undefined, status: 200 }]);
  });
});

describe("latency", () => {
  it("delays a request by the general or its operation's own latency", async () => {
    const { controls } = sandbox;
    const waits: number[] = [];
    let release = () => {};
    const entry = createEntry(
      controls,
      () => NOW_MS,
      (ms) => {
        waits.push(ms);
        return new Promise((resolve) => {
          release = resolve;
        });
      },
    );
    const request = { method: "GET", url: "/" } as FastifyRequest;
    Object.assign(controls, { latencyMs: 50, latencyMsOf: { getTaxonomyTree: 0, getCompany: 7 } });
    let isLetIn = false;
    const entered = entry.enter("searchCompanies", request).then(() => {
      isLetIn = true;
    });
    await entry.enter("getTaxonomyTree", request);
    expect([isLetIn, waits]).toEqual([false, [50]]);
    release();
    await entered;
    const ofCompany = entry.enter("getCompany", request);
    release();
    await ofCompany;
    expect(waits).toEqual([50, 7]);
  });
});

describe("the rate limit", () => {
  it("refuses requests beyond it in the window; refused ones do not count", async () => {
    sandbox.controls.rateLimit = { requests: 2, windowMs: 1_000, retryAfterSeconds: 3 };
    const readStatus = async () => (await sandbox.read(TREE)).status;
    expect([await readStatus(), await readStatus()]).toEqual([200, 200]);
    sandbox.clock.nowMs = NOW_MS + 500;
    expect([await readStatus(), await readStatus()]).toEqual([429, 429]);
    const refused = await sandbox.read(TREE);
    expect([refused.headers.get("retry-after"), refused.body.error.code]).toEqual(["3", "RATE_LIMITED"]);
    expect((await exchange()).status).toBe(200);
    sandbox.clock.nowMs = NOW_MS + 1_000;
    expect([await readStatus(), await readStatus(), await readStatus()]).toEqual([200, 200, 429]);
  });
});

describe("controls", () => {
  it("are off after a reset", async () => {
    const good = (await sandbox.read(SEARCH)).body;
    Object.assign(sandbox.controls, { pageCap: 1, latencyMs: 600_000 });
    sandbox.controls.answers.searchCompanies = { status: 500 };
    sandbox.controls.reset();
    expect((await sandbox.read(SEARCH)).body).toEqual(good);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { FastifyRequest } from "fastify";
import { createEntry } from "../../src/sandbox/index";
import { NOW_MS, PRIVATE_MARKETS, RANKINGS, type RunningSandbox, startSandbox, TAXONOMIES } from "./running-sandbox";

const SEARCH = `${PRIVATE_MARKETS}/companies?country=JPN`;
const TREE = `${TAXONOMIES}/tree`;
const MANY = `${PRIVATE_MARKETS}/financials`;
const RANKING = `${RANKINGS}/companies?start_datetime=2024-01-10T00:00:00&end_datetime=2024-01-10T23:59:59`;

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

describe("a forced status", () => {
  it("is given once, a number of times or always, for its operation alone", async () => {
    const { answers } = sandbox.controls;
    const statuses = async (path: string, count: number) => {
      const seen = [];
      for (let nth = 0; nth < count; nth += 1) seen.push((await sandbox.read(path)).status);
      return seen;
    };
    answers.searchCompanies = { status: 503 };
    expect(await statuses(SEARCH, 2)).toEqual([503, 200]);
    answers.searchCompanies = { status: 500, times: 2 };
    expect(await statuses(SEARCH, 3)).toEqual([500, 500, 200]);
    answers.searchCompanies = { status: 404, times: Number.POSITIVE_INFINITY };
    expect(await statuses(SEARCH, 3)).toEqual([404, 404, 404]);
    expect(await statuses(TREE, 1)).toEqual([200]);
  });

  it.each([7, "Wed, 20 Nov 2024 09:31:00 GMT"])("has Retry-After %s", async (retryAfter) => {
    sandbox.controls.answers.getTaxonomyTree = { status: 429, retryAfter };
    expect((await sandbox.read(TREE)).headers.get("retry-after")).toBe(String(retryAfter));
  });

  it("applies to the token endpoint, then ends", async () => {
    sandbox.controls.answers.createToken = { status: 502 };
    expect([(await exchange()).status, (await exchange()).status]).toEqual([502, 200]);
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

  it("is overridden by an operation's latency of 0", async () => {
    Object.assign(sandbox.controls, { latencyMs: 600_000, latencyMsOf: { getTaxonomyTree: 0, createToken: 0 } });
    expect((await sandbox.read(TREE)).status).toBe(200);
  });

  it("ends, and the answer is sent", async () => {
    sandbox.controls.latencyMs = 1;
    expect((await sandbox.read(TREE)).status).toBe(200);
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

describe("pages", () => {
  it("are capped while total stays true, for POST /financials too", async () => {
    sandbox.controls.pageCap = 10;
    const list = (await sandbox.read(`${SEARCH}&page_size=50`)).body;
    expect([list.data.length, list.pageSize, list.total]).toEqual([10, 10, 60]);
    const many = (await sandbox.send(MANY, { companyIds: ids })).body;
    expect([many.data.length, many.total]).toEqual([10, 60]);
  });

  it("claim to be all if the cap lies", async () => {
    Object.assign(sandbox.controls, { pageCap: 10, pageCapLie: true });
    const many = (await sandbox.send(MANY, { companyIds: ids })).body;
    expect([many.data.length, many.total]).toEqual([10, 10]);
  });

  it("repeat the first page while ignorePage is set", async () => {
    const first = (await sandbox.read(SEARCH)).body;
    sandbox.controls.ignorePage = true;
    expect((await sandbox.read(`${SEARCH}&page=3`)).body).toEqual(first);
  });

  it("are refused above a size, and total can be off", async () => {
    Object.assign(sandbox.controls, { pageSizeRefusedAbove: 25, totalOffset: 4 });
    expect((await sandbox.read(`${SEARCH}&page_size=26`)).status).toBe(400);
    expect((await sandbox.read(`${SEARCH}&page_size=25`)).body.total).toBe(64);
  });
});

describe("POST /financials", () => {
  it("can answer the first few companies only, without saying so", async () => {
    sandbox.controls.postFirst = 7;
    const { body } = await sandbox.send(MANY, { companyIds: ids });
    expect(body.data.map(({ companyId }: { companyId: string }) => companyId)).toEqual(ids.slice(0, 7));
    expect(body.total).toBe(7);
  });

  it("can omit the periods that the document shows for one company only", async () => {
    sandbox.controls.postWithoutPeriods = true;
    const [year] = (await sandbox.send(MANY, { companyIds: [ids[0]], year: 2020 })).body.data[0].years;
    expect(Object.keys(year)).toEqual(["year", "currency", "periodType", "period", "financialType", "statements"]);
    const [single] = (await sandbox.read(`${MANY}/companies/${ids[0]}?year=2020`)).body.years;
    expect(single).toEqual({
      ...year,
      periodYear: 2020,
      financialPeriodStart: expect.any(String),
      financialPeriodEnd: expect.any(String),
    });
  });
});

describe("a broken body", () => {
  it("has status 200 in each of its forms", async () => {
    const good = await sandbox.read(TREE);
    const readFaulty = async (fault: "html" | "truncated" | "empty" | "wrongTypes", path = TREE) => {
      sandbox.controls.bodyFaults = { getTaxonomyTree: fault };
      return sandbox.read(path);
    };
    const html = await readFaulty("html");
    expect([html.status, html.headers.get("content-type")]).toEqual([200, "text/html"]);
    const truncated = await readFaulty("truncated");
    expect(truncated.text.length).toBeLessThan(good.text.length);
    expect(good.text.startsWith(truncated.text)).toBe(true);
    expect(() => JSON.parse(truncated.text)).toThrow(SyntaxError);
    expect((await readFaulty("empty")).text).toBe("");
    expect((await readFaulty("wrongTypes")).body.data).toBe("none");
  });

  it("has its numbers as texts, or beyond every double", async () => {
    const good = (await sandbox.read(RANKING)).body.data[0].totalPageViews;
    sandbox.controls.bodyFaults.rankCompanies = "numberTexts";
    expect((await sandbox.read(RANKING)).body.data[0].totalPageViews).toBe(String(good));
    sandbox.controls.bodyFaults.rankCompanies = "hugeNumbers";
    expect((await sandbox.read(RANKING)).body.data[0].totalPageViews).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("tokens", () => {
  it("are all revoked at once, and new ones work", async () => {
    const old = await sandbox.createToken();
    sandbox.controls.dropTokens();
    expect((await sandbox.read(TREE, old)).status).toBe(401);
    expect((await sandbox.read(TREE, await sandbox.createToken())).status).toBe(200);
  });

  it.each([0, -1, "300", 1e12, null])("can have the lifetime %p", async (expiresIn) => {
    sandbox.controls.tokenFaults.expiresIn = expiresIn;
    expect((await exchange()).body.expires_in).toBe(expiresIn);
  });

  it("can be missing from the answer", async () => {
    sandbox.controls.tokenFaults.withoutAccessToken = true;
    expect((await exchange()).body).toEqual({ token_type: "bearer", expires_in: 300 });
  });
});

describe("perturbed numbers", () => {
  it("replace amounts and page views, and nothing else", async () => {
    const path = `${MANY}/companies/${ids[0]}?year=2024`;
    const before = [(await sandbox.read(path)).text, (await sandbox.read(RANKING)).body] as const;
    sandbox.controls.perturb = (value) => value + 1;
    const expected = before[0].replace(/"value":(-?\d+)/g, (_, value) => `"value":${Number(value) + 1}`);
    expect((await sandbox.read(path)).text).toBe(expected);
    const ranked = (await sandbox.read(RANKING)).body;
    expect(ranked.total).toBe(before[1].total);
    expect(ranked.data[0]).toEqual({
      ...before[1].data[0],
      totalPageViews: before[1].data[0].totalPageViews + 1,
      totalUniquePageViews: before[1].data[0].totalUniquePageViews + 1,
    });
  });
});

describe("controls", () => {
  it("are off after a reset", async () => {
    const good = (await sandbox.read(SEARCH)).body;
    Object.assign(sandbox.controls, { pageCap: 1, totalOffset: 9, ignorePage: true });
    sandbox.controls.answers.searchCompanies = { status: 500 };
    sandbox.controls.reset();
    expect((await sandbox.read(SEARCH)).body).toEqual(good);
  });
});

import { createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { FastifyRequest } from "fastify";
import { AssertionMemory } from "../../src/sandbox/access";
import { createEntry } from "../../src/sandbox/index";
import ASSERTION_REFUSALS from "./assertion-refusals.json";
import {
  type AssertionChanges,
  createClient,
  NOW_MS,
  NOW_SECONDS,
  PRIVATE_MARKETS,
  RANKINGS,
  type RunningSandbox,
  startSandbox,
  TAXONOMIES,
  unknownKeyPair,
} from "./running-sandbox";
import ROWS from "./scopes.json";
import REFUSALS from "./token-refusals.json";

const SEARCH = `${PRIVATE_MARKETS}/companies?country=JPN`;
const TREE = `${TAXONOMIES}/tree`;
const MANY = `${PRIVATE_MARKETS}/financials`;
const HOUR = "start_datetime=2024-01-10T12:00:00&end_datetime=2024-01-10T12:59:59";

/** The requirements of each operation: a path to read, and the scopes of which any one suffices. */
const NEEDS = ROWS as [string, string[]][];

const EACH_SCOPE = [...new Set(NEEDS.flatMap(([, scopes]) => scopes))];

let sandbox: RunningSandbox;
let companyId: string;

beforeAll(async () => {
  const clients = [
    createClient("client-1"),
    createClient("client-2"),
    ...EACH_SCOPE.map((scope) => createClient(`only ${scope}`, { scopes: [scope] })),
    createClient("no scope", { scopes: [] }),
    createClient("two countries", { countries: ["JPN", "SGP"] }),
    createClient("no country", { countries: [] }),
  ];
  sandbox = await startSandbox({ companies: 200, clients });
  companyId = (await sandbox.read(`${PRIVATE_MARKETS}/companies?country=JPN&page_size=1`)).body.data[0].id;
});
beforeEach(() => {
  sandbox.controls.reset();
  sandbox.clock.nowMs = NOW_MS;
});
afterAll(() => sandbox.close());

describe("scopes", () => {
  it.each(NEEDS)("%s requires its own scope alone", async (path, scopes) => {
    for (const scope of EACH_SCOPE) {
      const token = await sandbox.createToken(`only ${scope}`);
      const { status } = await sandbox.read(path.replace(":id", companyId), token);
      expect([scope, status]).toEqual([scope, scopes.includes(scope) ? 200 : 403]);
    }
  });

  it("POST /financials requires financials:read", async () => {
    const readAs = async (clientId: string) => {
      const authorization = `Bearer ${await sandbox.createToken(clientId)}`;
      const body = JSON.stringify({ companyIds: [companyId] });
      const headers = { authorization, "content-type": "application/json" };
      return (await sandbox.post(`${PRIVATE_MARKETS}/financials`, body, headers)).status;
    };
    expect(await readAs("only financials:read")).toBe(200);
    expect(await readAs("only company:read")).toBe(403);
  });

  it("a refusal names the missing scope", async () => {
    const reply = await sandbox.read(TREE, await sandbox.createToken("no scope"));
    expect(reply.body.error.code).toBe("INSUFFICIENT_SCOPE");
    expect(reply.headers.get("www-authenticate")).toContain('error="insufficient_scope", scope="taxonomy:*:read"');
  });

  it("are checked before parameters: a client without the scope learns nothing of them", async () => {
    const token = await sandbox.createToken("no scope");
    expect((await sandbox.read(`${PRIVATE_MARKETS}/companies`, token)).status).toBe(403);
  });
});

describe("a bearer token", () => {
  it.each([
    ["none", undefined],
    ["another scheme", "Basic Y2xpZW50OnNlY3JldA=="],
    ["no token after Bearer", "Bearer "],
    ["a text that is no token", "Bearer abc"],
  ])("is refused if it is %s", async (_what, authorization) => {
    const headers = authorization === undefined ? undefined : { authorization };
    const response = await fetch(sandbox.baseUrl() + TREE, { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer /);
    expect(await response.json()).toMatchObject({ error: { code: "UNAUTHORISED" } });
  });

  it("is valid for 300 seconds", async () => {
    const token = await sandbox.createToken();
    sandbox.clock.nowMs = NOW_MS + 299_000;
    expect((await sandbox.read(TREE, token)).status).toBe(200);
    sandbox.clock.nowMs = NOW_MS + 300_000;
    const late = await sandbox.read(TREE, token);
    expect(late.status).toBe(401);
    expect(late.headers.get("www-authenticate")).toContain('error="invalid_token"');
  });

  it("is refused if a part of it was changed", async () => {
    const [header, , signature] = (await sandbox.createToken("no scope")).split(".");
    const claims = { scope: "taxonomy:*:read", generation: 0, exp: NOW_MS / 1000 + 300 };
    const forged = [header, Buffer.from(JSON.stringify(claims)).toString("base64url"), signature].join(".");
    expect((await sandbox.read(TREE, forged)).status).toBe(401);
  });

  it("of another sandbox is refused", async () => {
    const other = await startSandbox({ companies: 1 });
    const token = await other.createToken();
    await other.close();
    expect((await sandbox.read(TREE, token)).status).toBe(401);
  });
});

describe("countries", () => {
  const paths = [
    `${PRIVATE_MARKETS}/companies?page_size=999&country=`,
    `${TAXONOMIES}/companies?page_size=9999&company_type=ALL&country=`,
    `${TAXONOMIES}/sectors/SEC01/companies?page_size=9999&company_type=ALL&country=`,
    "/private-company/v1/companies?country=",
  ];
  const readCountries = (data: { countryCode?: string; registeredAddress?: { country: string } }[]) =>
    [...new Set(data.map((company) => company.countryCode ?? company.registeredAddress!.country))].sort();

  it.each(paths)("%s serves a granted country and refuses another", async (path) => {
    const token = await sandbox.createToken("two countries");
    const granted = await sandbox.read(`${path}SGP`, token);
    expect([granted.status, readCountries(granted.body.data)]).toEqual([200, ["SGP"]]);
    const refused = await sandbox.read(`${path}VNM`, token);
    expect([refused.status, refused.body.error.code]).toEqual([403, "INSUFFICIENT_SCOPE"]);
  });

  it.each(paths)("%s gives the granted countries for ALL, and 403 if there are none", async (path) => {
    const some = await sandbox.read(`${path}ALL`, await sandbox.createToken("two countries"));
    expect(readCountries(some.body.data)).toEqual(["JPN", "SGP"]);
    expect((await sandbox.read(`${path}ALL`, await sandbox.createToken("no country"))).status).toBe(403);
  });

  it("do not matter for single companies, the tree and the rankings", async () => {
    const token = await sandbox.createToken("no country");
    const paths = [
      `${PRIVATE_MARKETS}/companies/${companyId}`,
      `${PRIVATE_MARKETS}/financials/companies/${companyId}`,
      `${TAXONOMIES}/companies/${companyId}`,
      TREE,
      `${RANKINGS}/companies?${HOUR}`,
    ];
    for (const path of paths) expect([path, (await sandbox.read(path, token)).status]).toEqual([path, 200]);
  });

  it("without companies give an empty page", async () => {
    const { status, body } = await sandbox.read(`${PRIVATE_MARKETS}/companies?country=ISL`);
    expect([status, body]).toEqual([200, { data: [], page: 1, pageSize: 25, total: 0 }]);
  });
});

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Changes of an assertion as they are written: null for what is missing, and seconds from now on. */
type Written = Record<"header" | "claims", Record<string, unknown>> & { isUnknownKey?: true };

function toChanges({ header = {}, claims = {}, isUnknownKey }: Written): AssertionChanges {
  const toValue = (name: string, value: unknown) =>
    typeof value === "number" && name !== "jti" ? NOW_SECONDS + value : (value ?? undefined);
  const toAll = (of: object) =>
    Object.fromEntries(Object.entries(of).map(([name, value]) => [name, toValue(name, value)]));
  const key = isUnknownKey && { privateKey: unknownKeyPair.privateKey };
  return { header: toAll(header), claims: toAll(claims), ...key };
}

describe("the token endpoint", () => {
  it("exchanges a valid assertion for a bearer token of 300 seconds with no-store", async () => {
    const reply = await sandbox.exchange(sandbox.createForm(await sandbox.sign()));
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ access_token: expect.any(String), token_type: "bearer", expires_in: 300 });
    expect(reply.body.access_token.split(".")).toHaveLength(3);
    expect(reply.headers.get("cache-control")).toBe("no-store");
  });

  const ASSERTIONS = ASSERTION_REFUSALS as unknown as [string, Written, string][];
  it.each(ASSERTIONS)("refuses %s", async (_what, written, description) => {
    const reply = await sandbox.exchange(sandbox.createForm(await sandbox.sign(toChanges(written))));
    expect([reply.status, reply.body.error]).toEqual([401, "invalid_client"]);
    expect(reply.body.error_description).toContain(description);
  });

  it("accepts a lifetime of exactly 300 seconds", async () => {
    const assertion = await sandbox.sign({ claims: { exp: NOW_SECONDS + 300 } });
    expect((await sandbox.exchange(sandbox.createForm(assertion))).status).toBe(200);
  });

  it("refuses an assertion signed with the public key as a shared secret, and an unsigned one", async () => {
    const claims = (await sandbox.sign()).split(".")[1];
    const secret = JSON.stringify(createClient("client-1").keys[0]!.publicKey);
    const head = `${encode({ alg: "HS256", typ: "JWT", kid: "key-1" })}.${claims}`;
    const forged = `${head}.${createHmac("sha256", secret).update(head).digest("base64url")}`;
    const unsigned = `${encode({ alg: "none", typ: "JWT", kid: "key-1" })}.${claims}.`;
    for (const assertion of [forged, unsigned]) {
      const reply = await sandbox.exchange(sandbox.createForm(assertion));
      expect([reply.status, reply.body.error_description]).toEqual([401, "alg must be RS256."]);
    }
  });

  it("refuses claims that were changed after signing", async () => {
    const [header, , signature] = (await sandbox.sign()).split(".");
    const changed = [header, encode({ iss: "client-1", sub: "client-1" }), signature].join(".");
    const reply = await sandbox.exchange(sandbox.createForm(changed));
    expect(reply.body.error_description).toContain("The signature does not fit");
  });

  it("accepts a jti once for each client", async () => {
    const claims = { jti: "the-same" };
    const assertion = await sandbox.sign({ claims });
    expect((await sandbox.exchange(sandbox.createForm(assertion))).status).toBe(200);
    const again = await sandbox.exchange(sandbox.createForm(await sandbox.sign({ claims })));
    expect([again.status, again.body.error_description]).toEqual([401, "jti was used before."]);
    const other = await sandbox.sign({ claims }, "client-2");
    expect((await sandbox.exchange(sandbox.createForm(other, "client-2"))).status).toBe(200);
  });

  it("does not record the jti of a refused assertion", async () => {
    const claims = { jti: "kept" };
    const wrong = await sandbox.sign({ claims: { ...claims, sub: "x" } });
    expect((await sandbox.exchange(sandbox.createForm(wrong))).status).toBe(401);
    expect((await sandbox.exchange(sandbox.createForm(await sandbox.sign({ claims })))).status).toBe(200);
  });

  const FORMS = REFUSALS as [string, object, number, string, string][];
  it.each(FORMS)("refuses %s", async (_what, changes, status, code, description) => {
    const reply = await sandbox.exchange({ ...sandbox.createForm(await sandbox.sign()), ...changes });
    expect([reply.status, reply.body.error]).toEqual([status, code]);
    expect(reply.body.error_description).toContain(description);
  });

  it("refuses a field that is given twice", async () => {
    const form = new URLSearchParams(sandbox.createForm(await sandbox.sign()));
    form.append("client_id", "client-2");
    const reply = await sandbox.post("/token", form.toString(), {
      "content-type": "application/x-www-form-urlencoded",
    });
    expect([reply.status, reply.body.error_description]).toEqual([400, "client_id must be given once."]);
  });

  it.each(["application/json", "text/plain"])("refuses a body sent as %s", async (contentType) => {
    const form = sandbox.createForm(await sandbox.sign());
    const reply = await sandbox.post("/token", JSON.stringify(form), { "content-type": contentType });
    expect([reply.status, reply.body.error]).toEqual([400, "invalid_request"]);
    expect(reply.body.error_description).toContain("application/x-www-form-urlencoded");
  });

  it("accepts POST only", async () => {
    expect((await sandbox.read("/token")).status).toBe(405);
  });
});

it("the memory of used assertions forgets expired ones, so that it holds a few minutes' requests", () => {
  const memory = new AssertionMemory();
  for (let second = 0; second < 3_600; second += 1) memory.add("client-1", `jti-${second}`, second + 60, second);
  expect(memory.size).toBeLessThanOrEqual(90);
  expect(memory.add("client-1", "jti-3599", 9_999, 3_600)).toBe(false);
});

const exchange = async () => sandbox.exchange(sandbox.createForm(await sandbox.sign()));

describe("the request log", () => {
  it("counts by operation, with address, body and status, until it is reset", async () => {
    await sandbox.read(SEARCH);
    await sandbox.send(MANY, { companyIds: [companyId] });
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
      body: { companyIds: [companyId] },
      atMs: NOW_MS,
    });
    controls.reset();
    expect(controls.count()).toBe(0);
  });

  it("keeps the latest 5,000 and counts all", () => {
    const { controls } = sandbox;
    const read = { operationId: "getTaxonomyTree", method: "GET", body: undefined, status: 200, atMs: 0 } as const;
    for (let nth = 0; nth < 5_002; nth += 1) controls.record({ ...read, url: `/${nth}` });
    expect([controls.requests.length, controls.requests[0]!.url, controls.count()]).toEqual([5_000, "/2", 5_002]);
  });

  it("never holds an assertion", async () => {
    await exchange();
    expect(sandbox.controls.requests).toMatchObject([{ operationId: "createToken", body: undefined, status: 200 }]);
  });
});

it("latency delays a request by the general or its operation's own latency", async () => {
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

it("the rate limit refuses requests beyond it in the window; refused ones do not count", async () => {
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

it("controls are off after a reset", async () => {
  const good = (await sandbox.read(SEARCH)).body;
  Object.assign(sandbox.controls, { pageCap: 1, latencyMs: 600_000 });
  sandbox.controls.answers.searchCompanies = { status: 500 };
  sandbox.controls.reset();
  expect((await sandbox.read(SEARCH)).body).toEqual(good);
});

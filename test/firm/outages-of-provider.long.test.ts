import type { RequestListener, ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import fastify from "fastify";
import { createProviderServer, type ProviderServer } from "../companion/provider-server";
import { createTestPairings, createTestStores } from "../companion/test-configuration";
import { until } from "../support/until";
import { createInstanceReads } from "./instance-reads";

const COMPANY = "/asia/private-markets/v1/companies";

const { log } = fastify();

let server: ProviderServer;
let answer: RequestListener;
let reads: ReturnType<typeof createInstanceReads>;
/** The next company. */
let next = 0;

const load = () => reads.load({ method: "GET", path: `${COMPANY}/company-${next++}` });
const tryToLoad = () => load().catch((error: Error) => error);
const countReads = () => server.seen.filter(({ url }) => url.startsWith(COMPANY)).length;
const isRefused = (said: unknown) => (said as { retryAfterSeconds?: number }).retryAfterSeconds === 2;
const answerWell: RequestListener = (_request, response) => response.end("{}");

beforeEach(async () => {
  answer = answerWell;
  server = await createProviderServer((request, response) => {
    if (request.url !== "/token") answer(request, response);
    else response.end(JSON.stringify({ access_token: "token-1", expires_in: 300 }));
  });
  const stores = createTestStores(createTestPairings());
  reads = createInstanceReads({ port: server.port, stores, log, nowMs: Date.now, perMinute: 60_000 });
});
afterEach(async () => {
  await reads.close();
  await server.close();
});

/** Loads as many companies at once. */
const loadMany = (count: number) => Array.from({ length: count }, tryToLoad);

/** Has a provider fail until that is known. */
async function failForAll(): Promise<void> {
  answer = (_request, response) => response.writeHead(500).end("{}");
  for (let nth = 0; nth < 6; nth++) await load();
}

describe("a provider that fails for everybody", () => {
  it("gets one request each second and a half, and others a time to retry", async () => {
    await failForAll();
    const before = countReads();
    const all = await Promise.all(loadMany(40));
    // All of them give up after four seconds.
    expect(countReads() - before).toBeLessThanOrEqual(4);
    expect(all.filter(isRefused).length).toBeGreaterThanOrEqual(36);
    expect(all.find(isRefused)).toMatchObject({ statusCode: 503, code: "FEED_SERVER_FAILED" });
  });

  it("gets all requests that wait once a probe is answered", async () => {
    await failForAll();
    const waiting = loadMany(20);
    answer = answerWell;
    const all = await Promise.all(waiting);
    expect(all.filter((said) => (said as { status?: number }).status === 200).length).toBeGreaterThanOrEqual(18);
  });

  it("still gets requests of other families", async () => {
    await failForAll();
    answer = answerWell;
    const tree = await reads.load({ method: "GET", path: "/asia/industry-taxonomies/v1/tree" });
    expect(tree.status).toBe(200);
  });
});

it("a provider that fails for few companies gets every request", async () => {
  answer = (_request, response) => response.writeHead(500).end("{}");
  for (let nth = 0; nth < 12; nth++) {
    const path = `${COMPANY}/broken-${nth % 3}`;
    expect((await reads.load({ method: "GET", path })).status).toBe(500);
  }
  expect(countReads()).toBe(12);
});

it("a provider that hangs for everybody gets probes alone after five seconds, and all requests again as soon as one is answered", async () => {
  const hung: ServerResponse[] = [];
  answer = (_request, response) => void hung.push(response);
  const stuck = loadMany(3);
  let refused = 0;
  await until(async () => {
    stuck.push(
      tryToLoad().then((said) => {
        if (isRefused(said)) refused += 1;
        return said;
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    return refused > 0;
  });
  answer = answerWell;
  const all = await Promise.all(loadMany(10));
  expect(all.map((said) => (said as { status?: number }).status)).toEqual(all.map(() => 200));
  for (const response of hung) response.end("{}");
  await Promise.all(stuck);
});

import type { RequestListener } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import fastify from "fastify";
import type { Stores, Throttle } from "../../src/companion/stores";
import { createInstanceReads, type InstanceOptions } from "./instance-reads";
import { createProviderServer, type ProviderServer } from "./provider-server";
import { createTestPairings, createTestStores } from "./test-configuration";

const TREE = { method: "GET", path: "/asia/industry-taxonomies/v1/tree" } as const;
const COMPANY = { method: "GET", path: "/asia/private-markets/v1/companies/company-1" } as const;

let server: ProviderServer;
let answer: RequestListener;
let nowMs: number;
let stores: Stores;
let opened: ReturnType<typeof createInstanceReads>[];

const { log } = fastify();

/** An instance on shared stores. */
function createReads(options: Pick<InstanceOptions, "perMinute"> = {}) {
  const reads = createInstanceReads({ port: server.port, stores, log, nowMs: () => nowMs, ...options });
  opened.push(reads);
  return reads;
}

/** A throttle whose nth place, from 0, is free or to be asked for again in a millisecond. */
const createScriptedThrottle = (isFree: (nth: number) => boolean): Throttle => {
  let taken = 0;
  return { take: async () => (isFree(taken++) ? 0 : 1) };
};

const listReads = () => server.seen.filter(({ url }) => url !== "/token");
const toText = (reads: ReturnType<typeof createReads>) => reads.load(TREE).then(({ body }) => body.toString());

beforeEach(async () => {
  nowMs = Date.parse("2026-11-24T09:00:00Z");
  opened = [];
  stores = createTestStores(createTestPairings());
  answer = (_request, response) => response.end("[]");
  server = await createProviderServer((request, response) => {
    response.sendDate = false; // without a Date header, since this computer's clock stands still
    if (request.url !== "/token") answer(request, response);
    else response.end(JSON.stringify({ access_token: "token-1", expires_in: 300 }));
  });
});
afterEach(async () => {
  await Promise.all(opened.map((reads) => reads.close()));
  await stores.close();
  await server.close();
});

describe("the firm's rate limit", () => {
  it("is one throttle of two instances, of which 96 % is used, and each request takes a place when it goes", async () => {
    const created: [name: string, perMinute: number][] = [];
    const throttle = createScriptedThrottle((nth) => nth % 2 === 1);
    const createThrottle: Stores["createThrottle"] = (...words) => {
      created.push(words);
      return words[0] === "provider" ? throttle : createTestStores(createTestPairings()).createThrottle(...words);
    };
    stores = { ...stores, createThrottle };
    const [first, second] = [createReads({ perMinute: 3000 }), createReads({ perMinute: 3000 })];
    await Promise.all(Array.from({ length: 20 }, (_each, index) => (index % 2 ? first : second).load(TREE)));
    expect(created.filter(([name]) => name === "provider")).toEqual([
      ["provider", 2880],
      ["provider", 2880],
    ]);
    expect([listReads().length, await throttle.take()]).toEqual([20, 1]);
  });

  it("refuses waits of more than 10 seconds at once, with the time to retry", async () => {
    const reads = createReads({ perMinute: 5 });
    const all = await Promise.allSettled(Array.from({ length: 30 }, () => reads.load(TREE)));
    const refused = all.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect([listReads().length, refused.length]).toEqual([1, 29]);
    for (const refusal of refused) {
      expect(refusal).toMatchObject({ statusCode: 429, code: "FEED_RATE_LIMITED" });
      expect(refusal.retryAfterSeconds).toBeGreaterThan(0);
    }
  });
});

describe("a request too late for the firm's rate limit", () => {
  it("is refused at once if other instances have used the limit up", async () => {
    const throttle = stores.createThrottle("provider", 5);
    stores = { ...stores, createThrottle: () => throttle };
    const [first, second] = [createReads({ perMinute: 5 }), createReads({ perMinute: 5 })];
    await first.load(TREE);
    await expect(second.load(TREE)).rejects.toMatchObject({ code: "FEED_RATE_LIMITED" });
    expect(listReads()).toHaveLength(1);
  });

  it("is refused at once if more requests wait than fit in 10 seconds", async () => {
    const reads = createReads({ perMinute: 600 });
    const refused: unknown[] = [];
    const all = Array.from({ length: 250 }, () => reads.load(TREE).catch((error) => refused.push(error)));
    await all[0];
    expect(refused).toHaveLength(153);
  });
});

describe("a provider that demands a pause", () => {
  const limited =
    (status: number, headers: Record<string, string>): RequestListener =>
    (_request, response) =>
      response.writeHead(status, headers).end("{}");

  it.each<[string, number, Record<string, string>, number]>([
    ["429 in seconds", 429, { "retry-after": "30" }, 30],
    ["429 by a date", 429, { "retry-after": "Tue, 24 Nov 2026 09:00:30 GMT" }, 30],
    [
      "429 by a date of its own clock",
      429,
      { "retry-after": "Tue, 24 Nov 2026 10:00:30 GMT", date: "Tue, 24 Nov 2026 10:00:00 GMT" },
      30,
    ],
    ["429 without a time", 429, {}, 2],
    ["429 for a day", 429, { "retry-after": "86400" }, 600],
    ["503 in seconds", 503, { "retry-after": "30" }, 30],
  ])("by %s gets no request from any instance for that time", async (_how, status, headers, seconds) => {
    const [first, second] = [createReads(), createReads()];
    answer = limited(status, headers);
    expect((await first.load(TREE)).status).toBe(status);
    answer = (_request, response) => response.end("[]");
    nowMs += seconds * 1000 - 1;
    for (const reads of [first, second]) {
      await expect(reads.load(TREE)).rejects.toMatchObject({ statusCode: 429, retryAfterSeconds: 1 });
    }
    expect(listReads()).toHaveLength(1);
    nowMs += 1;
    for (const reads of [first, second]) expect(await toText(reads)).toBe("[]");
  });

  it("gets none of the requests that were already queued", async () => {
    let isPaused = false;
    const throttle = createScriptedThrottle((nth) => nth === 0 || isPaused);
    stores = { ...stores, createThrottle: () => throttle };
    const reads = createReads({ perMinute: 3000 });
    answer = limited(429, { "retry-after": "30" });
    const first = reads.load(TREE).finally(() => {
      isPaused = true;
    });
    const queued = await Promise.allSettled(Array.from({ length: 59 }, () => reads.load(TREE)));
    expect([(await first).status, listReads().length]).toEqual([429, 1]);
    expect(queued.filter(({ status }) => status === "rejected")).toHaveLength(59);
  });

  it("still gets requests of other families", async () => {
    const reads = createReads();
    answer = limited(429, { "retry-after": "30" });
    await reads.load(TREE);
    answer = (_request, response) => response.end("{}");
    expect((await reads.load(COMPANY)).status).toBe(200);
  });

  it("gets requests after a 503 without Retry-After", async () => {
    const reads = createReads();
    answer = limited(503, {});
    await reads.load(TREE);
    expect((await reads.load(TREE)).status).toBe(503);
    expect(listReads()).toHaveLength(2);
  });

  it("gets one probe after the pause, and no other if it demands another", async () => {
    const reads = createReads();
    answer = limited(429, { "retry-after": "30" });
    await reads.load(TREE);
    nowMs += 30_000;
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => reads.load(TREE)));
    expect(all.filter(({ status }) => status === "rejected")).toHaveLength(9);
    expect(listReads()).toHaveLength(2);
    nowMs += 30_000;
    answer = (_request, response) => response.end("[]");
    expect(await Promise.all(Array.from({ length: 10 }, () => toText(reads)))).toEqual(Array(10).fill("[]"));
  });
});

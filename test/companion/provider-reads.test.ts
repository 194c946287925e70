import type { RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import fastify from "fastify";
import type { ProviderClient } from "../../src/companion/relay/provider-client";
import type { Stores } from "../../src/companion/stores";
import { createInstanceReads, type InstanceOptions } from "./instance-reads";
import { createProviderServer, type ProviderServer } from "./provider-server";
import { createTestPairings, createTestStores } from "./test-configuration";

const START_MS = Date.parse("2026-11-24T09:00:00Z");
const TREE = { method: "GET", path: "/asia/industry-taxonomies/v1/tree" } as const;
const COMPANY = { method: "GET", path: "/asia/private-markets/v1/companies/company-1" } as const;
const SEVERAL = { method: "POST", path: "/asia/private-markets/v1/financials" } as const;
const TOKEN = "secret-token-of-the-provider";
const MEGABYTE = 1024 * 1024;

let server: ProviderServer;
let answer: RequestListener;
let exchange: RequestListener;
let granted: number;
let nowMs: number;
let stores: Stores;
let opened: { close(): Promise<void> }[];
const lines: string[] = [];

const { log } = fastify({ logger: { level: "info", stream: { write: (line: string) => lines.push(line) } } });

/** An instance on shared stores. */
function createReads(options: Pick<InstanceOptions, "perMinute" | "totalMs"> = {}): ProviderClient {
  const reads = createInstanceReads({ port: server.port, stores, log, nowMs: () => nowMs, ...options });
  opened.push(reads);
  return reads;
}

const listReads = () => server.seen.filter(({ url }) => url !== "/token");
const countExchanges = () => server.seen.filter(({ url }) => url === "/token").length;
const toText = (reads: ProviderClient) => reads.load(TREE).then(({ body }) => body.toString());

beforeEach(async () => {
  nowMs = START_MS;
  granted = 0;
  lines.length = 0;
  opened = [];
  stores = createTestStores(createTestPairings());
  answer = (_request, response) => response.end("[]");
  exchange = (_request, response) => {
    granted += 1;
    response.end(JSON.stringify({ access_token: `${TOKEN}-${granted}`, expires_in: 300 }));
  };
  server = await createProviderServer((request, response) => {
    response.sendDate = false; // without a Date header, since this computer's clock stands still
    (request.url === "/token" ? exchange : answer)(request, response);
  });
});
afterEach(async () => {
  await Promise.all(opened.map((reads) => reads.close()));
  await stores.close();
  await server.close();
});

describe("a read of the provider as the firm's client", () => {
  it("exchanges one token for many reads", async () => {
    const reads = createReads();
    expect(await Promise.all(Array.from({ length: 20 }, () => toText(reads)))).toEqual(Array(20).fill("[]"));
    expect(countExchanges()).toBe(1);
    expect(new Set(listReads().map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${TOKEN}-1`]));
  });

  it("sends the requested operation and nothing else", async () => {
    const body = Buffer.from('{"companyIds":["company-1"],"year":2024}');
    await createReads().load({ ...SEVERAL, body });
    expect(listReads()).toMatchObject([{ ...toSeen(SEVERAL), body: body.toString() }]);
    const { host, connection, ...headers } = listReads()[0]!.headers;
    expect(headers).toEqual({
      accept: "application/json",
      "accept-encoding": "identity",
      authorization: `Bearer ${TOKEN}-1`,
      "content-type": "application/json",
      "content-length": String(body.length),
    });
  });

  it("gives the bytes unchanged, uncompressed", async () => {
    const bytes = Buffer.from('{"a":1.50,"b":1e400,"c":"\\u0041"}');
    answer = (_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(bytes));
    const { status, headers, body } = await createReads().load(TREE);
    expect([status, headers, body.equals(bytes)]).toEqual([200, { "content-type": "application/json" }, true]);
  });

  it("retries once with another token when the provider refuses the first", async () => {
    answer = ({ headers }, response) => response.writeHead(headers.authorization?.endsWith("-1") ? 401 : 200).end("[]");
    const reads = createReads();
    expect(await Promise.all(Array.from({ length: 5 }, () => toText(reads)))).toEqual(Array(5).fill("[]"));
    expect(countExchanges()).toBe(2);
  });

  it("stops exchanging tokens if the provider refuses all", async () => {
    answer = (_request, response) => response.writeHead(401).end("{}");
    const reads = createReads();
    for (let read = 0; read < 10; read += 1) expect((await reads.load(TREE)).status).toBe(401);
    expect(countExchanges()).toBe(2);
    nowMs += 5000;
    expect((await reads.load(TREE)).status).toBe(401);
    expect(countExchanges()).toBe(3);
  });

  it.each([
    [401, { status: 401, headers: { "www-authenticate": 'Bearer error="invalid_token"' } }],
    [400, { status: 401 }],
  ])("makes the pane exchange and get the reason when the exchange is refused with %i", async (status, reason) => {
    exchange = (_request, response) => response.writeHead(status).end('{"error":"invalid_client"}');
    const reads = createReads();
    expect(await reads.load(TREE)).toMatchObject(reason);
    expect(await reads.load(TREE)).toMatchObject(reason);
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    [429, { statusCode: 429, code: "FEED_RATE_LIMITED", retryAfterSeconds: 7 }],
    [503, { statusCode: 502, code: "FEED_SERVER_FAILED", retryAfterSeconds: 7 }],
  ])("waits as long as the token endpoint demands with %i", async (status, refusal) => {
    const grant = exchange;
    exchange = (_request, response) => response.writeHead(status, { "retry-after": "7" }).end();
    const reads = createReads();
    await expect(reads.load(TREE)).rejects.toMatchObject(refusal);
    exchange = grant;
    nowMs += 6999;
    await expect(reads.load(TREE)).rejects.toMatchObject(refusal);
    nowMs += 1;
    expect(await toText(reads)).toBe("[]");
    expect(countExchanges()).toBe(2);
  });

  it("waits ten minutes at most, whatever the token endpoint demands", async () => {
    const grant = exchange;
    exchange = (_request, response) => response.writeHead(429, { "retry-after": "86400" }).end();
    const reads = createReads();
    for (const retryAfterSeconds of [600, 600]) {
      await expect(reads.load(TREE)).rejects.toMatchObject({ statusCode: 429, retryAfterSeconds });
    }
    exchange = grant;
    nowMs += 600_000;
    expect(await toText(reads)).toBe("[]");
  });

  it.each([302, 204])("reports status %i as no answer, and follows nothing", async (status) => {
    answer = (_request, response) => response.writeHead(status, { location: "/elsewhere" }).end();
    await expect(createReads().load(TREE)).rejects.toMatchObject({ code: "FEED_SERVER_FAILED" });
    expect(listReads()).toHaveLength(1);
  });

  it("gives 64 MB whole, and reports more as too large", async () => {
    let parts = 64;
    answer = (_request, response) => {
      for (let part = 0; part < parts; part += 1) response.write(Buffer.alloc(MEGABYTE, "x"));
      response.end();
    };
    const reads = createReads();
    expect((await reads.load(TREE)).body).toHaveLength(64 * MEGABYTE);
    parts = 65;
    await expect(reads.load(TREE)).rejects.toMatchObject({
      code: "FEED_SERVER_FAILED",
      message: "The provider's answer is above 64 MB; ask for fewer rows.",
    });
  });

  it.each<[string, RequestListener]>([
    ["is damaged", (_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end("no gzip")],
    [
      "is packed in a way of its own",
      (_request, response) => response.writeHead(200, { "content-encoding": "x" }).end(),
    ],
  ])("reports an answer that %s", async (_what, odd) => {
    answer = odd;
    await expect(createReads().load(TREE)).rejects.toMatchObject({ code: "FEED_SERVER_FAILED" });
  });

  it("reports an answer that broke off or took too long", async () => {
    answer = (_request, response) => void response.write("half", () => response.destroy());
    await expect(createReads().load(TREE)).rejects.toMatchObject({ code: "FEED_NETWORK_FAILED" });
    answer = () => {};
    await expect(createReads({ totalMs: 50 }).load(TREE)).rejects.toMatchObject({ code: "FEED_TIMED_OUT" });
  });

  it("redacts a token that an error quotes, and logs an error's path without ids", async () => {
    answer = (_request, response) => {
      response.writeHead(403, { "www-authenticate": `Bearer ${TOKEN}-1`, "content-type": "application/json" });
      response.end(`{"error":{"message":"no ${btoa(`${TOKEN}-1`)} here","traceId":"trace-1"}}`);
    };
    const { status, headers, body } = await createReads().load({ ...COMPANY, path: `${COMPANY.path}` });
    expect(status).toBe(403);
    const output = body + JSON.stringify(headers) + lines.join("");
    expect(output).toContain("here");
    for (const secret of [TOKEN, btoa(`${TOKEN}-1`).slice(0, 20)]) expect(output).not.toContain(secret);
    const line = lines.map((text) => JSON.parse(text)).find(({ msg }) => msg === "the provider refused a call");
    expect(line).toMatchObject({
      path: "/asia/private-markets/v1/companies/{companyId}",
      status: 403,
      traceId: "trace-1",
    });
    expect(lines.join("")).not.toContain("company-1");
  });
});

const toSeen = ({ method, path }: { method: string; path: string }) => ({ method, url: path });

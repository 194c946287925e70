import type { OutgoingHttpHeaders, RequestListener, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import fastify from "fastify";
import type { RateLimit } from "../../src/companion/stores";
import type { ProviderClient } from "../../src/firm/relay/provider-client";
import type { FirmStores } from "../../src/firm/stores";
import { createProviderServer, type ProviderServer } from "../companion/provider-server";
import { createTestPairings, createTestStores } from "../companion/test-configuration";
import { until } from "../support/until";
import { createInstanceReads, type InstanceOptions } from "./instance-reads";
import PAUSES from "./provider-pauses.json";

const START_MS = Date.parse("2026-11-24T09:00:00Z");
const TREE = { method: "GET", path: "/asia/industry-taxonomies/v1/tree" } as const;
const COMPANY = { method: "GET", path: "/asia/private-markets/v1/companies/company-1" } as const;
const SEVERAL = { method: "POST", path: "/asia/private-markets/v1/financials" } as const;
const TOKEN = "eyJ0eXAiOiJKV1QifQ.eyJhIjoiYiJ9+/very.secret-token-of-the-provider";
const MEGABYTE = 1024 * 1024;
/** A provider as slow as a test needs. */
const ALONE_MS = 40;

let server: ProviderServer;
let answer: RequestListener;
let exchange: RequestListener;
let granted: number;
let nowMs: number;
let stores: FirmStores;
let opened: { close(): Promise<void> }[];
const lines: string[] = [];

const { log } = fastify({ logger: { level: "info", stream: { write: (line: string) => lines.push(line) } } });

function createReads(options: Partial<InstanceOptions> = {}): ProviderClient {
  const reads = createInstanceReads({ port: server.port, stores, log, nowMs: () => nowMs, ...options });
  opened.push(reads);
  return reads;
}

/** A throttle whose nth place, from 0, is free or to be asked for again in a millisecond. */
const createScriptedLimit = (isFree: (nth: number) => boolean): RateLimit => {
  let taken = 0;
  return { count: async () => (isFree(taken++) ? 0 : 1) };
};

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
  it("gives text of another declared charset in UTF-8, and bytes that are none of it as they are", async () => {
    const bytes = Buffer.from("5b228a948eae89ef8ed0225d", "hex");
    answer = (_request, response) => response.setHeader("content-type", type).end(bytes);
    let type = "application/json; charset=Shift_JIS";
    expect(await createReads().load(TREE)).toMatchObject({
      headers: { "content-type": "application/json; charset=utf-8" },
      body: Buffer.from('["株式会社"]'),
    });
    type = "application/json; charset=x-unknown";
    expect((await createReads().load(TREE)).headers).toEqual({ "content-type": type });
  });

  it("sends the requested operation and nothing else", async () => {
    const body = Buffer.from('{"companyIds":["company-1"],"year":2024}');
    await createReads().load({ ...SEVERAL, body });
    expect(listReads()).toMatchObject([{ method: "POST", url: SEVERAL.path, body: body.toString() }]);
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
    [503, "7", 7, { statusCode: 502, code: "FEED_SERVER_FAILED" }],
    [429, "86400", 600, { statusCode: 429, code: "FEED_RATE_LIMITED" }],
  ])("waits as long as the token endpoint demands with %i, %s seconds, yet ten minutes at most", async (...row) => {
    const [status, demanded, retryAfterSeconds, refusal] = row;
    const grant = exchange;
    exchange = (_request, response) => response.writeHead(status, { "retry-after": demanded }).end();
    const reads = createReads();
    await expect(reads.load(TREE)).rejects.toMatchObject({ ...refusal, retryAfterSeconds });
    exchange = grant;
    nowMs += retryAfterSeconds * 1000 - 1;
    await expect(reads.load(TREE)).rejects.toMatchObject(refusal);
    nowMs += 1;
    expect(await toText(reads)).toBe("[]");
    expect(countExchanges()).toBe(2);
  });

  it.each([302, 204])("reports status %i as no answer, and follows nothing", async (status) => {
    answer = (_request, response) => response.writeHead(status, { location: "/elsewhere" }).end();
    await expect(createReads().load(TREE)).rejects.toMatchObject({ code: "FEED_SERVER_FAILED" });
    expect(listReads()).toHaveLength(1);
  });

  it("reports more than 64 MB as too large", async () => {
    answer = (_request, response) => {
      for (let part = 0; part < 65; part += 1) response.write(Buffer.alloc(MEGABYTE, "x"));
      response.end();
    };
    await expect(createReads().load(TREE)).rejects.toMatchObject({
      code: "FEED_SERVER_FAILED",
      message: "The provider's answer is above 64 MB; ask for fewer rows.",
    });
  });

  it.each([
    ["is damaged", "gzip"],
    ["is packed in a way of its own", "x"],
  ])("reports an answer that %s", async (_what, packing) => {
    answer = (_request, response) => response.writeHead(200, { "content-encoding": packing }).end("no gzip");
    await expect(createReads().load(TREE)).rejects.toMatchObject({ code: "FEED_SERVER_FAILED" });
  });

  it("reports an answer that broke off or took too long", async () => {
    answer = (_request, response) => void response.write("half", () => response.destroy());
    await expect(createReads().load(TREE)).rejects.toMatchObject({ code: "FEED_NETWORK_FAILED" });
    answer = () => {};
    await expect(createReads({ totalMs: 50 }).load(TREE)).rejects.toMatchObject({ code: "FEED_TIMED_OUT" });
  });

  it("logs an error's path without ids", async () => {
    answer = (_request, response) => response.writeHead(403).end('{"error":{"traceId":"trace-1"}}');
    await createReads().load(COMPANY);
    const line = lines.map((text) => JSON.parse(text)).find(({ msg }) => msg === "the provider refused a call");
    const path = "/asia/private-markets/v1/companies/{companyId}";
    expect(line).toMatchObject({ path, status: 403, traceId: "trace-1" });
    expect(lines.join("")).not.toContain("company-1");
  });

  it.each<[how: string, write: (secret: string) => string]>([
    ["verbatim", (secret) => secret],
    ["as JSON may write it", (secret) => secret.replaceAll("/", "\\/").replaceAll("t", "\\u0074")],
    ["URL-encoded", encodeURIComponent],
    ["in base64", (secret) => btoa(`Bearer ${secret}`)],
    ["in base64 of URLs", (secret) => Buffer.from(`x${secret}`).toString("base64url")],
    ["in part", (secret) => secret.slice(5, 30)],
  ])("redacts a token that an error quotes %s, in its body, packed or not, or its header", async (_how, write) => {
    const quoted = write(`${TOKEN}-1`);
    const error = `{"error":{"message":"no ${quoted} here","traceId":"trace-1"}}`;
    const reads = createReads();
    for (const pack of [gzipSync, Buffer.from]) {
      answer = (_request, response) => {
        response.writeHead(403, {
          ...(pack === gzipSync && { "content-encoding": "gzip" }),
          ...{ "www-authenticate": `Bearer token="${quoted}"`, "retry-after": "3" },
        });
        response.end(pack(error));
      };
      const { status, headers, body } = await reads.load(TREE);
      expect([status, headers["retry-after"], headers["content-encoding"]]).toEqual([403, "3", undefined]);
      expect(JSON.parse(body.toString())).toEqual({
        error: { message: expect.stringMatching(/^no \S*\.\.\.\S* here$/), traceId: "trace-1" },
      });
      const output = body + JSON.stringify(headers) + lines.join("");
      for (let at = 0; at + 16 <= quoted.length; at++) expect(output).not.toContain(quoted.slice(at, at + 16));
    }
  });

  it("gives an error without a token byte for byte", async () => {
    const bytes = Buffer.from([0x7b, 0x22, 0xff, 0xe6, 0x97, 0x5c, 0x2f, 0x22, 0x7d]);
    answer = (_request, response) => response.writeHead(400, { "content-type": "application/octet-stream" }).end(bytes);
    const { headers, body } = await createReads().load(TREE);
    expect([body.equals(bytes), headers["content-type"]]).toEqual([true, "application/octet-stream"]);
  });

  it.each<[string, Record<string, string>, Buffer]>([
    ["compressed and damaged", { "content-encoding": "gzip" }, Buffer.alloc(10)],
    ["compressed in an unknown format", { "content-encoding": "own" }, Buffer.alloc(10)],
    ["larger than 64 KB", {}, Buffer.alloc(64 * 1024 + 1)],
    ["larger than 64 KB once decompressed", { "content-encoding": "gzip" }, gzipSync(Buffer.alloc(64 * 1024 + 1))],
  ])("withholds an error that is %s", async (_what, packed, error) => {
    answer = (_request, response) => response.writeHead(500, packed).end(error);
    const { status, headers, body } = await createReads().load(TREE);
    expect([status, headers["content-encoding"], headers["feed-refusal"]]).toEqual([500, undefined, undefined]);
    const sentence = "The error is too large or packed, and not shown.";
    expect(JSON.parse(body.toString())).toEqual({ error: { message: sentence } });
  });
});

describe("the firm's rate limit", () => {
  it("is one cap of two instances, and each request counts when it goes", async () => {
    const created: unknown[] = [];
    const cap = createScriptedLimit((nth) => nth % 2 === 1);
    const createSharedLimit: FirmStores["createSharedLimit"] = (...words) => {
      created.push(words);
      return cap;
    };
    stores = { ...stores, createSharedLimit };
    const [first, second] = [createReads({ perMinute: 3000 }), createReads({ perMinute: 3000 })];
    await Promise.all(Array.from({ length: 20 }, (_each, index) => (index % 2 ? first : second).load(TREE)));
    expect(created).toEqual([
      ["provider", 250, 5000],
      ["provider", 250, 5000],
    ]);
    expect([listReads().length, await cap.count("all")]).toEqual([20, 1]);
  });

  it("refuses a request at once if other instances have used it up", async () => {
    const cap = stores.createSharedLimit("provider", 1, 60_000);
    stores = { ...stores, createSharedLimit: () => cap };
    const [first, second] = [createReads({ perMinute: 5 }), createReads({ perMinute: 5 })];
    await first.load(TREE);
    await expect(second.load(TREE)).rejects.toMatchObject({ code: "FEED_RATE_LIMITED" });
    expect(listReads()).toHaveLength(1);
  });

  it("refuses at once, with the time to retry, the requests that would wait more than 10 seconds", async () => {
    const reads = createReads({ perMinute: 600 });
    const refused: { retryAfterSeconds: number }[] = [];
    const all = Array.from({ length: 250 }, () => reads.load(TREE).catch((error) => refused.push(error)));
    await all[0];
    expect(refused).toHaveLength(153);
    for (const refusal of refused) {
      expect(refusal).toMatchObject({ statusCode: 429, code: "FEED_RATE_LIMITED" });
      expect(refusal.retryAfterSeconds).toBeGreaterThan(0);
    }
  });
});

describe("a provider that demands a pause", () => {
  const limited =
    (status: number, headers: OutgoingHttpHeaders): RequestListener =>
    (_request, response) =>
      response.writeHead(status, headers).end("{}");

  it.each(PAUSES)("by $how gets no request for that time", async ({ status, headers, seconds }) => {
    const reads = createReads();
    answer = limited(status, headers);
    expect((await reads.load(TREE)).status).toBe(status);
    answer = (_request, response) => response.end("[]");
    nowMs += seconds * 1000 - 1;
    await expect(reads.load(TREE)).rejects.toMatchObject({ statusCode: 429, retryAfterSeconds: 1 });
    expect(listReads()).toHaveLength(1);
    nowMs += 1;
    expect(await toText(reads)).toBe("[]");
  });

  it("gets none of the requests that were already queued", async () => {
    let isPaused = false;
    const cap = createScriptedLimit((nth) => nth === 0 || isPaused);
    stores = { ...stores, createSharedLimit: () => cap };
    const reads = createReads({ perMinute: 3000 });
    answer = limited(429, { "retry-after": "30" });
    const first = reads.load(TREE).finally(() => {
      isPaused = true;
    });
    const queued = await Promise.allSettled(Array.from({ length: 59 }, () => reads.load(TREE)));
    expect([(await first).status, listReads().length]).toEqual([429, 1]);
    expect(queued.filter(({ status }) => status === "rejected")).toHaveLength(59);
  });

  it("still gets requests of other families, and all after a 503 without Retry-After", async () => {
    const reads = createReads();
    answer = limited(429, { "retry-after": "30" });
    await reads.load(TREE);
    answer = limited(503, {});
    for (let read = 0; read < 2; read += 1) expect((await reads.load(COMPANY)).status).toBe(503);
    expect(listReads()).toHaveLength(3);
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

  it("gets those that wait behind its probe in their turns, which they take after the probe's answer", async () => {
    let taken = 0;
    const cap = createScriptedLimit((nth) => {
      taken = nth + 1;
      return true;
    });
    stores = { ...stores, createSharedLimit: () => cap };
    const reads = createReads();
    answer = limited(429, { "retry-after": "30" });
    await reads.load(TREE);
    nowMs += 30_000;
    let endProbe = () => {};
    answer = ({ url }, response) => {
      if (url === TREE.path && listReads().length === 2) endProbe = () => void response.end("[]");
      else response.end("[]");
    };
    const all = Array.from({ length: 10 }, () => toText(reads));
    await until(() => listReads().length === 2);
    // Of another family, and behind whatever takes a place before it.
    await reads.load(COMPANY);
    const takenBefore = taken;
    endProbe();
    expect(await Promise.all(all)).toEqual(Array(10).fill("[]"));
    expect([takenBefore, taken]).toEqual([3, 12]);
  });
});

describe("a slow read", () => {
  const createSlow = (options: Partial<InstanceOptions> = {}) =>
    createReads({ nowMs: Date.now, aloneMs: ALONE_MS, ...options });
  /** Answers the nth read, from 1. */
  const answerEach = (each: (response: ServerResponse, nth: number) => void) => {
    answer = (_request, response) => each(response, listReads().length);
  };

  it("that hangs is answered by a hedging request, and cancelled", async () => {
    let ended: Promise<true> | undefined;
    answerEach((response, nth) => {
      if (nth === 1) ended = new Promise<true>((resolve) => response.once("close", () => resolve(true)));
      else response.end("[2]");
    });
    expect(await toText(createSlow())).toBe("[2]");
    expect([await ended, listReads().length]).toEqual([true, 2]);
  });

  it.each([503, 429])("that is alive is awaited if the hedging request gets a %d", async (status) => {
    let first: ServerResponse | undefined;
    answerEach((response, nth) => {
      if (nth === 1) first = response;
      else response.writeHead(status).end("{}", () => first?.end("[1]"));
    });
    expect(await toText(createSlow())).toBe("[1]");
    expect(listReads().length).toBe(2);
  });

  it("that trickles is given up at the panes' deadline, like one that never answers", async () => {
    answerEach((response) => void response.write("x"));
    await expect(createSlow({ totalMs: 3 * ALONE_MS }).load(TREE)).rejects.toMatchObject({ code: "FEED_TIMED_OUT" });
    expect(listReads().length).toBe(2);
  });

  it("is hedged at most five times, plus once for every ten answers", async () => {
    const held: ServerResponse[] = [];
    answerEach((response) => void held.push(response));
    const created = createSlow();
    const all = Promise.all(Array.from({ length: 30 }, () => toText(created)));
    await until(() => listReads().length === 35);
    for (const response of held) response.end("[]");
    await all;
    expect(listReads().length).toBe(35);
  });

  it("is not hedged beyond the firm's rate limit", async () => {
    answerEach((response, nth) => {
      if (nth === 1) setTimeout(() => response.end("[1]"), 3 * ALONE_MS);
    });
    const created = createSlow({ perMinute: 1 });
    expect([await toText(created), listReads().length]).toEqual(["[1]", 1]);
  });

  it("that probes after a pause is not hedged", async () => {
    let nowMs = Date.now();
    let isRefusing = true;
    answer = (_request, response) => {
      if (isRefusing) response.writeHead(429, { "retry-after": "5" }).end("{}");
      else setTimeout(() => response.end("[2]"), 3 * ALONE_MS);
    };
    const created = createSlow({ nowMs: () => nowMs });
    await created.load(TREE);
    isRefusing = false;
    const refused = listReads().length; // on a busy machine its hedge, too
    nowMs += 5_000;
    expect([await toText(created), listReads().length - refused]).toEqual(["[2]", 1]);
  });

  it("can be an exchange, which is hedged with an assertion of its own", async () => {
    let exchanges = 0;
    exchange = (_request, response) => {
      exchanges += 1;
      if (exchanges > 1) response.end('{"access_token":"token","expires_in":300}');
    };
    answerEach((response) => response.end("[]"));
    expect(await toText(createSlow())).toBe("[]");
    const assertions = server.seen
      .filter(({ url }) => url === "/token")
      .map(({ body }) => new URLSearchParams(body).get("client_assertion"));
    expect([assertions.length, new Set(assertions).size]).toEqual([2, 2]);
  });
});

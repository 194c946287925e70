import type { RequestListener, ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import fastify from "fastify";
import type { ProviderClient } from "../../src/companion/relay/provider-client";
import type { Stores } from "../../src/companion/stores";
import { until } from "../support/until";
import { createInstanceReads, type InstanceOptions } from "./instance-reads";
import { createProviderServer, type ProviderServer } from "./provider-server";
import { createTestPairings, createTestStores } from "./test-configuration";

const TREE = { method: "GET", path: "/asia/industry-taxonomies/v1/tree" } as const;
/** A provider as slow as a test needs. */
const ALONE_MS = 40;

let server: ProviderServer;
let stores: Stores;
let opened: { close(): Promise<void> }[];
/** Answers the nth read, from 1. */
let answer: (response: ServerResponse, nth: number) => void;
let exchange: RequestListener;
let reads: number;

const { log } = fastify();

function createReads(options: Partial<InstanceOptions> = {}): ProviderClient {
  const created = createInstanceReads({
    port: server.port,
    stores,
    log,
    nowMs: Date.now,
    aloneMs: ALONE_MS,
    ...options,
  });
  opened.push(created);
  return created;
}

const toText = (created: ProviderClient) => created.load(TREE).then(({ body }) => body.toString());
const isEnded = (response: ServerResponse) =>
  new Promise<true>((resolve) => response.once("close", () => resolve(true)));

beforeEach(async () => {
  opened = [];
  reads = 0;
  stores = createTestStores(createTestPairings());
  exchange = (_request, response) => response.end('{"access_token":"token","expires_in":300}');
  server = await createProviderServer((request, response) => {
    if (request.url === "/token") exchange(request, response);
    else answer(response, ++reads);
  });
});
afterEach(async () => {
  await Promise.all(opened.map((each) => each.close()));
  await stores.close();
  await server.close();
});

describe("a slow read", () => {
  it("that hangs is answered by a hedging request, and cancelled", async () => {
    let ended: Promise<true> | undefined;
    answer = (response, nth) => {
      if (nth === 1) ended = isEnded(response);
      else response.end("[2]");
    };
    expect(await toText(createReads())).toBe("[2]");
    expect([await ended, reads]).toEqual([true, 2]);
  });

  it.each([503, 429])("that is alive is awaited if the hedging request gets a %d", async (status) => {
    let first: ServerResponse | undefined;
    answer = (response, nth) => {
      if (nth === 1) first = response;
      else response.writeHead(status).end("{}", () => first?.end("[1]"));
    };
    expect(await toText(createReads())).toBe("[1]");
    expect(reads).toBe(2);
  });

  it("that trickles is given up at the panes' deadline, like one that never answers", async () => {
    answer = (response) => void response.write("x");
    await expect(createReads({ totalMs: 3 * ALONE_MS }).load(TREE)).rejects.toMatchObject({ code: "FEED_TIMED_OUT" });
    expect(reads).toBe(2);
  });

  it("is hedged at most five times, plus once for every ten answers", async () => {
    const held: ServerResponse[] = [];
    answer = (response) => void held.push(response);
    const created = createReads();
    const all = Promise.all(Array.from({ length: 30 }, () => toText(created)));
    await until(() => reads === 35);
    for (const response of held) response.end("[]");
    await all;
    expect(reads).toBe(35);
  });

  it("is not hedged beyond the firm's rate limit", async () => {
    answer = (response, nth) => {
      if (nth === 1) setTimeout(() => response.end("[1]"), 3 * ALONE_MS);
    };
    const created = createReads({ perMinute: 1 });
    expect([await toText(created), reads]).toEqual(["[1]", 1]);
  });

  it("that probes after a pause is not hedged", async () => {
    let nowMs = Date.now();
    answer = (response, nth) => {
      if (nth === 1) response.writeHead(429, { "retry-after": "5" }).end("{}");
      else setTimeout(() => response.end("[2]"), 3 * ALONE_MS);
    };
    const created = createReads({ nowMs: () => nowMs });
    await created.load(TREE);
    nowMs += 5_000;
    expect([await toText(created), reads]).toEqual(["[2]", 2]);
  });
});

describe("a slow exchange", () => {
  it("is hedged with an assertion of its own", async () => {
    let exchanges = 0;
    exchange = (_request, response) => {
      exchanges += 1;
      if (exchanges > 1) response.end('{"access_token":"token","expires_in":300}');
    };
    answer = (response) => response.end("[]");
    expect(await toText(createReads())).toBe("[]");
    const assertions = server.seen.flatMap(({ url, body }) =>
      url === "/token" ? [new URLSearchParams(body).get("client_assertion")] : [],
    );
    expect([assertions.length, new Set(assertions).size]).toEqual([2, 2]);
  });
});

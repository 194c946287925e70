import { type IncomingMessage, type RequestListener, request } from "node:http";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { loadAssertion } from "../../src/client/auth/assertion";
import { createToken } from "../../src/client/auth/token";
import { createHttp } from "../../src/client/http";
import { createProvider, type Provider } from "../../src/client/provider";
import { HELD } from "../../src/contract/companion-api";
import { createGate } from "../firm/shared/shared-reads-world";
import { createClock } from "../support/clock";
import { until } from "../support/until";
import { type PairedCompanion, startPaired } from "./paired-companion";
import { createProviderServer, type ProviderServer } from "./provider-server";
import type { RawAnswer } from "./raw-request";
import { createConfiguration } from "./test-configuration";

const TREE = "/companion/relay/asia/industry-taxonomies/v1/tree";
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const HOLDING = { authorization: `Bearer ${HELD}` };
const TOKEN = "secret-token-of-the-provider";

let provider: ProviderServer;
let read: RequestListener;
let exchange: RequestListener;
let companion: PairedCompanion;
let granted: number;
let clock: jest.SpiedFunction<typeof Date.now>;

const send: PairedCompanion["send"] = (...request) => companion.send(...request);
const loadHeld = () => send("POST", "/companion/relay/token", FORM, `client_assertion=${HELD}`);
const countExchanges = () => provider.seen.filter(({ url }) => url === "/token").length;
const isRefusal = ({ headers }: RawAnswer) => headers["feed-refusal"] !== undefined;
const listBearers = () =>
  provider.seen.filter(({ url }) => url !== "/token").map(({ headers }) => headers.authorization);

function createReader(): Provider {
  const base = `http://localhost:${companion.port}`;
  const relay = `${base}/companion/relay`;
  const fetchPaired: typeof fetch = (url, init) =>
    fetch(url, { ...init, headers: { ...(init?.headers as Record<string, string>), ...companion.paired } });
  const { ports } = createClock({ startMs: Date.now(), hurryMs: 1000, fetch: fetchPaired });
  const http = createHttp(ports, 6);
  const connection = async () => ({ baseUrl: relay, tokenUrl: `${relay}/token`, isRelayed: true });
  const token = createToken({ ports, http, connection, sign: (refused) => loadAssertion(http, base, refused) });
  return createProvider({ ports, http, token, connection });
}

beforeEach(async () => {
  clock = jest.spyOn(Date, "now");
  granted = 0;
  read = (_request, response) => response.end("[]");
  exchange = (_request, response) => {
    granted += 1;
    response.end(JSON.stringify({ access_token: `${TOKEN}-${granted}`, expires_in: 300 }));
  };
  provider = await createProviderServer((request, response) =>
    request.url === "/token" ? exchange(request, response) : read(request, response),
  );
  const baseUrl = `http://127.0.0.1:${provider.port}`;
  companion = await startPaired({ configuration: createConfiguration(baseUrl, { mode: "relay", logLevel: "info" }) });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await companion.app.close();
  await provider.close();
});

describe("a companion in relay mode", () => {
  it("gives out placeholders instead of assertion and token", async () => {
    const json = { "content-type": "application/json" };
    const signed = await send("POST", "/companion/assertion", json, "{}");
    expect(JSON.parse(signed.body)).toEqual({ clientId: "client-1", keyId: "kid-1", assertion: HELD });
    expect(provider.seen).toEqual([]);
    const { status, body } = await loadHeld();
    const expected = [200, { access_token: HELD, token_type: "bearer", expires_in: expect.any(Number) }];
    expect([status, JSON.parse(body)]).toEqual(expected);
    expect(JSON.parse(body).expires_in).toBeGreaterThan(290);
    expect(JSON.parse(body).expires_in).toBeLessThanOrEqual(300);
  });

  it("exchanges an assertion of its own, whatever the caller sends", async () => {
    const caller = { ...FORM, authorization: "Bearer x" };
    await send("POST", "/companion/relay/token", caller, "client_id=other&client_assertion=a.b.c");
    const [{ body, headers }] = provider.seen as [(typeof provider.seen)[0]];
    expect(new URLSearchParams(body).get("client_id")).toBe("client-1");
    expect(body).not.toContain("a.b.c");
    expect(headers.authorization).toBeUndefined();
  });

  it("answers a read without the placeholder as a provider refuses a token, and sends nothing", async () => {
    expect((await send("GET", TREE, HOLDING)).status).toBe(200);
    for (const authorization of ["", `Bearer ${TOKEN}-1`, `bearer ${HELD}`, `Bearer ${HELD}x`, HELD, `Basic ${HELD}`]) {
      const answer = await send("GET", TREE, authorization === "" ? {} : { authorization });
      expect([authorization, answer.status, isRefusal(answer)]).toEqual([authorization, 401, false]);
    }
    expect(listBearers()).toHaveLength(1);
  });

  it("exchanges for a read too, since the pane's token may be another instance's", async () => {
    const { status, body } = await send("GET", TREE, HOLDING);
    expect([status, body, countExchanges()]).toEqual([200, "[]", 1]);
    expect(listBearers()).toEqual([`Bearer ${TOKEN}-1`]);
  });

  it("gives the pane's own client values, by one exchange for several panes", async () => {
    const panes = [createReader(), createReader(), createReader()];
    const replies = await Promise.all(panes.map((pane) => pane.load({ operation: "getTaxonomyTree" })));
    expect(replies.map(({ body }) => body)).toEqual([[], [], []]);
    expect(countExchanges()).toBe(1);
  });

  it("answers the pane's own client as a provider does if each token is refused", async () => {
    read = (_request, response) => response.writeHead(401).end("[]");
    const reading = createReader().load({ operation: "getTaxonomyTree" });
    await expect(reading).rejects.toMatchObject({ code: "FEED_UNAUTHORISED" });
  });

  it("reports a refused client when the provider refuses the assertion", async () => {
    exchange = (_request, response) => response.writeHead(401).end('{"error":"invalid_client"}');
    expect(JSON.parse((await loadHeld()).body).error.message).toBe("invalid_client");
    await expect(createReader().load({ operation: "getTaxonomyTree" })).rejects.toMatchObject({
      code: "FEED_TOKEN_REFUSED",
      message: expect.stringContaining('client "client-1" with key "kid-1" (401, invalid_client);'),
    });
  });

  it("passes on status, Retry-After and clock of a refused exchange", async () => {
    const date = "Wed, 01 Jan 2025 00:00:00 GMT";
    exchange = (_request, response) => response.writeHead(429, { "retry-after": "7", date }).end();
    const answer = await loadHeld();
    expect([answer.status, answer.headers["retry-after"], answer.headers.date]).toEqual([429, "7", date]);
    expect(isRefusal(answer)).toBe(false);
  });

  it.each([
    ["a redirect", 302, "FEED_SERVER_FAILED"],
    ["a status that HTTP does not have", 999, "FEED_SERVER_FAILED"],
    ["no answer", 0, "FEED_NETWORK_FAILED"],
  ])("reports a token exchange with %s", async (_what, status, code) => {
    exchange = (_request, response) =>
      status === 0 ? response.destroy() : response.writeHead(status, { location: "/login" }).end("{}");
    const answer = await loadHeld();
    expect([answer.status, answer.headers["feed-refusal"]]).toEqual([502, code]);
  });
});

const RELAY = "/companion/relay";
const RANKING = `${RELAY}/japan/ranking/v1/industries?start_datetime=2024-01-01T00:00:00&end_datetime=2024-01-02T00:00:00`;
const COMPANY = `${RELAY}/asia/private-markets/v1/companies/company-1`;
const FINANCIALS = `${RELAY}/asia/private-markets/v1/financials`;
const LARGE = JSON.stringify(Array.from({ length: 200 }, (_, sectorId) => ({ sectorId })));

describe("a shared answer", () => {
  let said: { status: number; body: string };
  /** A promise that delays the provider's answers. */
  let held: Promise<void>;
  let own: Record<string, string>;

  const get = (path: string, more: Record<string, string> = {}) => send("GET", path, { ...HOLDING, ...more });
  const post = (body: object) =>
    send("POST", FINANCIALS, { ...HOLDING, "content-type": "application/json" }, JSON.stringify(body));
  const countReads = () => listBearers().length;

  beforeEach(() => {
    said = { status: 200, body: "[1.0]" };
    held = Promise.resolve();
    read = async (_request, response) => {
      await held;
      response.writeHead(said.status, { "content-type": "application/json" }).end(said.body);
    };
    own = { ...companion.paired, ...HOLDING };
  });

  it("reports its age", async () => {
    expect((await get(TREE)).headers.age).toBe("0");
    const body = { companyIds: ["0000000a-0000-4000-8000-000000000000"] };
    said.body = JSON.stringify({ data: [{ companyId: body.companyIds[0], years: [] }], total: 1 });
    expect((await post(body)).headers.age).toBe("0");
    expect((await post(body)).body).toContain(JSON.stringify({ companyId: body.companyIds[0], years: [] }));
    expect(countReads()).toBe(2);
  });

  it("is refetched by a refresh once it exceeds the firm's max age, and reports when that is", async () => {
    let nowMs = Date.now();
    clock.mockImplementation(() => nowMs);
    const edition = async (cacheControl: string) => {
      const { headers, body } = await get(TREE, { "cache-control": cacheControl });
      return [body, headers.age, headers["feed-refresh-in"]];
    };
    said.body = "[1]";
    expect(await edition("no-cache")).toEqual(["[1]", "0", "0"]);
    said.body = "[2]";
    nowMs += 10_000;
    expect(await edition("no-cache")).toEqual(["[1]", "10", "5"]);
    nowMs += 10_000;
    expect(await edition("max-age=0")).toEqual(["[1]", "20", "0"]);
    expect(await edition("max-age=21")).toEqual(["[1]", "20", "0"]);
    expect(await edition("max-age=20")).toEqual(["[2]", "0", "0"]);
    expect(countReads()).toBe(2);
  });

  it("names the reading of its list, with or without one in the request", async () => {
    said.body = JSON.stringify({ data: [1], total: 2 });
    const readings = async (reading?: string, page = 1) => {
      const named: Record<string, string> = reading === undefined ? {} : { "feed-reading": reading };
      const { headers } = await get(`${RANKING}&page=${page}`, named);
      return headers["feed-reading"];
    };
    const reading = String(await readings("any"));
    expect(reading).toMatch(/^0-0-[\w-]{22}\.\d+$/);
    expect(await readings(reading, 2)).toBe(reading);
    expect(String(await readings("any")).split(".")[0]).toBe(reading.split(".")[0]);
    expect([await readings(), await readings("fresh"), await readings("another", 2)]).toEqual(["none", "none", "none"]);
    expect(provider.seen.every(({ headers }) => !("feed-reading" in headers))).toBe(true);
  });

  it("may be stored by a browser with revalidation if it has no contact data", async () => {
    for (const path of [TREE, RANKING]) {
      expect((await get(path)).headers["cache-control"]).toBe("private, no-cache");
    }
    expect((await get(COMPANY)).headers["cache-control"]).toBe("no-store");
    expect((await post({ companyIds: ["x"] })).headers["cache-control"]).toBe("no-store");
    said.status = 403;
    expect((await get(`${TREE.replace("tree", "companies/c")}`)).headers["cache-control"]).toBe("no-store");
  });

  it("answers 304 to a request with the current ETag", async () => {
    const { headers, body } = await get(TREE);
    const tag = String(headers.etag);
    const again = await get(TREE, { "if-none-match": `"other", W/${tag}` });
    expect([again.status, again.body, again.headers.etag]).toEqual([304, "", tag]);
    expect(again.headers["cache-control"]).toBe("private, no-cache");
    const another = await get(TREE, { "if-none-match": '"other"' });
    expect([another.status, another.body]).toEqual([200, body]);
    expect((await get(COMPANY, { "if-none-match": tag })).status).toBe(304);
  });

  it("is compressed if the caller accepts that and it is large", async () => {
    expect((await get(COMPANY, { "accept-encoding": "gzip" })).headers["content-encoding"]).toBeUndefined();
    said.body = LARGE;
    const tags: unknown[] = [];
    for (const accepted of ["gzip", "br, GZIP;q=0.5", "*"]) {
      const { headers, body } = await get(TREE, { "accept-encoding": accepted });
      expect([accepted, headers["content-encoding"], headers.vary]).toEqual([accepted, "gzip", "accept-encoding"]);
      expect(body.length).toBeLessThan(LARGE.length);
      tags.push(headers.etag);
    }
    const response = await fetch(`http://localhost:${companion.port}${TREE}`, { headers: own });
    expect(await response.text()).toBe(LARGE);
    for (const accepted of ["", "br", "gzip;q=0", "gzip; q=0.0", "xgzip"]) {
      const { headers, body } = await get(TREE, accepted === "" ? {} : { "accept-encoding": accepted });
      expect([accepted, headers["content-encoding"], body]).toEqual([accepted, undefined, LARGE]);
      expect(tags).not.toContain(headers.etag);
    }
  });

  it("reaches the waiting callers even if the first one has left", async () => {
    const { opened, open: answer } = createGate();
    held = opened;
    const leaving = new AbortController();
    const { signal } = leaving;
    const first = fetch(`http://localhost:${companion.port}${TREE}`, { headers: own, signal });
    await until(() => countReads() === 1);
    const second = get(TREE);
    leaving.abort();
    await expect(first).rejects.toThrow();
    answer();
    expect([(await second).status, (await get(TREE)).status, countReads()]).toEqual([200, 200, 1]);
  });

  it("is for 250 companies at most", async () => {
    const toIds = (length: number) => Array.from({ length }, (_, nth) => `company-${nth}`);
    for (const body of [{ companyIds: toIds(251) }, { identifiers: toIds(251) }]) {
      expect(await post(body)).toMatchObject({ status: 400, body: expect.stringContaining("250 companies") });
    }
    expect(countReads()).toBe(0);
    expect((await post({ companyIds: toIds(250) })).status).toBe(200);
  });

  it("is refused to a caller that leaves more than 64 MB unread, until it reads or leaves", async () => {
    said.body = JSON.stringify(["x".repeat(33 * 1024 * 1024)]);
    const host = `localhost:${companion.port}`;
    const unread = await new Promise<IncomingMessage>((resolve) => {
      request({ host: "127.0.0.1", port: companion.port, path: TREE, headers: { host, ...own } }, resolve).end();
    });
    expect([unread.statusCode, (await get(TREE)).status]).toEqual([200, 429]);
    unread.on("error", () => {}).destroy();
    await until(async () => (await get(TREE)).status === 200);
  });
});

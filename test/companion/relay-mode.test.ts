import type { RequestListener } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { loadAssertion } from "../../src/client/auth/assertion";
import { createToken } from "../../src/client/auth/token";
import { createHttp } from "../../src/client/http";
import { createProvider, type Provider } from "../../src/client/provider";
import { HELD } from "../../src/contract/companion-api";
import { createClock } from "../support/clock";
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

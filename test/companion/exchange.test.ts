import { randomBytes } from "node:crypto";
import type { RequestListener } from "node:http";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import fastify, { type FastifyBaseLogger } from "fastify";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { createKeySigner, type Signer, signAssertion } from "../../src/companion/assertion";
import { createProviderClock } from "../../src/companion/clock";
import { exchangeAssertion } from "../../src/companion/exchange";
import { DIRECT } from "../../src/companion/network";
import type { Provider } from "../../src/companion/provider";
import { createRedact } from "../../src/companion/redaction";
import { type AccessToken, createRelayToken, type RelayToken } from "../../src/companion/relay/token";
import { readTestCertificate } from "../support/certificate";
import ANSWERS from "./exchange-answers.json";
import { createProviderServer, type ProviderServer, type Seen } from "./provider-server";
import { createClient, privateKey } from "./test-configuration";

const DATE = "Tue, 24 Nov 2026 09:00:00 GMT";
const NOW_MS = Date.parse(DATE) + 60_000;
const CLOCKED = { dateMs: Date.parse(DATE), skewMs: 59_500 };

/** Exchanges a fresh assertion at a provider with the given answer. */
async function exchange(answer: RequestListener, options: { timeoutMs?: number } = {}) {
  const provider = await createProviderServer(answer);
  const tokenUrl = `http://127.0.0.1:${provider.port}/base/token`;
  const { clientId, signers } = createClient();
  const { assertion } = await signAssertion(clientId, signers[0], tokenUrl, Date.now());
  const result = await exchangeAssertion(tokenUrl, clientId, assertion, { nowMs: () => NOW_MS, ...options });
  await provider.close();
  return { result, assertion, seen: provider.seen };
}

const answerJson =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    response
      .writeHead(status, { "content-type": "application/json", date: DATE, ...headers })
      .end(JSON.stringify(body));

/** A title, the answer, and what is made of it. */
type Row = [string, number, Record<string, string>, string, object];

describe("an exchange", () => {
  it("sends the API's form and gives the token with its lifetime and the provider's clock", async () => {
    const body = { access_token: "t-1", token_type: "bearer", expires_in: 300 };
    const { result, assertion, seen } = await exchange(answerJson(200, body));
    expect(result).toEqual({ ok: true, token: "t-1", expiresInSeconds: 300, ...CLOCKED });
    const [{ method, url, headers, body: form }] = seen as [Seen];
    const expected = ["POST", "/base/token", "application/x-www-form-urlencoded"];
    expect([method, url, headers["content-type"]]).toEqual(expected);
    expect(Object.fromEntries(new URLSearchParams(form))).toEqual({
      grant_type: "client_credentials",
      client_id: "client-1",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: assertion,
    });
  });

  it.each(ANSWERS as Row[])("%s", async (_title, status, headers, body, expected) => {
    const { result, seen } = await exchange((_request, response) => response.writeHead(status, headers).end(body));
    expect(result).toMatchObject(expected);
    expect(seen.map(({ url }) => url)).toEqual(["/base/token"]);
  });

  it("reports the provider's reason, its clock and when to retry", async () => {
    const said = { error: "invalid_client", error_description: "unknown kid" };
    const { result } = await exchange(answerJson(401, said, { "retry-after": "7" }));
    const reason = "refused (401, invalid_client: unknown kid)";
    const refusal = "invalid_client: unknown kid";
    expect(result).toEqual({ ok: false, status: 401, reason, said: refusal, waitMs: 7_000, ...CLOCKED });
  });

  it("redacts a quoted assertion, whole or in part, and control characters", async () => {
    const quote: RequestListener = (_request, response) => {
      const assertion = new URLSearchParams(provider.seen[0]?.body).get("client_assertion") ?? "";
      const part = btoa(`the assertion ${assertion}`);
      const error_description = `\u001b[31m${assertion} or ${assertion.slice(300, 340)}, ${part} of client-1`;
      response.writeHead(400).end(JSON.stringify({ error: "bad", error_description }));
    };
    const provider = await createProviderServer(quote);
    const tokenUrl = `http://127.0.0.1:${provider.port}/token`;
    const { assertion } = await signAssertion("client-1", createClient().signers[0], tokenUrl, Date.now());
    const result = await exchangeAssertion(tokenUrl, "client-1", assertion);
    await provider.close();
    expect(result).toMatchObject({
      status: 400,
      reason: expect.stringMatching(/^refused \(400, bad: {2}\[31m\.{3} or \.{3}, .{0,24}\.{3}.{0,8} of client-1\)$/),
    });
  });

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])("requests an uncompressed answer, and reads one in %s", async (encoding, pack) => {
    const { result, seen } = await exchange((_request, response) =>
      response.writeHead(200, { "content-encoding": encoding }).end(pack('{"access_token":"t-1"}')),
    );
    expect(result).toMatchObject({ ok: true, token: "t-1" });
    expect(seen[0]?.headers["accept-encoding"]).toBe("identity");
  });

  it.each([
    ["damaged", "gzip", Buffer.from("damaged")],
    ["larger than any token", "gzip", gzipSync(" ".repeat(70_000))],
    ["packed in a way of its own", "own", Buffer.from("{}")],
  ])("reports a compressed answer that is %s", async (_what, encoding, bytes) => {
    const { result } = await exchange((_request, response) =>
      response.writeHead(200, { "content-encoding": encoding }).end(bytes),
    );
    expect(result).toMatchObject({ ok: false, reason: "answered in a packed form that cannot be read" });
  });

  it("times out with a provider that never finishes", async () => {
    const { result } = await exchange((_request, response) => response.write("{"), { timeoutMs: 200 });
    expect(result).toEqual({ ok: false, status: 0, reason: "did not answer within 0.2 seconds" });
  });

  it("reads no more than a token needs", async () => {
    const { result } = await exchange((_request, response) => response.end(" ".repeat(70_000)));
    expect(result).toEqual({ ok: false, status: 0, reason: "answered with more than any token" });
  });

  it("reports a provider that does not answer", async () => {
    const provider = await createProviderServer(() => {});
    await provider.close();
    expect(await exchangeAssertion(`http://127.0.0.1:${provider.port}/token`, "client-1", "a.b.c")).toEqual({
      ok: false,
      status: 0,
      reason: "could not be reached (ECONNREFUSED)",
    });
  });

  it("trusts a certificate only by its authority", async () => {
    const certificate = await readTestCertificate();
    const provider = await createProviderServer(answerJson(200, { access_token: "t-1" }), certificate);
    const url = `https://localhost:${provider.port}/token`;
    expect(await exchangeAssertion(url, "client-1", "a.b.c")).toMatchObject({ ok: false, status: 0 });
    expect(provider.seen).toEqual([]);
    const own = { origin: () => new URL(url).origin, pem: certificate.authority };
    const trusting = { network: { ...DIRECT, own } };
    expect(await exchangeAssertion(url, "client-1", "a.b.c", trusting)).toMatchObject({ ok: true, token: "t-1" });
    await provider.close();
  });
});

const SECRET = randomBytes(96).toString("base64");

describe("redaction", () => {
  it("removes any 16 characters of a secret", () => {
    const redact = createRedact([SECRET]);
    for (let at = 0; at + 16 <= SECRET.length; at++) {
      expect(redact(`no ${SECRET.slice(at, at + 16)} here`)).toBe("no ... here");
    }
  });

  it("removes adjacent and repeated parts", () => {
    const part = SECRET.slice(20, 50);
    expect(createRedact([SECRET])(`${part}${part} and ${part}.`)).toBe("... and ....");
  });

  it("removes short secrets whole, and no word that a secret happens to contain", () => {
    expect(createRedact(["short-one", "", `${SECRET}companion`])("short-one of the companion")).toBe(
      "... of the companion",
    );
  });
});

describe("the companion's own token", () => {
  const START_MS = Date.parse("2026-11-24T09:00:00Z");

  let server: ProviderServer;
  let answer: RequestListener;
  let provider: Provider;
  let token: RelayToken;
  let nowMs: number;
  let granted: number;
  let lifetime: unknown;
  const lines: string[] = [];

  const { log } = fastify({ logger: { level: "info", stream: { write: (line: string) => lines.push(line) } } });
  const ASKER = { log: log as FastifyBaseLogger, pairing: "pair-1" };
  const load = () => token.load(ASKER);
  const loadHeld = async () => (await load()) as AccessToken;
  const readLines = () => lines.map((line) => JSON.parse(line));
  const readAssertion = ({ body }: Seen) => new URLSearchParams(body).get("client_assertion") ?? "";
  const readKeyId = (seen: Seen) => decodeProtectedHeader(readAssertion(seen)).kid;

  const toProvider = (client: Provider["client"] = createClient()): Provider => ({
    sample: false,
    baseUrl: () => `http://127.0.0.1:${server.port}`,
    client,
  });
  const twoKeys = () => ({
    clientId: "client-1",
    signers: [createKeySigner("kid-2", privateKey), createKeySigner("kid-1", privateKey)] as const,
  });

  beforeEach(async () => {
    answer = (_request, response) => {
      granted += 1;
      response.end(JSON.stringify({ access_token: `token-${granted}`, expires_in: lifetime }));
    };
    server = await createProviderServer((request, response) => {
      response.sendDate = false; // without a Date header, since this computer's clock stands still
      answer(request, response);
    });
    provider = toProvider();
    nowMs = START_MS;
    granted = 0;
    lifetime = 300;
    lines.length = 0;
    const clock = createProviderClock(() => nowMs);
    token = createRelayToken({ provider: () => provider, clock });
  });
  afterEach(() => server.close());

  it("is exchanged once for a hundred callers, and reused", async () => {
    const all = await Promise.all(Array.from({ length: 100 }, loadHeld));
    expect(new Set(all.map((held) => held.token))).toEqual(new Set(["token-1"]));
    expect(all[0]?.expiresAtMs).toBe(START_MS + 300_000);
    expect(await load()).toBe(all[0]);
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    [300, 255],
    [30, 20],
    ["300", 255],
    [1e12, 3555],
  ])("with %j seconds is renewed from second %d on, and not before", async (seconds, renewAt) => {
    lifetime = seconds;
    await load();
    nowMs = START_MS + renewAt * 1000 - 1;
    expect((await loadHeld()).token).toBe("token-1");
    nowMs += 1;
    expect((await loadHeld()).token).toBe("token-2");
    expect(server.seen).toHaveLength(2);
  });

  it("serves reads to its end, and none afterwards", async () => {
    await load();
    answer = (_request, response) => response.writeHead(503).end();
    nowMs = START_MS + 299_999;
    expect((await loadHeld()).token).toBe("token-1");
    nowMs += 1;
    expect(await load()).toMatchObject({ ok: false, status: 503 });
  });

  it("is renewed when the provider refuses it, and not by a late refusal of an older one", async () => {
    const first = await loadHeld();
    expect(await token.renew(first, ASKER)).toBe(true);
    const second = await loadHeld();
    expect(await token.renew(first, ASKER)).toBe(true);
    expect(await loadHeld()).toBe(second);
    expect([second.token, server.seen.length]).toEqual(["token-2", 2]);
  });

  it("never serves another provider, nor the same one under another client", async () => {
    const former = await loadHeld();
    provider = toProvider(createClient("client-2"));
    expect((await loadHeld()).token).toBe("token-2");
    expect(await token.renew(former, ASKER)).toBe(true);
    expect(server.seen.map((seen) => decodeJwt(readAssertion(seen)).iss)).toEqual(["client-1", "client-2"]);
  });

  it("is exchanged anew when another provider is set up during the exchange", async () => {
    const grant = answer;
    answer = (request, response) => {
      answer = grant;
      provider = toProvider(createClient("client-2"));
      grant(request, response);
    };
    const held = await loadHeld();
    expect(held.token).toBe("token-2");
    expect(await load()).toBe(held);
    expect(server.seen.map((seen) => decodeJwt(readAssertion(seen)).iss)).toEqual(["client-1", "client-2"]);
  });

  it("is not replaced by a previous provider's, whose exchange ends later", async () => {
    const grant = answer;
    let release = () => {};
    const requested = new Promise<void>((resolve) => {
      answer = (request, response) => {
        answer = grant;
        release = () => grant(request, response);
        resolve();
      };
    });
    const slow = loadHeld();
    await requested;
    provider = toProvider(createClient("client-2"));
    const quick = await loadHeld();
    release();
    expect([quick.token, (await slow).token]).toEqual(["token-1", "token-1"]);
    expect(await load()).toBe(quick);
  });

  it("is exchanged anew after a failed exchange", async () => {
    const grant = answer;
    answer = (_request, response) => response.writeHead(503, { "retry-after": "7" }).end();
    expect(await load()).toMatchObject({ ok: false, status: 503, waitMs: 7_000 });
    answer = grant;
    nowMs += 6_999;
    expect(await load()).toMatchObject({ ok: false, status: 503 });
    nowMs += 1;
    expect((await loadHeld()).token).toBe("token-1");
  });

  it("is exchanged anew after a signer failed", async () => {
    const { signers } = createClient();
    const broken: Signer = { ...signers[0], sign: () => Promise.reject(new Error("The card is out.")) };
    const client = { clientId: "client-1", signers: [broken] as [Signer] };
    provider = toProvider(client);
    await expect(load()).rejects.toThrow("The card is out.");
    client.signers[0] = signers[0];
    expect((await loadHeld()).token).toBe("token-1");
  });

  it.each([400, 401, 403])("comes by the previous key, with a warning, if the newest gets %i", async (status) => {
    provider = toProvider(twoKeys());
    const grant = answer;
    answer = (request, response) => {
      if (server.seen.length === 1) response.writeHead(status).end();
      else grant(request, response);
    };
    expect((await loadHeld()).token).toBe("token-1");
    expect(server.seen.map(readKeyId)).toEqual(["kid-2", "kid-1"]);
    expect(readLines().filter(({ level }) => level === 40)).toMatchObject([
      {
        kid: "kid-2",
        status,
        msg: 'The provider refuses the newest key "kid-2", so "kid-1" signs: have the newest registered, or take it out of the settings.',
      },
    ]);
  });

  it.each([429, 500, 503])("is not tried with another key when the provider answers %i", async (status) => {
    provider = toProvider(twoKeys());
    answer = (_request, response) => response.writeHead(status).end();
    expect(await load()).toMatchObject({ ok: false, status });
    expect(server.seen).toHaveLength(1);
  });

  it("is tried once with each key when both are refused, and once with a single key", async () => {
    answer = (_request, response) => response.writeHead(401).end(JSON.stringify({ error: `no-${server.seen.length}` }));
    expect(await load()).toMatchObject({ status: 401, reason: "refused (401, no-1)" });
    expect(server.seen).toHaveLength(1);
    provider = toProvider(twoKeys());
    expect(await load()).toMatchObject({ status: 401, reason: "refused (401, no-2)" });
    expect(server.seen).toHaveLength(3);
  });

  it("is logged with caller, key, beginning of the jti and outcome, without token or assertion", async () => {
    await load();
    answer = (_request, response) => {
      const assertion = readAssertion(server.seen.at(-1)!);
      response.writeHead(401).end(JSON.stringify({ error: "invalid_client", error_description: btoa(assertion) }));
    };
    nowMs += 300_000;
    const declined = await load();
    const [good, bad] = readLines();
    const [first, second] = server.seen.map((seen) => String(decodeJwt(readAssertion(seen)).jti).slice(0, 8));
    expect(good).toMatchObject({ level: 30, pairing: "pair-1", kid: "kid-1", jti: first, outcome: "granted" });
    expect(bad).toMatchObject({
      pairing: "pair-1",
      kid: "kid-1",
      jti: second,
      outcome: expect.stringMatching(/^refused \(401, invalid_client: \.\.\..{0,4}\)$/),
    });
    const output = lines.join("") + JSON.stringify(declined);
    for (const seen of server.seen) {
      for (const secret of [readAssertion(seen), btoa(readAssertion(seen)).slice(0, 40)])
        expect(output).not.toContain(secret);
    }
    expect(output).not.toContain("token-1");
  });
});

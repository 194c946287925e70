import type { RequestListener } from "node:http";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { signAssertion } from "../../src/companion/assertion";
import { exchangeAssertion } from "../../src/companion/exchange";
import { readTestCertificate } from "../support/certificate";
import { createProviderServer, type Seen } from "./provider-server";
import { createClient } from "./test-configuration";

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

describe("an exchange", () => {
  it("sends the API's form and gives the token with its lifetime and the provider's clock", async () => {
    const body = { access_token: "t-1", token_type: "bearer", expires_in: 300 };
    const { result, assertion, seen } = await exchange(answerJson(200, body));
    expect(result).toEqual({ ok: true, token: "t-1", expiresInSeconds: 300, ...CLOCKED });
    const [{ method, url, headers, body: form }] = seen as [Seen];
    expect([method, url, headers["content-type"]]).toEqual([
      "POST",
      "/base/token",
      "application/x-www-form-urlencoded",
    ]);
    expect(Object.fromEntries(new URLSearchParams(form))).toEqual({
      grant_type: "client_credentials",
      client_id: "client-1",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: assertion,
    });
  });

  it.each([
    ["300", 300],
    [undefined, 300],
    [1e12, 3600],
  ])("reads a lifetime of %j as %d seconds", async (lifetime, seconds) => {
    const { result } = await exchange(answerJson(200, { access_token: "t-1", expires_in: lifetime }));
    expect(result).toMatchObject({ ok: true, expiresInSeconds: seconds });
  });

  it("reads an answer with a byte order mark", async () => {
    const { result } = await exchange((_request, response) => response.end('\ufeff{"access_token":"t-1"}'));
    expect(result).toMatchObject({ ok: true, token: "t-1" });
  });

  it.each([
    [{ access_token: "t-1", expires_in: 0 }, "gave a token that has ended already"],
    [{ access_token: "t-1", expires_in: "300s" }, "gave a token whose expires_in is no number of seconds"],
    [{ access_token: "t 1\n", expires_in: 300 }, "answered without an access token"],
    [{ token: "t-1" }, "answered without an access token"],
    [null, "answered without an access token"],
  ])("gives no token for %j", async (body, reason) => {
    const { result } = await exchange(answerJson(200, body));
    expect(result).toMatchObject({ ok: false, status: 200, reason });
  });

  it("reports the provider's reason, its clock and when to retry", async () => {
    const said = { error: "invalid_client", error_description: "unknown kid" };
    const { result } = await exchange(answerJson(401, said, { "retry-after": "7" }));
    const reason = "refused (401, invalid_client: unknown kid)";
    const refusal = "invalid_client: unknown kid";
    expect(result).toEqual({ ok: false, status: 401, reason, said: refusal, waitMs: 7_000, ...CLOCKED });
  });

  it.each([
    [{ error: { code: "NO_CLIENT", message: "no such client" } }, "refused (403, NO_CLIENT: no such client)"],
    [{ error: null }, "refused (403)"],
    ["<html>", "refused (403)"],
  ])("reports the message of %j", async (body, reason) => {
    expect((await exchange(answerJson(403, body))).result).toMatchObject({ ok: false, status: 403, reason });
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

  it("follows no redirect, which would send the assertion to another address", async () => {
    const { result, seen } = await exchange((_request, response) =>
      response.writeHead(307, { location: "/elsewhere" }).end(),
    );
    expect(result).toMatchObject({
      ok: false,
      status: 307,
      reason: "answered with a redirect (307), which is not followed",
    });
    expect(seen.map(({ url }) => url)).toEqual(["/base/token"]);
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
    const { authority } = certificate;
    expect(await exchangeAssertion(url, "client-1", "a.b.c", { authority })).toMatchObject({ ok: true, token: "t-1" });
    await provider.close();
  });
});

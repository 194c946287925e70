import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { FastifyInstance } from "fastify";
import { decodeJwt, jwtVerify } from "jose";
import { createCompanion } from "../../src/companion/companion";
import { toThumbprint } from "../../src/companion/key";
import { createConfiguration, publicKey } from "./configured";
import { createPages } from "./pages-folder";
import { readPort, sendRaw } from "./raw-request";

const PROVIDER_URL = "https://feed.example.com/base";
const ASSERTION = "/companion/assertion";
const JSON_TYPE = { "content-type": "application/json" };

let app: FastifyInstance;
let port: number;

beforeAll(async () => {
  const configuration = createConfiguration(PROVIDER_URL, { transport: "direct" });
  app = await createCompanion({ configuration, webFolder: createPages() });
  await app.listen({ host: "127.0.0.1", port: 0 });
  port = readPort(app);
});
afterAll(() => app.close());

describe("the companion's door", () => {
  it("says whom it signs for, and nothing secret", async () => {
    const { status, headers, body } = await sendRaw(port, "GET", "/companion/config");
    expect(status).toBe(200);
    expect(headers["cache-control"]).toBe("no-store");
    expect(JSON.parse(body)).toEqual({
      sample: false,
      mode: "sign",
      transport: "direct",
      baseUrl: PROVIDER_URL,
      tokenUrl: `${PROVIDER_URL}/token`,
      clientId: "client-1",
      keyId: "kid-1",
      thumbprint: await toThumbprint(publicKey),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
  });

  it.each(["{}", " { } ", ""])("signs for its own page when the body is '%s'", async (body) => {
    const headers = { ...JSON_TYPE, origin: `http://localhost:${port}`, "sec-fetch-site": "same-origin" };
    const answer = await sendRaw(port, "POST", ASSERTION, headers, body);
    expect(answer.status).toBe(200);
    expect(answer.headers["cache-control"]).toBe("no-store");
    const { clientId, keyId, assertion, ...rest } = JSON.parse(answer.body);
    const { payload } = await jwtVerify(assertion, publicKey, { audience: `${PROVIDER_URL}/token` });
    expect([clientId, payload.iss, keyId, rest]).toEqual(["client-1", "client-1", "kid-1", {}]);
  });

  it("signs a new assertion for each call", async () => {
    const answers = await Promise.all([1, 2].map(() => sendRaw(port, "POST", ASSERTION, JSON_TYPE, "{}")));
    const [first, second] = answers.map(({ body }) => decodeJwt(JSON.parse(body).assertion).jti);
    expect(first).not.toBe(second);
  });

  it.each(["localhost", "127.0.0.1", "[::1]"])("answers to the host name %s with its port", async (name) => {
    const { status } = await sendRaw(port, "POST", ASSERTION, { ...JSON_TYPE, host: `${name}:${port}` }, "{}");
    expect(status).toBe(200);
  });
});

describe("the companion's door is closed", () => {
  const cases: [string, number, Record<string, string>, string][] = [
    ["to a page of another origin", 403, { ...JSON_TYPE, origin: "https://evil.example" }, "{}"],
    ["to a page of another port of this machine", 403, { ...JSON_TYPE, origin: "http://localhost:1" }, "{}"],
    ["to a sandboxed frame or a file", 403, { ...JSON_TYPE, origin: "null" }, "{}"],
    ["to a request of another site", 403, { ...JSON_TYPE, "sec-fetch-site": "cross-site" }, "{}"],
    ["to a request of another port of this machine", 403, { ...JSON_TYPE, "sec-fetch-site": "same-site" }, "{}"],
    ["to a rebound name", 403, { ...JSON_TYPE, host: "evil.example" }, "{}"],
    ["to a name that begins as its own", 403, { ...JSON_TYPE, host: "localhost.evil.example" }, "{}"],
    ["to its own name at another port", 403, { ...JSON_TYPE, host: "localhost:1" }, "{}"],
    ["to its own name at no port", 403, { ...JSON_TYPE, host: "localhost" }, "{}"],
    ["to text a page may send without a preflight", 415, { "content-type": "text/plain" }, "{}"],
    ["to a form", 415, { "content-type": "application/x-www-form-urlencoded" }, "a=1"],
    ["to a form with files", 415, { "content-type": "multipart/form-data; boundary=x" }, "--x--"],
    ["to a body of no type", 415, {}, ""],
    ["to a type that only contains the right one", 415, { "content-type": "text/plain; application/json" }, "{}"],
    ["to a claim", 400, JSON_TYPE, '{"aud":"https://evil.example"}'],
    ["to a client id", 400, JSON_TYPE, '{"clientId":"another"}'],
    ["to a list", 400, JSON_TYPE, "[]"],
    ["to null", 400, JSON_TYPE, "null"],
    ["to broken JSON", 400, JSON_TYPE, "{"],
    ["to a large body", 413, JSON_TYPE, `{${" ".repeat(2000)}}`],
  ];

  it.each(cases)("%s", async (_title, status, headers, body) => {
    const answer = await sendRaw(port, "POST", ASSERTION, headers, body);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({
      error: { code: "FEED_SIGNER_REFUSED", message: expect.stringMatching(/^[A-Z].{20,}\.$/) },
    });
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
  });

  it("to a preflight", async () => {
    const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };
    const answer = await sendRaw(port, "OPTIONS", ASSERTION, headers);
    expect(answer.status).toBe(403);
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
  });

  it.each(["GET", "PUT", "DELETE", "HEAD"])("to the method %s of the assertion", async (method) => {
    const { status } = await sendRaw(port, method, ASSERTION);
    expect(status).toBe(404);
  });

  it("to other sites that read its settings", async () => {
    const headers = { host: `localhost:${port}`, "sec-fetch-site": "cross-site" };
    const { status, body } = await sendRaw(port, "GET", "/companion/config", headers);
    expect([status, body.includes("client-1")]).toEqual([403, false]);
  });

  it("to the relay when calls travel directly", async () => {
    const { status } = await sendRaw(port, "GET", "/companion/relay/asia/industry-taxonomies/v1/tree");
    expect(status).toBe(404);
  });
});

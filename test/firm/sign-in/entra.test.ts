import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { exportJWK, type JWTPayload } from "jose";
import { createProviderServer, type ProviderServer } from "../../companion/provider-server";
import { readTestKey } from "../../support/keys";
import { createBrowser } from "./browser";
import { createSignIn, type FirmCompanion, fromRow, HOST, makeToken, ORIGIN, SIGN_IN, startFirm } from "./firm";
import TOKENS from "./refused-tokens.json";

const TENANT = "6f1c2ae0-0c2b-4f6e-9a5d-2d1b3c4e5f60";
const APP = "0b1d7c52-8a3e-4a55-b1a4-5f0f9f0a7c11";
const PERSON = "b7a5c6d4-1111-4222-8333-944445555666";

/** The metadata of Microsoft's service, served on this machine. */
let service: ProviderServer;
let isDown = false;
/** Overrides of the metadata. */
let changed: Record<string, string> = {};
let issuer: string;
let firm: FirmCompanion;

beforeAll(async () => {
  const key = { ...(await exportJWK(readTestKey("identity").publicKey)), kid: "identity", use: "sig" };
  service = await createProviderServer(({ url = "" }, response) => {
    const authority = `http://127.0.0.1:${service.port}/${TENANT}`;
    const metadata = {
      issuer: `${authority}/v2.0`,
      authorization_endpoint: `${authority}/oauth2/v2.0/authorize`,
      token_endpoint: `${authority}/oauth2/v2.0/token`,
      jwks_uri: `${authority}/discovery/v2.0/keys`,
    };
    response.statusCode = isDown ? 503 : 200;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(url.endsWith("/keys") ? { keys: [key] } : { ...metadata, ...changed }));
  });
  issuer = `http://127.0.0.1:${service.port}/${TENANT}/v2.0`;
});
beforeEach(async () => {
  isDown = false;
  changed = {};
  service.seen.length = 0;
  const roles = { "Analyst.Japan": { families: ["financials"], countries: ["JPN"] } } as const;
  firm = await startFirm(createSignIn(issuer, { profile: "entra", clientId: APP, audience: APP, apps: [APP] }), {
    roles,
  });
});
afterEach(() => firm.app.close());
afterAll(() => service.close());

/** A token in the v2.0 format of Microsoft's service for a custom API. */
function make(changed: JWTPayload = {}, header = {}): Promise<string> {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const claims = {
    ...TOKENS.entraClaims,
    aud: APP,
    iss: issuer,
    iat: nowSeconds - 5,
    nbf: nowSeconds - 5,
    exp: nowSeconds + 4000,
    azp: APP,
    oid: PERSON,
    tid: TENANT,
    uti: randomUUID(),
    ...changed,
  };
  return makeToken({ claims, header: { typ: "JWT", ...header } });
}

const present = (token: string) => firm.send("POST", "/companion/sign-in", {}, { token });

describe("a token of Microsoft Entra ID", () => {
  it("identifies the person, the same in every application of the tenant", async () => {
    const { status, body } = await present(await make());
    expect(status).toBe(200);
    await firm.send("POST", "/companion/pairing", {}, JSON.parse(body));
    const [pairing] = await firm.pairings.list();
    expect(pairing?.person).toEqual({ id: `${issuer} ${PERSON}`, name: "ada@example.com", roles: ["Analyst.Japan"] });
  });

  it.each(TOKENS.entra)("is refused if it $token", async ({ reason, claims }) => {
    const { status, body } = await present(await make(fromRow(claims)));
    expect([status, JSON.parse(body).error.message]).toEqual([403, expect.stringContaining(reason)]);
  });

  it("gives names without control characters", async () => {
    const { body } = await present(await make({ preferred_username: "\u001b[31mroot", upn: "ada@example.com" }));
    await firm.send("POST", "/companion/pairing", {}, JSON.parse(body));
    expect((await firm.pairings.list())[0]?.person?.name).toBe("ada@example.com");
  });
});

describe("signing in with Microsoft Entra ID", () => {
  it("gives a pane the parameters of Office's token request", async () => {
    const { body } = await firm.send("GET", "/companion/sign-in");
    expect(JSON.parse(body)).toEqual({
      page: `${ORIGIN}/sign-in`,
      nested: { clientId: APP, authority: issuer.replace("/v2.0", ""), scopes: [`${APP}/feed.read`] },
    });
  });

  it("requests the scope of the application, and no resource, which the service refuses", async () => {
    const { headers } = await createBrowser(() => firm.port).open(SIGN_IN, () => true);
    const { searchParams } = new URL(String(headers.location));
    expect(searchParams.get("scope")).toBe(`openid profile ${APP}/feed.read`);
    expect([searchParams.has("resource"), searchParams.has("audience")]).toEqual([false, false]);
  });
});

describe("the service behind it", () => {
  it("gets one request for its keys, however many tokens name an unknown key", async () => {
    await present(await make());
    const strange = await make({}, { kid: "invented" });
    const statuses = await Promise.all(Array.from({ length: 50 }, async () => (await present(strange)).status));
    expect(new Set(statuses)).toEqual(new Set([403]));
    expect(service.seen.map(({ url }) => url.split("/").at(-1))).toEqual(["openid-configuration", "keys"]);
  });

  it("can be down: sign-ins fail, and succeed once it is back", async () => {
    isDown = true;
    const token = await make();
    const { status, body } = await present(token);
    expect([status, JSON.parse(body).error.message]).toEqual([503, expect.stringContaining("does not answer well")]);
    expect((await createBrowser(() => firm.port).open(SIGN_IN)).status).toBe(503);
    isDown = false;
    expect((await present(token)).status).toBe(200);
  });

  const descriptions = Object.entries<Record<string, string>>(TOKENS.describedAs);
  it.each(descriptions)("is not trusted if it describes %s", async (_, described) => {
    changed = described;
    const { status, body } = await present(await make());
    expect([status, JSON.parse(body).error.message]).toEqual([503, expect.stringContaining("describes itself")]);
  });

  it("gets no request before a sign-in", async () => {
    await firm.send("GET", "/companion/sign-in");
    await firm.send("GET", "/companion/config", { host: HOST });
    expect(service.seen).toEqual([]);
  });
});

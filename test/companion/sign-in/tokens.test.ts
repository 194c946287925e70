import { createHmac } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { base64url } from "jose";
import { type RunningIdentityProvider, startIdentityProvider } from "../../support/identity-provider";
import { readTestKey } from "../../support/keys";
import { createBrowser } from "./browser";
import {
  createSignIn,
  type FirmCompanion,
  fromRow,
  type MadeToken,
  makeToken,
  ORIGIN,
  REGISTERED,
  SIGN_IN,
  startFirm,
  toClaims,
  toJwk,
} from "./firm";
import TOKENS from "./refused-tokens.json";

let identityProvider: RunningIdentityProvider;
let firm: FirmCompanion;

beforeAll(async () => {
  const keys = [await toJwk("identity")];
  identityProvider = await startIdentityProvider({ keys, client: REGISTERED, people: {} });
  firm = await startFirm(createSignIn(identityProvider.issuer));
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  await firm.app.close();
  await identityProvider.close();
});

/** A token that is refused for a reason. */
interface RefusedToken extends Omit<Partial<MadeToken>, "claims"> {
  token: string;
  reason: string;
  claims?: object;
}

const present = (token: string) => firm.send("POST", "/companion/sign-in", {}, { token });
const nowSeconds = () => Math.floor(Date.now() / 1000);
const make = ({ claims = {}, ...rest }: Partial<MadeToken> = {}) =>
  makeToken({ claims: toClaims(identityProvider.issuer, claims), ...rest });

const toPart = (value: object) => base64url.encode(JSON.stringify(value));
const readPart = (part = "") => JSON.parse(Buffer.from(part, "base64url").toString());

/** Replaces parts of a valid token. */
async function remake(change: (header: string, claims: string, signature: string) => string[]): Promise<string> {
  const [header = "", claims = "", signature = ""] = (await make()).split(".");
  return change(header, claims, signature).join(".");
}

function signByPublicKey(header: string, claims: string): string[] {
  const secret = readTestKey("identity").publicKey.export({ type: "spki", format: "pem" });
  const parts = [toPart({ ...readPart(header), alg: "HS256" }), claims];
  return [...parts, createHmac("sha256", secret).update(parts.join(".")).digest("base64url")];
}

/** The tokens that no claims alone describe, besides those of refused-tokens.json. */
const MADE: [string, string, () => Promise<string>][] = [
  ["is no token", "no signed token", async () => "ABCD-EFGH"],
  ["is encrypted, or has other parts besides", "no signed token", () => remake((...parts) => [...parts, "a", "b"])],
  [
    "is not signed",
    "not signed",
    () => remake((header, claims) => [toPart({ ...readPart(header), alg: "none" }), claims, ""]),
  ],
  ["has lost its signature", "not signed", () => remake((header, claims) => [header, claims, ""])],
  ["is signed as HS256 with the public key as its secret", "in another way", () => remake(signByPublicKey)],
  [
    "is changed after it was signed",
    "signature",
    () => remake((header, claims, signature) => [header, toPart({ ...readPart(claims), roles: ["admin"] }), signature]),
  ],
  [
    "has the issuer but for a slash",
    "another identity provider",
    () => make({ claims: { iss: `${identityProvider.issuer}/` } }),
  ],
  ["has expired", "has expired", () => make({ claims: { exp: nowSeconds() - 31 } })],
  ["is not good yet", "not good yet", () => make({ claims: { nbf: nowSeconds() + 40 } })],
  ["was made in the future", "in the future", () => make({ claims: { iat: nowSeconds() + 40 } })],
];

const ROWS: readonly RefusedToken[] = TOKENS.oidc;
const REFUSED = [
  ...MADE,
  ...ROWS.map((row) => [row.token, row.reason, () => make({ ...row, claims: fromRow(row.claims) })] as const),
];

describe("a token of the identity provider", () => {
  it("is accepted as issued, for a code that pairs a pane in its person's name", async () => {
    const { status, body } = await present(await make());
    expect([status, JSON.parse(body)]).toEqual([
      200,
      { code: expect.stringMatching(/^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}\.[\w-]{43}$/) },
    ]);
    const paired = await firm.send("POST", "/companion/pairing", {}, JSON.parse(body));
    expect(Object.keys(JSON.parse(paired.body))).toEqual(["id", "bearer"]);
    const [pairing] = (await firm.pairings.list()).slice(-1);
    expect(pairing?.person).toEqual({ id: `${identityProvider.issuer} ada`, roles: ["analyst"] });
  });

  it.each([
    ["with several services, its own among them", { aud: ["https://other.example", "https://feed.example.com/api"] }],
    ["with several scopes", { scope: "openid feed.read email" }],
    ["with a role that is no list", { roles: "analyst" }],
    ["without roles", { roles: undefined }],
    ["with the application as azp alone", { azp: "companion", client_id: undefined }],
    ["with the application as cid alone", { cid: "companion", client_id: undefined }],
    ["with the application as appid alone", { appid: "companion", client_id: undefined }],
  ])("is accepted %s", async (_, claims) => {
    expect((await present(await make({ claims }))).status).toBe(200);
  });

  it("is accepted from a clock that is 25 seconds off", async () => {
    const ahead = { iat: nowSeconds() + 25, nbf: nowSeconds() + 25 };
    expect((await present(await make({ claims: ahead }))).status).toBe(200);
    expect((await present(await make({ claims: { exp: nowSeconds() - 25 } }))).status).toBe(200);
  });

  it("is accepted with the type JWT", async () => {
    expect((await present(await make({ header: { typ: "JWT" } }))).status).toBe(200);
  });

  it.each(REFUSED)("is refused if it %s", async (_, reason, create) => {
    const token = await create();
    firm.lines.length = 0;
    const { status, body, headers } = await present(token);
    const { message } = JSON.parse(body).error;
    expect([status, message, headers["cache-control"]]).toEqual([403, expect.stringContaining(reason), "no-store"]);
    expect(firm.lines.join("")).toContain(message);
    for (const part of token.split(".").filter((text) => text.length > 8)) {
      expect(body + firm.lines.join("")).not.toContain(part);
    }
  });

  it("is refused with a different sentence for each reason above", () => {
    expect(new Set(REFUSED.map(([, reason]) => reason)).size).toBe(16);
  });

  it.each([undefined, null, 1, [], {}])("is a text, and not %j", async (token) => {
    const { status, headers } = await firm.send("POST", "/companion/sign-in", {}, { token });
    expect([status, headers["feed-refusal"]]).toEqual([400, "FEED_REQUEST_INVALID"]);
  });

  it("is accepted from the companion's own pages alone, as JSON", async () => {
    const token = await make();
    const send = (headers: Record<string, string>) => firm.send("POST", "/companion/sign-in", headers, { token });
    expect((await send({ origin: "https://evil.example" })).status).toBe(403);
    expect((await send({ "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await send({ "feed-client": "" })).status).toBe(403);
    expect((await send({ "content-type": "text/plain" })).status).toBe(415);
    expect((await send({ host: "evil.example" })).status).toBe(421);
  });

  it("is logged with its person", async () => {
    firm.lines.length = 0;
    await present(await make({ claims: { preferred_username: "ada@example.com" } }));
    const [line = "{}"] = firm.lines;
    expect(JSON.parse(line)).toMatchObject({
      person: `${identityProvider.issuer} ada`,
      name: "ada@example.com",
      msg: "Somebody signed in.",
    });
  });
});

describe("the keys of the identity provider", () => {
  it("are reread when it signs by a new one, without failing a sign-in", async () => {
    await present(await make());
    await identityProvider.rotate([await toJwk("rotated"), await toJwk("identity")]);
    const later = Date.now() + 11_000;
    jest.spyOn(Date, "now").mockImplementation(() => later);
    expect((await present(await make({ key: "rotated" }))).status).toBe(200);
    expect((await present(await make())).status).toBe(200);
    const page = await createBrowser(() => firm.port, "ada").open(SIGN_IN);
    expect(page.status).toBe(200);
  });

  it("are invalid once it has removed them", async () => {
    await identityProvider.rotate([await toJwk("rotated")]);
    const [former, latter] = [await make(), await make({ key: "rotated" })];
    const later = Date.now() + 11 * 60_000;
    jest.spyOn(Date, "now").mockImplementation(() => later);
    expect((await present(former)).status).toBe(403);
    expect((await present(latter)).status).toBe(200);
  });
});

describe("a person who presents tokens", () => {
  it("can do so 20 times a minute, from any network, and others still can", async () => {
    const own = await startFirm(createSignIn(identityProvider.issuer), { proxies: ["127.0.0.1"] });
    const signIn = async (sub: string, from: string) => {
      const token = await makeToken({ claims: toClaims(identityProvider.issuer, { sub }), key: "rotated" });
      return own.send("POST", "/companion/sign-in", { "x-forwarded-for": from }, { token });
    };
    const statuses: number[] = [];
    for (let sent = 0; sent < 20; sent += 1) statuses.push((await signIn("ada", `10.0.0.${sent}`)).status);
    const [refused, other] = [await signIn("ada", "10.0.1.1"), await signIn("bob", "10.0.0.1")];
    await own.app.close();
    expect([statuses, other.status]).toEqual([Array(20).fill(200), 200]);
    expect([refused.status, Number(refused.headers["retry-after"]) > 0]).toEqual([429, true]);
  });
});

describe("the sign-in address", () => {
  it("is public, under the caller's origin", async () => {
    const { status, body } = await firm.send("GET", "/companion/sign-in");
    expect([status, JSON.parse(body)]).toEqual([200, { page: `${ORIGIN}/sign-in` }]);
    const host = `localhost:${firm.port}`;
    expect(JSON.parse((await firm.send("GET", "/companion/sign-in", { host })).body)).toEqual({
      page: `http://${host}/sign-in`,
    });
  });
});

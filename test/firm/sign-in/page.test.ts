import { createHmac } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { base64url } from "jose";
import { toHash } from "../../../src/companion/api/pairing";
import { createMemoryLimit } from "../../../src/companion/stores";
import type { FirmStores } from "../../../src/firm/stores";
import { createProviderServer } from "../../companion/provider-server";
import { type RunningIdentityProvider, startIdentityProvider } from "../../support/identity-provider";
import { readTestKey } from "../../support/keys";
import { type Browser, createBrowser } from "./browser";
import {
  CLIENT_SECRET,
  createSignIn,
  type FirmCompanion,
  fromRow,
  type MadeToken,
  makeToken,
  ORIGIN,
  openStores,
  PANE,
  PANE_SECRET,
  REGISTERED,
  SIGN_IN,
  startFirm,
  toClaims,
  toJwk,
} from "./firm";
import TOKENS from "./refused-tokens.json";

const PEOPLE = {
  ada: { roles: ["analyst"], preferred_username: "ada@example.com" },
  eve: { roles: "reader", name: "<b>Eve</b> & sons" },
};
const ROLE = { families: ["financials"], countries: "ALL" } as const;
const ROLES = { analyst: ROLE };
const CODE = /\b[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}\b/;

let identityProvider: RunningIdentityProvider;
let firm: FirmCompanion;

beforeAll(async () => {
  const start = { keys: [await toJwk("identity")], client: REGISTERED, people: PEOPLE };
  identityProvider = await startIdentityProvider(start);
  firm = await startFirm(createSignIn(identityProvider.issuer), { roles: ROLES });
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  await firm.app.close();
  await identityProvider.close();
});

/** Starts a companion with lower limits of some names, and gives what the limits would be. */
async function startWithFewer(lower: Record<string, number>) {
  const mosts: Record<string, number> = {};
  const createLimit: FirmStores["createLimit"] = (name, most, windowMs) => {
    mosts[name] = most;
    return createMemoryLimit(name, lower[name] ?? most, windowMs);
  };
  const stores = { ...openStores(), createLimit };
  const own = await startFirm(createSignIn(identityProvider.issuer), { proxies: ["127.0.0.1"] }, stores);
  return { own, mosts };
}

const sit = (person?: string, headers?: Record<string, string>): Browser =>
  createBrowser(() => firm.port, person, headers);
const isBack = (url: URL): boolean => url.pathname === "/sign-in/callback";

describe("a person on the sign-in page", () => {
  it("returns from the identity provider with a pairing code, which pairs a pane in their name", async () => {
    const { status, body, url } = await sit("ada").open(SIGN_IN);
    expect([status, url.origin, url.pathname]).toEqual([200, ORIGIN, "/sign-in/callback"]);
    expect(body).toContain("You are signed in as ada@example.com.");
    const [code] = CODE.exec(body)!;
    const pair = (sent: string) => firm.send("POST", "/companion/pairing", {}, { code: sent });
    for (const sent of [code, `${code}.of another pane`]) expect((await pair(sent)).status).toBe(403);
    expect((await pair(`${code}.${PANE_SECRET}`)).status).toBe(200);
    const [pairing] = (await firm.pairings.list()).slice(-1);
    expect(pairing).toMatchObject({
      origin: ORIGIN,
      person: { id: `${identityProvider.issuer} ada`, name: "ada@example.com", roles: ["analyst"] },
    });
    expect(pairing?.endsAtMs).toBeGreaterThan(Date.now() + 9.9 * 3_600_000);
  });

  it("is redirected with PKCE, state, nonce, and a cookie hidden from scripts and other sites", async () => {
    const { status, headers } = await sit("ada").open(SIGN_IN, () => true);
    const { origin, searchParams } = new URL(String(headers.location));
    expect([status, origin]).toEqual([302, identityProvider.issuer]);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: "code",
      client_id: "companion",
      redirect_uri: `${ORIGIN}/sign-in/callback`,
      scope: "openid profile feed.read",
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(headers["set-cookie"]).toEqual([
      expect.stringMatching(/^__Host-feed-sign-in=[\w-]{43}; Path=\/; Secure; Max-Age=600; HttpOnly; SameSite=Lax$/),
    ]);
    expect(headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
  });

  it("gets a cookie for the companion's own address alone without https", async () => {
    const { port } = firm;
    const { headers } = await createBrowser(() => port, "ada").open(
      `http://localhost:${port}/sign-in?pane=${PANE}`,
      () => true,
    );
    expect(String(headers["set-cookie"])).toMatch(
      /^feed-sign-in=[\w-]{43}; Path=\/sign-in; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    expect(new URL(String(headers.location)).searchParams.get("redirect_uri")).toBe(
      `http://localhost:${port}/sign-in/callback`,
    );
  });

  it("gets a page that runs, loads and sends nothing, and is neither framed nor stored", async () => {
    const { headers, body } = await sit("ada").open(SIGN_IN);
    expect(headers["content-security-policy"]).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "content-type": "text/html; charset=utf-8",
    });
    expect(body).not.toMatch(/<script|<img|<link|<form|style="/);
  });

  it("sees a name as text, whatever it contains", async () => {
    const { body } = await sit("eve").open(SIGN_IN);
    expect(body).toContain("&#60;b&#62;Eve&#60;/b&#62; &#38; sons");
    expect(body).not.toContain("<b>");
  });

  it.each([
    ["ja,en;q=0.5", '<html lang="ja">', "サインイン"],
    ["en-GB,ja;q=0.5", '<html lang="en">', "You are signed in"],
    ["de", '<html lang="en">', "You are signed in"],
  ])("sees the page in the browser's preferred language: %s", async (language, ...expected) => {
    const { body } = await sit("ada", { "accept-language": language }).open(SIGN_IN);
    for (const text of expected) expect(body).toContain(text);
  });

  it("can have several sign-ins under way in one browser", async () => {
    const browser = sit("ada");
    const first = await browser.open(SIGN_IN, () => true);
    expect((await browser.open(SIGN_IN)).status).toBe(200);
    expect((await browser.open(String(first.headers.location))).status).toBe(200);
  });

  const queries = ["", "?pane=", "?pane=1", `?pane=${PANE.toUpperCase()}`, `?pane=${PANE}0`];
  it.each(queries)("is sent to the pane if they come from none: '%s'", async (query) => {
    const { status, body } = await sit("ada").open(`${ORIGIN}/sign-in${query}`);
    expect([status, body]).toEqual([400, expect.stringContaining("Signing in begins in the FEED pane")]);
    expect(body).not.toContain("href");
  });

  it("is informed that the identity provider declined, and can retry for the same pane", async () => {
    const { status, body } = await sit().open(SIGN_IN);
    expect([status, body]).toEqual([403, expect.stringContaining("sign-in service declined")]);
    expect(body).toContain(`<a href="/sign-in?pane=${PANE}">Sign in again</a>`);
    expect(firm.lines.join("")).toContain("declined the sign-in (access_denied)");
  });
});

describe("a sign-in", () => {
  it("ends in the browser that began it, so that it cannot be handed to another person", async () => {
    const begun = await sit("eve").open(SIGN_IN, isBack);
    const back = String(begun.headers.location);
    const victim = sit("ada");
    await victim.open(SIGN_IN, () => true);
    const { status, body } = await victim.open(back);
    expect([status, CODE.test(body)]).toEqual([400, false]);
    expect(body).toContain("begun in another browser");
  });

  it("ends once", async () => {
    const browser = sit("ada");
    const { url } = await browser.open(SIGN_IN);
    const { status, body } = await browser.open(url.href);
    expect([status, CODE.test(body)]).toEqual([400, false]);
  });

  const queries = ["", "?code=x", "?state=x&code=x", "?error=access_denied&error_description=%3Cscript%3E"];
  it.each(queries)("that was not begun is refused: '%s'", async (query) => {
    const { status, body } = await sit("ada").open(`${ORIGIN}/sign-in/callback${query}`);
    expect([status, CODE.test(body), body.includes("<script")]).toEqual([400, false, false]);
  });

  it("accepts the identity provider's code unchanged alone", async () => {
    const browser = sit("ada");
    const { headers } = await browser.open(SIGN_IN, isBack);
    const back = new URL(String(headers.location));
    back.searchParams.delete("code");
    back.search += "&code=an?other";
    const { status, body } = await browser.open(back.href);
    expect([status, CODE.test(body)]).toEqual([502, false]);
    expect(firm.lines.join("")).toContain("(invalid_grant)");
  });

  it("refuses an answer that names another identity provider", async () => {
    const browser = sit("ada");
    const { headers } = await browser.open(SIGN_IN, isBack);
    const back = new URL(String(headers.location));
    back.searchParams.set("iss", "https://evil.example");
    expect((await browser.open(back.href)).status).toBe(502);
  });

  it("logs the person, and no code, token or secret", async () => {
    const { url, body } = await sit("ada").open(SIGN_IN);
    const lines = firm.lines.join("");
    expect(lines).toContain(
      `"person":"${identityProvider.issuer} ada","name":"ada@example.com","msg":"Somebody signed in."`,
    );
    const secrets = [url.searchParams.get("code"), url.searchParams.get("state"), CODE.exec(body)?.[0], CLIENT_SECRET];
    for (const secret of [...secrets, "eyJ"]) expect(lines).not.toContain(String(secret));
  });
});

describe("the sign-in pages", () => {
  it.each(["evil.example", "feed.example.com.evil.example"])("are not served under the name %s", async (host) => {
    const { status, body, headers } = await firm.send("GET", "/sign-in", { host });
    expect([status, headers.location, body.includes("lang=")]).toEqual([421, undefined, true]);
  });

  it("are those two, and no other below them", async () => {
    expect((await firm.send("GET", "/sign-in/nothing")).status).toBe(404);
    expect((await firm.send("POST", "/sign-in", {}, {})).status).toBe(404);
  });

  it("can be opened 20,000 times a minute from one network, then answer with a time to retry", async () => {
    const { own, mosts } = await startWithFewer({ signIn: 5 });
    const open = () => own.send("GET", "/sign-in/callback", { "accept-language": "en" });
    const statuses: number[] = [];
    for (let opened = 0; opened < 5; opened += 1) statuses.push((await open()).status);
    const { status, headers, body } = await open();
    await own.app.close();
    expect([mosts.signIn, statuses]).toEqual([20_000, [400, 400, 400, 400, 400]]);
    expect([status, Number(headers["retry-after"]) > 0, body.includes("Too many people")]).toEqual([429, true, true]);
  });

  it("begin 10,000 sign-ins a minute from one network, and 60 for one pane, from any network", async () => {
    const { own, mosts } = await startWithFewer({ beginSignIn: 5 });
    const begin = (pane: string, from: string) =>
      own.send("GET", `/sign-in?pane=${pane}`, { "x-forwarded-for": from }).then(({ status }) => status);
    const ofNetwork: number[] = [];
    for (let count = 0; count <= 5; count += 1) ofNetwork.push(await begin(toHash(`pane ${count}`), "10.0.0.1"));
    const ofPane: number[] = [];
    for (let count = 0; count <= 60; count += 1) ofPane.push(await begin(PANE, `10.0.1.${count}`));
    const other = await begin(toHash("another pane"), "10.0.2.1");
    await own.app.close();
    expect([mosts.beginSignIn, ofNetwork]).toEqual([10_000, [...Array(5).fill(302), 429]]);
    expect([ofPane, other]).toEqual([[...Array(60).fill(302), 429], 302]);
  });
});

it("several instances behind one balancer complete a sign-in together, whichever of them answers", async () => {
  const stores = openStores();
  const signIn = createSignIn(identityProvider.issuer);
  const instances = [await startFirm(signIn, {}, stores), await startFirm(signIn, {}, stores)];
  let requests = 0;
  const next = () => instances[requests++ % instances.length]!;
  const { url, body } = await createBrowser(() => next().port, "ada").open(SIGN_IN);
  const code = `${CODE.exec(body)?.[0]}.${PANE_SECRET}`;
  const paired = await next().send("POST", "/companion/pairing", {}, { code });
  const config = { "feed-pairing": JSON.parse(paired.body).bearer };
  const statuses = [
    await next().send("GET", "/companion/config", config),
    await next().send("GET", "/companion/config", config),
  ];
  for (const { app } of instances) await app.close();
  const seen = [paired, ...statuses].map(({ status }) => status);
  expect([url.pathname, ...seen]).toEqual(["/sign-in/callback", 200, 200, 200]);
});

it("while the identity provider is down the page says so", async () => {
  const gone = await createProviderServer(() => {});
  await gone.close();
  const down = await startFirm(createSignIn(`http://127.0.0.1:${gone.port}`));
  const { status, body } = await createBrowser(() => down.port, "ada").open(SIGN_IN);
  expect([status, body]).toEqual([503, expect.stringContaining("does not answer")]);
  expect(down.lines.join("")).toContain("ECONNREFUSED");
  await down.app.close();
});

interface RefusedToken extends Omit<Partial<MadeToken>, "claims"> {
  token: string;
  reason: string;
  claims?: object;
}

const present = (token: string) => firm.send("POST", "/companion/sign-in", {}, { token });
/** A token of a person who does not sign in by the pages, since both count together. */
const make = ({ claims = {}, ...rest }: Partial<MadeToken> = {}) =>
  makeToken({ claims: toClaims(identityProvider.issuer, { sub: "grace", ...claims }), ...rest });

const toPart = (value: object) => base64url.encode(JSON.stringify(value));
const readPart = (part = "") => JSON.parse(Buffer.from(part, "base64url").toString());

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
    expect(pairing?.person).toEqual({ id: `${identityProvider.issuer} grace`, roles: ["analyst"] });
  });

  it.each(TOKENS.accepted as unknown as [string, object][])("is accepted %s", async (_, claims) => {
    expect((await present(await make({ claims: fromRow(claims) }))).status).toBe(200);
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
    await present(await make({ claims: { preferred_username: "grace@example.com" } }));
    const [line = "{}"] = firm.lines;
    expect(JSON.parse(line)).toMatchObject({
      person: `${identityProvider.issuer} grace`,
      name: "grace@example.com",
      msg: "Somebody signed in.",
    });
  });
});

describe("the roles of a token", () => {
  const many = Array.from({ length: 400 }, (_, nth) => `group ${nth}`);
  const everyRole = Object.fromEntries(many.map((name) => [name, ROLE]));
  it.each([
    ["those of the roles file alone", { ...ROLES, "group 7": ROLE }, many, ["group 7"]],
    ["none without a roles file", undefined, many, []],
    ["refused if there are too many for a header", everyRole, many, undefined],
    ["all if there are not", everyRole, many.slice(0, 200), many.slice(0, 200)],
  ])("are kept: %s", async (_kept, roles, listed, kept) => {
    const own = await startFirm(createSignIn(identityProvider.issuer), { roles });
    const token = await make({ claims: { roles: listed } });
    const { status, body } = await own.send("POST", "/companion/sign-in", {}, { token });
    await own.send("POST", "/companion/pairing", {}, JSON.parse(body));
    const [pairing] = await own.pairings.list();
    await own.app.close();
    expect([status, pairing?.person?.roles]).toEqual([kept === undefined ? 403 : 200, kept]);
    if (kept === undefined) expect(body).toContain("has more roles of FEED_ROLES_FILE than a sign-in holds");
  });
});

describe("the keys of the identity provider", () => {
  afterEach(async () => identityProvider.rotate([await toJwk("identity")]));

  it("are reread when it signs by a new one, without failing a sign-in", async () => {
    await present(await make());
    await identityProvider.rotate([await toJwk("rotated"), await toJwk("identity")]);
    const later = Date.now() + 11_000;
    jest.spyOn(Date, "now").mockImplementation(() => later);
    expect((await present(await make({ key: "rotated" }))).status).toBe(200);
    expect((await present(await make())).status).toBe(200);
    const page = await createBrowser(() => firm.port, "eve").open(SIGN_IN);
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

it("a person who presents tokens can do so 20 times a minute, from any network, and others still can", async () => {
  const own = await startFirm(createSignIn(identityProvider.issuer), { proxies: ["127.0.0.1"] });
  const signIn = async (sub: string, from: string) => {
    const token = await makeToken({ claims: toClaims(identityProvider.issuer, { sub }) });
    return own.send("POST", "/companion/sign-in", { "x-forwarded-for": from }, { token });
  };
  const statuses: number[] = [];
  for (let sent = 0; sent < 20; sent += 1) statuses.push((await signIn("ada", `10.0.0.${sent}`)).status);
  const [refused, other] = [await signIn("ada", "10.0.1.1"), await signIn("bob", "10.0.0.1")];
  await own.app.close();
  expect([statuses, other.status]).toEqual([Array(20).fill(200), 200]);
  expect([refused.status, Number(refused.headers["retry-after"]) > 0]).toEqual([429, true]);
});

it("the sign-in address is public, under the caller's origin", async () => {
  const { status, body } = await firm.send("GET", "/companion/sign-in");
  expect([status, JSON.parse(body)]).toEqual([200, { page: `${ORIGIN}/sign-in` }]);
  const host = `localhost:${firm.port}`;
  expect(JSON.parse((await firm.send("GET", "/companion/sign-in", { host })).body)).toEqual({
    page: `http://${host}/sign-in`,
  });
});

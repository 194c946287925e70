import { exportJWK, type JWK, type JWTPayload, SignJWT } from "jose";
import { toHash } from "../../../src/companion/api/pairing";
import { createCompanion } from "../../../src/companion/companion";
import type { Firm, SignIn } from "../../../src/firm/configuration";
import type { FirmStores } from "../../../src/firm/stores";
import { createPages } from "../../companion/pages-folder";
import { SAMPLE_CLIENT } from "../../companion/paired-companion";
import { readPort, sendRaw } from "../../companion/raw-request";
import {
  createConfiguration,
  createTestPairings,
  createTestStores,
  type TestPairings,
  withFirm,
} from "../../companion/test-configuration";
import { readTestKey } from "../../support/keys";

/** The public origin of the firm's companion, behind a proxy that terminates TLS. */
export const ORIGIN = "https://feed.example.com";
export const HOST = "feed.example.com";
/** A pane's secret, the hash that identifies it, and its sign-in link. */
export const PANE_SECRET = "of the pane";
export const PANE = toHash(PANE_SECRET);
export const SIGN_IN = `${ORIGIN}/sign-in?pane=${PANE}`;
export const AUDIENCE = "https://feed.example.com/api";
export const CLIENT_SECRET = "secret-of-the-client";

/** The companion's registration at the identity provider. */
export const REGISTERED = {
  client_id: "companion",
  client_secret: CLIENT_SECRET,
  redirect_uris: [`${ORIGIN}/sign-in/callback`],
  grant_types: ["authorization_code"],
  response_types: ["code"],
};

/** The sign-in settings for an issuer, as read from the configuration. */
export const createSignIn = (issuer: string, settings: Partial<SignIn> = {}): SignIn => ({
  profile: "oidc",
  issuer,
  clientId: REGISTERED.client_id,
  clientSecret: CLIENT_SECRET,
  audience: AUDIENCE,
  scope: "feed.read",
  apps: [REGISTERED.client_id],
  rolesClaim: "roles",
  lifetimeMs: 10 * 3_600_000,
  ...settings,
});

/** A listening companion with sign-in, and its log. */
export type FirmCompanion = Awaited<ReturnType<typeof startFirm>>;

/** The pages of all companions of a test file, which only read them. */
let pages: string | undefined;

/** @param stores The stores shared with other instances; default none. */
export async function startFirm(
  signIn: SignIn,
  firm: Partial<Firm> = {},
  stores: FirmStores & { pairings: TestPairings } = openStores(),
) {
  const lines: string[] = [];
  const { pairings } = stores;
  const configuration = createConfiguration(undefined, {
    mode: "relay",
    logLevel: "debug",
    origins: [ORIGIN],
    features: withFirm({ signIn, ...firm }),
  });
  const log = { write: (line: string) => void lines.push(line) };
  pages ??= createPages();
  const sample = { client: SAMPLE_CLIENT };
  const app = await createCompanion({ configuration, webFolder: pages, stores, log, sample });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const port = readPort(app);
  /** Sends a pane's request through the firm's proxy. */
  const send = (method: string, path: string, headers: Record<string, string> = {}, body?: object) => {
    const type = body && { "content-type": "application/json" };
    const sent = { host: HOST, "feed-client": "excel", ...type, ...headers };
    return sendRaw(port, method, path, sent, body && JSON.stringify(body));
  };
  return { app, port, pairings, lines, send };
}

export function openStores(): FirmStores & { pairings: TestPairings } {
  const pairings = createTestPairings();
  return { ...createTestStores(pairings), pairings };
}

export const readSigningKey = (name: string) => readTestKey(name).privateKey;

/** The key in the identity provider's form. */
export async function toJwk(name: string): Promise<JWK> {
  return { ...(await exportJWK(readSigningKey(name))), kid: name, alg: "RS256", use: "sig" };
}

/** The parts of a token; without `key`, the header's kid names it. */
export interface MadeToken {
  claims: JWTPayload;
  header?: { alg?: string; kid?: string; typ?: string };
  key?: string;
}

export function makeToken({ claims, header, key = "identity" }: MadeToken): Promise<string> {
  const named = { alg: "RS256", kid: key, typ: "at+jwt", ...header };
  return new SignJWT(claims).setProtectedHeader(named).sign(readSigningKey(key));
}

export function toClaims(issuer: string, changed: JWTPayload = {}): JWTPayload {
  const nowSeconds = Math.floor(Date.now() / 1000);
  return {
    iss: issuer,
    aud: AUDIENCE,
    sub: "ada",
    client_id: REGISTERED.client_id,
    scope: "feed.read",
    roles: ["analyst"],
    iat: nowSeconds,
    exp: nowSeconds + 600,
    ...changed,
  };
}

/** The claims of a row of refused-tokens.json, in which null leaves a claim out, and a number is of seconds from now. */
export function fromRow(claims: object = {}): JWTPayload {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const toClaim = (value: unknown) => (typeof value === "number" ? nowSeconds + value : (value ?? undefined));
  return Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, toClaim(value)]));
}

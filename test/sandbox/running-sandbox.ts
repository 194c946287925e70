import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import fastify from "fastify";
import { SignJWT } from "jose";
import { ASSERTION_TYPE, GRANT_TYPE } from "../../src/contract/constants";
import { ALL_SCOPES, createControls, createSandbox, type SandboxClient, type SandboxOptions } from "../../src/sandbox";
import { readTestKey } from "../support/keys";

export const NOW_MS = Date.UTC(2024, 10, 20, 9, 30);
export const NOW_SECONDS = NOW_MS / 1000;

export const PRIVATE_MARKETS = "/asia/private-markets/v1";
export const TAXONOMIES = "/asia/industry-taxonomies/v1";
export const RANKINGS = "/japan/ranking/v1";

const KID = "key-1";
const keyPair = readTestKey("sandbox");
/** A suitable key that no client has registered. */
export const unknownKeyPair = readTestKey("strange");

/** A client with full access, minus the overrides. */
export function createClient(clientId: string, overrides: Partial<SandboxClient> = {}): SandboxClient {
  const keys = [{ kid: KID, publicKey: keyPair.publicKey.export({ format: "jwk" }) }];
  return { clientId, keys, scopes: ALL_SCOPES, countries: "ALL", ...overrides };
}

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
  body: any;
}

async function toReply(response: Response): Promise<Reply> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") && text !== "";
  return { status: response.status, headers: response.headers, text, body: isJson ? parseOrText(text) : text };
}

function parseOrText(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export interface AssertionChanges {
  header?: Record<string, unknown>;
  /** Overrides claims; undefined removes a claim. */
  claims?: Record<string, unknown>;
  privateKey?: typeof keyPair.privateKey;
}

export type RunningSandbox = Awaited<ReturnType<typeof startSandbox>>;

/** Starts a sandbox on a free port, below a path, with a clock that tests set. */
export async function startSandbox(options: Partial<SandboxOptions> = {}) {
  const clock = { nowMs: NOW_MS };
  const controls = createControls();
  const app = fastify({ forceCloseConnections: true });
  const baseUrl = () => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/sample`;
  const clients = [createClient("client-1")];
  app.register(createSandbox({ baseUrl, clients, controls, nowMs: () => clock.nowMs, ...options }), {
    prefix: "/sample",
  });
  await app.listen({ host: "127.0.0.1", port: 0 });

  const sign = ({ header, claims, privateKey = keyPair.privateKey }: AssertionChanges = {}, clientId = "client-1") => {
    const iat = Math.floor(clock.nowMs / 1000);
    const good = { iss: clientId, sub: clientId, aud: `${baseUrl()}/token`, iat, exp: iat + 60, jti: randomUUID() };
    const all = Object.entries({ ...good, ...claims }).filter(([, value]) => value !== undefined);
    const protectedHeader = { alg: "RS256", typ: "JWT", kid: KID, ...header };
    return new SignJWT(Object.fromEntries(all)).setProtectedHeader(protectedHeader).sign(privateKey);
  };
  const post = async (path: string, body: string, headers: Record<string, string>) =>
    toReply(await fetch(baseUrl() + path, { method: "POST", body, headers }));
  const createForm = (assertion: string, clientId = "client-1") => ({
    grant_type: GRANT_TYPE,
    client_id: clientId,
    client_assertion_type: ASSERTION_TYPE,
    client_assertion: assertion,
  });
  const exchange = (form: Record<string, string>) =>
    post("/token", new URLSearchParams(form).toString(), { "content-type": "application/x-www-form-urlencoded" });
  const createToken = async (clientId = "client-1"): Promise<string> =>
    (await exchange(createForm(await sign({}, clientId), clientId))).body.access_token;
  let cachedToken: { token: string; generation: number } | undefined;
  /** The token of client-1, fetched once, and again after a revocation. */
  const readToken = async () => {
    const generation = controls.tokenGeneration;
    if (cachedToken?.generation !== generation) cachedToken = { token: await createToken(), generation };
    return cachedToken.token;
  };
  return {
    clock,
    controls,
    baseUrl,
    sign,
    post,
    createForm,
    exchange,
    createToken,
    /** Reads a path with the given bearer, or one of client-1. */
    async read(path: string, bearer?: string): Promise<Reply> {
      const authorization = `Bearer ${bearer ?? (await readToken())}`;
      return toReply(await fetch(baseUrl() + path, { headers: { authorization } }));
    },
    async send(path: string, body: unknown, contentType = "application/json"): Promise<Reply> {
      const authorization = `Bearer ${await readToken()}`;
      const text = typeof body === "string" ? body : JSON.stringify(body);
      return post(path, text, { authorization, "content-type": contentType });
    },
    close: () => app.close(),
  };
}

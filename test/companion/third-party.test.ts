import { createHmac, generateKeyPairSync, randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fastify, { type FastifyInstance } from "fastify";
import { base64url, type JWTHeaderParameters, type JWTPayload, SignJWT } from "jose";
import { createPorts } from "../../src/client/ports";
import { signAssertion } from "../../src/companion/assertion";
import type { Configuration } from "../../src/companion/configuration";
import { createExternalSigner } from "../../src/companion/external-signer";
import { createSandbox } from "../../src/sandbox";
import { createSession } from "../../src/session/session";
import { type RegisteredClient, startThirdParty, type TokenServer } from "../support/identity-provider";
import { itOnPosix } from "../support/posix";
import { createStorage } from "../support/storage";
import { createKeyFile } from "./key-file";
import { startPaired } from "./paired-companion";
import { createConfiguration, privateKey, publicKey } from "./test-configuration";

const CLIENT_ID = "client-1";
const KEY_ID = "kid-1";
const REGISTERED = { clientId: CLIENT_ID, keys: [{ ...publicKey.export({ format: "jwk" }), kid: KEY_ID }] };

async function startOwn({ clientId, keys }: RegisteredClient): Promise<TokenServer> {
  const app = fastify();
  const baseUrl = () => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const registered = keys.map((publicKey) => ({ kid: String(publicKey.kid), publicKey }));
  const clients = [{ clientId, keys: registered, scopes: [], countries: [] }];
  app.register(createSandbox({ baseUrl, clients, companies: 1 }));
  await app.listen({ host: "127.0.0.1", port: 0 });
  return { baseUrl: baseUrl(), close: () => app.close() };
}

interface Made {
  header?: Partial<JWTHeaderParameters>;
  claims?: JWTPayload;
  key?: typeof privateKey;
}

/** Creates an assertion with a library the companion does not use. */
function make(tokenUrl: string, { header, claims, key = privateKey }: Made = {}): Promise<string> {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const usual = { iss: CLIENT_ID, sub: CLIENT_ID, aud: tokenUrl, iat: nowSeconds, exp: nowSeconds + 60 };
  return new SignJWT({ ...usual, jti: randomUUID(), ...claims })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: KEY_ID, ...header })
    .sign(key);
}

/** Replaces parts of an assertion. */
async function remake(tokenUrl: string, change: (parts: string[]) => (string | undefined)[]): Promise<string> {
  return change((await make(tokenUrl)).split(".")).join(".");
}

const toPart = (value: object) => base64url.encode(JSON.stringify(value));
const changePart = (part: string | undefined, change: object) =>
  toPart({ ...JSON.parse(Buffer.from(part ?? "", "base64url").toString()), ...change });

function changeByte(part: string | undefined): string {
  const bytes = base64url.decode(part ?? "");
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  return base64url.encode(bytes);
}

function signByPublicKey([header, claims]: string[]): string[] {
  const secret = publicKey.export({ type: "spki", format: "pem" });
  const parts = [changePart(header, { alg: "HS256" }), claims ?? ""];
  return [...parts, createHmac("sha256", secret).update(parts.join(".")).digest("base64url")];
}

const past = () => Math.floor(Date.now() / 1000) - 400;

const REFUSED: [string, (tokenUrl: string) => Promise<string>][] = [
  ["is for another provider", (url) => make(url, { claims: { aud: "https://feed.example.com/token" } })],
  ["is for another address of the same provider", (url) => make(url, { claims: { aud: `${url}/` } })],
  ["has expired", (url) => make(url, { claims: { iat: past(), exp: past() + 60 } })],
  ["names another key", (url) => make(url, { header: { kid: "kid-2" } })],
  [
    "is signed by another key",
    (url) => make(url, { key: generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey }),
  ],
  ["is not signed", (url) => remake(url, ([header, claims]) => [changePart(header, { alg: "none" }), claims, ""])],
  ["is signed as HS256 with the public key as its secret", (url) => remake(url, signByPublicKey)],
  [
    "lives longer than was signed",
    (url) =>
      remake(url, ([header, claims, signature]) => [header, changePart(claims, { exp: past() + 520 }), signature]),
  ],
  [
    "has a changed signature",
    (url) => remake(url, ([header, claims, signature]) => [header, claims, changeByte(signature)]),
  ],
  ["has lost its signature", (url) => remake(url, ([header, claims]) => [header, claims, ""])],
];

describe.each([
  ["oidc-provider", startThirdParty],
  ["the sandbox", startOwn],
])("the token endpoint of %s", (_, startServer) => {
  let server: TokenServer;
  let tokenUrl: string;
  const companions: FastifyInstance[] = [];
  beforeAll(async () => {
    server = await startServer(REGISTERED);
    tokenUrl = `${server.baseUrl}/token`;
  });
  afterAll(async () => {
    for (const companion of companions) await companion.close();
    await server.close();
  });

  /** Sends the form of §4.1; gives the status and the token type or error. */
  const exchange = async (assertion: string) => {
    const form = {
      grant_type: "client_credentials",
      client_id: CLIENT_ID,
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: assertion,
    };
    const answer = await fetch(tokenUrl, { method: "POST", body: new URLSearchParams(form) });
    const { access_token: token, error } = (await answer.json()) as Record<string, string>;
    return [answer.status, error ?? typeof token];
  };
  const ACCEPTED = [200, "string"];

  const startCompanion = async (settings: Partial<Configuration> = {}) => {
    const companion = await startPaired({ configuration: createConfiguration(server.baseUrl, settings) });
    companions.push(companion.app);
    return companion;
  };

  it("accepts the companion's assertions repeatedly", async () => {
    const { send } = await startCompanion();
    for (let time = 0; time < 3; time++) {
      const { body } = await send("POST", "/companion/assertion", { "content-type": "application/json" }, "{}");
      expect(await exchange(JSON.parse(body).assertion)).toEqual(ACCEPTED);
    }
  });

  itOnPosix("accepts an assertion signed by a program for the companion", async () => {
    const command = ["openssl", "dgst", "-sha256", "-sign", createKeyFile(privateKey)];
    const signer = createExternalSigner(KEY_ID, publicKey, command);
    const { assertion } = await signAssertion(CLIENT_ID, signer, tokenUrl, Date.now());
    expect(await exchange(assertion)).toEqual(ACCEPTED);
  });

  it.each(["sign", "relay"] as const)("connects the session of a paired page in the mode %s", async (mode) => {
    const { port, pairings } = await startCompanion({ mode });
    const ports = { ...createPorts(), storage: createStorage() };
    const session = createSession({ ports, companionUrl: `http://127.0.0.1:${port}` });
    await session.pair(await pairings.issueSent());
    expect(session.state()).toMatchObject({ status: "connected" });
    session.feed.queryCache.close();
  });

  it("accepts the base assertion that each row below changes in one point", async () => {
    expect(await exchange(await make(tokenUrl))).toEqual(ACCEPTED);
    expect(await exchange(await remake(tokenUrl, (parts) => parts))).toEqual(ACCEPTED);
  });

  it.each(REFUSED)("refuses an assertion that %s", async (_name, create) => {
    expect(await exchange(await create(tokenUrl))).toEqual([401, "invalid_client"]);
  });

  it("refuses an assertion that comes a second time", async () => {
    const assertion = await make(tokenUrl);
    expect(await exchange(assertion)).toEqual(ACCEPTED);
    expect(await exchange(assertion)).toEqual([401, "invalid_client"]);
  });

  it("refuses another assertion with a used id", async () => {
    const jti = randomUUID();
    expect(await exchange(await make(tokenUrl, { claims: { jti } }))).toEqual(ACCEPTED);
    const exp = Math.floor(Date.now() / 1000) + 30;
    expect(await exchange(await make(tokenUrl, { claims: { jti, exp } }))).toEqual([401, "invalid_client"]);
  });
});

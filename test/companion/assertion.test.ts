import { execFileSync } from "node:child_process";
import { createHmac, randomUUID, verify } from "node:crypto";
import { once } from "node:events";
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { FastifyInstance } from "fastify";
import { base64url, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { createPorts } from "../../src/client/ports";
import { createKeySigner, SignerFailure, signAssertion } from "../../src/companion/assertion";
import type { Configuration } from "../../src/companion/configuration";
import { NETWORK_SETTINGS } from "../../src/companion/configuration/settings";
import { SETTING_NAMES } from "../../src/companion/configuration/sources";
import { createExternalSigner } from "../../src/companion/external-signer";
import { pickSigner } from "../../src/companion/provider";
import { createSession } from "../../src/session/session";
import { startThirdParty, type TokenServer } from "../support/identity-provider";
import { readTestKey } from "../support/keys";
import { describeOnPosix, itOnPosix } from "../support/posix";
import { createStorage } from "../support/storage";
import { createKeyFile } from "./key-file";
import { startPaired } from "./paired-companion";
import { createConfiguration, privateKey, publicKey } from "./test-configuration";

const signer = createKeySigner("kid-1", privateKey);
const TOKEN_URL = "https://feed.example.com/token";
const NOW_MS = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

const readAssertion = (assertion: string) =>
  jwtVerify(assertion, publicKey, { algorithms: ["RS256"], currentDate: new Date(NOW_MS) });

const sign = () => signAssertion("client-1", signer, TOKEN_URL, NOW_MS);

describe("a client assertion", () => {
  it("holds the claims of §5.2 and no other, for one minute", async () => {
    const { payload, protectedHeader } = await readAssertion((await sign()).assertion);
    const issuedAtSeconds = Math.floor(NOW_MS / 1000);
    expect(protectedHeader).toEqual({ alg: "RS256", typ: "JWT", kid: "kid-1" });
    expect(payload).toEqual({
      iss: "client-1",
      sub: "client-1",
      aud: TOKEN_URL,
      iat: issuedAtSeconds,
      exp: issuedAtSeconds + 60,
      jti: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    });
  });

  it("has a new id each time", async () => {
    const assertions = await Promise.all(Array.from({ length: 50 }, sign));
    const ids = await Promise.all(
      assertions.map(async ({ assertion }) => (await readAssertion(assertion)).payload.jti),
    );
    expect(new Set(ids).size).toBe(50);
  });
});

const newest = createKeySigner("kid-2", privateKey);
const previous = createKeySigner("kid-1", privateKey);

describe("the signing key", () => {
  it.each([
    ["nothing was refused", undefined, newest],
    ["the newest was refused", "kid-2", previous],
    ["the previous one was refused", "kid-1", newest],
    ["a key was refused that is none of them", "kid-0", newest],
  ])("of two is the right one when %s", (_, refusedKeyId, expected) => {
    expect(pickSigner({ clientId: "client-1", signers: [newest, previous] }, refusedKeyId)).toBe(expected);
  });

  it.each([[undefined], ["kid-2"]])("is the only one, when %p was refused", (refusedKeyId) => {
    expect(pickSigner({ clientId: "client-1", signers: [newest] }, refusedKeyId)).toBe(newest);
  });
});

const BYTES = new TextEncoder().encode("bytes to sign");
let folder: string;
let openssl: string[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "feed signer-"));
  const path = join(folder, "a key; touch $(x).pem");
  writeFileSync(path, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  openssl = ["openssl", "dgst", "-sha256", "-sign", path];
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A signer whose program is a line of JavaScript. */
const createScripted = (script: string) =>
  createExternalSigner("kid-1", publicKey, [process.execPath, "-e", script, "argument-secret"]);

/** The number of running programs; one that just ended counts until the next event-loop turn. */
const countPrograms = () => process.getActiveResourcesInfo().filter((name) => name === "ProcessWrap").length;
const nextTick = () => new Promise((resolve) => setImmediate(resolve));

describeOnPosix("a signing program", () => {
  it("signs an assertion that the public key verifies, without a shell", async () => {
    const signer = createExternalSigner("kid-1", publicKey, openssl);
    const { assertion } = await signAssertion("client-1", signer, "https://feed.example.com/token", Date.now());
    const { protectedHeader } = await jwtVerify(assertion, publicKey, { algorithms: ["RS256"] });
    expect(protectedHeader.kid).toBe("kid-1");
  });

  it("is refused if its signature is of another key", async () => {
    const other = readTestKey("other");
    const signer = createExternalSigner("kid-1", other.publicKey, openssl);
    await expect(signer.sign(BYTES)).rejects.toThrow(
      '"openssl" wrote is no RS256 signature of the configured public key',
    );
  });

  it("runs four times at once; the fifth signature waits", async () => {
    const signer = createExternalSigner("kid-1", publicKey, openssl);
    await nextTick();
    const before = countPrograms();
    const signing = Array.from({ length: 12 }, () => signer.sign(BYTES));
    for (let step = 0; step < 3; step++) await Promise.resolve();
    expect(countPrograms() - before).toBe(4);
    const signatures = await Promise.all(signing);
    expect(signatures.every((signature) => verify("sha256", BYTES, publicKey, signature))).toBe(true);
  });

  it("that fails once can sign again", async () => {
    const path = join(folder, "switch");
    const script = `const {existsSync, readFileSync, writeFileSync} = require("fs"), {createSign} = require("crypto");
      if (!existsSync(${JSON.stringify(path)})) { writeFileSync(${JSON.stringify(path)}, ""); process.exit(1); }
      const key = readFileSync(${JSON.stringify(openssl.at(-1))});
      process.stdout.write(createSign("sha256").update(readFileSync(0)).sign(key));`;
    const signer = createScripted(script);
    await expect(signer.sign(BYTES)).rejects.toThrow("exit code 1");
    const signatures = await Promise.all(Array.from({ length: 4 }, () => signer.sign(BYTES)));
    expect(signatures.every((signature) => verify("sha256", BYTES, publicKey, signature))).toBe(true);
  });

  it("sees none of the companion's settings but those of the network", async () => {
    const path = join(folder, "environment.json");
    const before = { ...process.env };
    for (const name of SETTING_NAMES) process.env[name] = "environment-secret";
    for (const name of NETWORK_SETTINGS) process.env[name] = "of-the-network";
    const script = `require("fs").writeFileSync(${JSON.stringify(path)}, JSON.stringify(process.env))`;
    await createScripted(script)
      .sign(BYTES)
      .catch(() => {});
    process.env = before;
    const seen = readFileSync(path, "utf8");
    expect([seen.includes('"PATH"'), seen.includes("FEED_"), seen.includes("secret")]).toEqual([true, false, false]);
    expect(JSON.parse(seen)).toMatchObject({ HTTPS_PROXY: "of-the-network", NODE_EXTRA_CA_CERTS: "of-the-network" });
  });

  it.each([
    ["says what it should not", 'console.error("stderr-secret"); process.exit(3)', "ended with exit code 3"],
    ["ends by a signal", "process.kill(process.pid, 'SIGTERM')", "ended by a signal"],
    ["writes without end", 'setInterval(() => console.log("stdout-secret".repeat(99)), 0)', "wrote far more than"],
    ["writes no signature", 'console.log("stdout-secret")', "is no RS256 signature"],
    ["writes nothing and reads nothing", "process.exit(0)", "is no RS256 signature"],
  ])("that %s is reported in a sentence that quotes neither it nor its arguments", async (_, script, sentence) => {
    const failure: Error = await createScripted(script)
      .sign(BYTES)
      .catch((error) => error);
    expect(failure).toBeInstanceOf(SignerFailure);
    expect(failure.message).toContain(sentence);
    expect(JSON.stringify({ ...failure, text: `${failure.message} ${failure.cause}` })).not.toContain("secret");
  });

  it("that never ends is killed with its child processes, and reported", async () => {
    const [path, pipe] = [join(folder, "process id"), join(folder, "held by a child")];
    execFileSync("mkfifo", [pipe]);
    // The reader sees the end of the pipe when its last writer has ended.
    const reader = createReadStream(pipe).resume();
    const program = ["sh", "-c", `trap '' TERM; echo $$ > '${path}'; sleep 77 > '${pipe}'; true`];
    const signing = createExternalSigner("kid-1", publicKey, program, 1_000).sign(BYTES);
    await Promise.all([expect(signing).rejects.toThrow("did not end in time"), once(reader, "end")]);
    expect(() => process.kill(Number(readFileSync(path, "utf8")), 0)).toThrow("ESRCH");
  });

  it("that does not exist is reported by its name", async () => {
    const signer = createExternalSigner("kid-1", publicKey, [join(folder, "no-such-program"), "argument-secret"]);
    await expect(signer.sign(BYTES)).rejects.toThrow(
      'The signing program "no-such-program" cannot be started (ENOENT). Check its path and its rights.',
    );
  });
});

const CLIENT_ID = "client-1";
const KEY_ID = "kid-1";
const REGISTERED = { clientId: CLIENT_ID, keys: [{ ...publicKey.export({ format: "jwk" }), kid: KEY_ID }] };

/** Creates an assertion with a library the companion does not use. */
function make(tokenUrl: string, claims: JWTPayload = {}, key = privateKey): Promise<string> {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const usual = { iss: CLIENT_ID, sub: CLIENT_ID, aud: tokenUrl, iat: nowSeconds, exp: nowSeconds + 60 };
  return new SignJWT({ ...usual, jti: randomUUID(), ...claims })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: KEY_ID })
    .sign(key);
}

async function remake(tokenUrl: string, change: (parts: string[]) => (string | undefined)[]): Promise<string> {
  return change((await make(tokenUrl)).split(".")).join(".");
}

const toPart = (value: object) => base64url.encode(JSON.stringify(value));
const changePart = (part: string | undefined, change: object) =>
  toPart({ ...JSON.parse(Buffer.from(part ?? "", "base64url").toString()), ...change });

function lengthen([claims, signature]: string[]): (string | undefined)[] {
  return [changePart(claims, { exp: Math.floor(Date.now() / 1000) + 120 }), signature];
}

function signByPublicKey([header, claims]: string[]): string[] {
  const secret = publicKey.export({ type: "spki", format: "pem" });
  const parts = [changePart(header, { alg: "HS256" }), claims ?? ""];
  return [...parts, createHmac("sha256", secret).update(parts.join(".")).digest("base64url")];
}

const REFUSED: [string, (tokenUrl: string) => Promise<string>][] = [
  ["is for another provider", (url) => make(url, { aud: "https://feed.example.com/token" })],
  ["is signed by another key", (url) => make(url, {}, readTestKey("other").privateKey)],
  ["is not signed", (url) => remake(url, ([header, claims]) => [changePart(header, { alg: "none" }), claims, ""])],
  ["is signed as HS256 with the public key as its secret", (url) => remake(url, signByPublicKey)],
  ["lives longer than was signed", (url) => remake(url, ([header, ...rest]) => [header, ...lengthen(rest)])],
];

describe("the token endpoint of an independent provider", () => {
  let server: TokenServer;
  let tokenUrl: string;
  const companions: FastifyInstance[] = [];
  beforeAll(async () => {
    server = await startThirdParty(REGISTERED);
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
    expect(await exchange(await make(tokenUrl, { jti }))).toEqual(ACCEPTED);
    const exp = Math.floor(Date.now() / 1000) + 30;
    expect(await exchange(await make(tokenUrl, { jti, exp }))).toEqual([401, "invalid_client"]);
  });
});

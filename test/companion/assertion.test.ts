import { execFileSync } from "node:child_process";
import { generateKeyPairSync, verify } from "node:crypto";
import { once } from "node:events";
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { jwtVerify } from "jose";
import { createKeySigner, SignerFailure, signAssertion } from "../../src/companion/assertion";
import { pickSigner } from "../../src/companion/client";
import { SETTING_NAMES } from "../../src/companion/configuration/settings";
import { createExternalSigner } from "../../src/companion/external-signer";
import { describeOnPosix } from "../support/posix";
import { privateKey, publicKey } from "./test-configuration";

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
    const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
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

  it("sees none of the companion's settings", async () => {
    const path = join(folder, "environment.json");
    const before = { ...process.env };
    for (const name of SETTING_NAMES) process.env[name] = "environment-secret";
    const script = `require("fs").writeFileSync(${JSON.stringify(path)}, JSON.stringify(process.env))`;
    await createScripted(script)
      .sign(BYTES)
      .catch(() => {});
    process.env = before;
    const seen = readFileSync(path, "utf8");
    expect([seen.includes('"PATH"'), seen.includes("FEED_"), seen.includes("secret")]).toEqual([true, false, false]);
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

  it("that never ends is killed and reported", async () => {
    const path = join(folder, "process id");
    const program = ["sh", "-c", `trap '' TERM; echo $$ > '${path}'; while :; do sleep 1; done`];
    const signer = createExternalSigner("kid-1", publicKey, program, 1_000);
    await expect(signer.sign(BYTES)).rejects.toThrow("did not end in time");
    expect(() => process.kill(Number(readFileSync(path, "utf8")), 0)).toThrow("ESRCH");
  });

  it("that never ends is killed with its child processes", async () => {
    const pipe = join(folder, "held by a child");
    execFileSync("mkfifo", [pipe]);
    // The reader sees the end of the pipe when its last writer has ended.
    const reader = createReadStream(pipe).resume();
    const program = ["sh", "-c", `sleep 77 > '${pipe}'; true`];
    const signing = createExternalSigner("kid-1", publicKey, program, 1_000).sign(BYTES);
    await Promise.all([expect(signing).rejects.toThrow("did not end in time"), once(reader, "end")]);
  });

  it("that does not exist is reported by its name", async () => {
    const signer = createExternalSigner("kid-1", publicKey, [join(folder, "no-such-program"), "argument-secret"]);
    await expect(signer.sign(BYTES)).rejects.toThrow(
      'The signing program "no-such-program" cannot be started (ENOENT). Check its path and its rights.',
    );
  });
});

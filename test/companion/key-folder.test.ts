import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { calculateJwkThumbprint, importJWK } from "jose";
import { readPrivateKeyFile } from "../../src/companion/key";
import { createKeyFile, createKeyIn, describeKey, readKeys, toKeyPath } from "../../src/companion/key-folder";
import { itOnPosix } from "../support/posix";
import { publicKey } from "./test-configuration";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "feed-keys-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe("a key file", () => {
  itOnPosix("is PKCS#8 for its owner alone, with its public half and its folder", async () => {
    const path = join(folder, "new", "own.pem");
    const { publicKeyPem, bits } = await createKeyFile(path);
    const key = createPrivateKey(readFileSync(path, "utf8"));
    expect(createPublicKey(key).export({ type: "spki", format: "pem" })).toBe(publicKeyPem);
    expect(readFileSync(`${path}.pub`, "utf8")).toBe(publicKeyPem);
    expect([bits, modeOf(path), modeOf(join(folder, "new"))]).toEqual([2048, 0o600, 0o700]);
  });

  it("opens only with its passphrase", async () => {
    const path = join(folder, "own.pem");
    const { bits } = await createKeyFile(path, { bits: 3072, passphrase: "a passphrase of tests" });
    const pem = readFileSync(path, "utf8");
    expect(pem).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----/);
    expect(() => createPrivateKey({ key: pem, passphrase: "another" })).toThrow();
    const key = createPrivateKey({ key: pem, passphrase: "a passphrase of tests" });
    expect([key.asymmetricKeyDetails?.modulusLength, bits]).toEqual([3072, 3072]);
  });

  it("is never overwritten", async () => {
    const path = join(folder, "own.pem");
    writeFileSync(path, "kept");
    await expect(createKeyFile(path)).rejects.toThrow(`${path} exists already, and a key is never overwritten.`);
    expect([readFileSync(path, "utf8"), readdirSync(folder)]).toEqual(["kept", ["own.pem"]]);
  });

  it("is not created with a passphrase too long to open it again", async () => {
    const longest = "é".repeat(512);
    await createKeyFile(join(folder, "own.pem"), { passphrase: longest });
    expect(readPrivateKeyFile(join(folder, "own.pem"), longest).type).toBe("private");
    const making = { passphrase: `${longest}.` };
    const sentence = "The passphrase is longer than 1024 bytes, so no key was made.";
    await expect(createKeyFile(join(folder, "other.pem"), making)).rejects.toThrow(sentence);
    await expect(createKeyIn(join(folder, "keys"), making)).rejects.toThrow(sentence);
    expect(readdirSync(folder).sort()).toEqual(["own.pem", "own.pem.pub"]);
  });

  it("is removed if its public half cannot be written, so that the next attempt succeeds", async () => {
    const path = join(folder, "own.pem");
    mkdirSync(`${path}.pub`);
    await expect(createKeyFile(path)).rejects.toThrow(`The key cannot be written to ${path} (EISDIR).`);
    expect(readdirSync(folder)).toEqual(["own.pem.pub"]);
    rmSync(`${path}.pub`, { recursive: true });
    await createKeyFile(path);
    expect(readPrivateKeyFile(path).type).toBe("private");
  });

  itOnPosix("does not write its public half through a link in its place", async () => {
    const path = join(folder, "own.pem");
    writeFileSync(join(folder, "other"), "kept");
    symlinkSync("other", `${path}.pub`);
    await createKeyFile(path);
    expect(readFileSync(join(folder, "other"), "utf8")).toBe("kept");
    expect(readFileSync(`${path}.pub`, "utf8")).toContain("BEGIN PUBLIC KEY");
  });

  it("that cannot be written is reported with its path and the reason", async () => {
    writeFileSync(join(folder, "file"), "");
    const path = join(folder, "file", "own.pem");
    await expect(createKeyFile(path)).rejects.toThrow(`The key cannot be written to ${path} (EEXIST).`);
  });
});

describe("the folder of keys", () => {
  it("is empty while it does not exist", async () => {
    expect(await readKeys(join(folder, "absent"))).toEqual([]);
  });

  it("names a key by its thumbprint and lists the newest first", async () => {
    const [older, newer] = [await createKeyIn(folder), await createKeyIn(folder)];
    utimesSync(toKeyPath(folder, older.thumbprint), 1_700_000_000, 1_700_000_000);
    expect(await readKeys(folder)).toEqual([newer, { ...older, createdAt: "2023-11-14T22:13:20.000Z" }]);
  });

  it("lists keys made by keygen, and no other file", async () => {
    const { thumbprint } = await createKeyFile(join(folder, "own.pem"), { passphrase: "a passphrase of tests" });
    writeFileSync(join(folder, "other.pem"), "no public half");
    writeFileSync(join(folder, "notes.txt"), "");
    writeFileSync(join(folder, "lost.pem.pub"), "no private key");
    mkdirSync(join(folder, "more"));
    expect((await readKeys(folder)).map((key) => key.thumbprint)).toEqual([thumbprint]);
  });
});

describe("a public key", () => {
  it("is described as providers need it, without the private half", async () => {
    const { thumbprint, publicKeyPem, jwk, bits } = await describeKey(publicKey);
    expect(createPublicKey(publicKeyPem).equals(publicKey)).toBe(true);
    expect(Object.keys(jwk).sort()).toEqual(["e", "kty", "n"]);
    expect(await importJWK(jwk, "RS256")).toBeDefined();
    expect([thumbprint, bits]).toEqual([await calculateJwkThumbprint(jwk), 2048]);
    const short = generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey;
    expect((await describeKey(short)).bits).toBe(1024);
  });
});

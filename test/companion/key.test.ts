import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import {
  chmodSync,
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
import { readPrivateKey, readPrivateKeyFile, readPublicKey, toThumbprint } from "../../src/companion/key";
import { createKeyFile, createKeyIn, describeKey, readKeys, toKeyPath } from "../../src/companion/key-folder";
import { itOnPosix } from "../support/posix";
import { PASSPHRASE, toEncrypted, toPem } from "./complete-settings";
import { privateKey, publicKey } from "./test-configuration";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "feed-keys-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the private key", () => {
  it("is read from PKCS#8, PKCS#1 and encrypted PKCS#8", () => {
    expect(readPrivateKey(toPem(privateKey)).equals(privateKey)).toBe(true);
    expect(readPrivateKey(String(privateKey.export({ type: "pkcs1", format: "pem" }))).equals(privateKey)).toBe(true);
    expect(readPrivateKey(toEncrypted(privateKey), PASSPHRASE).equals(privateKey)).toBe(true);
  });

  it("is read from one line with literal \\\\n in it", () => {
    expect(readPrivateKey(toPem(privateKey).replaceAll("\n", "\\n")).equals(privateKey)).toBe(true);
  });

  it("is refused with the setting to check if the passphrase is missing or wrong", () => {
    expect(() => readPrivateKey(toEncrypted(privateKey))).toThrow("set FEED_PRIVATE_KEY_PASSPHRASE");
    expect(() => readPrivateKey(toEncrypted(privateKey), "another")).toThrow("does not open the key");
  });

  it("is refused if it is no private key, with what it is and the remedy", () => {
    const publicPem = createPublicKey(privateKey).export({ type: "spki", format: "pem" }).toString();
    const openssh = "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n";
    expect(() => readPrivateKey(publicPem)).toThrow("This is a public key. Give the private key that belongs to it.");
    expect(() => readPrivateKey("-----BEGIN CERTIFICATE-----")).toThrow("This is a certificate. Give the private key");
    expect(() => readPrivateKey(openssh)).toThrow("Convert a copy of it: ssh-keygen -p -m PKCS8 -f FILE");
    expect(() => readPrivateKey(" \n")).toThrow("The private key is empty. Copy the whole key there");
    expect(() => readPrivateKey("hello")).toThrow("not a PEM private key, or a damaged one. Copy it whole");
    expect(() => readPrivateKey(toPem(privateKey).slice(0, 500))).toThrow("a damaged one. Copy it whole");
  });

  it("is read from a file with a byte order mark", () => {
    const path = join(folder, "marked.pem");
    writeFileSync(path, `\uFEFF${toPem(privateKey)}`, { mode: 0o600 });
    expect(readPrivateKeyFile(path).equals(privateKey)).toBe(true);
  });

  it("is refused from a file in another encoding, with the remedy", () => {
    const [wide, binary] = [join(folder, "utf16.pem"), join(folder, "key.der")];
    writeFileSync(wide, `\uFEFF${toPem(privateKey)}`, { mode: 0o600, encoding: "utf16le" });
    expect(() => readPrivateKeyFile(wide)).toThrow("is written as UTF-16. Save it as UTF-8");
    writeFileSync(binary, privateKey.export({ type: "pkcs8", format: "der" }), { mode: 0o600 });
    expect(() => readPrivateKeyFile(binary)).toThrow("Convert it: openssl pkey -inform DER -in FILE -out key.pem");
    const publicDer = createPublicKey(privateKey).export({ type: "spki", format: "der" }).toString("utf8");
    expect(() => readPublicKey(publicDer)).toThrow("Convert it: openssl pkey -pubin -inform DER");
  });

  it("is refused below 2048 bits and if it is not RSA", () => {
    const short = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey;
    const curve = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
    expect(() => readPrivateKey(toPem(short))).toThrow("1024 bits");
    expect(() => readPrivateKey(toPem(curve))).toThrow("must be an RSA key");
  });

  itOnPosix.each([0o640, 0o604, 0o620])("is refused from a file of mode %i, with the chmod to fix it", (mode) => {
    const path = join(folder, `open-${mode}.pem`);
    writeFileSync(path, toPem(privateKey));
    chmodSync(path, mode);
    expect(() => readPrivateKeyFile(path)).toThrow(`chmod 600 ${path}`);
  });

  it("is read from a file that only its owner may read", () => {
    const path = join(folder, "own.pem");
    writeFileSync(path, toPem(privateKey), { mode: 0o600 });
    expect(readPrivateKeyFile(path).equals(privateKey)).toBe(true);
  });

  itOnPosix.each([0o700, 0o755])("is refused from a folder of mode %i, without advice to change the folder", (mode) => {
    const path = join(folder, `folder-${mode}`);
    mkdirSync(path);
    chmodSync(path, mode);
    expect(() => readPrivateKeyFile(path)).toThrow(
      new Error(`${path} is no file. Put the key file there, or give its own path.`),
    );
  });

  it("is refused by name if its file does not exist", () => {
    expect(() => readPrivateKeyFile(join(folder, "absent.pem"))).toThrow(/absent\.pem cannot be read \(ENOENT\)/);
  });

  it("has a public half, which is read from PEM and must have the same size and kind", () => {
    const toPublicPem = (key: KeyObject) => createPublicKey(key).export({ type: "spki", format: "pem" }).toString();
    expect(readPublicKey(toPublicPem(privateKey)).equals(createPublicKey(privateKey))).toBe(true);
    const short = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey;
    const curve = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
    expect(() => readPublicKey(toPublicPem(short))).toThrow("The public key has 1024 bits");
    expect(() => readPublicKey(toPublicPem(curve))).toThrow("must be an RSA key");
    expect(() => readPublicKey("hello")).toThrow("not a PEM public key");
    expect(() => readPublicKey(toPem(privateKey))).toThrow("This is a private key");
  });

  it("is identified by the thumbprint of its public half", async () => {
    expect(await toThumbprint(createPublicKey(privateKey))).toMatch(/^[\w-]{43}$/);
  });
});

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
    const { bits } = await createKeyFile(path, { bits: 3072, passphrase: PASSPHRASE });
    const pem = readFileSync(path, "utf8");
    expect(pem).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----/);
    expect(() => createPrivateKey({ key: pem, passphrase: "another" })).toThrow();
    const key = createPrivateKey({ key: pem, passphrase: PASSPHRASE });
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
    const { thumbprint } = await createKeyFile(join(folder, "own.pem"), { passphrase: PASSPHRASE });
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

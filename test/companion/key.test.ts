import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { once } from "node:events";
import fs, {
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
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { calculateJwkThumbprint, importJWK } from "jose";
import { UsageError } from "../../src/companion/commands/results";
import type { Surroundings } from "../../src/companion/commands/surroundings";
import { ConfigurationError } from "../../src/companion/configuration/reading";
import { readPrivateKey, readPrivateKeyFile, readPublicKey } from "../../src/companion/key";
import {
  createKeyFile,
  createKeyIn,
  createSignInKey,
  describeKey,
  readKeys,
  toKeyPath,
} from "../../src/companion/key-folder";
import { createSecretPrompt } from "../../src/companion/terminal";
import { itOnPosix } from "../support/posix";
import { runWell } from "./command-run";
import { PASSPHRASE, toEncrypted, toPem } from "./complete-settings";
import { reuseKeys } from "./quick-keys";
import { privateKey, publicKey } from "./test-configuration";

const short = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey;
const curve = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

reuseKeys();
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

  // github.com/coollabsio/coolify/issues/6384, github.com/medplum/medplum/issues/2863 and the like
  it.each<[string, (pem: string) => string]>([
    ["with a setting's name", (pem) => `FEED_PRIVATE_KEY="${pem.replaceAll("\n", "\\n")}"`],
    ["with line ends that are escaped twice", (pem) => pem.replaceAll("\n", "\\\\n")],
    ["in a JSON file", (pem) => JSON.stringify({ private_key: pem })],
    ["in curly quotes", (pem) => `“${pem.trim()}”`],
    ["with dashes of an editor", (pem) => pem.replaceAll("-----", "——-")],
    ["in a quoted mail", (pem) => pem.replace(/^/gm, "> ")],
    ["with spaces that do not break", (pem) => pem.replaceAll("\n", "\n\u00a0")],
    ["with a mark of no width", (pem) => pem.replace("MII", "\u200bMII")],
    ["with line separators", (pem) => pem.replaceAll("\n", "\u2028")],
    ["behind a certificate", (pem) => `-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n${pem}`],
    ["behind a bag's attributes", (pem) => `Bag Attributes\n    localKeyID: 01\n${pem}`],
  ])("is read %s", (_, write) => {
    expect(readPrivateKey(write(toPem(privateKey))).equals(privateKey)).toBe(true);
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
    expect(() => readPrivateKey(toPem(short))).toThrow("1024 bits");
    expect(() => readPrivateKey(toPem(curve))).toThrow("must be an RSA key");
  });

  itOnPosix.each([0o640, 0o604, 0o620])("is refused from a file of mode %i, with the chmod to fix it", (mode) => {
    const path = join(folder, `open-${mode}.pem`);
    writeFileSync(path, toPem(privateKey));
    chmodSync(path, mode);
    expect(() => readPrivateKeyFile(path)).toThrow(`chmod 600 ${path}`);
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
    expect(() => readPublicKey(toPublicPem(short))).toThrow("The public key has 1024 bits");
    expect(() => readPublicKey(toPublicPem(curve))).toThrow("must be an RSA key");
    expect(() => readPublicKey("hello")).toThrow("not a PEM public key");
    expect(() => readPublicKey(toPem(privateKey))).toThrow("This is a private key");
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
    await expect(createKeyFile(path)).rejects.toThrow(`${path} cannot be written (ERR_FS_EISDIR).`);
    expect(readdirSync(folder)).toEqual(["own.pem.pub"]);
    rmSync(`${path}.pub`, { recursive: true });
    await createKeyFile(path);
    expect(readPrivateKeyFile(path).type).toBe("private");
  });

  it.each([
    ["of the provider", createKeyFile],
    ["of sign-ins", async (path: string) => createSignInKey(path)],
  ])("%s is removed if the disk is full, so that the next attempt succeeds", async (_of, create) => {
    const path = join(folder, "own.key");
    jest.spyOn(fs, "writeFileSync").mockImplementationOnce(() => {
      throw Object.assign(new Error(), { code: "ENOSPC" });
    });
    await expect(create(path)).rejects.toThrow(`${path} cannot be written (ENOSPC).`);
    expect(readdirSync(folder)).toEqual([]);
    await create(path);
    expect(readFileSync(path, "utf8")).not.toBe("");
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
    await expect(createKeyFile(path)).rejects.toThrow(`${path} cannot be written (EEXIST).`);
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

it("a public key is described as providers need it, without the private half", async () => {
  const { thumbprint, publicKeyPem, jwk, bits } = await describeKey(publicKey);
  expect(createPublicKey(publicKeyPem).equals(publicKey)).toBe(true);
  expect(Object.keys(jwk).sort()).toEqual(["e", "kty", "n"]);
  expect(await importJWK(jwk, "RS256")).toBeDefined();
  expect([thumbprint, bits]).toEqual([await calculateJwkThumbprint(jwk), 2048]);
  expect((await describeKey(createPublicKey(short))).bits).toBe(1024);
});

const run = async (words: string[], surroundings: Partial<Surroundings> = {}) =>
  (await runWell(["keygen", ...words], { folder, ...surroundings })).join("\n");
const readPath = (text: string) =>
  text.match(/^The private key is in (.*), (not )?encrypted\. Send it to nobody\.$/m)?.[1] ?? "";
const readPem = (text: string) => text.match(/-----BEGIN PUBLIC KEY-----[\s\S]*-----END PUBLIC KEY-----/)?.[0] ?? "";

/** A terminal where these lines are typed. */
const createPerson = (...lines: string[]) => {
  const queries: string[] = [];
  const promptSecret = async (query: string) => {
    queries.push(query);
    return lines.shift() ?? "";
  };
  return { queries, promptSecret };
};

describe("the command keygen", () => {
  itOnPosix("creates an encrypted key of 2048 bits in the person's folder, for its owner alone", async () => {
    const text = await run([], { environment: { FEED_PRIVATE_KEY_PASSPHRASE: PASSPHRASE } });
    const path = readPath(text);
    expect(path.startsWith(join(folder, "keys"))).toBe(true);
    expect([statSync(path).mode & 0o777, statSync(join(folder, "keys")).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readFileSync(path, "utf8")).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----/);
    const key = readPrivateKeyFile(path, PASSPHRASE);
    expect(key.asymmetricKeyDetails?.modulusLength).toBe(2048);
    expect(createPublicKey(key).equals(createPublicKey(readPem(text)))).toBe(true);
  });

  it("prints the public half as PEM and JWK, its thumbprint and the next settings, and no secret", async () => {
    const text = await run([], { environment: { FEED_PRIVATE_KEY_PASSPHRASE: PASSPHRASE } });
    const jwk = JSON.parse(text.match(/^\{.*\}$/m)?.[0] ?? "");
    expect(jwk).toEqual(createPublicKey(readPem(text)).export({ format: "jwk" }));
    expect(text).toContain(`telephone: ${await calculateJwkThumbprint(jwk, "sha256")}`);
    expect(text).toContain("Send only this to your provider:");
    expect(text).toContain(`FEED_PRIVATE_KEY_FILE to ${readPath(text)}`);
    for (const name of ["FEED_BASE_URL", "FEED_CLIENT_ID", "FEED_KEY_ID", "FEED_PRIVATE_KEY_PASSPHRASE_FILE"])
      expect(text).toContain(name);
    expect(text).toContain("The provider answers with a base URL, a client id and a key id.");
    expect(text).toMatch(/FEED_PRIVATE_KEY_FILE to .+\n.+under \/run\/credentials for systemd, leave it so/);
    expect(text).not.toContain("PRIVATE KEY-----");
    expect(text).not.toContain(PASSPHRASE);
  });

  itOnPosix("creates a key of another size on request, unencrypted only with --no-passphrase", async () => {
    const path = join(folder, "deep", "key.pem");
    const environment = { FEED_PRIVATE_KEY_PASSPHRASE: PASSPHRASE };
    const text = await run(["--bits", "3072", "--out", path, "--no-passphrase"], { environment });
    expect(readPath(text)).toBe(path);
    expect(readFileSync(path, "utf8")).toMatch(/^-----BEGIN PRIVATE KEY-----/);
    expect(readPrivateKeyFile(path).asymmetricKeyDetails?.modulusLength).toBe(3072);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(text).toContain("not encrypted");
    expect(text).not.toContain("FEED_PRIVATE_KEY_PASSPHRASE_FILE");
  });

  it("reads the passphrase file of the person's own settings", async () => {
    const [path, secret] = [join(folder, "key.pem"), join(folder, "passphrase")];
    writeFileSync(secret, `${PASSPHRASE}\n`, { mode: 0o600 });
    const settings = JSON.stringify({ FEED_PRIVATE_KEY_PASSPHRASE_FILE: secret });
    writeFileSync(join(folder, "companion.json"), settings, { mode: 0o600 });
    await run(["--out", path]);
    expect(readPrivateKeyFile(path, PASSPHRASE).type).toBe("private");
  });

  it.each([
    ["a passphrase file that is not there", { FEED_PRIVATE_KEY_PASSPHRASE_FILE: "/nope" }, "/nope cannot be read"],
    ["two", { FEED_PRIVATE_KEY_PASSPHRASE_FILE: "/nope", FEED_PRIVATE_KEY_PASSPHRASE: PASSPHRASE }, "keep one"],
    ["a short one", { FEED_PRIVATE_KEY_PASSPHRASE: "eleven char" }, "shorter than 12 characters"],
  ])("reports %s as invalid settings", async (_name, environment, sentence) => {
    const failure: unknown = await run([], { environment }).catch((error) => error);
    expect(failure).toBeInstanceOf(ConfigurationError);
    expect(String(failure)).toContain(sentence);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("asks for the passphrase twice at a terminal", async () => {
    const path = join(folder, "key.pem");
    const { queries, promptSecret } = createPerson(PASSPHRASE, PASSPHRASE);
    await run(["--out", path], { promptSecret });
    expect(queries).toEqual(["Passphrase of the new key (12 characters or more): ", "Once more: "]);
    expect(readPrivateKeyFile(path, PASSPHRASE).type).toBe("private");
  });

  it.each([
    ["that differ", [PASSPHRASE, `${PASSPHRASE} `], "The two passphrases differ, so no key was made"],
    ["that are short", ["eleven char"], "shorter than 12 characters, so no key was made"],
    ["that are nothing", [""], "shorter than 12 characters, so no key was made"],
  ])("creates no key with passphrases %s", async (_name, lines, sentence) => {
    const { promptSecret } = createPerson(...lines);
    await expect(run([], { promptSecret })).rejects.toThrow(sentence);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("says what to set if there is no terminal", async () => {
    await expect(run([])).rejects.toThrow("set FEED_PRIVATE_KEY_PASSPHRASE_FILE, or choose --no-passphrase");
  });

  it.each(["1024", "2049", "2048.0", "many", ""])("refuses a size of %j", async (bits) => {
    const sentence = `Option '--bits <n>' argument '${bits}' is invalid. Allowed choices are 2048, 3072, 4096.`;
    await expect(run(["--bits", bits])).rejects.toThrow(
      new UsageError(`${sentence} Try: npm run companion -- keygen --help`),
    );
  });
});

/** A terminal with scripted input. */
function createTerminal() {
  const input = new PassThrough();
  const output = new PassThrough({ encoding: "utf8" });
  return { input, output, prompt: createSecretPrompt(input, output) };
}

describe("a prompt for a secret", () => {
  it("shows itself and nothing of the answer", async () => {
    const { input, output, prompt } = createTerminal();
    const answer = prompt("Passphrase: ");
    input.write("a long secre");
    input.write("xx\u007f\u007ft\r");
    expect(await answer).toBe("a long secret");
    expect(output.read()).toBe("Passphrase: \n");
  });

  it("works twice, one after the other", async () => {
    const { input, output, prompt } = createTerminal();
    const first = prompt("Once: ");
    input.write("one\r");
    await first;
    const second = prompt("Again: ");
    input.write("two\r");
    expect([await first, await second, output.read()]).toEqual(["one", "two", "Once: \nAgain: \n"]);
  });

  it.each([
    ["Ctrl+C", "\u0003"],
    ["Ctrl+D", "\u0004"],
  ])("ends by %s without an answer", async (_name, key) => {
    const { input, prompt } = createTerminal();
    const answer = prompt("Passphrase: ");
    input.write(key);
    await expect(answer).rejects.toThrow("No answer was given, so nothing was done.");
  });

  it("ends when the terminal does", async () => {
    const { input, prompt } = createTerminal();
    const answer = prompt("Passphrase: ");
    input.end();
    await once(input, "end");
    await expect(answer).rejects.toThrow("No answer was given");
  });
});

describe("a private key as people have it", () => {
  const pem = toPem(privateKey);
  const [begin = "", ...rest] = pem.trim().split("\n");
  const end = rest.pop() ?? "";
  const body = rest.join("");
  const isSame = (key: KeyObject) =>
    expect(key.export({ format: "jwk" })).toEqual(privateKey.export({ format: "jwk" }));

  it.each([
    ["with line ends of Windows", pem.replaceAll("\n", "\r\n")],
    ["with line ends of old Macs", pem.replaceAll("\n", "\r")],
    ["with spaces in place of line ends", pem.trim().replaceAll("\n", " ")],
    ["with its base64 in one line", [begin, body, end].join("\n")],
    ["in one line without any space", begin + body + end],
    ["with escaped line ends", pem.replaceAll("\n", "\\n")],
    ["as base64 alone", body],
    ["as base64 alone, in lines", rest.join("\r\n")],
    [
      "as PKCS#1 with line ends of old Macs",
      String(privateKey.export({ type: "pkcs1", format: "pem" })).replaceAll("\n", "\r"),
    ],
    ["in quotes, with escaped line ends of Windows", `"${pem.replaceAll("\n", "\\r\\n")}"`],
    ["indented", pem.replace(/^/gm, "  ")],
    ["whole in base64", Buffer.from(pem).toString("base64")],
    ["as a JWK", JSON.stringify({ ...privateKey.export({ format: "jwk" }), kid: "2026" })],
  ])("is read %s", (_, text) => isSame(readPrivateKey(text)));

  it.each([" ", "\n", "\r\n", "\t"])("opens by a passphrase with %j behind it", (space) => {
    isSame(readPrivateKey(toEncrypted(privateKey), `${PASSPHRASE}${space}`));
  });

  it.each([
    [
      "a legacy encryption",
      "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMF8wGwYJKoZIhvcNAQUDMA4ECHNhbHRzYWx0AgIIAARAERERERERERERERERERER\nEREREREREREREREREREREREREREREREREREREREREREREREREREREREREREQ==\n-----END ENCRYPTED PRIVATE KEY-----\n",
      "openssl pkcs8 -topk8 -v2 aes256 -provider legacy -provider default",
    ],
    [
      "a PKCS#12 file",
      Buffer.from(`303c020103303706092a864886f70d010701a02a0428${"80".repeat(40)}`, "hex").toString(),
      "openssl pkcs12 -in FILE -nocerts",
    ],
    ["a public JWK", JSON.stringify(publicKey.export({ format: "jwk" })), "no private RSA key (JWK)"],
    ["half a JWK", '{"kty":"RSA","n":"x', "no private RSA key (JWK)"],
  ])("that is %s is told with what to do", (_, text, sentence) => {
    expect(() => readPrivateKey(text, "x")).toThrow(sentence);
  });
});

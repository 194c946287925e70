import { createPublicKey } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { calculateJwkThumbprint } from "jose";
import { runCommand } from "../../src/companion/command";
import { UsageError } from "../../src/companion/commands/exit-codes";
import type { Surroundings } from "../../src/companion/commands/surroundings";
import { ConfigurationError } from "../../src/companion/configuration";
import { readPrivateKeyFile } from "../../src/companion/key";
import { createSecretPrompt } from "../../src/companion/terminal";
import { itOnPosix } from "../support/posix";

const PASSPHRASE = "correct horse battery";
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "feed-keygen-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function run(words: string[], surroundings: Partial<Surroundings> = {}) {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  await runCommand(["keygen", ...words], { environment: {}, webFolder: "", print, folder, ...surroundings });
  return lines.join("\n");
}

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

  itOnPosix.each(["2048", "3072"])("creates a key of %s bits on request", async (bits) => {
    const path = join(folder, "deep", "key.pem");
    expect(readPath(await run(["--bits", bits, "--out", path, "--no-passphrase"]))).toBe(path);
    expect(readPrivateKeyFile(path).asymmetricKeyDetails?.modulusLength).toBe(Number(bits));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("leaves the key unencrypted only with --no-passphrase, whatever passphrase is set", async () => {
    const path = join(folder, "key.pem");
    const environment = { FEED_PRIVATE_KEY_PASSPHRASE: PASSPHRASE };
    const text = await run(["--out", path, "--no-passphrase"], { environment });
    expect(readFileSync(path, "utf8")).toMatch(/^-----BEGIN PRIVATE KEY-----/);
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

import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { ConfigurationError, readConfiguration } from "../../src/companion/configuration";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const PEM = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const COMPLETE = {
  FEED_BASE_URL: "https://feed.example.com",
  FEED_CLIENT_ID: "client-1",
  FEED_KEY_ID: "kid-1",
  FEED_PRIVATE_KEY: PEM,
};

function readMistakes(environment: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfiguration(environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.mistakes;
    throw error;
  }
  return [];
}

describe("the configuration", () => {
  it("has no provider when no FEED_ setting is present", () => {
    expect(readConfiguration({ PATH: "/bin" })).toEqual({
      host: "localhost",
      port: 3000,
      logLevel: "warn",
      mode: "sign",
      transport: "proxy",
      origins: [],
      given: new Set(),
    });
  });

  it("takes an empty setting of its own for one that is not set", () => {
    expect(readConfiguration({ HOST: "", PORT: "", LOG_LEVEL: "" })).toEqual(readConfiguration({}));
  });

  it("reads a whole provider", () => {
    const { provider, transport } = readConfiguration({ ...COMPLETE, FEED_TRANSPORT: "direct" });
    expect(provider).toMatchObject({
      baseUrl: "https://feed.example.com",
      client: { clientId: "client-1", signers: [{ keyId: "kid-1" }] },
    });
    expect(provider?.client.signers[0].publicKey.equals(createPublicKey(privateKey))).toBe(true);
    expect(transport).toBe("direct");
  });

  it.each([
    "FEED_BASE_URL",
    "FEED_CLIENT_ID",
    "FEED_KEY_ID",
    "FEED_PRIVATE_KEY_FILE",
    "FEED_PRIVATE_KEY",
    "FEED_PRIVATE_KEY_PASSPHRASE",
    "FEED_TRANSPORT",
    "FEED_BASEURL",
  ])("never falls back to sample data when %s alone is present, even empty", (name) => {
    expect(readMistakes({ [name]: "" }).length).toBeGreaterThan(0);
    expect(readMistakes({ [name]: "proxy" }).length).toBeGreaterThan(0);
  });

  it.each(Object.keys(COMPLETE))("never falls back to sample data when %s is lost", (name) => {
    const mistakes = readMistakes({ ...COMPLETE, [name]: undefined });
    const emptied = readMistakes({ ...COMPLETE, [name]: " " });
    expect(mistakes.join("\n")).toContain(name);
    expect(emptied.join("\n")).toContain(name);
  });

  it("lists every mistake at once", () => {
    const mistakes = readMistakes({
      PORT: "80a",
      HOST: "0.0.0.0",
      LOG_LEVEL: "loud",
      FEED_BASE_URL: "http://feed.example.com",
      FEED_CLIENT: "client-1",
      FEED_TRANSPORT: "pigeon",
      FEED_PRIVATE_KEY: "no key",
    });
    const named = [
      "PORT",
      "LOG_LEVEL",
      "FEED_TRANSPORT",
      "FEED_CLIENT is",
      "FEED_BASE_URL",
      "FEED_CLIENT_ID",
      "FEED_KEY_ID",
    ];
    for (const name of [...named, "FEED_PRIVATE_KEY:", "HOST"]) {
      expect(mistakes.filter((mistake) => mistake.startsWith(name))).toHaveLength(1);
    }
    expect(mistakes).toHaveLength(9);
    expect(new ConfigurationError(mistakes).message.split("\n")).toHaveLength(10);
  });

  it.each([
    ["http://feed.example.com", "https://"],
    ["ftp://localhost", "https://"],
    ["feed.example.com", "not an address"],
    ["https://me:secret@feed.example.com", "user name"],
    ["https://feed.example.com?x=1", "user name"],
    ["https://feed.example.com#x", "user name"],
  ])("refuses %s as base URL", (baseUrl, reason) => {
    const mistakes = readMistakes({ ...COMPLETE, FEED_BASE_URL: baseUrl });
    expect(mistakes).toEqual([expect.stringContaining(reason)]);
    expect(mistakes[0]).not.toContain("secret");
  });

  it.each([
    ["http://localhost:8080/feed/", "http://localhost:8080/feed"],
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
    ["http://[::1]:8080/", "http://[::1]:8080"],
    ["https://FEED.example.com/base//", "https://feed.example.com/base"],
  ])("takes %s as base URL", (baseUrl, read) => {
    expect(readConfiguration({ ...COMPLETE, FEED_BASE_URL: baseUrl }).provider?.baseUrl).toBe(read);
  });

  it("refuses a key that is set twice", () => {
    const mistakes = readMistakes({ ...COMPLETE, FEED_PRIVATE_KEY_FILE: "key.pem" });
    expect(mistakes).toEqual([expect.stringContaining("keep one")]);
  });

  it("refuses a key file that others may read", () => {
    const path = join(mkdtempSync(join(tmpdir(), "feed-key-")), "key.pem");
    writeFileSync(path, PEM);
    const environment = { ...COMPLETE, FEED_PRIVATE_KEY: undefined, FEED_PRIVATE_KEY_FILE: path };
    chmodSync(path, 0o644);
    expect(readMistakes(environment)).toEqual([expect.stringContaining(`chmod 600 ${path}`)]);
    chmodSync(path, 0o600);
    expect(readMistakes(environment)).toEqual([]);
  });

  it.each(["0.0.0.0", "::", "192.168.1.5", "feed.example.com", "[::1]x"])(
    "refuses to listen on %s, with a provider as with sample data",
    (host) => {
      for (const environment of [COMPLETE, {}]) {
        expect(readMistakes({ ...environment, HOST: host })).toEqual([expect.stringContaining("this machine only")]);
      }
    },
  );

  it.each(["", "localhost", "127.0.0.1", "::1"])("listens on this machine for HOST %j", (host) => {
    for (const environment of [COMPLETE, {}]) expect(readMistakes({ ...environment, HOST: host })).toEqual([]);
  });

  it.each(["65536", "-1", "3000.5", "1e3", "abc"])("refuses port %s", (port) => {
    expect(readMistakes({ PORT: port })).toEqual([expect.stringContaining("PORT must be")]);
  });
});

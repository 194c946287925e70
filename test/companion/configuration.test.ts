import { createPublicKey } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { ConfigurationError, readConfiguration } from "../../src/companion/configuration";
import { NO_FIRM } from "../../src/companion/configuration/firm";
import { itOnPosix } from "../support/posix";
import { COMPLETE, createFiles, PEM, readMistakes } from "./complete-settings";
import { privateKey } from "./test-configuration";

const write = createFiles();

describe("the configuration", () => {
  it("has no provider when no FEED_ setting is present", () => {
    expect(readConfiguration({ PATH: "/bin" })).toEqual({
      host: "localhost",
      port: 3000,
      logLevel: "warn",
      mode: "sign",
      transport: "proxy",
      origins: [],
      hasPlayground: true,
      firmPages: {},
      firm: NO_FIRM,
      given: new Set(),
    });
  });

  it("treats an empty setting of its own as not set", () => {
    expect(readConfiguration({ HOST: "", PORT: "", LOG_LEVEL: "" })).toEqual(readConfiguration({}));
  });

  it("reads a complete provider", () => {
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
  ])("accepts %s as base URL", (baseUrl, read) => {
    expect(readConfiguration({ ...COMPLETE, FEED_BASE_URL: baseUrl }).provider?.baseUrl).toBe(read);
  });

  it("refuses a key that is set twice", () => {
    const mistakes = readMistakes({ ...COMPLETE, FEED_PRIVATE_KEY_FILE: "key.pem" });
    expect(mistakes).toEqual([expect.stringContaining("keep one")]);
  });

  itOnPosix("refuses a key file that others may read", () => {
    const [open, own] = [write("open.pem", PEM, 0o644), write("own.pem", PEM)];
    const read = (path: string) =>
      readMistakes({ ...COMPLETE, FEED_PRIVATE_KEY: undefined, FEED_PRIVATE_KEY_FILE: path });
    expect(read(open)).toEqual([expect.stringContaining(`chmod 600 ${open}`)]);
    expect(read(own)).toEqual([]);
  });

  it("logs its work with a provider, and warnings alone with sample data", () => {
    expect([readConfiguration({}).logLevel, readConfiguration(COMPLETE).logLevel]).toEqual(["warn", "info"]);
    expect(readConfiguration({ ...COMPLETE, LOG_LEVEL: "error" }).logLevel).toBe("error");
  });

  it("never shares tokens in relay mode, which needs the proxy transport", () => {
    expect(readConfiguration(COMPLETE).mode).toBe("sign");
    expect(readConfiguration({ ...COMPLETE, FEED_MODE: "relay" })).toMatchObject({ mode: "relay", transport: "proxy" });
    expect(readMistakes({ ...COMPLETE, FEED_MODE: "relay", FEED_TRANSPORT: "direct" })).toEqual([
      expect.stringMatching(/^FEED_TRANSPORT is direct, and FEED_MODE relay/),
    ]);
  });

  it("names every provider setting that the environment gives", () => {
    const { given } = readConfiguration({ ...COMPLETE, FEED_MODE: "relay", PORT: "3001" });
    for (const name of [...Object.keys(COMPLETE), "FEED_MODE", "FEED_PRIVATE_KEY_FILE"]) expect(given).toContain(name);
    for (const name of ["FEED_TRANSPORT", "FEED_PRIVATE_KEY_PASSPHRASE", "PORT"]) expect(given).not.toContain(name);
  });
});

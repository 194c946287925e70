import type { KeyObject } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "@jest/globals";
import { readConfiguration } from "../../src/companion/configuration";
import { ConfigurationError } from "../../src/companion/configuration/reading";
import { readTestKey } from "../support/keys";
import { privateKey, publicKey } from "./test-configuration";

export const toPem = (key: KeyObject): string => key.export({ type: "pkcs8", format: "pem" }).toString();
export const toEncrypted = (key: KeyObject): string =>
  key.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: PASSPHRASE }).toString();
export const PASSPHRASE = "a passphrase of tests";
export const PEM = toPem(privateKey);
export const PUBLIC_PEM = publicKey.export({ type: "spki", format: "pem" }).toString();
export const otherKey = readTestKey("other").privateKey;

export const COMPLETE = {
  FEED_BASE_URL: "https://feed.example.com",
  FEED_CLIENT_ID: "client-1",
  FEED_KEY_ID: "kid-1",
  FEED_PRIVATE_KEY: PEM,
};

export const SIGN_IN = {
  ...COMPLETE,
  FEED_MODE: "relay",
  FEED_SIGN_IN_ISSUER: "https://login.example.com",
  FEED_SIGN_IN_CLIENT_ID: "feed",
};

export function readMistakes(...reading: Parameters<typeof readConfiguration>): readonly string[] {
  try {
    readConfiguration(...reading);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.mistakes;
    throw error;
  }
  return [];
}

/** Creates files for the tests of a file, and removes them afterwards. */
export function createFiles(): (name: string, text: string, mode?: number) => string {
  const folder = mkdtempSync(join(tmpdir(), "feed-settings-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return (name, text, mode = 0o600) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    chmodSync(path, mode); // whatever the umask is
    return path;
  };
}

import type { KeyObject } from "node:crypto";
import { isLoopback } from "../address";
import { createKeySigner, type Signer } from "../assertion";
import { createExternalSigner } from "../external-signer";
import { parseJson } from "../json";
import { readPrivateKey, readPrivateKeyFile, readPublicKey } from "../key";
import type { Client } from "../provider";
import { readSecretFile, readTrustedFile } from "../trusted-file";
import { attempt, hasPair, type Reading, readRequired } from "./reading";
import type { Settings } from "./settings";

const SOURCES = ["FEED_PRIVATE_KEY_FILE", "FEED_PRIVATE_KEY", "FEED_SIGNER_COMMAND"];
/** A provider's identifiers are single lines; a pasted key is not. */
const IDENTIFIER = /^\P{C}{1,200}$/u;

/** Reads the client with its signing key, and the previous key during a rotation. */
export function readClient(reading: Reading): Client | undefined {
  const clientId = readIdentifier(reading, "FEED_CLIENT_ID");
  const keyId = readIdentifier(reading, "FEED_KEY_ID");
  const passphrase = attempt(reading, "FEED_PRIVATE_KEY_PASSPHRASE_FILE", () => readPassphrase(reading.settings));
  const newest = readSigner(reading, keyId, passphrase);
  const previous = readPreviousSigner(reading, keyId, passphrase);
  if (newest === undefined) return undefined;
  if (previous?.publicKey.equals(newest.publicKey)) {
    reading.mistakes.push(
      "FEED_PREVIOUS_PRIVATE_KEY_FILE holds the present key once more: give the file of the key before, or unset both FEED_PREVIOUS_ settings.",
    );
  }
  return { clientId, signers: previous === undefined ? [newest] : [newest, previous] };
}

/**
 * Reads the passphrase of private keys, as text or from its file without the last line end.
 * @throws Error with a sentence for the person who set it.
 */
export function readPassphrase(settings: Settings): string | undefined {
  const { FEED_PRIVATE_KEY_PASSPHRASE: text, FEED_PRIVATE_KEY_PASSPHRASE_FILE: path } = settings;
  if (text && path) throw new Error("FEED_PRIVATE_KEY_PASSPHRASE is set as well: keep one.");
  if (!path) return text || undefined;
  const passphrase = readSecretFile(path, "passphrase file").replace(/\r?\n$/, "");
  if (passphrase === "") throw new Error(`The passphrase file ${path} is empty. Write the passphrase into it.`);
  return passphrase;
}

function readSigner(reading: Reading, keyId: string, passphrase: string | undefined): Signer | undefined {
  const { settings, mistakes } = reading;
  const present = SOURCES.filter((name) => settings[name]);
  const [name] = present;
  if (settings.FEED_PUBLIC_KEY_FILE && !settings.FEED_SIGNER_COMMAND) {
    mistakes.push("FEED_PUBLIC_KEY_FILE belongs to FEED_SIGNER_COMMAND alone: a private key holds its public half.");
  }
  if (name === undefined) {
    mistakes.push(
      "FEED_PRIVATE_KEY_FILE is missing: the path of the private key (or FEED_PRIVATE_KEY, the key itself; or FEED_SIGNER_COMMAND, a program that signs).",
    );
    return undefined;
  }
  if (present.length > 1) {
    mistakes.push(`${present.join(" and ")} are set together: keep one.`);
    return undefined;
  }
  if (name === "FEED_SIGNER_COMMAND") return readExternalSigner(reading, keyId);
  const text = settings[name]!;
  const read = (): KeyObject =>
    name === "FEED_PRIVATE_KEY" ? readPrivateKey(text, passphrase) : readPrivateKeyFile(text, passphrase);
  return attempt(reading, name, () => createKeySigner(keyId, read()));
}

function readExternalSigner(reading: Reading, keyId: string): Signer | undefined {
  const { FEED_SIGNER_COMMAND: text = "" } = reading.settings;
  const command = attempt(reading, "FEED_SIGNER_COMMAND", () => readCommand(text));
  const path = readRequired(reading, "FEED_PUBLIC_KEY_FILE");
  if (path === "") return undefined;
  const publicKey = attempt(reading, "FEED_PUBLIC_KEY_FILE", () =>
    readPublicKey(readTrustedFile(path, "public key file")),
  );
  if (command === undefined || publicKey === undefined) return undefined;
  return createExternalSigner(keyId, publicKey, command);
}

/** @throws Error */
function readCommand(text: string): readonly string[] {
  const words = parseJson(text);
  if (Array.isArray(words) && words.every((word) => typeof word === "string") && words[0]) return words;
  throw new Error('It must be a JSON array of words, such as ["openssl", "dgst", "-sha256", "-sign", "key.pem"].');
}

function readPreviousSigner(reading: Reading, newestId: string, passphrase: string | undefined): Signer | undefined {
  if (!hasPair(reading, "FEED_PREVIOUS_KEY_ID", "FEED_PREVIOUS_PRIVATE_KEY_FILE")) return undefined;
  const keyId = readIdentifier(reading, "FEED_PREVIOUS_KEY_ID");
  if (keyId === newestId) {
    reading.mistakes.push("FEED_PREVIOUS_KEY_ID is FEED_KEY_ID once more: a provider issues one for each key.");
  }
  const { FEED_PREVIOUS_PRIVATE_KEY_FILE: path = "" } = reading.settings;
  return attempt(reading, "FEED_PREVIOUS_PRIVATE_KEY_FILE", () =>
    createKeySigner(keyId, readPrivateKeyFile(path, passphrase)),
  );
}

function readIdentifier(reading: Reading, name: string): string {
  const text = readRequired(reading, name);
  if (text !== "" && !IDENTIFIER.test(text)) {
    reading.mistakes.push(`${name} must be one line of at most 200 printable characters.`);
  }
  return text;
}

/** Reads the provider's base URL, without a slash at its end. */
export function readBaseUrl(reading: Reading): string {
  const text = readRequired(reading, "FEED_BASE_URL");
  if (text === "") return text;
  if (!URL.canParse(text)) {
    reading.mistakes.push("FEED_BASE_URL is not an address like https://feed.example.com.");
    return text;
  }
  const url = new URL(text);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) {
    reading.mistakes.push("FEED_BASE_URL must begin with https:// (http:// is for this machine only).");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    reading.mistakes.push("FEED_BASE_URL must hold no user name, password, ? or #.");
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

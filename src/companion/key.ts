import { createPrivateKey, generateKeyPair, type KeyObject } from "node:crypto";
import { readFileSync, type Stats, statSync } from "node:fs";
import { promisify } from "node:util";
import { calculateJwkThumbprint, exportJWK } from "jose";

const MODULUS_BITS = 2048;
const OTHERS_MAY_READ = 0o077;

/**
 * Reads an RSA private key from its PEM text.
 * @param pem PKCS#8, encrypted PKCS#8 or PKCS#1; literal `\n` sequences are taken for line ends, as environments write them.
 * @param passphrase Needed for an encrypted key only.
 * @throws Error with a sentence for the person who set the key.
 */
export function readPrivateKey(pem: string, passphrase?: string): KeyObject {
  const key = parsePem(pem.replaceAll("\\n", "\n"), passphrase);
  if (key.asymmetricKeyType !== "rsa") {
    throw new Error(`The private key must be an RSA key, and this one is ${key.asymmetricKeyType}.`);
  }
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < MODULUS_BITS) {
    throw new Error(`The private key has ${bits} bits; RS256 needs ${MODULUS_BITS} or more.`);
  }
  return key;
}

/**
 * Reads an RSA private key from a file that only its owner may read.
 * @param path The file, in PEM.
 * @throws Error with a sentence for the person who set the path.
 */
export function readPrivateKeyFile(path: string, passphrase?: string): KeyObject {
  const stats = readStats(path);
  if (!stats.isFile()) throw new Error(`${path} is no file. Give the path of the key file itself.`);
  // Windows reports no group or others in the mode: its access lists are not seen here.
  if (process.platform !== "win32" && (stats.mode & OTHERS_MAY_READ) !== 0) {
    throw new Error(`Others on this machine may read the key file. Run: chmod 600 ${toShellWord(path)}`);
  }
  return readPrivateKey(readFileSync(path, "utf8"), passphrase);
}

/** Makes the key pair of the sample client, which lives as long as the process. */
export async function createPrivateKeyOfSample(): Promise<KeyObject> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: MODULUS_BITS });
  return privateKey;
}

/** Converts a public key to its thumbprint (RFC 7638, SHA-256, base64url), by which people tell keys apart. */
export async function toThumbprint(publicKey: KeyObject): Promise<string> {
  return calculateJwkThumbprint(await exportJWK(publicKey), "sha256");
}

function parsePem(pem: string, passphrase: string | undefined): KeyObject {
  try {
    return createPrivateKey({ key: pem, format: "pem", passphrase });
  } catch {
    throw new Error(toSentence(pem, passphrase));
  }
}

/** Says what is wrong without OpenSSL's text, which may change and explains nothing to the reader. */
function toSentence(pem: string, passphrase: string | undefined): string {
  if (!pem.includes("ENCRYPTED"))
    return "The private key is not a PEM private key (PKCS#8, encrypted PKCS#8 or PKCS#1).";
  if (!passphrase) return "The private key is encrypted: set FEED_PRIVATE_KEY_PASSPHRASE.";
  return "FEED_PRIVATE_KEY_PASSPHRASE does not open the key.";
}

function readStats(path: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`The key file ${path} cannot be read (${code}).`);
  }
}

function toShellWord(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

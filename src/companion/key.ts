import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { calculateJwkThumbprint, exportJWK } from "jose";
import { readSecretFile } from "./trusted-file";

const MODULUS_BITS = 2048;

/**
 * Reads an RSA private key from its PEM text.
 * @param pem PKCS#8, encrypted PKCS#8 or PKCS#1; literal `\n` sequences are taken for line ends, as environments write them.
 * @param passphrase Needed for an encrypted key only.
 * @throws Error with a sentence for the person who set the key.
 */
export function readPrivateKey(pem: string, passphrase?: string): KeyObject {
  const key = parsePem(pem.replaceAll("\\n", "\n"), passphrase);
  refuseWeakness(key, "private key");
  return key;
}

/**
 * Reads an RSA private key from a file that only its owner may read.
 * @param path The file, in PEM.
 * @throws Error with a sentence for the person who set the path.
 */
export function readPrivateKeyFile(path: string, passphrase?: string): KeyObject {
  return readPrivateKey(readSecretFile(path, "key file"), passphrase);
}

/**
 * Reads an RSA public key from its PEM text (SPKI).
 * @throws Error with a sentence for the person who set the key.
 */
export function readPublicKey(pem: string): KeyObject {
  if (pem.includes("PRIVATE KEY")) throw new Error("This is a private key. Give the public key that belongs to it.");
  const key = parsePublicPem(pem);
  refuseWeakness(key, "public key");
  return key;
}

/**
 * Creates an RSA key pair.
 * @param bits Default 2048.
 */
export async function createPair(bits = MODULUS_BITS): Promise<{ privateKey: KeyObject; publicKey: KeyObject }> {
  return promisify(generateKeyPair)("rsa", { modulusLength: bits });
}

/** Gives a public key's thumbprint (RFC 7638, SHA-256, base64url). */
export async function toThumbprint(publicKey: KeyObject): Promise<string> {
  return calculateJwkThumbprint(await exportJWK(publicKey), "sha256");
}

function refuseWeakness(key: KeyObject, what: string): void {
  if (key.asymmetricKeyType !== "rsa") {
    throw new Error(`The ${what} must be an RSA key, and this one is ${key.asymmetricKeyType}.`);
  }
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < MODULUS_BITS) throw new Error(`The ${what} has ${bits} bits; RS256 needs ${MODULUS_BITS} or more.`);
}

function parsePem(pem: string, passphrase: string | undefined): KeyObject {
  try {
    return createPrivateKey({ key: pem, format: "pem", passphrase });
  } catch {
    throw new Error(toSentence(pem, passphrase));
  }
}

function parsePublicPem(pem: string): KeyObject {
  try {
    return createPublicKey({ key: pem, format: "pem" });
  } catch {
    throw new Error(toPemSentence(pem, "public key", "-pubin "));
  }
}

/** Describes the mistake without OpenSSL's text, which may change and explains nothing to the reader. */
function toSentence(pem: string, passphrase: string | undefined): string {
  const kind = readKind(pem);
  if (kind === "OPENSSH PRIVATE KEY")
    return "The private key is in OpenSSH's own form. Convert a copy of it: ssh-keygen -p -m PKCS8 -f FILE";
  if (kind !== undefined && !kind.endsWith("PRIVATE KEY"))
    return `This is a ${kind.toLowerCase()}. Give the private key that belongs to it.`;
  if (!pem.includes("ENCRYPTED")) return toPemSentence(pem, "private key", "");
  if (!passphrase)
    return "The private key is encrypted: set FEED_PRIVATE_KEY_PASSPHRASE or FEED_PRIVATE_KEY_PASSPHRASE_FILE.";
  return "The passphrase does not open the key: see FEED_PRIVATE_KEY_PASSPHRASE.";
}

/** Describes a text that is no PEM; binary forms show by characters that PEM does not have. */
function toPemSentence(pem: string, what: string, option: string): string {
  if (pem.trim() === "") return `The ${what} is empty. Copy the whole key there, from its BEGIN line to its END line.`;
  if (readKind(pem.replaceAll("\0", "")) !== readKind(pem))
    return `The ${what} is written as UTF-16. Save it as UTF-8, or as plain text.`;
  if (/[\0\uFFFD]/.test(pem))
    return `The ${what} is not a PEM ${what} but binary (DER). Convert it: openssl pkey ${option}-inform DER -in FILE -out key.pem`;
  return `The ${what} is not a PEM ${what}, or a damaged one. Copy it whole, from its BEGIN line to its END line.`;
}

const readKind = (pem: string): string | undefined => pem.match(/-----BEGIN ([A-Z0-9 ]+)-----/)?.[1];

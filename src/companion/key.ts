import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { calculateJwkThumbprint, exportJWK } from "jose";
import { readSecretFile } from "./trusted-file";

const MODULUS_BITS = 2048;

/**
 * Reads an RSA private key from its text.
 * @param pem PEM (PKCS#8, encrypted PKCS#8 or PKCS#1), whose line ends may be literal `\n`, CR alone or spaces, as environments
 *   and forms write them; the base64 between its lines alone; or a JWK.
 * @param passphrase Needed for an encrypted key only.
 * @throws Error with a sentence for the person who set the key.
 */
export function readPrivateKey(pem: string, passphrase?: string): KeyObject {
  const key = parsePem(toLines(pem), passphrase);
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

/** "-----BEGIN". */
const PEM_IN_BASE64 = "LS0tLS1CRUdJ";

/**
 * Takes a PEM out of the text that it stands in, as a setting, a JSON file or a quoted mail, and gives it its dashes and line
 * ends again: forms and editors change both. One with headers keeps its lines.
 */
function toLines(text: string): string {
  const bare = text.trim().replace(/^(["'])([\s\S]*)\1$/, "$2");
  if (bare.startsWith(PEM_IN_BASE64)) return toLines(Buffer.from(bare, "base64").toString());
  const lines = bare.replace(/(?:\\+r)?\\+n|\r\n?/g, "\n");
  const [, kind, body = ""] =
    /\p{Pd}\s*BEGIN ([A-Z0-9 ]*PRIVATE KEY)\p{Pd}+([^:]*?)\p{Pd}+\s*END \1\p{Pd}/u.exec(lines) ?? [];
  if (kind === undefined) return lines.replace(/^[ \t]+|[ \t]+$/gm, "");
  const base64 = body.replace(/[^A-Za-z0-9+/=]/g, "").match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${kind}-----`, ...base64, `-----END ${kind}-----`, ""].join("\n");
}

function parsePem(pem: string, passphrase: string | undefined): KeyObject {
  for (const attempt of listReadings(pem, passphrase)) {
    try {
      return attempt();
    } catch {
      // The next way may fit; the sentence below says why none does.
    }
  }
  throw new Error(toSentence(pem, passphrase));
}

/** Ways to read a key's text, of which one may fit. */
function listReadings(text: string, passphrase: string | undefined): (() => KeyObject)[] {
  const bare = text.trim();
  if (bare.startsWith("{")) return [() => createPrivateKey({ key: JSON.parse(bare), format: "jwk" })];
  if (/^[A-Za-z0-9+/\s]{400,}=*$/.test(bare)) {
    const key = Buffer.from(bare, "base64");
    return (["pkcs8", "pkcs1"] as const).map((type) => () => createPrivateKey({ key, format: "der", type }));
  }
  const readWith = (word: string | undefined) => () => createPrivateKey({ key: text, format: "pem", passphrase: word });
  // An editor or a form may have put a blank or a line end behind the passphrase.
  return passphrase === passphrase?.trimEnd()
    ? [readWith(passphrase)]
    : [readWith(passphrase), readWith(passphrase?.trimEnd())];
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
  if (PKCS12.test(pem))
    return "The private key is in a PKCS#12 file. Convert a copy of it: openssl pkcs12 -in FILE -nocerts -out key.pem";
  if (pem.trim().startsWith("{"))
    return 'This JSON is no private RSA key (JWK), which has "kty": "RSA" and "d". Copy it whole, with both of its braces.';
  if (isLegacy(pem))
    return "The private key is encrypted in a way that OpenSSL 3 no longer reads. Convert a copy of it: openssl pkcs8 -topk8 -v2 aes256 -provider legacy -provider default -in FILE -out key.pem";
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

/** The content type of PKCS#12, as it shows in a binary file that is read as text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the type has such bytes
const PKCS12 = /\*\uFFFDH\uFFFD\uFFFD[\r\n]\x01\x07\x01/;

/** PBES1 of PKCS#5, by DES and RC2, and the ways of PKCS#12, by their object identifiers. */
const LEGACY = /06092a864886f70d01050[1346ab]|060a2a864886f70d010c01/;

const isLegacy = (pem: string): boolean =>
  readKind(pem) === "ENCRYPTED PRIVATE KEY" &&
  LEGACY.test(
    Buffer.from(pem.replace(/-----[A-Z ]+-----/g, ""), "base64")
      .subarray(0, 40)
      .toString("hex"),
  );

const readKind = (pem: string): string | undefined => pem.match(/-----BEGIN ([A-Z0-9 ]+)-----/)?.[1];

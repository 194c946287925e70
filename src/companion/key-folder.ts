import { createPublicKey, type KeyObject } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { exportJWK, type JWK } from "jose";
import { makeSecret } from "./api/pairing";
import { createPair, toThumbprint } from "./key";
import { Refusal } from "./refusal";
import { toWriteError } from "./store";
import { readTrustedFile } from "./trusted-file";

const LARGEST_COUNT = 20;
/** OpenSSL encrypts keys with longer ones but does not open them. */
const LONGEST_PASSPHRASE_BYTES = 1024;
const ENDING = ".pem";
/** The public half is beside its private key, as in "name.pem.pub": listing keys never opens a private one. */
const PUBLIC_ENDING = ".pub";

/** Possible key sizes; providers recommend the first (§5.1). */
export const KEY_BITS: readonly number[] = [2048, 3072, 4096];

/** Options of a new key pair. */
interface KeyMaking {
  /** 2048, 3072 or 4096; default 2048. */
  bits?: number;
  /** Encrypts the file; default not encrypted, since a passphrase beside its key protects nothing. */
  passphrase?: string;
}

/** The public half of a key; nothing else leaves the companion. */
export interface PublicKeyDescription {
  /** RFC 7638, SHA-256, base64url. */
  thumbprint: string;
  publicKeyPem: string;
  jwk: JWK;
  bits: number;
}

/** A key of the folder. */
export interface StoredKey extends PublicKeyDescription {
  /** ISO 8601. */
  createdAt: string;
}

/** Describes a public key in the forms that providers accept. */
export async function describeKey(publicKey: KeyObject): Promise<PublicKeyDescription> {
  return {
    thumbprint: await toThumbprint(publicKey),
    publicKeyPem: publicKey.export({ type: "spki", format: "pem" }).toString(),
    jwk: await exportJWK(publicKey),
    bits: publicKey.asymmetricKeyDetails?.modulusLength ?? 0,
  };
}

/**
 * Creates an RSA key pair in a file of its owner alone (PKCS#8, mode 0600), with the public half beside it (".pub").
 * @throws Error with a sentence when the file exists already or cannot be written, or the passphrase is too long.
 */
export async function createKeyFile(path: string, making: KeyMaking = {}): Promise<PublicKeyDescription> {
  refuseLong(making.passphrase);
  const { privateKey, publicKey } = await createPair(making.bits);
  writePair(path, privateKey, publicKey, making.passphrase);
  return describeKey(publicKey);
}

/**
 * Creates a key pair in the folder of keys, in a file named by its thumbprint.
 * @throws Refusal (409) when the folder is full; Error with a sentence when it cannot be written, or the passphrase is too long.
 */
export async function createKeyIn(folder: string, making: KeyMaking = {}): Promise<StoredKey> {
  refuseLong(making.passphrase);
  const { privateKey, publicKey } = await createPair(making.bits);
  const description = await describeKey(publicKey);
  const path = toKeyPath(folder, description.thumbprint);
  // No await between count and write: of two concurrent calls, the second sees the first one's file.
  if (readPaths(folder).length >= LARGEST_COUNT) {
    const sentence = `${folder} holds ${LARGEST_COUNT} keys already. Delete there those that no provider knows any more.`;
    throw new Refusal(409, sentence);
  }
  writePair(path, privateKey, publicKey, making.passphrase);
  return { ...description, createdAt: readCreation(path) };
}

/**
 * Creates the key that signs a firm's sign-ins, in a file of its owner alone (mode 0600).
 * @throws Error as of `createKeyFile`.
 */
export function createSignInKey(path: string): void {
  writeNew(path, (file) => writeFileSync(file, `${makeSecret()}\n`, { flush: true }));
}

/**
 * Reads the public halves of the folder's keys, the newest first.
 * @throws Error with a sentence when one is no public key.
 */
export async function readKeys(folder: string): Promise<StoredKey[]> {
  const keys = await Promise.all(
    readPaths(folder).map(async (path) => ({
      ...(await describeKey(readPublicHalf(path))),
      createdAt: readCreation(path),
    })),
  );
  return keys.sort((one, other) => other.createdAt.localeCompare(one.createdAt));
}

/** Gives the path of a private key by its thumbprint. */
export function toKeyPath(folder: string, thumbprint: string): string {
  return join(folder, `${thumbprint}${ENDING}`);
}

/** Lists private keys that have their public half: any other file was not made here. */
function readPaths(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = new Set(readdirSync(folder));
  return [...names]
    .filter((name) => name.endsWith(ENDING) && names.has(name + PUBLIC_ENDING))
    .map((name) => join(folder, name));
}

function readPublicHalf(path: string): KeyObject {
  const pem = readTrustedFile(path + PUBLIC_ENDING, "public key file");
  try {
    return createPublicKey(pem);
  } catch {
    throw new Error(`${path}${PUBLIC_ENDING} is no public key (PEM). Put it back, or move ${path} elsewhere.`);
  }
}

const readCreation = (path: string): string => statSync(path).mtime.toISOString();

function refuseLong(passphrase = ""): void {
  if (Buffer.byteLength(passphrase) > LONGEST_PASSPHRASE_BYTES)
    throw new Error(
      `The passphrase is longer than ${LONGEST_PASSPHRASE_BYTES} bytes, so no key was made. Choose a shorter one.`,
    );
}

function writePair(path: string, privateKey: KeyObject, publicKey: KeyObject, passphrase?: string): void {
  const encryption = passphrase ? { cipher: "aes-256-cbc", passphrase } : {};
  const pem = privateKey.export({ type: "pkcs8", format: "pem", ...encryption });
  writeNew(path, (file) => {
    writeFileSync(file, pem, { flush: true });
    // A link there must not be written through.
    rmSync(path + PUBLIC_ENDING, { force: true });
    writeFileSync(path + PUBLIC_ENDING, publicKey.export({ type: "spki", format: "pem" }), { mode: 0o600, flag: "wx" });
  });
}

/** Writes a new file, or none: half a key would block the next attempt, and no list shows it. */
function writeNew(path: string, write: (file: number) => void): void {
  const file = openNew(path);
  try {
    write(file);
  } catch (error) {
    rmSync(path);
    throw toWriteError(error, path);
  } finally {
    closeSync(file);
  }
}

/** Separate from writing, so that only a file created here is removed on failure. */
function openNew(path: string): number {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return openSync(path, "wx", 0o600);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && syscall === "open")
      throw new Error(`${path} exists already, and a key is never overwritten. Choose another name.`);
    throw toWriteError(error, path);
  }
}

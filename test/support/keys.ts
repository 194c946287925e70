import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Reads one of the run's RSA keys of 2048 bits, created on first use and shared by all files, since creation is slow.
 * @param name Different names are different keys.
 */
export function readTestKey(name: string) {
  const folder = process.env.TEST_KEYS; // set by the global set-up; a benchmark has none
  const pem = folder === undefined ? createPem() : readStored(folder, join(folder, `${name}.pem`));
  const privateKey = createPrivateKey(pem);
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

/** Another worker may create the key too: the first one wins, and none reads half of one. */
function readStored(folder: string, path: string) {
  if (existsSync(path)) return readFileSync(path);
  mkdirSync(folder, { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, createPem(), { mode: 0o600 });
  try {
    linkSync(unfinished, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  rmSync(unfinished);
  return readFileSync(path);
}

const createPem = () =>
  generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" });

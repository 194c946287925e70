import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Reads one of the run's RSA keys of 2048 bits, which is made when it is first wanted: making one in each file of
 * tests costs more than most of what they ask.
 *
 * @param name keys of different names are different
 */
export function readTestKey(name: string) {
  const folder = process.env.TEST_KEYS; // by the global set-up; a benchmark has none
  const path = join(folder ?? "", `${name}.pem`);
  const isKept = folder !== undefined && existsSync(path);
  const pem = isKept ? readFileSync(path) : createPem();
  if (folder !== undefined && !isKept) {
    mkdirSync(folder, { recursive: true });
    const unfinished = `${path}.${process.pid}`; // another worker may make it too, and none reads half of one
    writeFileSync(unfinished, pem, { mode: 0o600 });
    renameSync(unfinished, path);
  }
  const privateKey = createPrivateKey(pem);
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

const createPem = () =>
  generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" });

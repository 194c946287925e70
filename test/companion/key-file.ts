import type { KeyObject } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Creates a file of a private key, PKCS#8 and its owner's alone. */
export function createKeyFile(privateKey: KeyObject): string {
  const path = join(mkdtempSync(join(tmpdir(), "feed-key-")), "key.pem");
  writeFileSync(path, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  return path;
}

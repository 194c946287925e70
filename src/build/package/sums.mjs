import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "./files.mjs";

/** Lists the SHA-256 sums of a folder's files, as `sha256sum --check` reads them. */
export function listSums(folder) {
  return listFiles(folder)
    .filter((path) => path !== "SHA256SUMS")
    .map((path) => toSum(folder, path))
    .join("");
}

/** The line of one file. */
export function toSum(folder, path) {
  const hash = createHash("sha256").update(readFileSync(join(folder, path)));
  return `${hash.digest("hex")}  ${path}\n`;
}

/** Packs the built pages and the companion, as an npm package and as a zip with the same files: `npm run package`. */
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { packTarball, packZip } from "./package/archives.mjs";
import { collectFiles } from "./package/contents.mjs";
import { listSums, toSum } from "./package/sums.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Packs a build; the same build gives the same bytes.
 * @param {string} root The checkout, with a build in its dist.
 * @param {string} target The folder for the archives, their sums and the unpacked files.
 * @returns {string[]} The paths of tarball, zip and sums.
 */
export function pack(root, target) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const name = `feed-for-excel-${version}`;
  const folder = join(target, "feed-for-excel");
  collectFiles(root, folder);
  writeFileSync(join(folder, "SHA256SUMS"), listSums(folder));
  const archives = [packTarball(folder, join(target, `${name}.tgz`)), packZip(folder, join(target, `${name}.zip`), name)];
  const sums = join(target, "SHA256SUMS");
  writeFileSync(sums, archives.map((path) => toSum(target, relative(target, path))).join(""));
  return [...archives, sums];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const path of pack(ROOT, join(ROOT, "artefacts"))) {
    process.stdout.write(`${relative(process.cwd(), path)}  ${readFileSync(path).length} bytes\n`);
  }
}

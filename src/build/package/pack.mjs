import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { packTarball, packZip } from "./archives.mjs";
import { collectFiles } from "./contents.mjs";
import { listSums, toSum } from "./sums.mjs";

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
  const archives = [
    packTarball(folder, join(target, `${name}.tgz`)),
    packZip(folder, join(target, `${name}.zip`), name),
  ];
  const sums = join(target, "SHA256SUMS");
  writeFileSync(sums, archives.map((path) => toSum(target, basename(path))).join(""));
  return [...archives, sums];
}

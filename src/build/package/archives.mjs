import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { zipSync } from "fflate";
import { listFiles } from "./files.mjs";

/** The time of every entry: npm's own for its tarballs, in whichever time zone. */
const TIME = new Date(1985, 9, 26, 8, 15);
/** Entries with rights as on Unix. */
const UNIX = 3;

/** Packs a folder as an npm package. */
export function packTarball(folder, target) {
  const draft = mkdtempSync(join(dirname(target), "tarball-"));
  try {
    const words = ["pack", folder, "--pack-destination", draft, "--silent", "--ignore-scripts"];
    execFileSync("npm", words, { stdio: ["ignore", "ignore", "inherit"], shell: process.platform === "win32" });
    renameSync(join(draft, readdirSync(draft)[0]), target);
  } finally {
    rmSync(draft, { recursive: true });
  }
  return target;
}

/**
 * Packs a folder as a zip.
 * @param {string} name The folder that unpacking makes.
 */
export function packZip(folder, target, name) {
  const entries = listFiles(folder).map((path) => {
    const file = join(folder, path);
    const isProgram = (statSync(file).mode & 0o111) !== 0;
    const options = { level: 9, mtime: TIME, os: UNIX, attrs: (isProgram ? 0o100755 : 0o100644) << 16 };
    return [`${name}/${path}`, [readFileSync(file), options]];
  });
  writeFileSync(target, zipSync(Object.fromEntries(entries)));
  return target;
}

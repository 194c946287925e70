import { cpSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(__dirname, "../..");

/** Files that tests and the build read; large unchanged ones are linked. */
const COPIED = [
  "src",
  "test",
  "docs",
  "assets",
  "package.json",
  ".swcrc",
  "tsconfig.json",
  "manifest.xml",
  "webpack.config.js",
  "README.md",
];
const LINKED = ["node_modules", "dist"];

/** Copies the checkout into a new temporary folder, where a program may break the sources. */
export function copyTree(): string {
  const folder = mkdtempSync(join(tmpdir(), "feed-copy-"));
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  for (const name of LINKED) symlinkSync(join(ROOT, name), join(folder, name));
  return folder;
}

import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const ROOT = join(__dirname, "../..");

/** Files that tests and the build read; large unchanged ones are linked. */
const COPIED = [
  "src",
  "test",
  "docs",
  "assets",
  "package.json",
  "package-lock.json",
  "LICENSE",
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

/** Runs a script of Node in such a copy; rejects with what it wrote when it fails. */
export async function runIn(folder: string, ...words: string[]): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, words, { cwd: folder, maxBuffer: 1e8 });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${words.join(" ")} failed:\n${stdout ?? ""}${stderr ?? ""}`, { cause: error });
  }
}

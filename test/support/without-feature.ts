import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const ROOT = join(__dirname, "../..");
/** What a build reads beside the sources. */
const NEEDED = ["src", "assets", "docs", "LICENSE", "manifest.xml", "package.json", "tsconfig.json", ".swcrc"];

/** A feature that can be taken out: its folder, and the list that names it. */
export interface RemovableFeature {
  /** Such as "src/firm". */
  folder: string;
  /** The file of the list, such as "src/companion/features.ts". */
  list: string;
  /** What each of its lines there holds. */
  name: RegExp;
}

/** A copy of the project without a feature. */
export type CopyWithout = ReturnType<typeof copyWithout>;

/** Copies the project into a folder of its own, without a feature's folder and its lines in the list. */
export function copyWithout({ folder, list, name }: RemovableFeature) {
  const root = mkdtempSync(join(tmpdir(), "feed-without-"));
  for (const path of [...NEEDED, "webpack.config.js"]) cpSync(join(ROOT, path), join(root, path), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"), "junction");
  rmSync(join(root, folder), { recursive: true });
  const lines = readFileSync(join(root, list), "utf8").split("\n");
  const left = lines.map((line) => (/^import /.test(line) && name.test(line) ? "" : line.replace(name, "")));
  writeFileSync(join(root, list), left.join("\n"));
  const run = (tool: string, ...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, "node_modules", tool), ...words], {
      cwd: root,
      encoding: "utf8",
    });
    return status === 0 ? "" : `${stdout}${stderr}`;
  };
  return {
    root,
    /** Checks the types of its sources, and gives the compiler's complaints. */
    checkTypes: () => run("typescript/bin/tsc", "--noEmit", "--project", "tsconfig.json"),
    /**
     * Builds one bundle, and gives the bundler's complaints.
     * @param bundle Its name in webpack.config.js, such as "companion".
     */
    build: (bundle: string) =>
      run("webpack-cli/bin/cli.js", "--config-name", bundle, "--mode", "production", "--no-cache"),
    remove: () => rmSync(root, { recursive: true }),
  };
}

/** Gives a built file's size in bytes, plain and packed, such as of "dist/companion/main.mjs". */
export function measure(root: string, path: string): { bytes: number; packed: number } {
  const file = join(root, path);
  return { bytes: statSync(file).size, packed: gzipSync(readFileSync(file)).length };
}

import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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

/** Edits a file of such a copy; each pattern must be in it. */
export function edit(folder: string, path: string, ...changes: readonly (readonly [RegExp, string])[]): void {
  const text = readFileSync(join(folder, path), "utf8");
  const left = changes.reduce((before, [pattern, after]) => {
    if (!pattern.test(before)) throw new Error(`${path} has nothing like ${pattern}.`);
    return before.replace(pattern, after);
  }, text);
  writeFileSync(join(folder, path), left);
}

/** Takes what serves assistants out of such a copy: the room and its lines elsewhere. */
export function takeOutAssistants(folder: string): void {
  rmSync(join(folder, "src/mcp"), { recursive: true });
  edit(folder, "src/companion/command.ts", [/^import .* from "\.\.\/mcp";\n/m, ""], [/ addMcp, addSkill,/, ""]);
  edit(
    folder,
    "src/firm/index.ts",
    [/, webFolder(?= \} = parts)/, ""],
    [/^ {4}if \(webFolder !== undefined\) \{\n[\s\S]*?^ {4}\}\n/m, ""],
  );
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

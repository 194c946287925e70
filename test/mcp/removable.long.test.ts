import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { openHome } from "../companion/programs";
import { copyTree, runIn } from "../support/tree-copy";

const ROOT = join(__dirname, "../..");
const LIMIT_MS = 600_000;

let root: string;
const home = openHome();

/** Takes lines out of a file of the copy. */
function edit(path: string, ...changes: readonly (readonly [RegExp, string])[]): void {
  const text = readFileSync(join(root, path), "utf8");
  const left = changes.reduce((before, [pattern, after]) => {
    expect(before).toMatch(pattern);
    return before.replace(pattern, after);
  }, text);
  writeFileSync(join(root, path), left);
}

beforeAll(() => {
  root = copyTree();
  rmSync(join(root, "src/mcp"), { recursive: true });
  edit("src/companion/command.ts", [/^import .* from "\.\.\/mcp";\n/m, ""], [/ addMcp, addSkill,/, ""]);
  edit(
    "src/firm/index.ts",
    [/, webFolder(?= \} = parts)/, ""],
    [/^ {4}if \(webFolder !== undefined\) \{\n[\s\S]*?^ {4}\}\n/m, ""],
  );
});
afterAll(() => rmSync(root, { recursive: true }));

describe("the companion without src/mcp and its lines in src/companion/command.ts and src/firm/index.ts", () => {
  it(
    "has no mistake of types",
    async () => {
      writeFileSync(join(root, "tsconfig.src.json"), JSON.stringify({ extends: "./tsconfig.json", include: ["src"] }));
      await runIn(root, "node_modules/typescript/bin/tsc", "-p", "tsconfig.src.json");
    },
    LIMIT_MS,
  );

  it(
    "is built, and starts",
    async () => {
      rmSync(join(root, "dist")); // a link
      cpSync(join(ROOT, "dist/web"), join(root, "dist/web"), { recursive: true });
      await runIn(root, "node_modules/webpack-cli/bin/cli.js", "--config-name", "companion", "--no-cache");
      const program = home.start(["start"], {}, join(root, "dist/companion/main.mjs"));
      await program.find(/ready: http/);
    },
    LIMIT_MS,
  );
});

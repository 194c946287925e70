import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "@jest/globals";
import { copyTree, runIn } from "../support/tree-copy";

const TOOLS = readdirSync(join(__dirname, "../../src/tools"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** What the pane does without any tool, in jsdom and in the built pages. */
const SMOKE = ["test/taskpane/pane.test.tsx", "test/e2e/taskpane.test.ts"];

/** The pages of tools that have one. */
const PAGES: Readonly<Record<string, string>> = { check: "model-check", ranked: "ranking-sheets" };

/** Takes a tool's folder and page away, and its lines out of the list of tools. */
function removeTool(root: string, tool: string): void {
  rmSync(join(root, "src/tools", tool), { recursive: true });
  rmSync(join(root, "test/tools", tool), { recursive: true, force: true });
  for (const folder of ["docs", "docs/ja"]) rmSync(join(root, folder, `${PAGES[tool]}.md`), { force: true });
  const list = join(root, "src/tools/index.ts");
  const text = readFileSync(list, "utf8");
  const line = new RegExp(`^import \\{ (\\w+) \\} from "\\./${tool}/door";\\n`, "m");
  const [, name = ""] = line.exec(text) ?? [];
  writeFileSync(list, text.replace(line, "").replace(new RegExp(`\\b${name}\\b(, )?`), ""));
}

const measure = (root: string) => {
  const folder = join(root, "dist/web");
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".js") && !name.startsWith("playground"));
  const bytes = scripts.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
  return `${scripts.length} scripts, ${Math.round(bytes / 1024)} KB compressed`;
};

it.each([...TOOLS.map((tool) => [tool, [tool]] as const), ["all tools", TOOLS] as const])(
  "without the folder and the lines of %s, the types are right and the pane works as built",
  async (what, tools) => {
    const root = copyTree();
    try {
      for (const tool of tools) removeTool(root, tool);
      expect(readdirSync(join(root, "src/tools"))).toHaveLength(TOOLS.length + 1 - tools.length);
      rmSync(join(root, "dist")); // a link
      writeFileSync(join(root, "tsconfig.src.json"), JSON.stringify({ extends: "./tsconfig.json", include: ["src"] }));
      await runIn(root, "node_modules/typescript/bin/tsc", "-p", "tsconfig.src.json");
      await runIn(root, "src/build/build.mjs");
      process.stdout.write(`Without ${what}: ${measure(root)}.\n`);
      await runIn(root, "node_modules/jest/bin/jest.js", "--rootDir", root, ...SMOKE);
    } finally {
      rmSync(root, { recursive: true });
    }
  },
  600_000,
);

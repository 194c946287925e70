import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "@jest/globals";
import { openHome } from "../companion/programs";
import { copyTree, runIn, takeOutAssistants } from "../support/tree-copy";

const ROOT = join(__dirname, "../..");
const LIMIT_MS = 600_000;

let root: string;
const home = openHome();

beforeAll(() => {
  root = copyTree();
  takeOutAssistants(root);
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

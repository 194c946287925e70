import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { openHome } from "../companion/programs";
import { copyTree, edit, runIn, takeOutAssistants } from "../support/tree-copy";

const ROOT = join(__dirname, "../..");
const LIMIT_MS = 600_000;

let root: string;
const home = openHome();
const toMain = () => join(root, "dist/companion/main.mjs");

beforeAll(() => {
  root = copyTree();
  takeOutAssistants(root);
  for (const room of ["refresh", "xlsx"]) rmSync(join(root, "src", room), { recursive: true });
  edit(
    root,
    "src/companion/command.ts",
    [/^import .* from "\.\.\/refresh";\n/m, ""],
    [/^ *\(\.\.\.call.*scheduledRefresh\),\n/m, "  addService,\n"],
    [/addQuery, addRefresh, /, ""],
  );
  writeFileSync(join(root, "tsconfig.src.json"), JSON.stringify({ extends: "./tsconfig.json", include: ["src"] }));
});
afterAll(() => rmSync(root, { recursive: true }));

it(
  "without src/refresh, src/mcp, their lines in src/companion/command.ts and src/xlsx, only the playground misses a file",
  async () => {
    const words = ["--pretty", "false", "-p", "tsconfig.src.json"];
    const failed = await runIn(root, "node_modules/typescript/bin/tsc", ...words).catch((error: Error) => error);
    const rooms = [...String(failed).matchAll(/^src\/(\w+).*: error /gm)].map(([, room]) => room);
    expect([...new Set(rooms)]).toEqual(["playground"]);
  },
  LIMIT_MS,
);

it(
  "the companion is built without them, and its commands work, those of formulas excepted",
  async () => {
    rmSync(join(root, "dist")); // a link
    cpSync(join(ROOT, "dist/web"), join(root, "dist/web"), { recursive: true });
    await runIn(root, "node_modules/webpack-cli/bin/cli.js", "--config-name", "companion", "--no-cache");
    const origin = await home.start(["start", "--companies", "20"], {}, toMain()).find(/ready: (http:\/\/[^/ ]+)/);
    expect((await fetch(`${origin}/companion/config`, { headers: { "feed-client": "excel" } })).status).toBe(200);
    const help = await home.run(["--help"], {}, toMain());
    expect([help.code, help.output]).toEqual([0, expect.not.stringMatching(/^ +(refresh|query|mcp) /m)]);
    expect((await home.run(["service"], {}, toMain())).output).toMatch(/^Off\. To start the companion at log-on/);
    const refused = await home.run(["refresh", "Model.xlsx"], {}, toMain());
    expect([refused.code, refused.errors]).toEqual([2, expect.stringContaining("Unknown command 'refresh'")]);
  },
  LIMIT_MS,
);

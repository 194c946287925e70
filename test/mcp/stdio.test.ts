import { readdirSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { MAIN, openHome, toHome } from "../companion/programs";
import { toEnvironment } from "../refresh/command-surroundings";
import { type RunningProvider, startSandbox } from "../support/provider";

let sandbox: RunningProvider;
let client: Client | undefined;
const home = openHome();

beforeAll(async () => {
  sandbox = await startSandbox({ companies: 60 });
});
afterEach(() => client?.close());
afterAll(() => sandbox.close());

/** Starts the built command as an assistant does. */
async function start(words: readonly string[] = [], environment: NodeJS.ProcessEnv = toEnvironment(sandbox)) {
  const env = { ...toHome(home.folder), ...environment } as Record<string, string>;
  const command = { command: process.execPath, args: [MAIN, "mcp", ...words], env, stderr: "pipe" as const };
  client = new Client({ name: "test", version: "1" });
  await client.connect(new StdioClientTransport(command));
  return client;
}

describe("feed mcp", () => {
  it("answers an assistant over standard input and output, and leaves no file", async () => {
    const { tools } = await (await start()).listTools();
    expect(tools.map(({ name }) => name)).toContain("run_formula");
    const formula = '=SUM(FEED.RANKING("2024-01",,3,"totalPageViews",,FALSE))';
    const answer = await client?.callTool({ name: "run_formula", arguments: { formula } });
    expect(answer).toMatchObject({
      structuredContent: { rows: [[expect.any(Number)]], formulas: [formula], source: { provider: sandbox.baseUrl } },
    });
    expect(readdirSync(home.folder)).toEqual([]);
  });

  it("ends when the assistant closes the input, and writes nothing but the protocol", async () => {
    const hello = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const { code, output } = await home.run(
      ["mcp"],
      toEnvironment(sandbox),
      MAIN,
      `${JSON.stringify(hello)}\nno JSON\n`,
    );
    expect(code).toBe(0);
    expect(
      output
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).id),
    ).toEqual([1]);
  });
});

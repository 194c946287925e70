import { readdirSync } from "node:fs";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
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

/** Runs the built command with these messages as its whole input. */
const run = (...messages: readonly (object | string)[]) => {
  const lines = messages.map((each) => (typeof each === "string" ? each : JSON.stringify({ jsonrpc: "2.0", ...each })));
  return home.run(["mcp"], toEnvironment(sandbox), MAIN, `${lines.join("\n")}\n`);
};

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

  it("says to whoever calls a tool what is wrong with the settings", async () => {
    const { callTool } = await start([], { ...toEnvironment(sandbox), FEED_BASE_URL: "nowhere" });
    const answer = await callTool.call(client, { name: "list_taxonomy", arguments: { list: "tree" } });
    const error = { code: "FEED_NOT_CONNECTED", sentence: expect.stringContaining("FEED_BASE_URL") };
    expect(answer).toMatchObject({ isError: true, structuredContent: { error } });
  });

  it("ends when the assistant closes the input, and writes nothing but the protocol", async () => {
    const { code, output, errors } = await run({ id: 1, method: "tools/list" }, "no JSON");
    expect([code, errors]).toEqual([0, expect.stringMatching(/^Unexpected token[^\n]*\n$/)]);
    expect(
      output
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).id),
    ).toEqual([1]);
  });

  it("ends too where the input closes while a first call opens the formulas", async () => {
    const params = { name: "run_formula", arguments: { formula: 'FEED.RANKING("2024-01",,3)' } };
    expect((await run({ id: 1, method: "tools/call", params })).code).toBe(0);
  });

  it("says why it ends after a message that is too long", async () => {
    const own = await start();
    const errors = text((own.transport as StdioClientTransport).stderr as Readable);
    const given = { name: "run_formula", arguments: { formula: "1".repeat(11_000_000) } };
    await expect(own.callTool(given)).rejects.toThrow("Connection closed");
    expect(await errors).toMatch(/^ReadBuffer exceeded maximum size[^\n]*\n$/);
  });
});

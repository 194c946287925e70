import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { MAIN, toHome } from "../companion/programs";
import { findPorts, startInstance } from "../firm/instances";
import { toEnvironment } from "../refresh/command-surroundings";
import type { OwnProvider } from "./provider";

/** Starts a person's companion in a mode, and their agent over standard input and output, which is paired with it. */
export async function startPairedAgent(mode: "sign" | "relay", provider: OwnProvider) {
  const root = mkdtempSync(join(tmpdir(), "feed-agents-"));
  const [home, own, folder] = ["home", "own", "books"].map((name) => join(root, name)) as [string, string, string];
  for (const each of [home, own, folder]) mkdirSync(each);
  const [port] = (await findPorts(1)) as [number];
  const environment = {
    ...toHome(home),
    ...toEnvironment(provider as never),
    FEED_MODE: mode,
  };
  const companion = await startInstance(port, { environment });
  const words = [MAIN, "mcp", "--companion", `http://localhost:${port}`, "--folder", folder];
  const start = async (...more: string[]) => {
    const client = new Client({ name: "test", version: "1" });
    const command = {
      command: process.execPath,
      args: [...words, ...more],
      env: toHome(own) as Record<string, string>,
    };
    await client.connect(new StdioClientTransport({ ...command, stderr: "pipe" }));
    return client;
  };
  const stranger = await start();
  const { content } = await stranger.callTool({
    name: "list_taxonomy",
    arguments: { list: "tree" },
  });
  await stranger.close();
  const [, name = ""] = / pair ([2-9A-Z]{4}) /.exec(JSON.stringify(content)) ?? [];
  const env = { ...environment, HOST: "127.0.0.1", PORT: String(port) };
  const { stdout } = spawnSync(process.execPath, [MAIN, "pair", name], {
    env,
    encoding: "utf8",
  });
  const [code = ""] = /[2-9A-Z]{4}-[2-9A-Z]{4}/.exec(stdout) ?? [];
  const client = await start("--code", code);
  return {
    client,
    /** The folder whose workbooks the agent may refresh. */
    folder,
    async close() {
      await client.close();
      await companion.stop();
      await provider.close();
      rmSync(root, { recursive: true });
    },
  };
}

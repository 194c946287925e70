import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { CallToolResult, ClientCapabilities } from "@modelcontextprotocol/sdk/types.js";
import { createMcpServer, type ServerParts } from "../../src/mcp/server";
import type { Formulas } from "../../src/mcp/work";
import { openHost } from "../../src/refresh/host";
import { openProvider } from "../../src/refresh/provider";
import { type createHome, readFunctions, toEnvironment } from "../refresh/command-surroundings";
import type { OwnProvider } from "./provider";

/** Opens the formulas of this process with a provider. */
export async function openFormulas(own: OwnProvider, home: ReturnType<typeof createHome>) {
  const provider = await openProvider({}, home.surroundings(toEnvironment(own as never)));
  const host = await openHost({ provider, metadata: await readFunctions() });
  const close = async () => {
    host.close();
    await provider.close();
  };
  return { host, source: provider.describe, close };
}

/** Connects the SDK's own client with a server in this process. */
export async function connect(
  formulas: Formulas,
  parts: Partial<ServerParts> = {},
  capabilities: ClientCapabilities = {},
) {
  const server = createMcpServer({ open: async () => formulas, ...parts });
  const client = new Client({ name: "test", version: "1" }, { capabilities });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  await client.listTools(); // the client checks answers by the schemas of the list
  const call = (name: string, given: object): Promise<CallToolResult> =>
    client.callTool({ name, arguments: given as Record<string, unknown> }) as Promise<CallToolResult>;
  return { client, server, call };
}

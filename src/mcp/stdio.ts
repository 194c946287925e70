import { once } from "node:events";
import { Writable } from "node:stream";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Surroundings } from "../companion/commands/surroundings";
import { createBookProcess } from "../refresh/folder";
import type { ProviderOptions } from "../refresh/provider";
import { createFolders } from "./folders";
import { createMcpServer } from "./server";
import type { WorkbookAccess } from "./tools/refresh";

/** The options of the command. */
export interface McpOptions extends ProviderOptions {
  /** The folders whose workbooks may be refreshed. */
  folder: readonly string[];
  /** Default that of a new workbook. */
  maxRequests?: number;
}

/** Serves one assistant over standard input and output, until it closes the input. */
export async function serveStdio(options: McpOptions, surroundings: Surroundings): Promise<void> {
  const { stdin } = process;
  const output = reserveOutput();
  const opened = new AbortController();
  let closing: Promise<unknown> = Promise.resolve();
  const server = createMcpServer({
    requestLimit: options.maxRequests,
    workbooks: options.folder.length === 0 ? undefined : openWorkbooks(options, surroundings),
    webFolder: surroundings.webFolder,
    async open() {
      const { openFormulas } = await import("./formulas");
      const formulas = await openFormulas(options, surroundings);
      opened.signal.addEventListener("abort", () => {
        closing = formulas.close();
      });
      return formulas;
    },
  });
  await server.connect(new StdioServerTransport(stdin, output));
  await once(stdin, "close");
  await server.close();
  opened.abort();
  await closing;
}

/** Has each refresh of a workbook run in a process of its own, by the same settings as this one. */
function openWorkbooks({ folder, settings, companion }: McpOptions, surroundings: Surroundings): WorkbookAccess {
  const words = Object.entries({ settings, companion }).flatMap(([name, value]) => (value ? [`--${name}`, value] : []));
  return {
    folders: createFolders(folder),
    refresh: createBookProcess(surroundings, words),
    estimate: createBookProcess(surroundings, [...words, "--dry-run"]),
  };
}

/** Keeps standard output for the protocol: whatever else is printed goes to standard error. */
function reserveOutput(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr) as typeof write;
  return new Writable({
    decodeStrings: false,
    write: (chunk, encoding, done) => void write(chunk, encoding, done),
  });
}

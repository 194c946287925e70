import { once } from "node:events";
import { Writable } from "node:stream";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Surroundings } from "../companion/commands/surroundings";
import { createBookProcess } from "../refresh/folder";
import type { ProviderOptions } from "../refresh/provider";
import { toPlain } from "./answers";
import { createFolders } from "./folders";
import { createMcpServer } from "./server";
import type { WorkbookAccess } from "./tools/refresh";

/** The options of the command. */
export interface McpOptions extends ProviderOptions {
  /** The folders whose workbooks may be refreshed; default none. */
  folder?: readonly string[];
  /** Default that of a new workbook. */
  maxRequests?: number;
}

/** Serves one assistant over standard input and output, until it closes the input. */
export async function serveStdio(options: McpOptions, surroundings: Surroundings): Promise<void> {
  const { stdin, stderr } = process;
  const output = reserveOutput();
  let opening: Promise<{ close(): Promise<void> } | undefined> = Promise.resolve(undefined);
  const server = createMcpServer({
    requestLimit: options.maxRequests,
    workbooks: options.folder && openWorkbooks(options.folder, options, surroundings),
    webFolder: surroundings.webFolder,
    open() {
      const formulas = import("./formulas").then(({ openFormulas }) => openFormulas(options, surroundings));
      opening = formulas.catch(() => undefined); // the call has the failure
      return formulas;
    },
  });
  // Assistants write it into their log.
  server.onerror = ({ message }) => void stderr.write(`${toPlain(message.slice(0, LONGEST_LINE))}\n`);
  server.onclose = () => stdin.destroy(); // by itself too, after a message without an end
  await server.connect(new StdioServerTransport(stdin, output));
  await once(stdin, "close");
  await server.close();
  await (await opening)?.close();
}

const LONGEST_LINE = 500;

/** Runs each refresh of a workbook in a process of its own, by the same settings as this one. */
function openWorkbooks(
  folders: readonly string[],
  { settings, companion, maxRequests }: McpOptions,
  surroundings: Surroundings,
): WorkbookAccess {
  const options = { settings, companion, maxRequests };
  return {
    folders: createFolders(folders),
    refresh: createBookProcess(surroundings, options),
    estimate: createBookProcess(surroundings, { ...options, dryRun: true }),
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

import type { Command } from "commander";
import type { Surroundings } from "../companion/commands/surroundings";
import { readRequests } from "../refresh";

const MCP = `Lets an assistant on this computer read FEED's figures: it starts this command, and speaks the Model Context Protocol
with it over standard input and output. The assistant sees figures, never the key. It ends when the assistant does.
Figures come from the provider of the settings, under their key, or by --companion as a paired person.`;

/** Adds the command that serves an assistant on this computer. */
export function addMcp(program: Command, surroundings: Surroundings): void {
  program
    .command("mcp")
    .summary("serves an assistant on this computer: the Model Context Protocol over standard input and output")
    .description(MCP)
    .option("--folder <path>", "lets it refresh the workbooks below this folder; several by --folder each", add, [])
    .option("--max-requests <n>", "the most requests of a call that nobody is asked about (default: 200)", readRequests)
    .option("--companion <url>", "reads by this companion, which runs, as the person that it is paired with")
    .option("--code <code>", "its pairing code, the first time")
    .option("--settings <file>", "an administrator's file of settings, instead of your own")
    .action(async (options) => (await import("./stdio")).serveStdio(options, surroundings));
}

const add = (path: string, former: readonly string[]): string[] => [...former, path];

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

const SKILL = `Writes a skill, from which an assistant learns to write FEED formulas: a file SKILL.md in a folder "feed-for-excel" below
the given one, where your assistant looks for skills, such as ~/.claude/skills. A skill that is there stays, unless you give --replace.`;

/** Adds the command that writes a skill for assistants. */
export function addSkill(program: Command, { webFolder, print }: Surroundings): void {
  program
    .command("skill")
    .summary("writes a skill, from which an assistant learns to write FEED formulas")
    .description(SKILL)
    .argument("<folder>", "the folder of your assistant's skills; it is made where it is missing")
    .option("--replace", "replaces a skill that is there")
    .action(async (folder: string, options) => print((await import("./skill")).writeSkill(folder, webFolder, options)));
}

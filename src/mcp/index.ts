import type { Command } from "commander";
import type { Surroundings } from "../companion/commands/surroundings";
import { readRequests } from "../refresh";

const MCP = `Lets an AI assistant on this computer read FEED's figures. The assistant starts this command, speaks the Model Context
Protocol with it over standard input and output, and ends it. It sees figures, never the key.
Figures come from the provider of the settings, under their key, or by --companion as a paired person.`;

/** Adds the command that serves an assistant on this computer. */
export function addMcp(program: Command, surroundings: Surroundings): void {
  program
    .command("mcp")
    .summary("lets an AI assistant on this computer read figures")
    .description(MCP)
    .option("--folder <path>", "lets it refresh the workbooks below this folder; several by --folder each", add)
    .option("--max-requests <n>", "the most requests of a call without your consent (default: 200)", readRequests)
    .option("--companion <url>", "reads by this companion, which runs, as the person that it is paired with")
    .option("--code <code>", "its pairing code, the first time")
    .option("--settings <file>", "an administrator's file of settings, instead of your own")
    .action(async (options) => (await import("./stdio")).serveStdio(options, surroundings));
}

const add = (path: string, former: readonly string[] = []): string[] => [...former, path];

const SKILL = `Writes a skill, from which an AI assistant learns to write FEED formulas: feed-for-excel/SKILL.md in the folder where
your assistant looks for skills, such as ~/.claude/skills. A skill that differs stays, unless you give --replace.`;

/** Adds the command that writes a skill for assistants. */
export function addSkill(program: Command, { webFolder, print }: Surroundings): void {
  program
    .command("skill")
    .summary("writes a skill, from which an AI assistant learns to write FEED formulas")
    .description(SKILL)
    .argument("<folder>", "the folder of your assistant's skills; it is made where it is missing")
    .option("--replace", "replaces a skill that is there")
    .action(async (folder: string, options) => print((await import("./skill")).writeSkill(folder, webFolder, options)));
}

import type { FastifyInstance } from "fastify";
import { type Command, readOptions, type Surroundings, UsageError } from "./commands/command";
import { START } from "./commands/start";

const COMMANDS: Readonly<Record<string, Command>> = { start: START };
const HELP_COMMAND = "npm run companion -- --help";

/** What `--help` prints without a command. */
export const HELP = `Usage: npm run companion -- COMMAND [options]

Commands
${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`)
  .join("\n")}

npm run companion -- COMMAND --help explains one.

Exit codes
  0 done, 1 failed, 2 a command line that cannot be read, 3 settings that are wrong or missing`;

/**
 * Runs a command line.
 * @param args What follows the program's name, e.g. ["start", "--https"].
 * @returns The companion that now listens, if the command starts one.
 * @throws Error with the cure: UsageError, ConfigurationError, or of the command.
 */
export async function runCommand(args: string[], surroundings: Surroundings): Promise<FastifyInstance | undefined> {
  const [name = "", ...rest] = args;
  if (name === "--help" || name === "-h") {
    surroundings.print(HELP);
    return undefined;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    const problem = name === "" ? "The command is missing" : `"${name}" is not a command`;
    throw new UsageError(`${problem}: ${Object.keys(COMMANDS).join(", ")}. Try: ${HELP_COMMAND}`);
  }
  const options = { ...command.options, help: { type: "boolean", short: "h" } as const };
  const { values, words } = readOptions(rest, options, `npm run companion -- ${name} --help`);
  if (values.help) {
    surroundings.print(command.help);
    return undefined;
  }
  return command.run(values, words, surroundings);
}

import type { FastifyInstance } from "fastify";
import { CERTS } from "./commands/certs";
import { CHECK } from "./commands/check";
import { type Command, EXIT_CODES_HELP, readOptions, type Surroundings, UsageError } from "./commands/command";
import { KEYGEN } from "./commands/keygen";
import { MANIFEST } from "./commands/manifest";
import { PAIR, UNPAIR } from "./commands/pair";
import { START } from "./commands/start";

const COMMANDS: Readonly<Record<string, Command>> = {
  start: START,
  keygen: KEYGEN,
  check: CHECK,
  pair: PAIR,
  unpair: UNPAIR,
  certs: CERTS,
  manifest: MANIFEST,
};
const HELP_COMMAND = "npm run companion -- --help";

/** The text of `--help` without a command. */
export const HELP = `Usage: npm run companion -- COMMAND [options]

Commands
${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`)
  .join("\n")}

npm run companion -- COMMAND --help explains one.

${EXIT_CODES_HELP}`;

/**
 * Runs a command line.
 * @param args The words after the program's name, e.g. ["start", "--https"].
 * @returns The companion that now listens, if the command starts one.
 * @throws Error with the cure: UsageError, ConfigurationError, or the command's own.
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
  const help = `npm run companion -- ${name} --help`;
  const { values, words } = readOptions(rest, options, help);
  if (values.help) {
    surroundings.print(command.help);
    return undefined;
  }
  const surplus = words[command.mostWords ?? 0];
  if (surplus !== undefined) throw new UsageError(`${name} takes no "${surplus}". Try: ${help}`);
  return command.run(values, words, surroundings);
}

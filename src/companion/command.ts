import { Command, CommanderError, type Help } from "commander";
import type { FastifyInstance } from "fastify";
import pkg from "../../package.json";
import { addMcp, addSkill } from "../mcp";
import { addQuery, addRefresh, scheduledRefresh } from "../refresh";
import { addCerts } from "./commands/certs";
import { addCheck } from "./commands/check";
import { addDoctor } from "./commands/doctor";
import { addInstall } from "./commands/install";
import { addKeygen } from "./commands/keygen";
import { addManifest } from "./commands/manifest";
import { addPair, addUnpair } from "./commands/pair";
import { EXIT_CODES_HELP, UsageError } from "./commands/results";
import { addService } from "./commands/service";
import { addStart } from "./commands/start";
import type { Surroundings } from "./commands/surroundings";
import { addUninstall } from "./commands/uninstall";
import { PROGRAM_NAME, toCommand } from "./program";

/** In the order of the list in `--help`. */
const COMMANDS = [
  ...[addStart, addInstall, addUninstall, addDoctor],
  (...call: Parameters<typeof addStart>) => addService(...call, scheduledRefresh),
  ...[addQuery, addRefresh, addMcp, addSkill, addKeygen, addCheck, addPair, addUnpair, addCerts, addManifest],
];
const HELP_WIDTH = 120;

const HELP_FORMAT: Partial<Help> = {
  // The list of commands holds only what is done, since each command explains its own options.
  subcommandTerm: (command) => command.name(),
  visibleCommands: (command) => [...command.commands],
  styleTitle: (title) => (title === "Usage:" ? title : title.replace(":", "")),
};

/** The text of `--help` without a command. */
export const HELP = createProgram({ environment: {}, webFolder: "", print: () => {} }).helpInformation();

/**
 * Runs a command line.
 * @param words The words after the program's name, e.g. ["start", "--https"].
 * @returns The companion that now listens, if the command starts one.
 * @throws Error with the cure: UsageError, ConfigurationError, or the command's own.
 */
export async function runCommand(words: string[], surroundings: Surroundings): Promise<FastifyInstance | undefined> {
  let started: FastifyInstance | undefined;
  const onListen: Surroundings["onListen"] = (app, configuration) => {
    started = app;
    surroundings.onListen?.(app, configuration);
  };
  const program = createProgram({ ...surroundings, onListen });
  try {
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // The parser ends a help that was asked for with any exit code that this process has been given before.
    const isWantedHelp = error.code === "commander.help" && words.length > 0;
    if (error.exitCode !== 0 && !isWantedHelp) throw toUsageError(error, program, words[0]);
  }
  return started;
}

function createProgram(surroundings: Surroundings): Command {
  const program = new Command(PROGRAM_NAME)
    .description("FEED for Excel: serves the add-in, signs for it, and sets it up on this computer.")
    .version(pkg.version, "-V, --version", "shows the version")
    .helpOption("-h, --help", "this text")
    .exitOverride()
    .configureHelp(HELP_FORMAT)
    .configureOutput({
      writeOut: (text) => surroundings.print(text.replace(/\n$/, "")),
      // The caller reports errors, all in one way.
      writeErr: () => {},
      getOutHelpWidth: () => HELP_WIDTH,
    });
  for (const add of COMMANDS) add(program, surroundings);
  for (const each of [program, ...program.commands]) each.addHelpText("after", `\n${EXIT_CODES_HELP}`);
  return program;
}

/** Turns the parser's message, such as "error: unknown option '--htps'\n(Did you mean --https?)", into sentences. */
function toUsageError({ code, message }: CommanderError, program: Command, word = ""): UsageError {
  const command = program.commands.find((each) => each.name() === word);
  const help = toCommand(command === undefined ? "--help" : `${word} --help`);
  if (code === "commander.help") {
    const names = program.commands.map((each) => each.name()).join(", ");
    return new UsageError(`The command is missing: ${names}. Try: ${help}`);
  }
  const [problem = "", suggestion] = message.replace(/^error: /, "").split(/\n\(|\)$/);
  const sentence = `${problem.charAt(0).toUpperCase()}${problem.slice(1).replace(/\.$/, "")}.`;
  return new UsageError([sentence, suggestion, `Try: ${help}`].filter(Boolean).join(" "));
}

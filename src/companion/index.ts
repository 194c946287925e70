import { dirname, join } from "node:path";
import { logErrorMessage } from "office-addin-cli";
import { runCommand } from "./command";
import { EXIT_CODES, UsageError } from "./commands/command";
import { ConfigurationError } from "./configuration";
import { closeOnSignal } from "./listener";
import { createSecretPrompt, exitWithoutTerminal, hasTerminal } from "./terminal";

// The build puts the pages beside this program's folder, and replaces import.meta.url by the source's place.
const webFolder = join(dirname(process.argv[1] ?? ""), "..", "web");
const print = (line: string) => process.stdout.write(`${line}\n`);
// Prompted on standard error, so that a command's output can go to a file.
const promptSecret = process.stdin.isTTY ? createSecretPrompt(process.stdin, process.stderr) : undefined;

// Node's default handler opens an inspector, by which a sender of signals could read the key.
process.on("SIGUSR1", () => process.stderr.write("SIGUSR1 opens no debugger here.\n"));

const isTerminal = process.stdout.isTTY === true;
exitWithoutTerminal();
// A closed output, such as of head or a service's log, ends neither a command's work nor the companion.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const place = { webFolder, isTerminal, hasTerminal };
const surroundings = { environment: process.env, ...place, print, promptSecret, onListen: closeOnSignal };

runCommand(process.argv.slice(2), surroundings).catch((error: Error) => {
  logErrorMessage(error);
  process.exitCode = toExitCode(error);
});

function toExitCode(error: Error): number {
  if (error instanceof UsageError) return EXIT_CODES.usage;
  if (error instanceof ConfigurationError) return EXIT_CODES.configuration;
  return EXIT_CODES.failed;
}

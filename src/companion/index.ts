import { logErrorMessage } from "office-addin-cli";
import { runCommand } from "./command";
import { toExitCode } from "./commands/results";
import { closeOnSignal } from "./listener";
import { findPages } from "./program";
import { createConfirmation, createSecretPrompt, exitWithoutTerminal, hasTerminal } from "./terminal";

// By the script, since the build replaces import.meta.url by the source's place.
const webFolder = findPages(process.argv[1]);
const print = (line: string) => process.stdout.write(`${line}\n`);
// Prompted on standard error, so that a command's output can go to a file.
const { isTTY } = process.stdin;
const promptSecret = isTTY ? createSecretPrompt(process.stdin, process.stderr) : undefined;
const confirm = isTTY ? createConfirmation(process.stdin, process.stderr) : undefined;

// Node's default handler opens an inspector, by which a sender of signals could read the key.
process.on("SIGUSR1", () => process.stderr.write("SIGUSR1 opens no debugger here.\n"));

const isTerminal = process.stdout.isTTY === true;
exitWithoutTerminal();
// A closed output, such as of head or a service's log, ends neither a command's work nor the companion.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const place = { webFolder, isTerminal, hasTerminal };
const prompts = { promptSecret, confirm };
const surroundings = { environment: process.env, ...place, print, ...prompts, onListen: closeOnSignal };

runCommand(process.argv.slice(2), surroundings).catch((error: Error) => {
  logErrorMessage(error);
  process.exitCode = toExitCode(error);
});

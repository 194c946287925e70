import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { isatty } from "node:tty";

/**
 * Creates a prompt whose answer does not show while it is typed.
 * @param input The terminal.
 * @param output Where the query is written.
 */
export function createSecretPrompt(input: NodeJS.ReadableStream, output: NodeJS.WritableStream) {
  return (query: string): Promise<string> =>
    new Promise((resolve, reject) => {
      output.write(query);
      const unseen = new Writable({ write: (_part, _encoding, done) => done() });
      const lines = createInterface({ input, output: unseen, terminal: true, historySize: 0 });
      lines.once("line", (answer) => {
        resolve(answer);
        lines.close();
      });
      lines.once("SIGINT", () => lines.close());
      lines.once("close", () => {
        output.write("\n");
        reject(new Error("No answer was given, so nothing was done."));
      });
    });
}

/**
 * Creates a prompt for yes or no; anything but "y" or "yes" is no.
 * @param input The terminal.
 * @param output Where the query is written.
 */
export function createConfirmation(input: NodeJS.ReadableStream, output: NodeJS.WritableStream) {
  return (query: string): Promise<boolean> =>
    new Promise((resolve) => {
      const lines = createInterface({ input, output, terminal: true, historySize: 0 });
      lines.question(`${query} [y/N] `, (answer) => {
        resolve(/^y(es)?$/i.test(answer.trim()));
        lines.close();
      });
      lines.once("SIGINT", () => lines.close());
      lines.once("close", () => resolve(false));
    });
}

const terminals = [0, 1, 2].filter((stream) => isatty(stream));

/** Whether this program was started at a terminal, by any standard stream. */
export const hasTerminal = terminals.length > 0;

/**
 * Calls a function once the terminal is gone: a window closed without a hang-up shows by a failed write. Streams that
 * are no terminal, such as a service's log, do not count.
 */
export function onTerminalGone(act: () => void): void {
  for (const stream of [process.stdout, process.stderr]) if (stream.isTTY) stream.on("error", act);
}

/**
 * Ends this program by SIGHUP where its terminal is gone: Node's own exit restores terminal modes, and crashes without
 * one.
 */
export function exitWithoutTerminal(): void {
  process.on("exit", () => {
    if (terminals.every((stream) => isatty(stream))) return;
    process.removeAllListeners("SIGHUP");
    process.kill(process.pid, "SIGHUP");
  });
}

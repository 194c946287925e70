import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { isatty } from "node:tty";

/**
 * Creates a query whose answer does not show while it is typed.
 * @param input Where the answer is typed: a terminal.
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

const STREAMS = [0, 1, 2];
const terminals = STREAMS.filter((stream) => isatty(stream));

/** Whether this program was started at a terminal, by any of its standard streams. */
export const hasTerminal = terminals.length > 0;

/**
 * Has something done once nothing can be shown at the terminal any more, as a window that was closed without a hang-up shows
 * by the next line. A reader of another kind, such as a service's log, may go: that ends nothing.
 */
export function onTerminalGone(act: () => void): void {
  for (const stream of [process.stdout, process.stderr]) if (stream.isTTY) stream.on("error", act);
}

/**
 * Has this program end by the signal of a terminal that has gone, wherever one has gone: Node's own exit gives a terminal its
 * modes back, and where there is none any more it fails so gravely that nothing ends it in order.
 */
export function exitWithoutTerminal(): void {
  process.on("exit", () => {
    if (terminals.every((stream) => isatty(stream))) return;
    process.removeAllListeners("SIGHUP");
    process.kill(process.pid, "SIGHUP");
  });
}

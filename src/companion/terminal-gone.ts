import { isatty } from "node:tty";

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

import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/**
 * Creates a query whose answer does not show while it is typed.
 * @param input Where the answer is typed: a terminal.
 * @param output Where the query is written.
 */
export function createSecretQuery(input: NodeJS.ReadableStream, output: NodeJS.WritableStream) {
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

import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/**
 * Creates a question whose answer does not show while it is typed.
 * @param input Where the answer is typed: a terminal.
 * @param output Where the question is written.
 */
export function createSecretQuestion(input: NodeJS.ReadableStream, output: NodeJS.WritableStream) {
  return (question: string): Promise<string> =>
    new Promise((resolve, reject) => {
      output.write(question);
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

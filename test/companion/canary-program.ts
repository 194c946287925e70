import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { until } from "../support/until";

const MAIN = join(__dirname, "../../dist/companion/main.mjs");

/** A running program: its output so far, and its end. */
export interface Program {
  child: ChildProcess;
  /** Standard output, for the person. */
  output: string;
  /** Standard error, where the logs go. */
  errors: string;
  /** Stops it if it runs, and gives its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts a command of the built companion. */
export function startProgram(words: readonly string[], environment: NodeJS.ProcessEnv): Program {
  const { PATH } = process.env;
  const child = spawn(process.execPath, [MAIN, ...words], { env: { PATH, ...environment } });
  child.stdin.end();
  const closed = once(child, "close");
  const program: Program = {
    child,
    output: "",
    errors: "",
    async end(signal) {
      if (signal !== undefined) child.kill(signal);
      const [code] = await closed;
      return code;
    },
  };
  child.stdout.on("data", (part) => {
    program.output += part;
  });
  child.stderr.on("data", (part) => {
    program.errors += part;
  });
  return program;
}

/** Waits until a program's standard output matches, and gives the match. */
export async function findOutput(program: Program, pattern: RegExp): Promise<string> {
  await until(() => pattern.test(program.output) || program.child.exitCode !== null);
  const [, found] = pattern.exec(program.output) ?? [];
  if (found === undefined) throw new Error(`The program ended before it wrote ${pattern}: ${program.errors}`);
  return found;
}

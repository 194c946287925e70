import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "@jest/globals";
import { until } from "../support/until";

/** The built companion's script. */
export const MAIN = join(__dirname, "../../dist/companion/main.mjs");

/** A running program: its output for the person so far, its errors, where the logs go, and its end. */
export type Program = ReturnType<typeof startProgram>;

/** The environment of a person with this home folder, on every system. */
export const toHome = (folder: string) => ({
  PATH: process.env.PATH,
  ...{ HOME: folder, USERPROFILE: folder, APPDATA: folder, XDG_CONFIG_HOME: folder },
});

function startProgram(words: readonly string[], environment: NodeJS.ProcessEnv, script: string, input: string) {
  const child = spawn(process.execPath, [script, ...words], { env: environment });
  child.stdin.end(input);
  const closed = once(child, "close");
  const program = {
    child,
    output: "",
    errors: "",
    /** Waits until its output or its errors match, and gives the match's first group. */
    async find(pattern: RegExp): Promise<string> {
      const read = () => pattern.exec(program.output) ?? pattern.exec(program.errors);
      await until(() => read() !== null || child.exitCode !== null);
      const found = read();
      if (found === null) throw new Error(`The program ended before it wrote ${pattern}: ${program.errors}`);
      return found[1] ?? found[0];
    },
    /** Waits for its end, which a signal may cause, and gives its exit code. */
    async end(signal?: NodeJS.Signals): Promise<number | null> {
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

/** Gives each test of a file a person's empty home folder, and ends what it started there. */
export function openHome() {
  const started: Program[] = [];
  const home = {
    folder: "",
    /** Starts a command on any free port. @param input its standard input; default none */
    start(words: readonly string[], environment: NodeJS.ProcessEnv = {}, script = MAIN, input = ""): Program {
      const own = { ...toHome(home.folder), HOST: "127.0.0.1", PORT: "0", ...environment };
      const program = startProgram(words, own, script, input);
      started.push(program);
      return program;
    },
    async run(words: readonly string[], environment: NodeJS.ProcessEnv = {}, script = MAIN, input = "") {
      const program = home.start(words, environment, script, input);
      const code = await program.end();
      return { code, output: program.output, errors: program.errors };
    },
  };
  beforeEach(() => {
    home.folder = mkdtempSync(join(tmpdir(), "feed-process-"));
  });
  afterEach(() => {
    for (const { child } of started.splice(0)) child.kill("SIGKILL");
    rmSync(home.folder, { recursive: true });
  });
  return home;
}

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { measureAll } from "./print-measured";

export type Figures = Awaited<ReturnType<typeof measureAll>>;

const ROOT = join(__dirname, "../../../..");

/** Matches each nth name, in a process of its own, since the tests' sandbox slows the matcher to a tenth of its speed. */
export async function readFigures(nth: number): Promise<Figures> {
  const program = ["--require", join(ROOT, "test/support/typescript.cjs"), join(__dirname, "print-measured.ts")];
  const { stdout } = await promisify(execFile)(process.execPath, [...program, String(nth)], { cwd: ROOT });
  return JSON.parse(stdout);
}

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Confusion, measure } from "./measure";

/** What the matcher makes of synthetic names and of those written by hand. */
export interface Figures {
  companies: number;
  names: number;
  confusion: Confusion;
  synthetic: ReturnType<typeof measure>;
  written: ReturnType<typeof measure>;
  development: ReturnType<typeof measure>;
}

const ROOT = join(__dirname, "../../../..");

/** Matches each nth name, in a process of its own, since the tests' sandbox slows the matcher to a tenth of its speed. */
export async function readFigures(nth: number): Promise<Figures> {
  const program = ["--require", join(ROOT, "test/support/typescript.cjs"), join(__dirname, "print-measured.ts")];
  const { stdout } = await promisify(execFile)(process.execPath, [...program, String(nth)], { cwd: ROOT });
  return JSON.parse(stdout);
}

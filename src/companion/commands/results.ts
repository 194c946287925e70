import { ConfigurationError } from "../configuration/reading";
import { RunsAlready } from "../presence";

/** The result of one check, in a sentence with the cure where there is one. */
export interface Finding {
  /** A note is unknown from here, or needs no action. */
  verdict: "pass" | "FAIL" | "note";
  text: string;
  /** What it concerns, such as "clock"; default what its check is called. */
  about?: string;
}

export const pass = (text: string): Finding => ({ verdict: "pass", text });
export const fail = (text: string): Finding => ({ verdict: "FAIL", text });
export const note = (text: string): Finding => ({ verdict: "note", text });

/** Exit codes with their meaning, for scripts. */
const EXIT_CODES = {
  0: "done",
  1: "failed; refresh: in part",
  2: "a command line that cannot be read; refresh: nothing was written",
  3: "settings that are wrong or missing",
  4: "start: runs already",
} as const;

/** The end of every command's help. */
export const EXIT_CODES_HELP = `Exit codes
  ${Object.entries(EXIT_CODES)
    .map(([code, meaning]) => `${code} ${meaning}`)
    .join(", ")}`;

/** A command line that cannot be read. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A command that ends with an exit code of its own. */
export class EndedWith extends Error {
  override readonly name = "EndedWith";
  constructor(
    readonly exitCode: 1 | 2,
    message: string,
  ) {
    super(message);
  }
}

/** Gives the exit code of a failed command. */
export function toExitCode(error: unknown): keyof typeof EXIT_CODES {
  if (error instanceof EndedWith) return error.exitCode;
  if (error instanceof UsageError) return 2;
  if (error instanceof RunsAlready) return 4;
  return error instanceof ConfigurationError ? 3 : 1;
}

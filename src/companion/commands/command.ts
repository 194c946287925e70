import { type ParseArgsConfig, parseArgs } from "node:util";
import type { FastifyInstance } from "fastify";
import type { Configuration } from "../configuration";
import type { SettingsFiles } from "../configuration/sources";
import { type Folder, toFolder, toFolderPath } from "../folder";

/** The surroundings of a command line. */
export interface Surroundings {
  environment: NodeJS.ProcessEnv;
  /** The folder of the built pages. */
  webFolder: string;
  print: (line: string) => void;
  /** Whether output shows at a terminal, and not in a service's log; default false. */
  isTerminal?: boolean;
  /** Whether it was started at a terminal, whose hang-up ends it, wherever its output goes; default false. */
  hasTerminal?: boolean;
  /** Prompts for a line that does not show while it is typed; absent without a terminal. */
  promptSecret?: (query: string) => Promise<string>;
  /**
   * Called with the listening companion before its address is printed: a reader of that line may end the process at
   * once.
   */
  onListen?: (app: FastifyInstance, configuration: Configuration) => void;
  /** The person's own configuration folder; default the system's usual place. */
  folder?: string;
  /** The folder of the certificate; default that of Office's own tools. */
  certificateFolder?: string;
  /** Milliseconds since 1970; default the system's clock. */
  nowMs?: () => number;
  /** Default this machine's. */
  platform?: NodeJS.Platform;
}

/** One command, such as "start". */
export interface Command {
  /** One line for the list of commands. */
  summary: string;
  /** The text of `--help`: usage, options, environment, exit codes. */
  help: string;
  options: NonNullable<ParseArgsConfig["options"]>;
  /** Most words beside the options; default 0. */
  mostWords?: number;
  /**
   * @param values The options as written.
   * @param words The words beside the options.
   * @returns The companion that now listens, if the command starts one.
   * @throws Error with the cure.
   */
  run(values: OptionValues, words: string[], surroundings: Surroundings): Promise<FastifyInstance | undefined>;
}

export type OptionValues = Record<string, string | boolean | undefined>;

/** Exit codes, for scripts. */
export const EXIT_CODES = { done: 0, failed: 1, usage: 2, configuration: 3 } as const;

/** The end of every command's help. */
export const EXIT_CODES_HELP = `Exit codes
  0 done, 1 failed, 2 a command line that cannot be read, 3 settings that are wrong or missing`;

/** A command line that cannot be read. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Finds the folder of the person who runs the command. */
export function findFolder({ folder, environment }: Surroundings): Folder {
  return toFolder(folder ?? toFolderPath(environment));
}

/** Finds the file of settings: an administrator's, as --settings names it, else the person's own. */
export function findSettings({ settings }: OptionValues, surroundings: Surroundings): SettingsFiles {
  return typeof settings === "string" ? { administrators: settings } : { own: findFolder(surroundings).settings };
}

/** @throws UsageError */
export function readOptions(args: string[], options: Command["options"], help: string) {
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
    return { values: values as OptionValues, words: positionals };
  } catch (error) {
    // Node's further lines, on words that begin with a dash, do not help here.
    const sentence = (error as Error).message.split(/\.\s|\n/)[0]!.replace(/\.$/, "");
    throw new UsageError(`${sentence}. Try: ${help}`);
  }
}

/** The result of one check, in a sentence with the cure where there is one. */
export interface Finding {
  /** A note is unknown from here, or needs no action. */
  verdict: "pass" | "FAIL" | "note";
  text: string;
}

export const pass = (text: string): Finding => ({ verdict: "pass", text });
export const fail = (text: string): Finding => ({ verdict: "FAIL", text });
export const note = (text: string): Finding => ({ verdict: "note", text });

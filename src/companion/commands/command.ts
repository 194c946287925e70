import { type ParseArgsConfig, parseArgs } from "node:util";
import type { FastifyInstance } from "fastify";
import type { Configuration } from "../configuration";
import type { SettingsFiles } from "../configuration/sources";
import { type Folder, toFolder, toFolderPath } from "../folder";

/** What a command line runs in. */
export interface Surroundings {
  environment: NodeJS.ProcessEnv;
  /** The folder that the build writes the pages to. */
  webFolder: string;
  print: (line: string) => void;
  /** Whether what is printed shows at a terminal, and is not kept as a service's log is; default false. */
  isTerminal?: boolean;
  /** Whether it was started at a terminal, whose hang-up then ends it, wherever its output goes; default false. */
  hasTerminal?: boolean;
  /** Asks the person for a line that does not show while it is typed; absent where nobody can answer. */
  promptSecret?: (query: string) => Promise<string>;
  /** Told of the companion that listens, before a line says so: whoever read that line may end the process at once. */
  onListen?: (app: FastifyInstance, configuration: Configuration) => void;
  /** The person's own configuration folder; default where the system keeps those. */
  folder?: string;
  /** Where https has its certificate; default the folder of Office's own tools. */
  certificateFolder?: string;
  /** Milliseconds since 1970; default the system's clock. */
  nowMs?: () => number;
  /** Default this machine's. */
  platform?: NodeJS.Platform;
}

/** One word of the command line, such as "start". */
export interface Command {
  /** One line for the list of commands. */
  summary: string;
  /** What `--help` prints: usage, options, environment, exit codes. */
  help: string;
  options: NonNullable<ParseArgsConfig["options"]>;
  /** How many words it takes beside the options; default none. */
  mostWords?: number;
  /**
   * @param values The options as they were written.
   * @param words What stands beside them.
   * @returns The companion that now listens, if the command starts one.
   * @throws Error with the cure.
   */
  run(values: OptionValues, words: string[], surroundings: Surroundings): Promise<FastifyInstance | undefined>;
}

export type OptionValues = Record<string, string | boolean | undefined>;

/** How a command ended, for scripts. */
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
    // Node adds lines on how to write a word that begins with a dash: nobody wants that here.
    const sentence = (error as Error).message.split(/\.\s|\n/)[0]!.replace(/\.$/, "");
    throw new UsageError(`${sentence}. Try: ${help}`);
  }
}

/** What one check found, in a sentence that holds the cure where there is one. */
export interface Finding {
  /** A note is something that cannot be told from here, or that nobody needs. */
  verdict: "pass" | "FAIL" | "note";
  text: string;
}

export const pass = (text: string): Finding => ({ verdict: "pass", text });
export const fail = (text: string): Finding => ({ verdict: "FAIL", text });
export const note = (text: string): Finding => ({ verdict: "note", text });

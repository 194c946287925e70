import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

/** What a set-up of this computer concerns: the person's places, and the programs of the operating system. */
export interface Machine {
  platform: NodeJS.Platform;
  /** As `process.env`. */
  environment: NodeJS.ProcessEnv;
  /** The person's home folder. */
  home: string;
  /** The person's configuration folder. */
  folder: string;
  /** The folder of the certificate of https://localhost. */
  certificateFolder: string;
  /** The words that start this program, by absolute paths: Node, and the script. */
  program: readonly [node: string, script: string];
}

/** The names of operating systems in sentences. */
export function toSystemName(platform: NodeJS.Platform): string {
  if (platform === "win32") return "Windows";
  return platform === "darwin" ? "macOS" : "this system";
}

/** The files of one person's companion. */
export interface Folder {
  /** Settings from the pane: names and texts as in the environment. */
  settings: string;
  pairings: string;
  /** Pairings of this person's commands with companions, their bearers among them. */
  companions: string;
  /** The folder of private keys made here. */
  keys: string;
  /** The folder of indexes of names, which its commands have read. */
  names: string;
  /** The folder of answers that its commands keep for the next run. */
  answers: string;
}

/**
 * Gives the person's configuration folder, by the system's convention.
 * @param environment As `process.env`.
 */
export function toFolderPath(environment: NodeJS.ProcessEnv, platform = process.platform): string {
  return join(findBase(environment, platform), "feed-for-excel");
}

/** Gives the paths within the folder. */
export function toFolder(path: string): Folder {
  return {
    settings: join(path, "companion.json"),
    pairings: join(path, "pairings.json"),
    companions: join(path, "companions.json"),
    keys: join(path, "keys"),
    names: join(path, "names"),
    answers: join(path, "answers"),
  };
}

function findBase({ APPDATA, XDG_CONFIG_HOME }: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === "win32" && APPDATA) return APPDATA;
  if (platform === "darwin") return join(homedir(), "Library", "Application Support");
  return XDG_CONFIG_HOME || join(homedir(), ".config");
}

const TIMEOUT_MS = 60_000;

/** The result of a program. */
interface ToolResult {
  code: number;
  output: string;
  errors: string;
}

/** Options of a run. */
interface ToolOptions {
  /** Where the program is looked for, by its PATH. */
  environment: NodeJS.ProcessEnv;
  /** Milliseconds; 0 waits without end, as for a person's answer; default 60000. */
  timeoutMs?: number;
  /** Ends the program. */
  signal?: AbortSignal | undefined;
}

/**
 * Runs a program of the operating system, such as "reg".
 * @returns Its exit code and texts; undefined where the system has no such program.
 */
export function runTool(
  program: string,
  words: readonly string[],
  { environment: env, timeoutMs: timeout = TIMEOUT_MS, signal }: ToolOptions,
): Promise<ToolResult | undefined> {
  return new Promise((resolve) => {
    execFile(program, words, { env, timeout, signal, windowsHide: true }, (error, output, errors) => {
      // A folder of the PATH that this person may not read hides that there is none.
      if (error?.code === "ENOENT" || error?.code === "EACCES") resolve(undefined);
      else resolve({ code: toCode(error), output, errors });
    });
  });
}

/** A program that was ended by a signal has no code of its own. */
function toCode(error: (Error & { code?: string | number | null }) | null): number {
  if (error === null) return 0;
  return typeof error.code === "number" ? error.code : -1;
}

/** Whether a program runs and succeeds. */
export async function succeeds(program: string, words: readonly string[], options: ToolOptions): Promise<boolean> {
  return (await runTool(program, words, options))?.code === 0;
}

const TRIES = 25;
const PAUSE_MS = 200;

/** Waits until a program no longer succeeds, such as one that asks for what the system has just been told to end. */
export async function untilFails(program: string, words: readonly string[], options: ToolOptions): Promise<void> {
  for (let tries = 0; tries < TRIES && (await succeeds(program, words, options)); tries += 1)
    await setTimeout(PAUSE_MS);
}

/**
 * Runs a program that must succeed.
 * @param what What it was to do, which begins the error, e.g. "The log-on task was not made".
 * @throws Error with the program's first line
 */
export async function requireTool(
  what: string,
  program: string,
  words: readonly string[],
  options: ToolOptions,
): Promise<ToolResult> {
  const result = await runTool(program, words, options);
  if (result === undefined) throw new Error(`${what}: this system has no program "${program}".`);
  if (result.code === 0) return result;
  const [line = ""] = `${result.errors}\n${result.output}`.trim().split(/\r?\n/);
  throw new Error(`${what}: ${program} ends with ${result.code}${line && ` and says "${line.trim()}"`}.`);
}

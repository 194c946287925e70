import type { FastifyInstance } from "fastify";
import { runCommand } from "../../src/companion/command";
import type { Surroundings } from "../../src/companion/commands/surroundings";

/** A command that ended: what it printed, the lines of failed checks, and its companion or its error. */
export interface CommandRun {
  lines: string[];
  failed: string[];
  app?: FastifyInstance;
  error?: Error;
}

/** Runs a command in this process, on Linux unless the surroundings say otherwise. */
export async function runToEnd(words: string[], surroundings: Partial<Surroundings> = {}): Promise<CommandRun> {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const plain = { environment: {}, webFolder: "", print, platform: "linux" } as const;
  const outcome = await runCommand(words, { ...plain, ...surroundings }).then(
    (app) => ({ app }),
    (error: Error) => ({ error }),
  );
  return { lines, failed: lines.filter((line) => line.startsWith("FAIL")), ...outcome };
}

/** Runs a command that succeeds, and gives what it printed. @throws its error */
export async function runWell(words: string[], surroundings: Partial<Surroundings> = {}): Promise<string[]> {
  const { lines, error } = await runToEnd(words, surroundings);
  if (error) throw error;
  return lines;
}

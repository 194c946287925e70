import { spawn } from "node:child_process";
import { once } from "node:events";

/** A program in a process of its own, which ends with whoever started it. */
export interface Program {
  pid: number;
  isRunning(): boolean;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
  /** Ends it as an update does. */
  stop(): Promise<void>;
}

/** Starts a program; what it says as errors is shown. */
export function startProgram(command: string, words: readonly string[], env: NodeJS.ProcessEnv = process.env): Program {
  const child = spawn(command, words, { env, stdio: ["ignore", "ignore", "inherit"] });
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const killNow = () => void child.kill("SIGKILL");
  process.once("exit", killNow);
  child.once("exit", () => process.off("exit", killNow));
  const end = async (signal: NodeJS.Signals) => {
    if (!isRunning()) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  return { pid: child.pid!, isRunning, kill: () => end("SIGKILL"), stop: () => end("SIGTERM") };
}

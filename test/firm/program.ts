import { spawn } from "node:child_process";
import { once } from "node:events";

/** A program in a separate process, which ends with its starter. */
export type Program = ReturnType<typeof startProgram>;

/** Starts a program; its errors are printed. */
export function startProgram(command: string, words: readonly string[], env: NodeJS.ProcessEnv = process.env) {
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
  return {
    pid: child.pid!,
    isRunning,
    /** Stops it where it is, so that it answers nothing. */
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    /** As a crash does. */
    kill: () => end("SIGKILL"),
    /** As an update does. */
    stop: () => end("SIGTERM"),
  };
}

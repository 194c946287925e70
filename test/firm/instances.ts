import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Program, startProgram } from "./program";

const PROGRAM = join(__dirname, "../../dist/companion/main.mjs");
const READY_WITHIN_MS = 20_000;

/**
 * Starts one of the firm's companions, the built program, and waits until it is ready.
 * @param words Arguments of Node itself.
 */
export async function startInstance(
  port: number,
  environment: NodeJS.ProcessEnv,
  words: readonly string[] = [],
): Promise<Program> {
  const env = { PATH: process.env.PATH, ...environment, HOST: "127.0.0.1", PORT: String(port) };
  const instance = startProgram(process.execPath, [...words, PROGRAM, "start"], env);
  const lastMs = Date.now() + READY_WITHIN_MS;
  while (Date.now() < lastMs && instance.isRunning()) {
    if (["ready", "degraded"].includes(await readStanding(port))) return instance;
    await setTimeout(50);
  }
  await instance.kill();
  throw new Error("An instance of the companion did not become ready; what it said is above.");
}

/** The health of an instance; nothing if it does not answer. */
export async function readStanding(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
  const { status = "" } = ((await answer?.json()) ?? {}) as { status?: string };
  return status;
}

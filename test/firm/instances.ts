import { join } from "node:path";
import { until } from "../support/until";
import { type Program, startProgram } from "./program";

export const PROGRAM = join(__dirname, "../../dist/companion/main.mjs");
const READY_WITHIN_MS = 40_000;
const STANDINGS = ["ready", "degraded"];
const LONGEST_ANSWER_MS = 2000;

export interface InstanceOptions {
  environment: NodeJS.ProcessEnv;
  /** Arguments of Node itself; default none. */
  words?: readonly string[];
  /** A command that runs the rest of its words under a cap; default none. */
  within?: readonly string[];
}

/** Starts one of the firm's companions, the built program, and waits until it is ready. */
export async function startInstance(
  port: number,
  { environment, words = [], within = [] }: InstanceOptions,
): Promise<Program> {
  const env = { PATH: process.env.PATH, ...environment, HOST: "127.0.0.1", PORT: String(port) };
  const [command = process.execPath, ...rest] = [...within, process.execPath, ...words, PROGRAM, "start"];
  const instance = startProgram(command, rest, env);
  const isReady = async () => STANDINGS.includes(await readStanding(port));
  await until(async () => !instance.isRunning() || (await isReady()), READY_WITHIN_MS).catch(() => {});
  if (instance.isRunning() && (await isReady())) return instance;
  await instance.kill();
  throw new Error("An instance of the companion did not become ready; what it said is above.");
}

/** The health of an instance; nothing if it does not answer. */
export async function readStanding(port: number): Promise<string> {
  const signal = AbortSignal.timeout(LONGEST_ANSWER_MS);
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal }).catch(() => undefined);
  const { status = "" } = ((await answer?.json().catch(() => undefined)) ?? {}) as { status?: string };
  return status;
}

import { connect } from "node:net";
import { findRedis } from "../support/redis.mjs";
import { until } from "../support/until";
import { type Program, startProgram } from "./program";

/**
 * Starts a Redis or Valkey without persistence, and waits until it accepts connections.
 * @param words Further arguments; default none.
 */
export async function startRedis(folder: string, port: number, words: readonly string[] = []): Promise<Program> {
  const path = findRedis();
  if (path === undefined) throw new Error("No redis-server or valkey-server found: install one of them.");
  const said = ["--loglevel", "warning", "--logfile", "/dev/null"];
  const persistence = ["--save", "", "--appendonly", "no", "--dir", folder];
  const redis = startProgram(path, ["--port", String(port), "--bind", "127.0.0.1", ...said, ...persistence, ...words]);
  await until(async () => !redis.isRunning() || (await isListening(port)));
  return redis;
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

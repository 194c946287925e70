/** A Redis or Valkey of a test's own: on any free port of this machine, keeping nothing when it ends. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { findPort } from "./free-port.mjs";
import { findProgram } from "./program-path.mjs";

const COMMANDS = ["redis-server", "valkey-server"];

/**
 * Finds the program.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {string | undefined} Its path.
 */
export const findRedis = (environment = process.env) => findProgram(COMMANDS, environment);

/**
 * Starts a server and waits until it accepts connections.
 * @param {{ port?: number, words?: string[], config?: string }} options The port of an ended server to replace; further
 *   arguments of its command line; a configuration file.
 */
export async function startRedis({ port, words = [], config } = {}) {
  const path = findRedis();
  if (path === undefined) throw new Error("No redis-server or valkey-server found: install one of them.");
  const ownPort = port ?? (await findPort());
  const settings = ["--bind", "127.0.0.1", "--port", String(ownPort), "--save", "", "--appendonly", "no", ...words];
  const server = spawn(path, config === undefined ? settings : [config, ...settings], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = () => void server.kill("SIGKILL");
  process.once("exit", kill);
  server.once("exit", () => process.off("exit", kill));
  await waitForLine(server, /Ready to accept connections|Sentinel ID is/);
  return {
    port: ownPort,
    pid: /** @type {number} */ (server.pid),
    url: `redis://127.0.0.1:${ownPort}`,
    /** It answers no request, and its connections stay open. */
    pause: () => void server.kill("SIGSTOP"),
    resume: () => void server.kill("SIGCONT"),
    /** Ends it without a word. */
    async kill() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, "exit");
      kill();
      await ended;
    },
  };
}

async function waitForLine(server, sign) {
  const lines = createInterface(server.stdout);
  let last = "";
  for await (const line of lines) {
    last = line;
    if (!sign.test(line)) continue;
    server.stdout.resume();
    return;
  }
  throw new Error(`The server of a test has not started: ${last}`);
}

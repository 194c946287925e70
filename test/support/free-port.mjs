import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that systems give to those who name none: only another search can take one before its use. */
const LOWEST = 12_000;
const HIGHEST = 32_000;
const MOST_TRIES = 50;

/**
 * Finds a free port of this machine, for a program that must be told one.
 * @returns {Promise<number>}
 */
export async function findPort() {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (await isFree(port)) return port;
  }
  throw new Error(`${MOST_TRIES} ports were taken, one after the other.`);
}

/** @param {number} port */
async function isFree(port) {
  const probe = createServer().listen(port, "127.0.0.1");
  try {
    await once(probe, "listening");
  } catch {
    return false;
  }
  probe.close();
  await once(probe, "close");
  return true;
}

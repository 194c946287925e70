import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Finds a free port of this machine, for a program that must be told one.
 * @returns {Promise<number>}
 */
export async function findPort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (probe.address());
  probe.close();
  await once(probe, "close");
  return port;
}

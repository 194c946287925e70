import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout } from "node:timers/promises";
import closeWithGrace from "close-with-grace";
import type { FastifyInstance } from "fastify";
import { type Configuration, ConfigurationError } from "./configuration";
import { LARGEST_PORT } from "./configuration/listening";
import { onTerminalGone } from "./terminal";

/** A request under way may wait 20 seconds for a token, and have its answer relayed for two minutes. */
export const CLOSING_MS = 150_000;
/** A person who ends their own companion waits for it. */
const CLOSING_OWN_MS = 10_000;
/** Faults of Node itself, behind which nothing can be closed: what catches them has them come again without end. */
const CRASHES = ["SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGSEGV"] as const;
/** What a client has sent may lie with the system, not yet read: closing at once would reset it. */
const ARRIVING_MS = 250;
const LONGEST_ARRIVING_MS = 2000;
const LOOPBACK = ["127.0.0.1", "::1"];
const NO_SUCH_ADDRESS = ["ENOTFOUND", "EAI_AGAIN", "EADDRNOTAVAIL", "EAFNOSUPPORT"];

/**
 * Opens the companion's port.
 * @throws Error with the cure when the port is taken or not allowed, or the host is not of this machine.
 */
export async function listen(app: FastifyInstance, { host, port }: Configuration): Promise<void> {
  try {
    await app.listen({ host, port });
    if (host === "localhost") await refuseSharedPort(app);
  } catch (error) {
    await app.close();
    throw toListenError(error as NodeJS.ErrnoException, host, port);
  }
}

/**
 * Closes the companion when its process is told to end or its terminal has gone, with the answers under way sent first, for 150
 * seconds at most, or 10 where it is one person's; told twice, it ends at once. A hang-up tells it so only where nothing
 * else waits for one.
 */
export function closeOnSignal(app: FastifyInstance, { origins, firm }: Configuration): void {
  const isOwn = origins.length === 0 && firm.signIn === undefined;
  const options = {
    delay: isOwn ? CLOSING_OWN_MS : CLOSING_MS,
    logger: app.log,
    skip: [...CRASHES, ...(process.listenerCount("SIGHUP") > 0 ? (["SIGHUP"] as const) : [])],
  };
  let isClosing = false;
  const { close } = closeWithGrace(options, async ({ err }) => {
    isClosing = true;
    if (err !== undefined) app.log.fatal(err);
    await closeGently(app);
  });
  onTerminalGone(() => isClosing || close());
}

/** Closes the companion once every request that has reached this machine is answered. */
export async function closeGently(app: FastifyInstance): Promise<void> {
  let isQuiet = false;
  const markBusy = () => {
    isQuiet = false;
  };
  subscribe("http.server.request.start", markBusy);
  for (let waitedMs = 0; !isQuiet && waitedMs < LONGEST_ARRIVING_MS; waitedMs += ARRIVING_MS) {
    isQuiet = true;
    await setTimeout(ARRIVING_MS);
  }
  unsubscribe("http.server.request.start", markBusy);
  await app.close();
}

/**
 * Browsers try either loopback address for localhost, whatever the system's names say, and the framework keeps
 * silent about one that it could not have: another program there would receive the companion's visitors.
 */
async function refuseSharedPort(app: FastifyInstance): Promise<void> {
  const own = app.addresses() as AddressInfo[];
  const missing = LOOPBACK.filter((host) => !own.some(({ address }) => address === host));
  for (const host of missing) {
    const probe = createServer().listen({ host, port: own[0]?.port });
    try {
      await once(probe, "listening");
      await new Promise((resolve) => probe.close(resolve));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") throw error;
    }
  }
}

function toListenError(error: NodeJS.ErrnoException & { port?: number }, host: string, port: number): Error {
  const { code = "", port: taken = port } = error;
  if (code === "EADDRINUSE") {
    const other = taken < LARGEST_PORT ? taken + 1 : taken - 1;
    return new Error(
      `Port ${taken} is taken. Stop the program that holds it, or choose another one: PORT=${other} npm start`,
    );
  }
  if (code === "EACCES")
    return new Error(`Port ${port} needs more rights than this program has. Choose one above 1023 with PORT.`);
  if (NO_SUCH_ADDRESS.includes(code))
    return new ConfigurationError([
      `HOST is "${host}", which is no address of this machine. Unset HOST, or set it to 127.0.0.1.`,
    ]);
  return error;
}

import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout } from "node:timers/promises";
import closeWithGrace from "close-with-grace";
import type { FastifyInstance } from "fastify";
import { type Configuration, isOfOne } from "./configuration";
import { ConfigurationError } from "./configuration/reading";
import { LARGEST_PORT } from "./configuration/settings";
import { findCompanion, RunsAlready } from "./presence";
import { toCommand, toStartAt } from "./program";
import { onTerminalGone } from "./terminal";

/** A request may wait 20 seconds for a token, and two minutes for its answer. */
export const CLOSING_MS = 150_000;
/** Shorter for one person's companion, since they wait for it. */
const CLOSING_OWN_MS = 10_000;
/** Fatal signals of Node, which would repeat without end if caught. */
const CRASHES = ["SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGSEGV"] as const;
/** Time for requests that were sent but not yet read: closing at once would reset their connections. */
const ARRIVING_MS = 250;
const LONGEST_ARRIVING_MS = 2000;
const LOOPBACK = ["127.0.0.1", "::1"];
const NO_SUCH_ADDRESS = ["ENOTFOUND", "EAI_AGAIN", "EADDRNOTAVAIL", "EAFNOSUPPORT"];

/**
 * Opens the companion's port.
 * @throws RunsAlready; Error with the cure when the port is taken or not allowed, or the host is not of this machine.
 */
export async function listen(app: FastifyInstance, { host, port }: Configuration): Promise<void> {
  try {
    await app.listen({ host, port });
    if (host === "localhost") await refuseSharedPort(app);
  } catch (error) {
    await app.close();
    throw await toListenError(error as NodeJS.ErrnoException, host, port);
  }
}

/**
 * Closes the companion on a signal or when its terminal is gone. It sends the answers under way first, for 150 seconds,
 * or 10 for one person's companion; a second signal ends it at once. SIGHUP counts only where it does not reload
 * settings.
 */
export function closeOnSignal(app: FastifyInstance, configuration: Configuration): void {
  const options = { ...toClosing(configuration), logger: app.log };
  let isClosing = false;
  const { close } = closeWithGrace(options, async ({ err }) => {
    isClosing = true;
    if (err !== undefined) app.log.fatal(err);
    await closeGently(app);
  });
  onTerminalGone(() => isClosing || close());
}

/** How long answers are waited for, in milliseconds, and the signals that do not close. */
export function toClosing(configuration: Configuration) {
  const reloading = process.listenerCount("SIGHUP") > 0 ? (["SIGHUP"] as const) : [];
  return { delay: isOfOne(configuration) ? CLOSING_OWN_MS : CLOSING_MS, skip: [...CRASHES, ...reloading] };
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
 * Refuses a port that another program has on one of the loopback addresses. Browsers try both for localhost, and the
 * framework does not report a failure of the second: that program would receive the companion's visitors.
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

async function toListenError(
  error: NodeJS.ErrnoException & { port?: number },
  host: string,
  port: number,
): Promise<Error> {
  const { code = "", port: taken = port } = error;
  if (code === "EADDRINUSE") {
    const start = toStartAt(taken < LARGEST_PORT ? taken + 1 : taken - 1);
    const holder = await findCompanion(host, taken);
    if (typeof holder === "string")
      return new Error(`Port ${taken} is taken. Stop the program that holds it, or choose another one: ${start}`);
    return new RunsAlready(
      `FEED for Excel runs already at ${holder.origin}. Use that one, or stop it first; one that starts at log-on ends by: ${toCommand("service off")}. For a second one: ${start}`,
    );
  }
  if (code === "EACCES")
    return new Error(`Port ${port} needs more rights than this program has. Choose one above 1023 with PORT.`);
  if (NO_SUCH_ADDRESS.includes(code))
    return new ConfigurationError(["HOST is no address of this machine. Unset HOST, or set it to 127.0.0.1."]);
  return error;
}

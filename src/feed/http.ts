import { DEADLINE_MS, type Deadline, openDeadline } from "./deadline";
import { RequestError, SignerError } from "./errors";
import { createLanes, type Lanes } from "./lanes";
import type { Ports } from "./ports";
import { type Reply, readReply } from "./reply";
import { retryDelayMs } from "./retry";

/** One request as it goes on the wire. */
export interface HttpRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** What it carries that no error may repeat: a bearer token, an assertion. */
  secrets?: readonly string[];
  /** Whether it goes to the companion, so that a failure to reach is the companion's. */
  isToCompanion?: boolean;
}

export interface SendOptions {
  /** Ends the whole effort when aborted. */
  signal?: AbortSignal | undefined;
  /** Time for all tries together, in milliseconds; default 30,000. */
  timeoutMs?: number;
}

export interface Http {
  /**
   * Sends a request and reads its JSON answer; tries again after a failure that may pass.
   * This is the only place that retries.
   *
   * @param createRequest makes the request anew for each try: a retried token request needs a fresh assertion
   * @throws RequestError (by status, FEED_NETWORK_FAILED, FEED_TIMED_OUT); SignerError (FEED_SIGNER_UNREACHABLE); whatever `createRequest` throws
   */
  send(createRequest: () => Promise<HttpRequest>, options?: SendOptions): Promise<Reply>;
}

/** One try; a slow but living provider gets two within the deadline. */
const ATTEMPT_MS = 15_000;

/** @param requestsAtOnce how many requests may be under way at a time, 1 or more; the others wait in their order */
export function createHttp(ports: Ports, requestsAtOnce: number): Http {
  const lanes = createLanes(requestsAtOnce);
  return {
    async send(createRequest, { signal, timeoutMs = DEADLINE_MS } = {}) {
      const deadline = openDeadline(ports, timeoutMs, signal);
      try {
        for (let attempt = 1; ; attempt++) {
          // What fails here is another request, such as a signature, which had its own tries.
          const request = await deadline.race(createRequest());
          try {
            return await deadline.race(attemptOnce(ports, lanes, request, deadline.signal));
          } catch (error) {
            deadline.signal.throwIfAborted();
            const delayMs = retryDelayMs(error, attempt, deadline.remainingMs(), ports.random());
            if (delayMs === null) throw error;
            await pause(ports, deadline, delayMs);
          }
        }
      } finally {
        deadline.close();
      }
    },
  };
}

/** Waits, but not beyond the deadline, and leaves no timer behind. */
async function pause(ports: Ports, deadline: Deadline, delayMs: number): Promise<void> {
  let callOff = () => {};
  try {
    await deadline.race(
      new Promise<void>((resolve) => {
        callOff = ports.after(delayMs, resolve);
      }),
    );
  } finally {
    callOff();
  }
}

async function attemptOnce(ports: Ports, lanes: Lanes, request: HttpRequest, life: AbortSignal): Promise<Reply> {
  const { url, secrets = [], isToCompanion = false, ...init } = request;
  const leave = await lanes.enter(life);
  const attempt = openDeadline(ports, ATTEMPT_MS, life);
  try {
    const exchange = async () => {
      const response = await fetchOnce(ports, url, { ...init, signal: attempt.signal }, isToCompanion);
      return readReply(response, ports.nowMs(), secrets);
    };
    return await attempt.race(exchange());
  } finally {
    attempt.close();
    leave();
  }
}

const COMPANION_DOWN = "the companion does not answer; start it (npm start), then connect in the FEED pane";

/** Redirects are not followed: the provider has none, so one leads to somebody's sign-in page. */
async function fetchOnce(ports: Ports, url: string, init: RequestInit, isToCompanion: boolean): Promise<Response> {
  try {
    return await ports.fetch(url, { ...init, redirect: "manual", credentials: "omit", cache: "no-store" });
  } catch (error) {
    if (init.signal?.aborted) throw init.signal.reason;
    if (isToCompanion) throw new SignerError("FEED_SIGNER_UNREACHABLE", COMPANION_DOWN);
    const reason = error instanceof Error ? error.message : String(error);
    throw new RequestError("FEED_NETWORK_FAILED", `the provider was not reached (${reason}); check the connection`);
  }
}

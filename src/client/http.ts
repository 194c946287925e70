import { CLIENT_HEADER, CLIENT_NAME, PAIRING_HEADER, REQUEST_HEADER } from "../contract/companion-api";
import { COMPANION_DOWN, needsPairing, RequestError, SignerError } from "./errors";
import { DEADLINE_MS, type Deadline, openDeadline, pauseWithin, untilAborted } from "./http/deadline";
import { createFamilies, type Families, type Pass, type Server } from "./http/families";
import { createHedgeBudget, type HedgeBudget, hedge, type Ready } from "./http/hedge";
import { createRequestLog, type OpenRequest, type RequestRecorder } from "./http/request-log";
import { type Reply, readReply } from "./http/response";
import { mayPass, retryDelayMs } from "./http/retry";
import { msg } from "./messages";
import type { Ports } from "./ports";

/** The provider's address, as this client reaches it. */
export interface Connection {
  /** The provider's base URL, or the companion's relay to it. */
  baseUrl: string;
  /** The token endpoint, {base URL}/token (§4.1). */
  tokenUrl: string;
  /** Whether both are the companion's relay. */
  isRelayed: boolean;
  /** Largest batch of companies: above 25 for a companion that splits batches itself; default 25. */
  companiesAtOnce?: number;
  /** The client that the companion must still serve when it signs again; absent while its configuration is new. */
  owner?: string;
}

/** One request as it goes on the wire. */
export interface HttpRequest {
  method: string;
  url: string;
  /** Its name in the log; default the path of its URL, which must hold no id then. */
  operation?: string;
  headers: Record<string, string>;
  body?: string;
  /** Secrets that no error may repeat: a bearer token, an assertion. */
  secrets?: readonly string[];
  /** Whether it goes to the companion: it then carries the pairing, and a network failure is the companion's. */
  isToCompanion?: boolean;
}

/** This page's pairing with the companion. */
export interface Pairing {
  /** The pairing's bearer; null where there is none. */
  bearer(): string | null;
  /** Called where the companion refuses a request as unpaired, with the bearer that it was sent with. */
  refused(error: SignerError, bearer: string | null): void;
}

interface SendOptions {
  /** The server whose pauses apply; default none. */
  server?: Server;
  /** Time for all attempts together, in milliseconds, without the wait for a slot; default 30,000. */
  timeoutMs?: number;
  /** The deadline of the whole effort, in place of that time. */
  deadline?: Deadline;
  /** Called with each request's number in the log. */
  onRequest?: (request: number) => void;
}

export interface Http {
  /**
   * Sends a request and reads its JSON answer. It retries failures that may pass, and sends a hedge beside a slow
   * request. This is the only place that retries.
   *
   * @param createRequest makes the request anew for each attempt, once a slot is free: its contents may expire in a
   *   queue, and a repeated token request needs a fresh assertion. It must not send through the same slots.
   * @throws RequestError (by status, FEED_NETWORK_FAILED, FEED_TIMED_OUT); SignerError (FEED_SIGNER_UNREACHABLE,
   *   FEED_SIGNER_REFUSED); whatever `createRequest` throws
   */
  send(createRequest: () => Promise<HttpRequest>, options?: SendOptions): Promise<Reply>;
}

/** Share of the remaining time before a hedge goes out: as much is left for the hedge. */
const ALONE_SHARE = 0.5;

/** With less time left no hedge goes out. */
const SHORTEST_HEDGE_MS = 3_000;

/** A limit of its own, since hedged requests hold the other slots; a browser opens no more connections. */
const HEDGES_AT_ONCE = 1;

/** The parts that requests share. */
interface Wire {
  ports: Ports;
  families: Families;
  limit: ConcurrencyLimit;
  hedgeLimit: ConcurrencyLimit;
  hedges: HedgeBudget;
  pairing: Pairing;
  recorder: RequestRecorder;
}

const UNPAIRED: Pairing = { bearer: () => null, refused: () => {} };

interface HttpOptions {
  /** Default none, as at a companion with sample data. */
  pairing?: Pairing | undefined;
  /** Default one that nobody reads. */
  recorder?: RequestRecorder;
  /** The circuit breakers; default new ones. */
  families?: Families;
}

/** @param requestsAtOnce how many requests may be under way at a time, 1 or more; the others wait in their order */
export function createHttp(ports: Ports, requestsAtOnce: number, options: HttpOptions = {}): Http {
  const { pairing = UNPAIRED, families = createFamilies(ports) } = options;
  const { recorder = createRequestLog(ports.nowMs).recorderOf("data") } = options;
  const wire = {
    ports,
    families,
    pairing,
    recorder,
    limit: createConcurrencyLimit(requestsAtOnce),
    hedgeLimit: createConcurrencyLimit(HEDGES_AT_ONCE),
    hedges: createHedgeBudget(),
  };
  return {
    async send(createRequest, { timeoutMs = DEADLINE_MS, deadline, ...rest } = {}) {
      const effort = { createRequest, isHedged: false, ...rest };
      const own = deadline ?? openDeadline(ports, timeoutMs);
      try {
        return await sendWithin(wire, { ...effort, deadline: own });
      } catch (error) {
        families.giveUp(rest.server, error);
        throw error;
      } finally {
        if (own !== deadline) own.close();
      }
    },
  };
}

/** The whole effort for one answer. */
interface Effort extends Pick<SendOptions, "server" | "onRequest"> {
  createRequest: () => Promise<HttpRequest>;
  deadline: Deadline;
  /** Whether a hedge went out: one is enough. */
  isHedged: boolean;
}

async function sendWithin(wire: Wire, effort: Effort): Promise<Reply> {
  const { ports, families } = wire;
  const { server, deadline } = effort;
  for (let attempt = 1; ; attempt++) {
    const attemptOnce = await prepareAttempt(wire, effort);
    try {
      return await attemptOnce();
    } catch (error) {
      deadline.signal.throwIfAborted();
      const delayMs = retryDelayMs(error, attempt, deadline.remainingMs(), ports.random());
      if (delayMs === null || !families.mayRetry(server)) throw error;
      await pauseWithin(ports, deadline, delayMs);
    }
  }
}

/**
 * Waits for a slot and creates the request. Creation is not retried here: its own requests, such as a signature, were
 * retried already.
 */
async function prepareAttempt(wire: Wire, effort: Effort): Promise<() => Promise<Reply>> {
  const { createRequest, deadline } = effort;
  const { pass, leave } = await acquireSlot(wire, effort);
  const toReady = (request: HttpRequest, leave: () => void): Ready<Reply> => ({
    send: (life) => exchangeOnce(wire, request, life, effort),
    leave,
  });
  const request = await deadline.race(createRequest()).catch((reason) => {
    leave();
    pass.end(null);
    throw reason;
  });
  const prepareHedge = async (life: AbortSignal) => {
    const leaveHedges = await wire.hedgeLimit.acquire(life);
    try {
      if (!mayHedge(effort, pass) || !wire.hedges.take()) throw new Error("no second request may go out");
      effort.isHedged = true;
      return toReady(await untilAborted(life, createRequest()), leaveHedges);
    } catch (error) {
      leaveHedges();
      throw error;
    }
  };
  const first = toReady(request, leave);
  const aloneForMs = deadline.remainingMs() * ALONE_SHARE;
  const isFinal = (_answer: Reply | undefined, error?: unknown) => !mayPass(error);
  return () => hedge(wire.ports, { first, aloneForMs, prepareHedge, isFinal, life: deadline.signal, end: pass.end });
}

const mayHedge = ({ isHedged, deadline }: Effort, pass: Pass): boolean =>
  !isHedged && pass.mayHedge() && deadline.remainingMs() >= SHORTEST_HEDGE_MS;

/** Takes a slot, except during a pause of the server, also where that began while the request waited. */
async function acquireSlot(
  { families, limit }: Wire,
  { server, deadline }: Effort,
): Promise<{ pass: Pass; leave: () => void }> {
  for (;;) {
    const pass = await families.enter(server, deadline);
    const leave = await deadline.awaitSlot(limit.acquire(deadline.signal)).catch((reason) => {
      pass.end(null);
      throw reason;
    });
    if (pass.isOpen()) return { pass, leave };
    leave();
    pass.end(null);
  }
}

async function exchangeOnce(
  wire: Wire,
  request: HttpRequest,
  life: AbortSignal,
  { onRequest }: Effort,
): Promise<Reply> {
  const { ports, pairing, recorder } = wire;
  const { isToCompanion = false, operation = new URL(request.url).pathname } = request;
  // Read for each request, since another window may have paired meanwhile. The provider never gets it.
  const bearer = isToCompanion ? pairing.bearer() : null;
  const logged = recorder.begin(operation);
  onRequest?.(logged.number);
  try {
    const reply = await untilAborted(life, exchange(ports, request, bearer, life, logged));
    logged.end();
    wire.hedges.earn();
    return reply;
  } catch (error) {
    logged.end(error);
    if (needsPairing(error)) pairing.refused(error, bearer);
    throw error;
  }
}

async function exchange(
  ports: Ports,
  { method, url, headers, body, secrets = [], isToCompanion = false }: HttpRequest,
  bearer: string | null,
  signal: AbortSignal,
  logged: OpenRequest,
): Promise<Reply> {
  const init = {
    method,
    headers: isToCompanion ? { ...headers, ...toApiHeaders(bearer) } : headers,
    ...(body !== undefined && { body }),
    signal,
  };
  const response = await fetchOnce(ports, url, init, isToCompanion);
  logged.answer(response.status, isToCompanion ? response.headers.get(REQUEST_HEADER) : null);
  const all = bearer === null ? secrets : [...secrets, bearer];
  const pause = () => new Promise<void>((resolve) => void ports.after(0, resolve));
  return readReply(response, ports.nowMs(), all, isToCompanion, logged.receive, pause);
}

const toApiHeaders = (bearer: string | null): Record<string, string> => ({
  [CLIENT_HEADER]: CLIENT_NAME,
  ...(bearer !== null && { [PAIRING_HEADER]: bearer }),
});

/**
 * Fetches once. Redirects are not followed: the provider has none, so one leads to a sign-in page. The companion's
 * answers are revalidated, the provider's never cached.
 */
async function fetchOnce(ports: Ports, url: string, init: RequestInit, isToCompanion: boolean): Promise<Response> {
  const cache = isToCompanion ? "no-cache" : "no-store";
  try {
    return await ports.fetch(url, { ...init, redirect: "manual", credentials: "omit", cache });
  } catch (error) {
    if (init.signal?.aborted) throw init.signal.reason;
    if (isToCompanion) throw new SignerError("FEED_SIGNER_UNREACHABLE", COMPANION_DOWN);
    // A browser does not tell a page whether the network failed or CORS forbids the answer.
    const reason = error instanceof Error ? error.message : String(error);
    throw new RequestError(
      "FEED_NETWORK_FAILED",
      msg`the provider was not reached (${reason}); check the connection; if the provider lets no web page in (CORS), set FEED_TRANSPORT=proxy at the companion`,
    );
  }
}

/** Limits how many requests run at once; the others wait in order. */
interface ConcurrencyLimit {
  /** Resolves when a slot is free, with the function that frees it again. Rejects when `signal` aborts first. */
  acquire(signal: AbortSignal): Promise<() => void>;
}

/** @param width how many may run at once, 1 or more */
export function createConcurrencyLimit(width: number): ConcurrencyLimit {
  let free = width;
  const waiting = new Set<() => void>();

  const leave = () => {
    const [next] = waiting;
    if (next === undefined) free++;
    else next();
  };

  return {
    async acquire(signal) {
      signal.throwIfAborted();
      if (free > 0) free--;
      else {
        await new Promise<void>((resolve, reject) => {
          const giveUp = () => {
            waiting.delete(proceed);
            reject(signal.reason);
          };
          const proceed = () => {
            waiting.delete(proceed);
            signal.removeEventListener("abort", giveUp);
            resolve();
          };
          waiting.add(proceed);
          signal.addEventListener("abort", giveUp, { once: true });
        });
      }
      let left = false;
      return () => {
        if (!left) leave();
        left = true;
      };
    },
  };
}

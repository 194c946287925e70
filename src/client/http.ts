import { CLIENT_HEADER, CLIENT_NAME, PAIRING_HEADER } from "../contract/companion-api";
import { COMPANION_DOWN, needsPairing, RequestError, SignerError } from "./errors";
import { type ConcurrencyLimit, createConcurrencyLimit } from "./http/concurrency-limit";
import { DEADLINE_MS, type Deadline, openDeadline, pauseWithin, untilAborted } from "./http/deadline";
import { createFamilies, type Families, type Pass, type Server } from "./http/families";
import { createHedgeBudget, type HedgeBudget, hedge, type Ready } from "./http/hedge";
import { createRequestLog, type OpenRequest, type RequestRecorder } from "./http/request-log";
import { type Reply, readReply } from "./http/response";
import { mayPass, retryDelayMs } from "./http/retry";
import type { Ports } from "./ports";

/** Where the provider is, as this client reaches it. */
export interface Connection {
  /** The provider's base URL, or the companion's relay to it. */
  baseUrl: string;
  /** The token endpoint, {base URL}/token (§4.1). */
  tokenUrl: string;
  /** Whether both are the companion's relay. */
  isRelayed: boolean;
  /** How many companies may be asked for at once: more than 25 of a companion that takes requests apart itself; default 25. */
  companiesAtOnce?: number;
  /** Whom the companion must still serve when it signs again; absent while its configuration has just been read. */
  owner?: string;
}

/** One request as it goes on the wire. */
export interface HttpRequest {
  method: string;
  url: string;
  /** What the log calls it; default the path of its address, which must hold no id then. */
  operation?: string;
  headers: Record<string, string>;
  body?: string;
  /** What it carries that no error may repeat: a bearer token, an assertion. */
  secrets?: readonly string[];
  /** Whether it goes to the companion, so that it says who asks, and a failure to reach is the companion's. */
  isToCompanion?: boolean;
}

/** What the companion knows this page by. */
export interface Pairing {
  /** The bearer that pairing gave; null where there is none. */
  bearer(): string | null;
  /** Is told that the companion answered as to a stranger, and to which bearer. */
  refused(error: SignerError, bearer: string | null): void;
}

interface SendOptions {
  /** Whose pauses it keeps; default nobody's. */
  server?: Server;
  /** Time for all tries together, in milliseconds, the wait for a turn not counted; default 30,000. */
  timeoutMs?: number;
  /** The span that the whole effort is part of, in place of that time. */
  deadline?: Deadline;
  /** Is told the number of each request that goes out, as the log has it. */
  onRequest?: (request: number) => void;
}

export interface Http {
  /**
   * Sends a request and reads its JSON answer; tries again after a failure that may pass, and once beside a request to a
   * server that is slow. This is the only place that retries.
   *
   * @param createRequest makes the request anew for each try, when it is its turn: what it carries may grow old in a
   *   queue, and a retried token request needs a fresh assertion; it must not send by the same lanes
   * @throws RequestError (by status, FEED_NETWORK_FAILED, FEED_TIMED_OUT); SignerError (FEED_SIGNER_UNREACHABLE,
   *   FEED_SIGNER_REFUSED); whatever `createRequest` throws
   */
  send(createRequest: () => Promise<HttpRequest>, options?: SendOptions): Promise<Reply>;
}

/** Which share of the time that is left a request is waited for alone: as much is left for the one beside it. */
const ALONE_SHARE = 0.5;

/** In less than this no second request is worth sending. */
const SHORTEST_HEDGE_MS = 3_000;

/** In a lane of its own, since those that are hedged hold the others; a browser opens no more connections. */
const HEDGES_AT_ONCE = 1;

/** What a request goes out by. */
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
  /** Who pauses; default nobody yet. */
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

/** All that is done for one answer. */
interface Effort extends Pick<SendOptions, "server" | "onRequest"> {
  createRequest: () => Promise<HttpRequest>;
  deadline: Deadline;
  /** Whether a request went out beside another one: once is enough. */
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

/** Waits until a request may go out and makes it; what fails here is another request, such as a signature, which had its own tries. */
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

/** Takes a lane, but none for a server that pauses, also where that began while the request waited for it. */
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
  // Read for each request: another window may have paired meanwhile. The provider hears nothing of it.
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
  logged.answer(response.status);
  const all = bearer === null ? secrets : [...secrets, bearer];
  return readReply(response, ports.nowMs(), all, isToCompanion, logged.receive);
}

const toApiHeaders = (bearer: string | null): Record<string, string> => ({
  [CLIENT_HEADER]: CLIENT_NAME,
  ...(bearer !== null && { [PAIRING_HEADER]: bearer }),
});

/** A browser tells no page whether the network failed or the provider lets no page of ours read its answers. */
const REACH =
  "check the connection; if the provider lets no web page in (CORS), set FEED_TRANSPORT=proxy at the companion";

/**
 * Redirects are not followed: the provider has none, so one leads to somebody's sign-in page. What the companion lets a
 * browser keep is asked for again each time, and comes again only where it has changed.
 */
async function fetchOnce(ports: Ports, url: string, init: RequestInit, isToCompanion: boolean): Promise<Response> {
  const cache = isToCompanion ? "no-cache" : "no-store";
  try {
    return await ports.fetch(url, { ...init, redirect: "manual", credentials: "omit", cache });
  } catch (error) {
    if (init.signal?.aborted) throw init.signal.reason;
    if (isToCompanion) throw new SignerError("FEED_SIGNER_UNREACHABLE", COMPANION_DOWN);
    const reason = error instanceof Error ? error.message : String(error);
    throw new RequestError("FEED_NETWORK_FAILED", `the provider was not reached (${reason}); ${REACH}`);
  }
}

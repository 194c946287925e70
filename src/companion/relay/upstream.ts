import type { FastifyReply } from "fastify";
import type { Dispatcher } from "undici";
import { type HedgeBudget, hedge } from "../../client/http/hedge";
import { createConnections, DIRECT, findNetworkFailure, type Network } from "../network";
import { Refusal } from "../refusal";

const CONNECTIONS = 128;
/** Not packed, since errors are searched for secrets. */
const ACCEPTED = { accept: "application/json", "accept-encoding": "identity" };
export const LARGEST_ANSWER_BYTES = 64 * 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_TOTAL_MS = 120_000;
/** For reads that several callers share: no pane waits for longer. */
const LONGEST_READ_MS = 30_000;
/** A pane waits for 30 seconds, part of which passes before a request goes out. */
const ALONE_MS = 10_000;

export interface UpstreamOptions {
  /** Milliseconds to the provider's first byte, and between two; default 30000. */
  timeoutMs?: number;
  /** Milliseconds for a whole answer; default 120000, and at most 30000 for a shared read. */
  totalMs?: number;
  /** Milliseconds before a hedge goes out beside a slow shared read; default 10000. */
  aloneMs?: number;
  /** How the provider is reached; default directly. */
  network?: Network;
}

/** A request as it leaves: no other header of the caller is sent. */
export interface UpstreamRequest {
  method: "GET" | "POST";
  /** The provider's. */
  baseUrl: string;
  /** The operation's path and query, validated; appended to the base URL. */
  path: string;
  authorization: string | undefined;
  contentType: string | undefined;
  body: Buffer | undefined;
  /** Aborts a request that belongs to no caller. */
  signal?: AbortSignal;
}

/** The connections to the provider. */
export interface Upstream {
  /**
   * Sends a request once, without following redirects. The client retries, since it knows the query's deadline. A
   * request with a caller is aborted when the caller leaves.
   * @throws Refusal (FEED_TIMED_OUT, FEED_NETWORK_FAILED; 499 for the log when the caller has left)
   */
  send(request: UpstreamRequest, caller?: FastifyReply): Promise<Dispatcher.ResponseData>;
  close(): Promise<void>;
}

/** Creates the connections to the provider. */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, totalMs = DEFAULT_TOTAL_MS, network = DIRECT } = options;
  const agent = createConnections(network, {
    connections: CONNECTIONS,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: LARGEST_ANSWER_BYTES,
  });
  return {
    async send({ method, baseUrl, path, authorization, contentType, body, signal: given }, caller) {
      const { origin, pathname } = new URL(baseUrl);
      const headers: Record<string, string> = { ...ACCEPTED };
      if (authorization !== undefined) headers.authorization = authorization;
      if (contentType !== undefined) headers["content-type"] = contentType;
      const signal = caller === undefined ? limitRead(totalMs, given) : watchCaller(caller, totalMs);
      try {
        return await agent.request({ origin, path: pathname.replace(/\/$/, "") + path, method, headers, body, signal });
      } catch (error) {
        throw toUpstreamRefusal(error as Error);
      }
    },
    close: () => agent.destroy(),
  };
}

/** A request that belongs to no caller. */
interface HedgedRequest<T> {
  /** When the hedge goes out, in milliseconds; default 10000. */
  aloneMs?: number | undefined;
  hedges: HedgeBudget;
  send(signal: AbortSignal): Promise<T>;
  /** Whether a hedge may go out; takes it from the budget. */
  mayHedge(): Promise<boolean>;
  /** Whether an answer ends both requests, since no retry would change it. */
  isFinal(answer: T): boolean;
}

/** Sends a shared request, and a hedge where it is slow. */
export async function sendHedged<T>(request: HedgedRequest<T>): Promise<T> {
  const { aloneMs = ALONE_MS, hedges, send, mayHedge, isFinal } = request;
  const ready = { send, leave: () => {} };
  const answer = await hedge(TIMERS, {
    first: ready,
    aloneForMs: aloneMs,
    async prepareHedge() {
      if (!(await mayHedge())) throw new Error("no second request may go out");
      return ready;
    },
    isFinal: (answer) => answer !== undefined && isFinal(answer),
    life: new AbortController().signal, // each request has its own end
    end: () => {},
  });
  hedges.earn();
  return answer;
}

/** Timers that do not keep the process alive. */
export const TIMERS = {
  after(delayMs: number, callback: () => void) {
    const timer = setTimeout(callback, delayMs).unref();
    return () => clearTimeout(timer);
  },
};

function limitRead(totalMs: number, given: AbortSignal | undefined): AbortSignal {
  const late = AbortSignal.timeout(Math.min(totalMs, LONGEST_READ_MS));
  return given === undefined ? late : AbortSignal.any([late, given]);
}

/** Gives a signal that aborts when the caller leaves or the time is over. */
function watchCaller({ raw }: FastifyReply, totalMs: number): AbortSignal {
  const life = new AbortController();
  const abort = (name: "AbortError" | "TimeoutError") => life.abort(new DOMException("", name));
  const timer = setTimeout(() => abort("TimeoutError"), totalMs);
  timer.unref();
  raw.once("close", () => {
    clearTimeout(timer);
    if (!raw.writableFinished) abort("AbortError");
  });
  if (raw.destroyed) abort("AbortError");
  return life.signal;
}

const TIMEOUTS = ["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT", "UND_ERR_CONNECT_TIMEOUT"];

/** Only the error's code is passed on, or what is in the way: a parser's error can quote the answer. */
export function toUpstreamRefusal(error: Error & { code?: unknown }): Refusal {
  const { name, code } = error;
  if (name === "AbortError") return new Refusal(499, "The caller left before the provider had answered.");
  if (name === "TimeoutError" || TIMEOUTS.includes(String(code))) {
    const sentence = "The provider did not answer in time; try again later, or check FEED_BASE_URL and the network.";
    return new Refusal(504, sentence, "FEED_TIMED_OUT");
  }
  const failure = findNetworkFailure(error);
  const detail = typeof code === "string" ? ` (${code})` : "";
  const sentence =
    failure === undefined
      ? `The provider could not be reached${detail}; check FEED_BASE_URL and the network.`
      : `The provider could not be reached: ${failure.message}; ${failure.cure}.`;
  return new Refusal(502, sentence, "FEED_NETWORK_FAILED");
}

import { request } from "undici";
import { readGrant } from "../client/auth/token";
import { readRetryAfterMs } from "../client/http/retry";
import { ASSERTION_TYPE, GRANT_TYPE } from "../contract/constants";
import { readDateMs, toSkewMs } from "./clock";
import { parseJson } from "./json";
import { createConnections, DIRECT, findNetworkFailure, type Network } from "./network";
import { createRedact } from "./redaction";
import { unpack } from "./unpack";

const TIMEOUT_MS = 20_000;
const LARGEST_ANSWER_BYTES = 64 * 1024;
const HEADERS = {
  "content-type": "application/x-www-form-urlencoded",
  accept: "application/json",
  "accept-encoding": "identity",
};
const LONGEST_REASON = 300;

/** The result of an exchange: a token, or the reason without one. */
export type Exchange = (Granted | Declined) & Clocked;

interface Clocked {
  /** The provider's time by its Date header, in milliseconds since 1970. */
  dateMs?: number;
  /** This computer's lead over it, in milliseconds; negative where it is behind. */
  skewMs?: number;
}

interface Granted {
  ok: true;
  /** A secret: for memory only. */
  token: string;
  /** Above 0, at most 3600; default 300. */
  expiresInSeconds: number;
}

interface Declined {
  ok: false;
  /** 0 when no answer came. */
  status: number;
  /** The reason, without any of the assertion; made to follow "the provider". */
  reason: string;
  /** The provider's own words within it; absent without any. */
  said?: string;
  /** What to do where a proxy or a certificate is in the way; absent otherwise. */
  cure?: string;
  /** The requested wait in milliseconds, as of {@link readWaitMs}. */
  waitMs?: number;
}

/**
 * Exchanges an assertion for an access token (§4.1, §5.3), without following redirects; never throws.
 * @param options.timeoutMs From the first byte sent to the last received; default 20000.
 * @param options.network How the provider is reached; default directly.
 * @param options.nowMs This computer's clock, in milliseconds since 1970; default Date.now.
 * @param options.signal Aborts it, as where another exchange was answered.
 */
export async function exchangeAssertion(
  tokenUrl: string,
  clientId: string,
  assertion: string,
  options: { timeoutMs?: number; network?: Network; nowMs?: () => number; signal?: AbortSignal } = {},
): Promise<Exchange> {
  const { timeoutMs = TIMEOUT_MS, network = DIRECT, nowMs = Date.now, signal } = options;
  const late = AbortSignal.timeout(timeoutMs);
  const form = {
    grant_type: GRANT_TYPE,
    client_id: clientId,
    client_assertion_type: ASSERTION_TYPE,
    client_assertion: assertion,
  };
  // One agent per exchange: the next one is minutes away.
  const dispatcher = createConnections(network, { maxResponseSize: LARGEST_ANSWER_BYTES });
  const sentAtMs = nowMs();
  try {
    const answer = await request(tokenUrl, {
      method: "POST",
      headers: HEADERS,
      body: new URLSearchParams(form).toString(),
      signal: signal === undefined ? late : AbortSignal.any([late, signal]),
      dispatcher,
    });
    const dateMs = readDateMs(answer.headers.date);
    const clocked = { dateMs, skewMs: toSkewMs(dateMs, sentAtMs, nowMs()) };
    const packed = Buffer.from(await answer.body.arrayBuffer());
    const bytes = await unpack(packed, answer.headers["content-encoding"], LARGEST_ANSWER_BYTES);
    const waitMs = readWaitMs(answer.headers, nowMs());
    return { ...readAnswer(answer.statusCode, waitMs, bytes?.toString(), assertion), ...clocked };
  } catch (error) {
    const reason = toReason(error as Error & { code?: string }, timeoutMs);
    return { ok: false, status: 0, reason, cure: findNetworkFailure(error)?.cure };
  } finally {
    await dispatcher.destroy();
  }
}

/** Longest accepted wait. */
const LONGEST_WAIT_MS = 10 * 60_000;

/**
 * Reads the wait that an answer requests.
 * @returns Milliseconds above 0, 10 minutes at most; absent where it requests none.
 */
export function readWaitMs(headers: Readonly<Record<string, unknown>>, nowMs: number): number | undefined {
  const { "retry-after": retryAfter = "", date = "" } = headers;
  return Math.min(readRetryAfterMs(String(retryAfter), String(date), nowMs) ?? 0, LONGEST_WAIT_MS) || undefined;
}

function readAnswer(
  status: number,
  waitMs: number | undefined,
  text: string | undefined,
  assertion: string,
): Granted | Declined {
  const decline = (reason: string, said?: string): Declined => ({ ok: false, status, reason, said, waitMs });
  if (status >= 300 && status < 400) return decline(`answered with a redirect (${status}), which is not followed`);
  if (text === undefined) return decline("answered in a packed form that cannot be read");
  const body: Record<string, unknown> = Object(parseJson(text));
  if (status < 200 || status >= 300) {
    const said = readSaid(body, assertion);
    return said === "" ? decline(`refused (${status})`) : decline(`refused (${status}, ${said})`, said);
  }
  const grant = readGrant(body);
  if (grant === undefined) return decline("answered without an access token");
  const { token, lifetimeMs } = grant;
  if (Number.isNaN(lifetimeMs)) return decline("gave a token whose expires_in is no number of seconds");
  if (lifetimeMs <= 0) return decline("gave a token that has ended already");
  return { ok: true, token, expiresInSeconds: lifetimeMs / 1000 };
}

/** Reads OAuth's error body, or the ranking family's (§7): the API document shows none of this endpoint. */
function readSaid({ error, error_description }: Record<string, unknown>, assertion: string): string {
  const { code, message } = Object(error);
  const said = [error, error_description, code, message].filter((part) => typeof part === "string").join(": ");
  return tidy(said, assertion);
}

/** Redacts the assertion, which a provider may quote, and removes control characters, which a terminal would obey. */
function tidy(text: string, assertion: string): string {
  const plain = createRedact([assertion])(text).replaceAll(/\p{C}+/gu, " ");
  return plain.trim().slice(0, LONGEST_REASON);
}

function toReason(error: Error & { code?: string }, timeoutMs: number): string {
  if (error.name === "AbortError") return "was not waited for any more";
  if (error.name === "TimeoutError") return `did not answer within ${timeoutMs / 1000} seconds`;
  const failure = findNetworkFailure(error);
  if (failure !== undefined) return `could not be reached: ${failure.message}`;
  if (error.code === "UND_ERR_RES_EXCEEDED_MAX_SIZE") return "answered with more than any token";
  return error.code === undefined ? "could not be reached" : `could not be reached (${error.code})`;
}

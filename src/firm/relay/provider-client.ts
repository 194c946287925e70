import type { FastifyBaseLogger } from "fastify";
import type { Pass } from "../../client/http/families";
import { createHedgeBudget } from "../../client/http/hedge";
import { readWaitMs } from "../../companion/exchange";
import type { ProviderQuery } from "../../companion/feature";
import { toLevel } from "../../companion/log";
import type { Provider } from "../../companion/provider";
import { Refusal } from "../../companion/refusal";
import type { ProviderAnswer } from "../../companion/relay/answer";
import type { AccessToken, Declined, LogContext, RelayToken } from "../../companion/relay/token";
import { sendHedged, type Upstream } from "../../companion/relay/upstream";
import { type Family, OPERATION_FAMILIES, OPERATIONS, type ReadOperation } from "../../contract/constants";
import { traceStep } from "../reporting/trace";
import type { FirmStores } from "../stores";
import { createCircuitBreaker, type NotifyPause } from "./circuit-breaker";
import { createOutages } from "./outage";
import { createProviderRateLimit } from "./rate-limit";
import { readWholeAnswer, type WholeAnswer } from "./whole-answer";

/** Reads the provider for several callers at once: a caller who leaves does not abort them. */
export interface ProviderClient {
  /**
   * Sends a query: once, again after a refused token, and a second time beside a slow request. The provider's own
   * refusals are answers.
   * @throws Refusal (FEED_RATE_LIMITED during a provider's pause, or beyond the firm's own limit for longer than a
   *   caller waits; FEED_TIMED_OUT, FEED_NETWORK_FAILED; FEED_SERVER_FAILED of an unusable answer); Error of the signer.
   */
  load(query: ProviderQuery): Promise<ProviderAnswer>;
}

interface ProviderClientOptions {
  provider: () => Provider;
  upstream: Upstream;
  token: RelayToken;
  stores: Pick<FirmStores, "createSharedLimit">;
  /** Default none. */
  notifyPause?: NotifyPause | undefined;
  /** Requests a minute, all instances together. */
  perMinute: number;
  /** Gets a line for each refusal of the provider and for each exchange. */
  log: FastifyBaseLogger;
  /** In milliseconds since 1970; default Date.now. */
  nowMs?: () => number;
  /** As of UpstreamOptions. */
  aloneMs?: number | undefined;
}

/** Creates the firm's client: the provider sees one rate-limited client, however many instances there are. */
export function createProviderClient(options: ProviderClientOptions): ProviderClient {
  const client = createClient(options);
  return { load: async (query) => loadAnswer(client, query, toAbout(query)) };
}

type Client = ReturnType<typeof createClient>;

const createClient = ({ nowMs = Date.now, notifyPause = () => {}, ...options }: ProviderClientOptions) => ({
  ...options,
  nowMs,
  hedges: createHedgeBudget(),
  breaker: createCircuitBreaker(notifyPause, nowMs),
  outages: createOutages(),
  rateLimit: createProviderRateLimit(options.stores, options.perMinute),
});

/** A query as the log and the limits name it: its family, and its operation's path, without ids. */
type About = (typeof KINDS)[number];

async function loadAnswer(
  client: Client,
  query: ProviderQuery,
  about: About,
  isAgain = false,
): Promise<ProviderAnswer> {
  const { token, breaker, log, nowMs } = client;
  const { family, path } = about;
  const logContext = { log, pairing: "all" };
  const entered = await traceStep("turn", () => enter(client, family, logContext));
  if ("declined" in entered) return toAnswer(entered.declined);
  const { pass, held } = entered;
  const recordEnd = client.outages.get(family)!.begin(`${query.path} ${query.body ?? ""}`);
  const giveUp = (error: unknown) => {
    recordEnd(error instanceof Refusal ? "failed" : null);
    pass.end(null);
    throw error;
  };
  const answer = await sendOnce(client, pass, (signal) => send(client, held, query, signal)).catch(giveUp);
  const { traceId, ...passed } = answer;
  const { status, headers } = passed;
  const waitMs = readWaitMs(headers, nowMs());
  recordEnd(status >= 500 && waitMs === undefined ? "failed" : "answered");
  if (status === 429 || (status === 503 && waitMs !== undefined)) breaker.pause(family, pass, waitMs);
  else pass.end();
  if (status === 401 && !isAgain && (await token.renew(held, logContext)))
    return loadAnswer(client, query, about, true);
  if (status >= 400) log[toLevel(status)]({ path, status, traceId }, "the provider refused a call");
  return passed;
}

/** A request that may go out now, with its token; or why there is no token. */
type Entered = { pass: Pass; held: AccessToken } | { declined: Declined };

/** Waits until the provider may get one more request. */
async function enter(client: Client, family: Family, logContext: LogContext): Promise<Entered> {
  // Held during the wait: behind a probe nobody takes a place in the rate limit before its outcome.
  const pass = await client.breaker.enter(family);
  const held = await takeTurn(client, family, logContext).catch((error) => {
    pass.end(null);
    throw error;
  });
  // A pause may have begun meanwhile.
  if ("token" in held && pass.isOpen()) return { pass, held };
  pass.end(null);
  return "token" in held ? enter(client, family, logContext) : { declined: held };
}

async function takeTurn({ outages, rateLimit, token }: Client, family: Family, logContext: LogContext) {
  await outages.get(family)!.awaitOpen();
  const held = await token.load(logContext);
  if (!("token" in held)) return held;
  // The place is taken last, so that requests leave as they take it; the token may have ended meanwhile.
  await rateLimit.acquire();
  return token.load(logContext);
}

/**
 * Sends with a hedge: the second request counts towards the firm's limit, and none goes out during a pause or a probe.
 */
function sendOnce(
  { aloneMs, hedges, rateLimit }: Client,
  pass: Pass,
  send: (signal: AbortSignal) => Promise<WholeAnswer>,
): Promise<WholeAnswer> {
  return sendHedged({
    aloneMs,
    hedges,
    send,
    async mayHedge() {
      if (!pass.mayHedge() || !hedges.take()) return false;
      await rateLimit.acquire();
      return pass.mayHedge();
    },
    isFinal: ({ status }) => status < 500 && status !== 429 && status !== 408,
  });
}

function send(
  { upstream }: Client,
  held: AccessToken,
  { method, path, body }: ProviderQuery,
  signal: AbortSignal,
): Promise<WholeAnswer> {
  const contentType = body === undefined ? undefined : "application/json";
  const authorization = `Bearer ${held.token}`;
  const request = { method, baseUrl: held.provider.baseUrl(), path, authorization, contentType, body, signal };
  return traceStep("request", async (note) => {
    const answer = await upstream.send(request);
    note({ "http.response.status_code": answer.statusCode });
    return readWholeAnswer(answer, held.redact);
  });
}

/**
 * Gives the answer to a read whose exchange was declined. A refused client is answered as a refused token: the pane
 * then exchanges by itself and learns the reason.
 * @throws Refusal (FEED_RATE_LIMITED, FEED_SERVER_FAILED, FEED_NETWORK_FAILED)
 */
function toAnswer({ status, reason, waitMs }: Declined): ProviderAnswer {
  if (status >= 400 && status < 500 && status !== 407 && status !== 429) {
    const headers = { "www-authenticate": 'Bearer error="invalid_token"', "content-type": "application/json" };
    return { status: 401, headers, body: Buffer.from('{"error":{"code":"invalid_token"}}') };
  }
  const seconds = waitMs && Math.ceil(waitMs / 1000);
  const sentence = `The provider gives no token: it ${reason}; try again later.`;
  if (status === 429) throw new Refusal(429, sentence, "FEED_RATE_LIMITED", seconds);
  throw new Refusal(502, sentence, status === 0 ? "FEED_NETWORK_FAILED" : "FEED_SERVER_FAILED", seconds);
}

const KINDS = Object.entries(OPERATION_FAMILIES).map(([operation, family]) => {
  const { path } = OPERATIONS[operation as ReadOperation];
  return { family, path, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`) };
});

/** @throws Error of a path that is no operation's, which nothing here asks for. */
function toAbout({ path: pathWithQuery }: ProviderQuery): About {
  const [path = ""] = pathWithQuery.split("?", 1);
  const kind = KINDS.find(({ pattern }) => pattern.test(path));
  if (kind === undefined) throw new Error("A question to the provider is no operation of the API.");
  return kind;
}

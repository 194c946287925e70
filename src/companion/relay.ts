import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { HELD } from "../contract/companion-api";
import { OPERATION_FAMILIES, OPERATIONS, type OperationId } from "../contract/constants";
import type { Firm } from "../firm/configuration";
import type { ReadRequest } from "../firm/reads/authorisation";
import { type AuthorisedReads, createAuthorisedReads } from "../firm/reads/authorised-reads";
import { checkPageSize, toWho } from "../firm/reads/quota";
import { readWanted } from "../firm/reads/shared/age-limit";
import { checkCompanyCount } from "../firm/reads/shared/split";
import { createSharedReads } from "../firm/reads/shared-reads";
import { createProviderClient } from "../firm/relay/provider-client";
import { createUnread, passSharedOn, type Unread } from "../firm/relay/shared-answer";
import { NO_TRACE, type Trace, traceCache } from "../firm/reporting/trace";
import type { ProviderClock } from "./clock";
import type { Mode } from "./configuration";
import { toCallerId, toLevel } from "./log";
import type { Provider } from "./provider";
import { createRedact } from "./redaction";
import { Refusal } from "./refusal";
import { isPassable, passErrorOn, passOn, readError, readTraceId } from "./relay/answer";
import { createQueryCheck, type Operation, toProviderUrl } from "./relay/provider-url";
import { createRelayToken, type Declined, type RelayToken } from "./relay/token";
import { createUpstream, type Upstream, type UpstreamOptions, type UpstreamRequest } from "./relay/upstream";
import type { Stores } from "./stores";

const BODY_LIMIT_BYTES = 256 * 1024;
/** Longest body of an exchange, and longest bearer, since redaction takes time by the length of the secrets. */
const LARGEST_SECRET_BYTES = 8 * 1024;
const FORM = "application/x-www-form-urlencoded";

/** How the relay reaches the provider, and with whose credentials. */
export interface RelayOptions extends UpstreamOptions {
  /** The current provider; the pane may set up another one at any time. */
  provider: () => Provider;
  /** In "relay" the companion adds the bearer itself and the pane gets no token. */
  mode: Mode;
  clock: ProviderClock;
  stores: Stores;
  /** The current configuration. */
  firm: () => Firm;
  /** Gets the end of each token, in milliseconds since 1970; default none. */
  notifyToken?: (endMs: number) => void;
  /** Traces the companion's own reads; default none. */
  trace?: Trace;
}

interface Relay {
  provider: () => Provider;
  upstream: Upstream;
  /** Absent where the pane holds its own token and reads with it. */
  ownReads: OwnReads | undefined;
}

/** The companion's own token and reads, used in relay mode. */
interface OwnReads {
  token: RelayToken;
  reads: AuthorisedReads;
  unread: Unread;
  nowMs: Stores["nowMs"];
  trace: Trace;
}

/** Adds one route per operation of the contract; the provider can be reached in no other way. */
export async function addRelay(scope: FastifyInstance, options: RelayOptions): Promise<void> {
  const { provider, mode } = options;
  const upstream = createUpstream(options);
  const relay = {
    provider,
    upstream,
    ownReads: mode === "relay" ? createOwnReads(scope, options, upstream) : undefined,
  };
  scope.addHook("onClose", () => upstream.close());
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "buffer" }, async (_request: FastifyRequest, body: Buffer) => body);
  for (const id of Object.keys(OPERATIONS) as OperationId[]) addOperation(scope, id, relay);
}

function createOwnReads({ log }: FastifyInstance, options: RelayOptions, upstream: Upstream): OwnReads {
  const { provider, clock, network, firm, aloneMs, notifyToken, trace = NO_TRACE } = options;
  const level = () => (options.stores.standing() === "shared" ? "store" : "memory");
  const stores = { ...options.stores, answers: traceCache(options.stores.answers, trace, level) };
  const { providerPerMinute: perMinute, personPerMinute, refreshSeconds } = firm();
  const token = createRelayToken({ provider, clock, network, aloneMs, notifyToken });
  const reads = createProviderClient({ provider, upstream, token, stores, perMinute, log, aloneMs, trace });
  const { nowMs } = stores;
  const refreshMs = refreshSeconds * 1000;
  const shared = createSharedReads({ reads, stores, provider, refreshMs, perMinute, nowMs, trace });
  const roles = () => firm().roles;
  const authorised = createAuthorisedReads({ shared, stores, provider, roles, personPerMinute, trace });
  return { token, reads: authorised, unread: createUnread(), nowMs, trace };
}

function addOperation(scope: FastifyInstance, id: OperationId, relay: Relay): void {
  const operation: Operation = OPERATIONS[id];
  const { method, path } = operation;
  const { provider, ownReads } = relay;
  const isToken = id === "createToken";
  const contentType = method === "GET" ? undefined : isToken ? FORM : "application/json";
  const toQuery = createQueryCheck(operation);
  scope.route<{ Params: Record<string, string> }>({
    method,
    url: path.replace(/\{(\w+)\}/g, ":$1"),
    exposeHeadRoute: false,
    bodyLimit: isToken ? LARGEST_SECRET_BYTES : BODY_LIMIT_BYTES,
    // In relay mode a token call may sign, so it is limited as the assertion route is.
    config: { contentType, limit: isToken ? "token" : "other", read: isToken ? undefined : id },
    handler: async (request, reply) => {
      if (isToken && ownReads !== undefined) return answerToken(ownReads.token, request, reply);
      const baseUrl = provider().baseUrl();
      const target = toProviderUrl(baseUrl, path, request.params).slice(baseUrl.length) + toQuery(request.url);
      const authorization = readAuthorization(request);
      const body = request.body as Buffer | undefined;
      if (isToken || ownReads === undefined) {
        const upstreamRequest = { method, baseUrl, path: target, authorization, contentType, body };
        return forward(relay, upstreamRequest, path, request, reply);
      }
      if (authorization !== `Bearer ${HELD}`) return refuseBearer(reply);
      const query = { method, path: target, body };
      return answerShared(ownReads, { operation: id, ids: request.params, query }, request, reply);
    },
  });
}

/** Forwards a call and its answer; logs only failures. */
async function forward(
  { upstream }: Relay,
  upstreamRequest: UpstreamRequest,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const answer = await upstream.send(upstreamRequest, reply);
  const { statusCode: status } = answer;
  if (status < 400) return passOn(answer, reply);
  const redact = createRedact(listSecrets(upstreamRequest));
  const error = await readError(answer, redact);
  const pairing = toCallerId(request);
  const { traceId } = error;
  request.readFacts = { traceId };
  request.log[toLevel(status)]({ pairing, path, status, traceId }, "the provider refused a call");
  return passErrorOn(answer, error, redact, reply);
}

/** Answers from the shared reads, after authorisation. */
async function answerShared(
  { reads, unread, nowMs, trace }: OwnReads,
  readRequest: ReadRequest,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  checkCompanyCount(readRequest.query.body);
  checkPageSize(readRequest.query.path);
  const answer = await trace.read(request.id, readRequest.operation, reply.elapsedTime, async (note) => {
    const read = await reads.read(request.pairing, readRequest, readWanted(request.headers));
    const { status, requested, known } = read;
    note({ "http.response.status_code": status, "feed.requested": requested, "feed.known": known });
    return read;
  });
  const { requested, known, status, body } = answer;
  request.readFacts = { requested, known, traceId: status >= 400 ? readTraceId(body) : undefined };
  unread.add(request.pairing === null ? "sample" : toWho(request.pairing), body.length, reply.raw);
  return passSharedOn(answer, nowMs(), OPERATION_FAMILIES[readRequest.operation], request, reply);
}

/**
 * Answers POST /token in place of the provider (§4.1): the companion makes the exchange and returns only the token's
 * remaining lifetime.
 * @throws Refusal (FEED_NETWORK_FAILED, FEED_SERVER_FAILED) when the provider gave no answer that could be passed on.
 */
async function answerToken(token: RelayToken, request: FastifyRequest, reply: FastifyReply) {
  const result = await token.load({ log: request.log, pairing: toCallerId(request) }, true);
  if (!("token" in result)) return decline(result, reply);
  const seconds = Math.max(1, Math.floor((result.expiresAtMs - Date.now()) / 1000));
  return reply.send({ access_token: HELD, token_type: "bearer", expires_in: seconds });
}

/** Passes the provider's refusal on with its status, so that the pane reports client and key. */
function decline({ status, reason, said, cure, waitMs, dateMs }: Declined, reply: FastifyReply): FastifyReply {
  if (status < 400 || !isPassable(status)) {
    const sentence = `The provider ${reason}; ${cure ?? "check FEED_BASE_URL and the network"}.`;
    throw new Refusal(502, sentence, status === 0 ? "FEED_NETWORK_FAILED" : "FEED_SERVER_FAILED");
  }
  if (waitMs !== undefined) reply.header("retry-after", Math.ceil(waitMs / 1000));
  if (dateMs !== undefined) reply.header("date", new Date(dateMs).toUTCString());
  return reply.code(status).send(said === undefined ? {} : { error: { code: "token_refused", message: said } });
}

/** Refuses as a provider does, so that the pane renews; the companion then exchanges. */
function refuseBearer(reply: FastifyReply): FastifyReply {
  const message = "the companion holds no token for it";
  return reply
    .code(401)
    .header("www-authenticate", 'Bearer error="invalid_token"')
    .send({ error: { code: "invalid_token", message } });
}

/** @throws Refusal (400) */
function readAuthorization({ headers }: FastifyRequest): string | undefined {
  const { authorization = "" } = headers;
  if (authorization.length <= LARGEST_SECRET_BYTES) return headers.authorization;
  throw new Refusal(
    400,
    "The header Authorization is larger than any bearer: send up to 8 KB.",
    "FEED_REQUEST_INVALID",
  );
}

/** Lists the secrets that the pane sent; no log and no cell may repeat them. */
function listSecrets({ authorization = "", contentType, body }: UpstreamRequest): string[] {
  const form = new URLSearchParams(contentType === FORM ? body?.toString() : "");
  return [authorization.replace(/^Bearer /i, ""), form.get("client_assertion") ?? ""];
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Dispatcher } from "undici";
import { HELD } from "../contract/companion-api";
import { OPERATIONS, type OperationId } from "../contract/constants";
import contract from "../contract/generated/openapi.json";
import type { ProviderClock } from "./clock";
import type { Mode } from "./configuration";
import type { AnswerRead, Mounted, ReadsParts } from "./feature";
import { toCallerId, toLevel } from "./log";
import { isKeyRefusal, type Provider } from "./provider";
import { createRedact, type Redact } from "./redaction";
import { Refusal } from "./refusal";
import { isPassable, passErrorOn, passOn, readError } from "./relay/answer";
import { type AccessToken, createRelayToken, type Declined, type RelayToken } from "./relay/token";
import { createUpstream, type Upstream, type UpstreamOptions, type UpstreamRequest } from "./relay/upstream";

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
  /** Creates what answers reads in relay mode; default each is forwarded by itself. */
  createReads?: Mounted["createReads"];
}

interface Relay {
  provider: () => Provider;
  upstream: Upstream;
  /** Absent where the pane holds its own token and reads with it. */
  own: { token: RelayToken; answer: AnswerRead } | undefined;
}

/** Adds one route per operation of the contract; the provider can be reached in no other way. */
export async function addRelay(scope: FastifyInstance, options: RelayOptions): Promise<void> {
  const { provider, mode } = options;
  const upstream = createUpstream(options);
  const own = mode === "relay" ? createOwn(scope, options, upstream) : undefined;
  scope.addHook("onClose", () => upstream.close());
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "buffer" }, async (_request: FastifyRequest, body: Buffer) => body);
  for (const id of Object.keys(OPERATIONS) as OperationId[]) addOperation(scope, id, { provider, upstream, own });
}

function createOwn({ log }: FastifyInstance, options: RelayOptions, upstream: Upstream): Relay["own"] {
  const { provider, clock, network, aloneMs, createReads = createForwardedReads } = options;
  const token = createRelayToken({ provider, clock, network, aloneMs });
  return { token, answer: createReads({ provider, upstream, token, log, aloneMs }) };
}

function addOperation(scope: FastifyInstance, id: OperationId, relay: Relay): void {
  const operation: Operation = OPERATIONS[id];
  const { method, path } = operation;
  const { provider, own } = relay;
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
      if (isToken && own !== undefined) return answerToken(own.token, request, reply);
      const baseUrl = provider().baseUrl();
      const target = toProviderUrl(baseUrl, path, request.params).slice(baseUrl.length) + toQuery(request.url);
      const authorization = readAuthorization(request);
      const body = request.body as Buffer | undefined;
      if (isToken || own === undefined) {
        const upstreamRequest = { method, baseUrl, path: target, authorization, contentType, body };
        const answer = await relay.upstream.send(upstreamRequest, reply);
        return pass(answer, () => createRedact(listSecrets(upstreamRequest)), path, request, reply);
      }
      if (authorization !== `Bearer ${HELD}`) return refuseBearer(reply);
      return own.answer({ operation: id, ids: request.params, query: { method, path: target, body } }, request, reply);
    },
  });
}

/** Passes an answer on; logs only failures. */
async function pass(
  answer: Dispatcher.ResponseData,
  toRedact: () => Redact,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { statusCode: status } = answer;
  if (status < 400) return passOn(answer, reply);
  const redact = toRedact();
  const error = await readError(answer, redact);
  const pairing = toCallerId(request);
  const { traceId } = error;
  request.readFacts = { traceId };
  request.log[toLevel(status)]({ pairing, path, status, traceId }, "the provider refused a call");
  return passErrorOn(answer, error, redact, reply);
}

/** Creates reads that are each forwarded by itself, with the companion's token, and again after a refused one. */
function createForwardedReads({ upstream, token }: ReadsParts): AnswerRead {
  return async ({ operation, query }, request, reply) => {
    const logContext = { log: request.log, pairing: toCallerId(request) };
    // To the token's own provider, since another one may have been set up meanwhile.
    const send = ({ token: bearer, provider }: AccessToken) => {
      const { method, path, body } = query;
      const contentType = method === "POST" ? "application/json" : undefined;
      const authorization = `Bearer ${bearer}`;
      return upstream.send({ method, baseUrl: provider.baseUrl(), path, authorization, contentType, body }, reply);
    };
    const held = await token.load(logContext);
    if (!("token" in held)) return isKeyRefusal(held.status) ? refuseBearer(reply) : decline(held, reply);
    const first = await send(held);
    const { path } = OPERATIONS[operation];
    if (first.statusCode !== 401 || !(await token.renew(held, logContext))) {
      return pass(first, () => held.redact, path, request, reply);
    }
    await first.body.dump();
    const renewed = await token.load(logContext);
    if (!("token" in renewed)) return refuseBearer(reply);
    return pass(await send(renewed), () => renewed.redact, path, request, reply);
  };
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

type Operation = (typeof OPERATIONS)[keyof typeof OPERATIONS];

type Ids = Record<string, string | undefined>;
type Parameter = { $ref?: string; in?: string; name?: string };

const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9._~-]*$/;

/**
 * Builds the provider's address of an operation.
 * @param path With its parameters in braces, e.g. "/tree" or "/companies/{companyId}".
 * @param ids The parameters' values, decoded.
 * @throws Refusal (FEED_REQUEST_INVALID) when a value is not a plain id, or the address is not the expected one.
 */
export function toProviderUrl(baseUrl: string, path: string, ids: Ids): string {
  const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const id = ids[name] ?? "";
    if (!PLAIN_ID.test(id)) throw refuse(`${name} is not an id: letters, digits and - . _ ~ only.`);
    return id;
  });
  const expected = baseUrl + filled;
  if (new URL(expected).href !== expected) throw refuse("The path is not one of the API.");
  return expected;
}

/**
 * Creates the check of an operation's query: only its own parameters pass, each at most once. A server may act on
 * others, such as `_method=DELETE` or `access_token=…`.
 * @returns A function from the requested URL to its query, "?" included, written anew.
 * @throws (when called) Refusal (FEED_REQUEST_INVALID)
 */
function createQueryCheck({ method, path }: Operation): (url: string) => string {
  const names = listQueryNames(method, path);
  return (url) => {
    const at = url.indexOf("?");
    if (at < 0) return "";
    const query = new URLSearchParams(url.slice(at));
    const given = [...query.keys()];
    if (given.some((name) => !names.includes(name)) || new Set(given).size < given.length) {
      const known = names.length === 0 ? "none" : `each of these once at most: ${names.join(", ")}`;
      throw refuse(`The API takes other query parameters there: ${known}.`);
    }
    return given.length === 0 ? "" : `?${query}`;
  };
}

function listQueryNames(method: string, path: string): string[] {
  const operations: Record<string, Record<string, { operationId: string; parameters?: Parameter[] }>> = contract.paths;
  const shared: Record<string, Parameter> = contract.components.parameters;
  const parameters = operations[path]?.[method.toLowerCase()]?.parameters ?? [];
  return parameters
    .map((parameter) => shared[parameter.$ref?.replace(/^.*\//, "") ?? ""] ?? parameter)
    .flatMap((parameter) => (parameter.in === "query" && parameter.name !== undefined ? [parameter.name] : []));
}

const refuse = (sentence: string) => new Refusal(400, sentence, "FEED_REQUEST_INVALID");

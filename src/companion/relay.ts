import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { OPERATIONS, type OperationId } from "../contract/constants";
import { HELD } from "../contract/door";
import type { ProviderClock } from "./clock";
import type { Mode } from "./configuration";
import { toAsker } from "./log";
import type { Provider } from "./provider";
import { Refusal } from "./refusal";
import { passErrorOn, passOn, readError } from "./relay/answer";
import { createHeldToken, type Held, type HeldToken } from "./relay/held-token";
import { createQueryCheck, type Operation, toProviderUrl } from "./relay/provider-url";
import { answerToken } from "./relay/token-route";
import {
  createUpstream,
  pickAuthority,
  type Upstream,
  type UpstreamOptions,
  type UpstreamRequest,
} from "./relay/upstream";
import { createCut } from "./secrets";

const BODY_LIMIT_BYTES = 256 * 1024;
/** Of an exchange's body, and of a bearer: what is cut out of a provider's errors costs time by its length. */
const LARGEST_SECRET_BYTES = 8 * 1024;
const FORM = "application/x-www-form-urlencoded";

/** How the relay reaches the provider, and as whom. */
export interface RelayOptions extends UpstreamOptions {
  /** Whom it passes calls on to at this moment: the pane may set up another. */
  provider: () => Provider;
  /** In "relay" the companion adds the bearer itself, and no token comes to the pane. */
  mode: Mode;
  clock: ProviderClock;
}

interface Relay {
  provider: () => Provider;
  upstream: Upstream;
  /** Absent where the pane holds its token itself. */
  token: HeldToken | undefined;
}

/** Adds one route for each operation of the contract, and no other way to the provider. */
export async function addRelay(scope: FastifyInstance, options: RelayOptions): Promise<void> {
  const { provider, mode, clock, authority } = options;
  const upstream = createUpstream(options);
  const createHolder = () =>
    createHeldToken({ provider, clock, authority: ({ baseUrl }) => pickAuthority(authority, baseUrl()) });
  const relay = { provider, upstream, token: mode === "relay" ? createHolder() : undefined };
  scope.addHook("onClose", () => upstream.close());
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "buffer" }, async (_request: FastifyRequest, body: Buffer) => body);
  for (const id of Object.keys(OPERATIONS) as OperationId[]) addOperation(scope, id, relay);
}

function addOperation(scope: FastifyInstance, id: OperationId, relay: Relay): void {
  const operation: Operation = OPERATIONS[id];
  const { method, path } = operation;
  const { token } = relay;
  const isToken = id === "createToken";
  const contentType = method === "GET" ? undefined : isToken ? FORM : "application/json";
  const toQuery = createQueryCheck(operation);
  scope.route<{ Params: Record<string, string> }>({
    method,
    url: path.replace(/\{(\w+)\}/g, ":$1"),
    exposeHeadRoute: false,
    bodyLimit: isToken ? LARGEST_SECRET_BYTES : BODY_LIMIT_BYTES,
    // In relay mode each call may sign, as each of the assertion's route does.
    config: { contentType, limit: isToken ? "token" : "other", read: isToken ? undefined : id },
    handler: async (request, reply) => {
      if (isToken && token !== undefined) return answerToken(token, Date.now, request, reply);
      const provider = relay.provider();
      const url = toProviderUrl(provider.baseUrl(), path, request.params) + toQuery(request.url);
      const authorization = readAuthorization(request);
      const body = request.body as Buffer | undefined;
      const asked = { method, url, authorization, contentType, body };
      if (token === undefined) return forward(relay, asked, path, request, reply);
      const held = authorization === `Bearer ${HELD}` ? token.find(provider) : undefined;
      if (held === undefined) return refuseBearer(reply);
      return forward(relay, { ...asked, authorization: `Bearer ${held.token}` }, path, request, reply, held);
    },
  });
}

/** Sends a call and answers with what the provider says; of failures, and only of them, the log has a line. */
async function forward(
  { upstream, token }: Relay,
  asked: UpstreamRequest,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
  held?: Held,
) {
  const answer = await upstream.send(asked, reply);
  const { statusCode: status } = answer;
  if (status < 400) return passOn(answer, reply);
  if (status === 401 && held !== undefined) token?.drop(held);
  const cut = held?.cut ?? createCut(listSecrets(asked));
  const error = await readError(answer, cut);
  const pairing = toAsker(request);
  const { traceId } = error;
  request.readFacts = { traceId };
  request.log.info({ pairing, path, status, traceId }, "the provider refused a call");
  return passErrorOn(answer, error, cut, reply);
}

/** Looks as a provider's refusal does, so that the pane renews: then the companion exchanges. */
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

/** What the pane itself sent, which neither a log nor a cell may repeat. */
function listSecrets({ authorization = "", contentType, body }: UpstreamRequest): string[] {
  const form = new URLSearchParams(contentType === FORM ? body?.toString() : "");
  return [authorization.replace(/^Bearer /i, ""), form.get("client_assertion") ?? ""];
}

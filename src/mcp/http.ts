import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { toOwnOrigin } from "../companion/address";
import { ANSWER_HEADERS, refuseForeign } from "../companion/api/guards";
import { createLimits } from "../companion/api/limits";
import { type SignedIn, toWho } from "../companion/api/pairing";
import { answerRefusals, Refusal, sendRefusal, throwRefusal } from "../companion/refusal";
import type { Stores } from "../companion/stores";
import { createSessions } from "./sessions";
import { createWorkers, type WorkersOptions } from "./workers";

/** What the agents of a firm's people need of its companion. */
export interface AgentsOptions extends WorkersOptions {
  stores: Pick<Stores, "pairings" | "createLimit">;
  /** Who gives people's tokens: the identity provider's issuer, and the scope to request. */
  signIn: {
    issuer: string;
    scope: string;
    /**
     * Verifies an access token, and gives its person with the token's end.
     * @throws Refusal (403 for a token that is not accepted; 503)
     */
    identify(token: string): Promise<SignedIn>;
  };
}

declare module "fastify" {
  interface FastifyRequest {
    /** The person of the request's token; null before that is verified. */
    signedIn: SignedIn | null;
  }
}

const PATH = "/mcp";
const METADATA = "/.well-known/oauth-protected-resource";
const BODY_LIMIT_BYTES = 256 * 1024;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Adds the tools at /mcp for agents of people who sign in, and the metadata that says where. */
export async function addAgents(scope: FastifyInstance, options: AgentsOptions): Promise<void> {
  const { address, stores } = options;
  const refuseExcess = createLimits(stores);
  scope.decorateRequest("pairing", null);
  scope.decorateRequest("signedIn", null);
  scope.addHook("onRequest", async (request, reply) => {
    reply.headers(ANSWER_HEADERS);
    throwRefusal(refuseForeign(request, address));
    throwRefusal(await refuseExcess(request));
  });
  addMetadata(scope, options);
  const endpoint = async (own: FastifyInstance) => {
    own.addHook("onRequest", async (request) => {
      request.signedIn = await identify(request, options);
      throwRefusal(await refuseExcess(request, "other", toWho({ id: "", ...request.signedIn })));
    });
    addEndpoint(own, options);
  };
  scope.register(endpoint, { prefix: PATH });
}

/** Adds the metadata of the protected resource (RFC 9728), at the place of its path and at the root. */
function addMetadata(scope: FastifyInstance, { address, signIn }: AgentsOptions): void {
  for (const url of [METADATA + PATH, METADATA]) {
    scope.get(url, { exposeHeadRoute: false }, async ({ headers }) => ({
      resource: toOwnOrigin(headers.host, address) + PATH,
      resource_name: "FEED for Excel",
      authorization_servers: [signIn.issuer],
      scopes_supported: [signIn.scope],
      bearer_methods_supported: ["header"],
    }));
  }
}

/** Says where a client learns how to get a token, and that the one it sent is none (RFC 6750, RFC 9728). */
function toChallenge({ headers }: FastifyRequest, { address, signIn }: AgentsOptions): string {
  const error = headers.authorization === undefined ? "" : `, error="invalid_token"`;
  const metadata = toOwnOrigin(headers.host, address) + METADATA + PATH;
  return `Bearer resource_metadata="${metadata}", scope="${signIn.scope}"${error}`;
}

/** @throws Refusal (401 without a good token; 503) */
async function identify({ headers }: FastifyRequest, { signIn }: AgentsOptions): Promise<SignedIn> {
  const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
  if (token === undefined) throw new Refusal(401, "Sign in: send an access token of your identity provider.");
  return signIn.identify(token).catch((error) => {
    throw error instanceof Refusal && error.statusCode === 403 ? new Refusal(401, error.message) : error;
  });
}

/** Adds the endpoint of the protocol's transport: messages by POST, what the server begins by GET, the end by DELETE. */
function addEndpoint(scope: FastifyInstance, options: AgentsOptions): void {
  const workers = createWorkers(scope, options);
  const sessions = createSessions();
  // Before the server waits for its connections: streams of sessions stay open.
  scope.addHook("preClose", async () => {
    sessions.end();
    await workers.end();
  });
  answerRefusals(scope, (reply, refusal) => {
    if (refusal.statusCode === 401) reply.header("www-authenticate", toChallenge(reply.request, options));
    return sendRefusal(reply, refusal);
  });
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "string" }, async (_request: FastifyRequest, body: string) => body);
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    const signedIn = request.signedIn!;
    const session = sessions.find(request.headers["mcp-session-id"], signedIn.person);
    const worker = request.method === "POST" ? await workers.take(signedIn, request) : undefined;
    return send(await session.handle(toWebRequest(request), worker), signedIn.endsAtMs, reply);
  };
  scope.post("/", { bodyLimit: BODY_LIMIT_BYTES }, handle);
  scope.get("/", { exposeHeadRoute: false, config: { isEndless: true } }, handle);
  scope.delete("/", handle);
}

/** The headers that the transport reads. */
const HEADERS = ["accept", "content-type", "mcp-session-id", "mcp-protocol-version"];

function toWebRequest({ method, headers, body, url }: FastifyRequest): Request {
  const sent = HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
  const request = { method, headers: sent as [string, string][], body: method === "POST" ? String(body ?? "") : null };
  return new Request(new URL(url, "http://companion"), request);
}

/** Sends an answer of the transport; its stream ends with the token. */
function send({ status, headers, body }: Response, endsAtMs: number, reply: FastifyReply): FastifyReply {
  reply.code(status).headers(Object.fromEntries(headers));
  if (body === null) return reply.send();
  const stream = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
  const end = setTimeout(() => stream.destroy(), Math.min(Math.max(endsAtMs - Date.now(), 0), LONGEST_TIMER_MS));
  stream.once("close", () => clearTimeout(end));
  return reply.send(stream);
}

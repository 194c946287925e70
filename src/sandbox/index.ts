import type { FastifyError, FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import openapiGlue from "fastify-openapi-glue";
import { OPERATIONS, type OperationId } from "../contract/constants";
import contract from "../contract/generated/openapi.json";
import { type Access, createAccess, type Grant } from "./access";
import { type Controls, createControls } from "./controls";
import { COMPANIES_LIMIT } from "./data/identifiers";
import { type Refusal, sendError, sendNotFound } from "./errors";
import { createEntry, perturb, spoil } from "./faults";
import { HANDLERS } from "./handlers";
import { createProvider, type Provider } from "./provider";
import { createTokenEndpoint, type SandboxClient, type TokenEndpoint, TokenRefusal } from "./token";

export { ALL_SCOPES } from "./access";
export { type Controls, createControls } from "./controls";
export type { SandboxClient } from "./token";

export interface SandboxOptions {
  /** Where the sandbox is reached, without a slash at the end; read at each token request. */
  baseUrl: () => string;
  clients: SandboxClient[];
  /** How many private companies there are, 0 to 1,000,000; default 5,000. */
  companies?: number;
  /** Another seed gives other data, the same seed the same; default 1. */
  seed?: number;
  /** The clock in Unix milliseconds, up to which there are page views; default Date.now. */
  nowMs?: () => number;
  /** Faults for tests; default none. */
  controls?: Controls;
}

/** What the routes share. */
interface Sandbox {
  provider: Provider;
  access: Access;
  tokenEndpoint: TokenEndpoint;
  entry: ReturnType<typeof createEntry>;
}

/**
 * Creates a provider of the whole API with sample data, as a Fastify plugin.
 * @throws RangeError when companies is not an integer from 0 to 1,000,000
 */
export function createSandbox(options: SandboxOptions): FastifyPluginAsync {
  const { baseUrl, clients, companies = 5_000, seed = 1, nowMs = Date.now, controls = createControls() } = options;
  if (!Number.isInteger(companies) || companies < 0 || companies > COMPANIES_LIMIT) {
    throw new RangeError(`companies must be an integer from 0 to ${COMPANIES_LIMIT}, not ${companies}.`);
  }
  const access = createAccess(nowMs, controls);
  const tokenEndpoint = createTokenEndpoint(clients, access, () => `${baseUrl()}${OPERATIONS.createToken.path}`, nowMs);
  const provider = createProvider(seed, companies, controls, nowMs);
  const sandbox: Sandbox = { provider, access, tokenEndpoint, entry: createEntry(controls, nowMs) };
  return async (app) => {
    app.setErrorHandler<FastifyError | Refusal>(sendError);
    app.setNotFoundHandler(sendNotFound(app.prefix));
    // The answer's date is the provider's own time, by which clients find out that their clock is off.
    app.addHook("onSend", async (_request, reply) => void reply.header("date", new Date(nowMs()).toUTCString()));
    await app.register(async (scope) => addTokenRoute(scope, sandbox));
    await app.register(async (scope) => addDataRoutes(scope, sandbox));
  };
}

/** The token endpoint reads its own body, so that every wrong form is refused in OAuth's words. */
function addTokenRoute(app: FastifyInstance, { provider, tokenEndpoint, entry }: Sandbox): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
  app.setErrorHandler<FastifyError | Refusal | TokenRefusal>((error, request, reply) => {
    if (!(error instanceof TokenRefusal)) return sendError(error, request, reply);
    return reply.code(error.status).send({ error: error.code, error_description: error.message });
  });
  const { controls } = provider;
  app.route({
    method: OPERATIONS.createToken.method,
    url: OPERATIONS.createToken.path,
    onRequest: (request) => entry.enter("createToken", request),
    onSend: entry.leave,
    async handler(request, reply) {
      const body = typeof request.body === "string" ? request.body : "";
      const answer: Record<string, unknown> = {
        ...(await tokenEndpoint.exchange(request.headers["content-type"], body)),
      };
      if ("expiresIn" in controls.tokenFaults) answer.expires_in = controls.tokenFaults.expiresIn;
      if (controls.tokenFaults.withoutAccessToken) delete answer.access_token;
      return sendAnswer(controls, "createToken", answer, reply.header("cache-control", "no-store"));
    },
  });
}

/**
 * The contract as routes: without the token path, which has its own route; without bodies, which Fastify would
 * convert in silence as it rightly converts parameters; without answers, since it drops fields they do not name.
 */
function createRoutableContract() {
  const { paths, ...rest } = structuredClone(contract) as unknown as {
    paths: Record<string, Record<string, { requestBody?: unknown; responses: unknown }>>;
  };
  delete paths[OPERATIONS.createToken.path];
  for (const operations of Object.values(paths)) {
    for (const operation of Object.values(operations)) {
      delete operation.requestBody;
      operation.responses = { 200: { description: "An answer." } };
    }
  }
  return { ...rest, paths };
}

/** Every other operation: routed and validated by the contract, then bearer, scopes, faults and the handler. */
async function addDataRoutes(app: FastifyInstance, { provider, access, entry }: Sandbox): Promise<void> {
  const grants = new WeakMap<FastifyRequest, Grant>();
  app.removeContentTypeParser("text/plain");
  await app.register(openapiGlue, {
    specification: createRoutableContract(),
    operationResolver: (id, method, path) => {
      const operationId = id as Exclude<OperationId, "createToken">;
      return {
        method,
        url: path.replace(/\{(\w+)\}/g, ":$1"),
        async onRequest(request: FastifyRequest) {
          await entry.enter(operationId, request);
          grants.set(request, await access.verifyRequest(operationId, request.headers.authorization));
        },
        preValidation: entry.noteBody,
        onSend: entry.leave,
        async handler(request: FastifyRequest, reply: FastifyReply) {
          const answer = HANDLERS[operationId](provider, grants.get(request)!, request);
          return sendAnswer(provider.controls, operationId, perturb(provider.controls, answer), reply);
        },
      };
    },
  });
}

function sendAnswer(controls: Controls, operationId: OperationId, answer: unknown, reply: FastifyReply): FastifyReply {
  const json = JSON.stringify(answer);
  const spoilt = spoil(controls, operationId, json);
  return reply.type(spoilt?.type ?? "application/json; charset=utf-8").send(spoilt?.body ?? json);
}

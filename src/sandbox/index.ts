import { setTimeout } from "node:timers/promises";
import type {
  FastifyError,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
} from "fastify";
import { DEFAULT_PAGE_SIZE, OPERATIONS, type OperationId } from "../contract/constants";
import routes from "../contract/generated/routes.json";
import {
  type Access,
  createAccess,
  createTokenEndpoint,
  type Grant,
  type SandboxClient,
  type TokenEndpoint,
  TokenRefusal,
} from "./access";
import { type CompanyQuery, getCompany, searchCompanies } from "./companies";
import { type BodyFault, type Controls, createControls, type RequestRecord } from "./controls";
import { COMPANIES_LIMIT } from "./data/identifiers";
import { TAXONOMY_TREE } from "./data/taxonomy";
import type { Level } from "./data/universe";
import { Refusal, sendError, sendNotFound } from "./errors";
import { getCompanyFinancials, getFinancialsOfMany } from "./financials";
import { createProvider, type Provider } from "./provider";
import { type RankingQuery, rankCompanies, rankCompanyPages, rankIndustries } from "./rankings";
import {
  type GroupingQuery,
  getTaxonomyCompany,
  listGroupingCompanies,
  listTaxonomyCompanies,
  type TaxonomyQuery,
} from "./taxonomies";

export { ALL_SCOPES, type SandboxClient } from "./access";
export { type Controls, createControls } from "./controls";

export interface SandboxOptions {
  /** The sandbox's address, without a slash at the end; read at each token request. */
  baseUrl: () => string;
  clients: SandboxClient[];
  /** How many private companies there are, 0 to 1,000,000; default 5,000. */
  companies?: number;
  /** Another seed gives other data, the same seed the same; default 1. */
  seed?: number;
  /** The clock in Unix milliseconds, up to which there are page views; default Date.now. */
  nowMs?: () => number;
  /** How many weeks the data have moved on: the page views of a range are those of as many weeks later; default 0. */
  weeks?: () => number;
  /** Faults for tests; default none. */
  controls?: Controls;
}

/** The objects that the routes share. */
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
  const {
    baseUrl,
    clients,
    companies = 5_000,
    seed = 1,
    nowMs = Date.now,
    weeks,
    controls = createControls(),
  } = options;
  if (!Number.isInteger(companies) || companies < 0 || companies > COMPANIES_LIMIT) {
    throw new RangeError(`companies must be an integer from 0 to ${COMPANIES_LIMIT}, not ${companies}.`);
  }
  const access = createAccess(nowMs, controls);
  const tokenEndpoint = createTokenEndpoint(clients, access, () => `${baseUrl()}${OPERATIONS.createToken.path}`, nowMs);
  const provider = createProvider(seed, companies, controls, { nowMs, weeks });
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

/** Every other operation: routed and validated by the contract's routes, then bearer, scopes, faults and the handler. */
function addDataRoutes(app: FastifyInstance, { provider, access, entry }: Sandbox): void {
  const grants = new WeakMap<FastifyRequest, Grant>();
  app.removeContentTypeParser("text/plain");
  for (const { operationId: id, method, url, schema } of routes) {
    const operationId = id as Exclude<OperationId, "createToken">;
    app.route({
      ...{ method, url, schema: schema as FastifySchema },
      async onRequest(request: FastifyRequest) {
        await entry.enter(operationId, request);
        grants.set(request, await access.verifyRequest(operationId, request.headers.authorization));
      },
      preValidation: entry.recordBody,
      onSend: entry.leave,
      async handler(request: FastifyRequest, reply: FastifyReply) {
        const answer = HANDLERS[operationId](provider, grants.get(request)!, request);
        return sendAnswer(provider.controls, operationId, perturb(provider.controls, answer), reply);
      },
    });
  }
}

function sendAnswer(controls: Controls, operationId: OperationId, answer: unknown, reply: FastifyReply): FastifyReply {
  const json = JSON.stringify(answer);
  const spoilt = spoil(controls, operationId, json);
  return reply.type(spoilt?.type ?? "application/json; charset=utf-8").send(spoilt?.body ?? json);
}

const waitByTimer = (ms: number): Promise<void> => setTimeout(ms, undefined, { ref: false });

/** Stands at the entry of every operation: counts the request, then waits or refuses as the controls say. */
export function createEntry(controls: Controls, nowMs: () => number, wait = waitByTimer) {
  const records = new WeakMap<FastifyRequest, RequestRecord>();
  const enter = async (operationId: OperationId, request: FastifyRequest) => {
    const record = { operationId, method: request.method, url: request.url, body: undefined, status: 0, atMs: nowMs() };
    controls.record(record);
    records.set(request, record);
    const latencyMs = controls.latencyMsOf[operationId] ?? controls.latencyMs;
    if (latencyMs > 0) await wait(latencyMs);
    refuseAsForced(controls, operationId);
    if (operationId !== "createToken") refuseBeyondLimit(controls, nowMs());
  };
  return {
    enter,
    /** Records the JSON body once it is parsed. */
    async recordBody(request: FastifyRequest) {
      const record = records.get(request);
      if (record) record.body = request.body;
    },
    /** Records the answer's status. */
    async leave(request: FastifyRequest, reply: FastifyReply) {
      const record = records.get(request);
      if (record) record.status = reply.statusCode;
    },
  };
}

function refuseAsForced(controls: Controls, operationId: OperationId): void {
  const answer = controls.answers[operationId];
  if (answer === undefined) return;
  const times = (answer.times ?? 1) - 1;
  if (times > 0) controls.answers[operationId] = { ...answer, times };
  else delete controls.answers[operationId];
  const headers: Record<string, string> = {};
  if (answer.retryAfter !== undefined) headers["retry-after"] = String(answer.retryAfter);
  throw new Refusal(answer.status, "FORCED", `The sandbox was told to answer ${answer.status}.`, null, headers);
}

function refuseBeyondLimit(controls: Controls, nowMs: number): void {
  if (controls.rateLimit === null) return;
  const { requests, windowMs, retryAfterSeconds } = controls.rateLimit;
  const recent = controls.requests.filter(
    ({ operationId, atMs, status }) => operationId !== "createToken" && status !== 429 && atMs > nowMs - windowMs,
  );
  if (recent.length <= requests) return;
  const headers = { "retry-after": String(retryAfterSeconds) };
  throw new Refusal(429, "RATE_LIMITED", `More than ${requests} requests in ${windowMs} ms.`, null, headers);
}

const JSON_TYPE = "application/json; charset=utf-8";

/** The body of each fault, made from a valid JSON text. */
const SPOILERS: Record<BodyFault, (json: string) => { type: string; body: string }> = {
  html: () => ({ type: "text/html", body: "<!doctype html><title>Sign in</title><p>Sign in to use this network.</p>" }),
  truncated: (json) => ({ type: JSON_TYPE, body: json.slice(0, Math.floor(json.length / 2)) }),
  empty: () => ({ type: JSON_TYPE, body: "" }),
};

/** The faulty body in place of a valid one; undefined without a fault. */
function spoil(controls: Controls, operationId: OperationId, json: string) {
  const fault = controls.bodyFaults[operationId];
  return fault === undefined ? undefined : SPOILERS[fault](json);
}

const PERTURBED = new Set(["value", "totalPageViews", "totalUniquePageViews", "employeeCount"]);

/** A copy of an answer with its amounts, page views and employee counts replaced as the controls say. */
function perturb<Answer>(controls: Controls, answer: Answer): Answer {
  const change = controls.perturb;
  if (change === null) return answer;
  const text = JSON.stringify(answer, (key, value) =>
    typeof value === "number" && PERTURBED.has(key) ? change(value) : value,
  );
  return JSON.parse(text);
}

type Handler = (provider: Provider, grant: Grant, request: FastifyRequest) => unknown;

/** The parts of a request, which the contract's schemas have checked and filled with defaults before. */
const readQuery = <Query>({ query }: FastifyRequest) => query as Query;
const readPath = ({ params }: FastifyRequest, name: string) => (params as Record<string, string>)[name]!;

const groupBy =
  (level: Level): Handler =>
  (provider, grant, request) =>
    listGroupingCompanies(provider, grant, level, readPath(request, level), readQuery<GroupingQuery>(request));

/** The handler of each operation. */
const HANDLERS: Record<Exclude<OperationId, "createToken">, Handler> = {
  searchCompanies: (provider, grant, request) => searchCompanies(provider, grant, readQuery<CompanyQuery>(request)),
  getCompany: (provider, _grant, request) => getCompany(provider, readPath(request, "companyId")),
  getCompanyFinancials: (provider, _grant, request) =>
    getCompanyFinancials(provider, readPath(request, "companyId"), readQuery<{ year?: number }>(request).year),
  getFinancialsOfMany: (provider, _grant, request) => getFinancialsOfMany(provider, request.body),
  listTaxonomyCompanies: (provider, grant, request) =>
    listTaxonomyCompanies(provider, grant, readQuery<TaxonomyQuery>(request)),
  getTaxonomyCompany: (provider, _grant, request) => getTaxonomyCompany(provider, readPath(request, "companyId")),
  listIndustryCompanies: groupBy("industryId"),
  listSubSectorCompanies: groupBy("subSectorId"),
  listSectorCompanies: groupBy("sectorId"),
  getTaxonomyTree: () => TAXONOMY_TREE,
  rankCompanies: (provider, _grant, request) => rankCompanies(provider, readQuery<RankingQuery>(request)),
  rankCompanyPages: (provider, _grant, request) => rankCompanyPages(provider, readQuery<RankingQuery>(request)),
  rankIndustries: (provider, _grant, request) => rankIndustries(provider, readQuery<RankingQuery>(request)),
  // The document shows one parameter and no answer (§4.5): here it is the first page of the search.
  listCompaniesWalkThrough: (provider, grant, request) => {
    const { country = "ALL" } = readQuery<{ country?: string }>(request);
    return searchCompanies(provider, grant, { country, page: 1, page_size: DEFAULT_PAGE_SIZE });
  },
};

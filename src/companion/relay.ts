import replyFrom from "@fastify/reply-from";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { buildConnector } from "undici";
import { OPERATIONS } from "../contract/constants";
import { Refusal } from "./refusal";

const REQUEST_HEADERS = ["authorization", "content-type", "content-length", "accept", "host"];
const RESPONSE_HEADERS = [
  "content-type",
  "content-length",
  "content-encoding",
  "date",
  "retry-after",
  "www-authenticate",
];
const BODY_LIMIT_BYTES = 256 * 1024;
const DEFAULT_TIMEOUT_MS = 30_000;
const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9._~-]*$/;

/** How the relay reaches the provider. */
export interface RelayOptions {
  /** The provider's address, without a slash at its end. */
  baseUrl: () => string;
  /** Milliseconds to the provider's first byte, and between two; default 30000. */
  timeoutMs?: number;
  /** A certificate authority (PEM) to trust in place of the public ones, for one origin alone: the companion's own sandbox. */
  authority?: { origin: () => string; pem: string };
}

type Operation = (typeof OPERATIONS)[keyof typeof OPERATIONS];
type Headers = NodeJS.Dict<string | string[]>;

/** Adds one route for each operation of the contract, and no other way to the provider. */
export async function addRelay(scope: FastifyInstance, options: RelayOptions): Promise<void> {
  const { authority, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  await scope.register(replyFrom, {
    undici: { ...limits, connect: createConnector(authority) },
    destroyAgent: true,
    disableCache: true,
    disableRequestLogging: true,
  });
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "buffer" }, async (_request: FastifyRequest, body: Buffer) => body);
  for (const operation of Object.values(OPERATIONS)) addOperation(scope, operation, options);
}

/**
 * Converts an operation's path to the provider's address of it.
 * @param path With its parameters in braces, e.g. "/tree" or "/companies/{companyId}".
 * @param ids The parameters' values, decoded.
 * @throws Refusal (FEED_REQUEST_INVALID) when a value is not a plain id, or the address is not the expected one.
 */
export function toProviderUrl(baseUrl: string, path: string, ids: Record<string, string | undefined>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const id = ids[name] ?? "";
    if (!PLAIN_ID.test(id))
      throw new Refusal(400, `${name} is not an id: letters, digits and - . _ ~ only.`, "FEED_REQUEST_INVALID");
    return id;
  });
  const expected = baseUrl + filled;
  if (new URL(expected).href !== expected) {
    throw new Refusal(400, "The path is not one of the API.", "FEED_REQUEST_INVALID");
  }
  return expected;
}

/** Whom to trust is asked at each connection: the pane may set a provider up in place of the sandbox. */
function createConnector(authority: RelayOptions["authority"]): buildConnector.connector {
  // The relay's package trusts any certificate unless told otherwise.
  const toAny = buildConnector({ rejectUnauthorized: true });
  if (authority === undefined) return toAny;
  const toOwn = buildConnector({ rejectUnauthorized: true, ca: authority.pem });
  return (target, done) => {
    const { origin } = new URL(`${target.protocol}//${target.hostname}:${target.port}`);
    return (origin === authority.origin() ? toOwn : toAny)(target, done);
  };
}

function addOperation(scope: FastifyInstance, { method, path }: Operation, { baseUrl }: RelayOptions): void {
  scope.route<{ Params: Record<string, string> }>({
    method,
    url: path.replace(/\{(\w+)\}/g, ":$1"),
    exposeHeadRoute: false,
    bodyLimit: BODY_LIMIT_BYTES,
    config: { contentType: readContentType(method, path) },
    handler: (request, reply) => {
      const body =
        request.body === undefined ? {} : { body: request.body, contentType: request.headers["content-type"] };
      return reply.from(toProviderUrl(baseUrl(), path, request.params), {
        ...body,
        rewriteRequestHeaders: (_request, headers) => pickHeaders(headers, REQUEST_HEADERS),
        rewriteHeaders: (headers) => pickHeaders(headers, RESPONSE_HEADERS),
        // Retrying is the client's: it knows the deadline of the question and what Retry-After said.
        retryDelay: () => null,
        onResponse: (_request, _reply, response) => passOn(reply, response),
        onError: (_reply, { error }) => reply.send(toRefusal(error)),
      });
    },
  });
}

/** A redirect is not followed: it would carry the bearer to an address that nobody configured. */
function passOn(reply: Pick<FastifyReply, "statusCode" | "removeHeader" | "send">, response: unknown): void {
  const { stream } = response as { stream: NodeJS.ReadableStream & { destroy(): void } };
  if (reply.statusCode < 300 || reply.statusCode >= 400) {
    reply.send(stream);
    return;
  }
  stream.on("error", () => {});
  stream.destroy();
  for (const name of RESPONSE_HEADERS) reply.removeHeader(name);
  const sentence = `The provider answered with a redirect (status ${reply.statusCode}), which is not followed; check FEED_BASE_URL.`;
  reply.send(new Refusal(502, sentence, "FEED_SERVER_FAILED"));
}

function toRefusal(error: Error): Refusal {
  const { statusCode, cause } = error as Error & { statusCode?: number; cause?: { code?: string } };
  if (statusCode === 504 || cause?.code === "UND_ERR_CONNECT_TIMEOUT") {
    return new Refusal(
      504,
      "The provider did not answer in time; try again later, or check FEED_BASE_URL and the network.",
      "FEED_TIMED_OUT",
    );
  }
  const detail = cause?.code === undefined ? "" : ` (${cause.code})`;
  const sentence = `The provider could not be reached${detail}; check FEED_BASE_URL and the network.`;
  return new Refusal(502, sentence, "FEED_NETWORK_FAILED");
}

function readContentType(method: string, path: string): string | undefined {
  if (method !== "POST") return undefined;
  return path === OPERATIONS.createToken.path ? "application/x-www-form-urlencoded" : "application/json";
}

function pickHeaders(headers: Headers, names: readonly string[]): Headers {
  return Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));
}

import { PARTIAL_HEADER, READING_HEADER } from "../contract/companion-api";
import { type OperationId as ContractOperation, OPERATION_FAMILIES, OPERATIONS } from "../contract/constants";
import type { Bearer, TokenHolder } from "./auth/token";
import { ArgumentError, RequestError } from "./errors";
import type { Connection, Http, HttpRequest } from "./http";
import { DEADLINE_MS, type Deadline, openDeadline } from "./http/deadline";
import type { Reply } from "./http/response";
import { isPathSegment } from "./ids";
import { type Message, msg } from "./messages";
import type { Ports } from "./ports";

/** An operation that reads data. */
export type OperationId = Exclude<ContractOperation, "createToken">;

/** One read of the API. */
export interface Call {
  operation: OperationId;
  /** Values of the operation's path parameters. */
  path?: Record<string, string>;
  /** Query parameters; undefined ones are not sent. */
  query?: Record<string, string | number | boolean | undefined>;
  /** JSON body. */
  body?: unknown;
  /** The companion's reading of the list that a page must be of. */
  reading?: string | undefined;
}

export interface LoadOptions {
  /** Aborts the read when it is no longer needed. */
  signal?: AbortSignal | undefined;
  sources?: Sources | undefined;
}

/** How current a read must be; records the sources of its answer. */
export interface Sources {
  /** Largest age of an answer cached by the companion, in milliseconds; infinite for any. */
  readonly maxAgeMs: number;
  /** Records a request by its number in the log. */
  addRequest(request: number): void;
  addAge(age: Age): void;
}

/** When the provider gave an answer cached by the companion, and when there may be a newer one; default now. */
export type Age = Pick<Reply, "asOfMs" | "newerAtMs">;

const NO_SOURCES: Sources = { maxAgeMs: Number.POSITIVE_INFINITY, addRequest: () => {}, addAge: () => {} };

export interface Provider {
  /**
   * Reads the API with a bearer token (§5.3), within 30 seconds, without the wait for a slot.
   * @throws RequestError, TokenError, SignerError, SessionError; NoValueError (FEED_RESULT_TOO_LARGE)
   */
  load(call: Call, options?: LoadOptions): Promise<Reply>;
}

interface ProviderOptions {
  ports: Ports;
  http: Http;
  token: TokenHolder;
  connection: () => Promise<Connection>;
  /** Called with a read's error and start: the connection itself may be lost. */
  failed?: ((error: unknown, sinceMs: number) => void) | undefined;
}

export function createProvider({ ports, http, token, connection, failed = () => {} }: ProviderOptions): Provider {
  const loadWithin = async (call: Call, sources: Sources, deadline: Deadline) => {
    let bearer: Bearer | undefined;
    const createRequest = async () => {
      const target = await connection();
      bearer = await token.bearer();
      return toRequest(target, call, bearer, sources.maxAgeMs);
    };
    const send = async () => {
      const server = OPERATION_FAMILIES[call.operation];
      const reply = await http.send(createRequest, { server, deadline, onRequest: sources.addRequest });
      if (bearer !== undefined) token.accept(bearer);
      return reply;
    };
    await deadline.race(token.bearer()); // without a token the read fails before it queues
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof RequestError) || error.code !== "FEED_UNAUTHORISED") throw error;
      if (bearer !== undefined) await deadline.race(token.renew(bearer));
      return send();
    }
  };
  return {
    async load(call, { signal, sources = NO_SOURCES } = {}) {
      const sinceMs = ports.nowMs();
      const deadline = openDeadline(ports, DEADLINE_MS, signal);
      try {
        const reply = await loadWithin(call, sources, deadline);
        sources.addAge(reply);
        return reply;
      } catch (error) {
        failed(error, sinceMs);
        throw toMissing(error, call);
      } finally {
        deadline.close();
      }
    },
  };
}

/** Gives a better sentence for a 404: a list has no id, and a record may lack only a year. */
function toMissing(error: unknown, { path, query }: Call): unknown {
  if (!(error instanceof RequestError && error.code === "FEED_NOT_FOUND")) return error;
  const said = error.facts.said === undefined ? "" : ` (${error.facts.said})`;
  const toError = (text: Message) => new RequestError("FEED_NOT_FOUND", text, error.facts);
  if (query?.year !== undefined)
    return toError(msg`the provider has no such record for ${query.year}${said}; check the id and the year`);
  if (query?.page !== undefined && path === undefined)
    return toError(msg`the provider has no such list${said}; check country and dates`);
  return error;
}

function toRequest({ baseUrl, isRelayed }: Connection, call: Call, { token }: Bearer, maxAgeMs: number): HttpRequest {
  const { operation } = call;
  const { method } = OPERATIONS[operation];
  const accepted = {
    authorization: `Bearer ${token}`,
    accept: "application/json",
    // Only for the relay: another origin would need a CORS preflight.
    ...(isRelayed && call.reading && { [READING_HEADER]: call.reading }),
    ...(isRelayed && maxAgeMs < Number.POSITIVE_INFINITY && { "cache-control": toCacheControl(maxAgeMs) }),
  };
  const request = { method, operation, url: toUrl(baseUrl, call), secrets: [token], isToCompanion: isRelayed };
  if (call.body === undefined) return { ...request, headers: accepted };
  const headers = { ...accepted, "content-type": "application/json", ...(isRelayed && { [PARTIAL_HEADER]: "1" }) };
  return { ...request, headers, body: JSON.stringify(call.body) };
}

/** No `max-age=0`, since browsers add that to every revalidation. */
const toCacheControl = (maxAgeMs: number): string =>
  maxAgeMs < 1000 ? "no-cache" : `max-age=${Math.floor(maxAgeMs / 1000)}`;

/**
 * Builds an operation's URL.
 * @throws ArgumentError (FEED_ARGUMENT_INVALID)
 */
export function toUrl(baseUrl: string, { operation, path = {}, query = {} }: Call): string {
  const filled = OPERATIONS[operation].path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name] ?? "";
    if (!isPathSegment(value)) {
      throw new ArgumentError(msg`"${value}" cannot be an id; give the id as the provider writes it`);
    }
    return encodeURIComponent(value);
  });
  const url = new URL(baseUrl.replace(/\/+$/, "") + filled);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}

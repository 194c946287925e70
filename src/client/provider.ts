import { READING_HEADER } from "../contract/companion-api";
import { type OperationId as ContractOperation, OPERATION_FAMILIES, OPERATIONS } from "../contract/constants";
import type { Bearer, TokenHolder } from "./auth/token";
import { ArgumentError, RequestError } from "./errors";
import type { Connection, Http, HttpRequest } from "./http";
import { DEADLINE_MS, type Deadline, openDeadline } from "./http/deadline";
import type { Reply } from "./http/response";
import { isPathSegment } from "./ids";
import type { Ports } from "./ports";

/** An operation that reads data. */
export type OperationId = Exclude<ContractOperation, "createToken">;

/** One read of the API: which operation, with what. */
export interface Call {
  operation: OperationId;
  /** Values for the braces of the operation's path. */
  path?: Record<string, string>;
  /** Query parameters; those that are undefined are not sent. */
  query?: Record<string, string | number | boolean | undefined>;
  /** JSON body. */
  body?: unknown;
  /** Of which reading of its list a companion is to give a page. */
  reading?: string | undefined;
}

export interface LoadOptions {
  /** Ends the read when nobody wants it any more. */
  signal?: AbortSignal | undefined;
  sources?: Sources | undefined;
}

/** How current a read has to be, and a note of what its answer comes from. */
export interface Sources {
  /** How old an answer may be that the companion has already, in milliseconds; infinite for any. */
  readonly maxAgeMs: number;
  /** Notes a request that goes out, by its number in the log. */
  addRequest(request: number): void;
  addAge(age: Age): void;
}

/** When the provider gave what the companion had already, and from when on there may be a newer one; default now. */
export type Age = Pick<Reply, "asOfMs" | "newerAtMs">;

const NO_SOURCES: Sources = { maxAgeMs: Number.POSITIVE_INFINITY, addRequest: () => {}, addAge: () => {} };

export interface Provider {
  /**
   * Reads the API with a bearer token (§5.3), within 30 seconds in all, the wait for a turn not counted.
   *
   * @throws RequestError, TokenError, SignerError, SessionError; NoValueError (FEED_RESULT_TOO_LARGE)
   */
  load(call: Call, options?: LoadOptions): Promise<Reply>;
}

interface ProviderOptions {
  ports: Ports;
  http: Http;
  token: TokenHolder;
  connection: () => Promise<Connection>;
  /** Is told why a read failed, and when it began: the connection itself may be gone. */
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
    await deadline.race(token.bearer()); // where there is none, nobody need queue to hear of that
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

/** What the answer alone cannot know: a list has no id that could be wrong, and a record may lack a year only. */
function toMissing(error: unknown, { path, query }: Call): unknown {
  if (!(error instanceof RequestError && error.code === "FEED_NOT_FOUND")) return error;
  const said = error.facts.said === undefined ? "" : ` (${error.facts.said})`;
  const toError = (text: string) => new RequestError("FEED_NOT_FOUND", text, error.facts);
  if (query?.year !== undefined)
    return toError(`the provider has no such record for ${query.year}${said}; check the id and the year`);
  if (query?.page !== undefined && path === undefined)
    return toError(`the provider has no such list${said}; check country and dates`);
  return error;
}

function toRequest({ baseUrl, isRelayed }: Connection, call: Call, { token }: Bearer, maxAgeMs: number): HttpRequest {
  const { operation } = call;
  const { method } = OPERATIONS[operation];
  const accepted = {
    authorization: `Bearer ${token}`,
    accept: "application/json",
    // Of a provider of another origin a browser would first ask whether it takes the header.
    ...(isRelayed && call.reading && { [READING_HEADER]: call.reading }),
    ...(isRelayed && maxAgeMs < Number.POSITIVE_INFINITY && { "cache-control": toCacheControl(maxAgeMs) }),
  };
  const request = { method, operation, url: toUrl(baseUrl, call), secrets: [token], isToCompanion: isRelayed };
  if (call.body === undefined) return { ...request, headers: accepted };
  const headers = { ...accepted, "content-type": "application/json" };
  return { ...request, headers, body: JSON.stringify(call.body) };
}

/** A browser writes `max-age=0` on what it only revalidates. */
const toCacheControl = (maxAgeMs: number): string =>
  maxAgeMs < 1000 ? "no-cache" : `max-age=${Math.floor(maxAgeMs / 1000)}`;

/**
 * Puts an operation's address together.
 *
 * @throws ArgumentError (FEED_ARGUMENT_INVALID)
 */
export function toUrl(baseUrl: string, { operation, path = {}, query = {} }: Call): string {
  const filled = OPERATIONS[operation].path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name] ?? "";
    if (!isPathSegment(value)) {
      throw new ArgumentError(`"${value}" cannot be an id; give the id as the provider writes it`);
    }
    return encodeURIComponent(value);
  });
  const url = new URL(baseUrl.replace(/\/+$/, "") + filled);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}

import { type OperationId as ContractOperation, OPERATIONS } from "../contract/constants";
import { DEADLINE_MS, openDeadline } from "./deadline";
import { ArgumentError, RequestError } from "./errors";
import type { Http, HttpRequest } from "./http";
import type { Ports } from "./ports";
import type { Reply } from "./reply";
import type { Bearer, TokenHolder } from "./token";

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
}

export interface LoadOptions {
  signal?: AbortSignal | undefined;
  /** Milliseconds for the whole read, renewal of the token included; default 30,000. */
  timeoutMs?: number;
}

export interface Provider {
  /**
   * Reads the API with a bearer token (§5.3).
   *
   * @throws RequestError, TokenError, SignerError, SessionError; NoValueError (FEED_RESULT_TOO_LARGE)
   */
  load(call: Call, options?: LoadOptions): Promise<Reply>;
}

export interface ProviderOptions {
  ports: Ports;
  http: Http;
  token: TokenHolder;
  /** The provider's base URL as the client reaches it: its own, or the companion's relay. */
  baseUrl: () => Promise<string>;
}

export function createProvider({ ports, http, token, baseUrl }: ProviderOptions): Provider {
  const loadWith = async (bearer: Bearer, call: Call, signal: AbortSignal, timeoutMs: number) => {
    // The address is asked for inside, where the deadline also ends a connection that never comes about.
    const reply = await http.send(async () => toRequest(await baseUrl(), call, bearer), { signal, timeoutMs });
    token.accept(bearer);
    return reply;
  };
  return {
    async load(call, { signal, timeoutMs = DEADLINE_MS } = {}) {
      const deadline = openDeadline(ports, timeoutMs, signal);
      try {
        const bearer = await deadline.race(token.bearer());
        try {
          return await loadWith(bearer, call, deadline.signal, deadline.remainingMs());
        } catch (error) {
          if (!(error instanceof RequestError) || error.code !== "FEED_UNAUTHORISED") throw error;
          const renewed = await deadline.race(token.renew(bearer));
          return await loadWith(renewed, call, deadline.signal, deadline.remainingMs());
        }
      } finally {
        deadline.close();
      }
    },
  };
}

function toRequest(baseUrl: string, call: Call, bearer: Bearer): HttpRequest {
  const { method } = OPERATIONS[call.operation];
  const headers: Record<string, string> = { authorization: `Bearer ${bearer.token}`, accept: "application/json" };
  const url = toUrl(baseUrl, call);
  if (call.body === undefined) return { method, url, headers };
  return { method, url, headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(call.body) };
}

/**
 * Puts an operation's address together. An id is provider or user text: `..` survives encodeURIComponent, so
 * what has only dots, or anything that could leave its segment, is refused instead of escaped.
 *
 * @throws ArgumentError (FEED_ARGUMENT_INVALID)
 */
export function toUrl(baseUrl: string, { operation, path = {}, query = {} }: Call): string {
  const filled = OPERATIONS[operation].path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name] ?? "";
    if (value === "" || /^\.+$/.test(value) || /[/\\?#%\p{Cc}\p{Cs}]/u.test(value)) {
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

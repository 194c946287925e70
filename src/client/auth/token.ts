import { ASSERTION_TYPE, GRANT_TYPE, TOKEN_LIFETIME_SECONDS } from "../../contract/constants";
import { hasCode, RequestError, TokenError } from "../errors";
import type { Connection, Http } from "../http";
import type { Reply } from "../http/response";
import { msg } from "../messages";
import type { Ports } from "../ports";
import type { Assertion } from "./assertion";

/** An access token, in memory only: it is never stored, logged or put in a URL. */
export interface Bearer {
  readonly token: string;
  /** When it is renewed before use, milliseconds since the Unix epoch. */
  readonly renewAtMs: number;
}

interface TokenOptions {
  ports: Ports;
  http: Http;
  connection: () => Promise<Connection>;
  /**
   * Signs a fresh assertion for each exchange, since each has its own jti (§5.2); with another key than the refused
   * one, if there is one.
   */
  sign: (refusedKeyId?: string) => Promise<Assertion>;
}

/** Time before its end at which a token is renewed, so that no request leaves with one that ends on the way. */
const MARGIN_MS = 30_000;

/** Longest credible lifetime. */
const LONGEST_LIFETIME_SECONDS = 3600;

const REFUSAL_PAUSE_MS = 10_000;

const WAY = { server: "credentials", timeoutMs: 20_000 } as const;

/** Holds one token for all callers and renews it. */
interface TokenManager<T, Context = void> {
  /** Gives a token with time left; concurrent calls share one exchange. */
  bearer(context: Context): Promise<T>;
  /**
   * Gives a token other than the refused one; any number of refusals share one exchange.
   *
   * @throws RequestError (FEED_UNAUTHORISED) for a while after a new token was refused as well
   */
  renew(refused: T, context: Context): Promise<T>;
  /** Records that the provider accepted this token, so that a later refusal is worth a renewal. */
  accept(bearer: T): void;
  /** Removes the token, as on disconnecting. */
  forget(): void;
}

export type TokenHolder = TokenManager<Bearer>;

/**
 * Creates the token's manager, in memory only.
 *
 * @param load one exchange; its result is ignored once the token is forgotten
 * @param pauseMs how long the provider is left alone after a new token was refused as well, in milliseconds
 */
export function createTokenManager<T extends Pick<Bearer, "renewAtMs">, Context = void>(
  nowMs: () => number,
  load: (isForgotten: () => boolean, context: Context) => Promise<T>,
  pauseMs: number,
): TokenManager<T, Context> {
  let current: T | null;
  let loading: Promise<T> | null;
  let accepted: T | null;
  let pausedUntilMs: number;
  let generation = 0;
  const forget = () => {
    current = loading = accepted = null;
    pausedUntilMs = 0;
    generation++;
  };
  forget();
  const give = (context: Context): Promise<T> => {
    if (current && nowMs() < current.renewAtMs) return Promise.resolve(current);
    const ownGeneration = generation;
    const isForgotten = () => ownGeneration !== generation;
    loading ??= load(isForgotten, context).then(
      (bearer) => {
        if (isForgotten()) return give(context); // the result may be another client's
        loading = null;
        current = bearer;
        return bearer;
      },
      (error) => {
        if (isForgotten()) return give(context);
        loading = null;
        throw error;
      },
    );
    return loading;
  };
  return {
    bearer: give,
    async renew(refused, context) {
      if (current === refused) {
        if (nowMs() < pausedUntilMs && accepted !== refused) {
          throw new RequestError(
            "FEED_UNAUTHORISED",
            msg`the provider refuses its own new tokens; connect again later`,
          );
        }
        current = null;
      }
      const [before, ownGeneration] = [current, generation];
      const renewed = await give(context);
      // Only a renewal starts the refusal pause, not a first token of another client.
      if (renewed !== before && ownGeneration === generation) pausedUntilMs = nowMs() + pauseMs;
      return renewed;
    },
    accept(bearer) {
      if (bearer === current) accepted = bearer; // a late answer to an older token says nothing about this one
    },
    forget,
  };
}

/** Holds the access token of §5.3. */
export const createToken = (options: TokenOptions): TokenHolder =>
  createTokenManager(options.ports.nowMs, (isForgotten) => loadToken(options, isForgotten), REFUSAL_PAUSE_MS);

/** Makes one exchange. A refused assertion is retried once: the clock, a reused jti or a new key may be the reason. */
async function loadToken(options: TokenOptions, isForgotten: () => boolean): Promise<Bearer> {
  try {
    return await exchangeOnce(options);
  } catch (error) {
    if (!(error instanceof TokenError) || isForgotten()) throw error;
    return exchangeOnce(options, error.facts.keyId);
  }
}

async function exchangeOnce(options: TokenOptions, refusedKeyId?: string): Promise<Bearer> {
  const { ports, http, connection, sign } = options;
  let sentAtMs = 0;
  let signed: Assertion | null = null;
  const createRequest = async () => {
    const { tokenUrl: url, isRelayed: isToCompanion } = await connection();
    signed = await sign(refusedKeyId);
    const form = {
      grant_type: GRANT_TYPE,
      client_id: signed.clientId,
      client_assertion_type: ASSERTION_TYPE,
      client_assertion: signed.assertion,
    };
    sentAtMs = ports.nowMs();
    const headers = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
    const body = new URLSearchParams(form).toString();
    return { method: "POST", operation: "createToken", url, headers, body, isToCompanion, secrets: [signed.assertion] };
  };
  try {
    return readToken(await http.send(createRequest, WAY), sentAtMs, ports.nowMs());
  } catch (error) {
    throw toTokenError(error, signed, refusedKeyId);
  }
}

/** The result of an exchange. */
interface Grant {
  token: string;
  /** As the provider gave it; default 300. */
  lifetime: unknown;
  /** In milliseconds, an hour at most; NaN where it is no number. */
  lifetimeMs: number;
}

/** Reads a token endpoint's answer; undefined where it holds no token. */
export function readGrant(body: unknown): Grant | undefined {
  const { access_token: token, expires_in: lifetime } = (body ?? {}) as Record<string, unknown>;
  if (typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token)) return undefined;
  const said = lifetime ?? TOKEN_LIFETIME_SECONDS;
  return { token, lifetime: said, lifetimeMs: Math.min(Number(said), LONGEST_LIFETIME_SECONDS) * 1000 };
}

/** Reads a token. Its lifetime counts from when the request left: the provider's count began no earlier. */
function readToken({ body }: Reply, sentAtMs: number, nowMs: number): Bearer {
  const grant = readGrant(body);
  if (grant === undefined) {
    throw new TokenError("FEED_TOKEN_MALFORMED", msg`the provider's answer holds no access token; check the base URL`);
  }
  const { token, lifetime, lifetimeMs } = grant;
  const renewAtMs = sentAtMs + lifetimeMs - Math.min(MARGIN_MS, lifetimeMs / 4);
  if (nowMs < renewAtMs) return { token, renewAtMs };
  throw new TokenError(
    "FEED_TOKEN_MALFORMED",
    msg`the access token for ${lifetime} seconds had expired on arrival; tell the provider`,
  );
}

const isRefusal = hasCode("FEED_REQUEST_INVALID", "FEED_UNAUTHORISED", "FEED_SCOPE_MISSING", "FEED_NOT_FOUND");

/** Converts a refusal of the token endpoint, which concerns the credentials; other errors stay as they are. */
function toTokenError(error: unknown, signed: Assertion | null, refusedKeyId?: string): unknown {
  if (!isRefusal(error) || signed === null) return error;
  if (error.facts.refusal !== undefined) return error;
  const { clientId, keyId } = signed;
  const isOther = refusedKeyId !== undefined && refusedKeyId !== keyId;
  const keys = isOther ? msg`"${refusedKeyId}", then "${keyId}"` : `"${keyId}"`;
  const { status, said } = error.facts;
  const reason = said === undefined ? `${status}` : `${status}, ${said}`;
  return new TokenError(
    "FEED_TOKEN_REFUSED",
    msg`the provider refused client "${clientId}" with key ${keys} (${reason}); check both, and the public key at the provider`,
    { ...error.facts, keyId },
  );
}

import { ASSERTION_TYPE, GRANT_TYPE, TOKEN_LIFETIME_SECONDS } from "../../contract/constants";
import { hasCode, RequestError, TokenError } from "../errors";
import type { Connection, Http } from "../http";
import type { Reply } from "../http/response";
import type { Ports } from "../ports";
import type { Assertion } from "./assertion";

/** An access token in memory; it is never stored, logged or put in a URL. */
export interface Bearer {
  readonly token: string;
  /** From here on it is renewed before use, milliseconds since the Unix epoch. */
  readonly renewAtMs: number;
}

export interface TokenHolder {
  /** Gives a token with time left; however many ask at once, one exchange serves them. */
  bearer(): Promise<Bearer>;
  /** Gives a token other than the one the provider just refused; one exchange for any number of refusals. */
  renew(refused: Bearer): Promise<Bearer>;
  /** Tells that the provider took this token, so that a later refusal of it is worth a renewal. */
  accept(bearer: Bearer): void;
  /** Drops the token, as on disconnecting. */
  forget(): void;
}

interface TokenOptions {
  ports: Ports;
  http: Http;
  connection: () => Promise<Connection>;
  /** A fresh assertion for each exchange: each has its own jti (§5.2); by another key than the refused one, if there is. */
  sign: (refusedKeyId?: string) => Promise<Assertion>;
}

/** Renewed this long before its end, so that no request leaves with a token that ends on the way. */
const MARGIN_MS = 30_000;

/** A lifetime above this is not believed. */
const LONGEST_LIFETIME_SECONDS = 3600;

/** After a new token was refused as well, the provider is left alone for this long. */
const REFUSAL_PAUSE_MS = 10_000;

const WAY = { server: "credentials", timeoutMs: 20_000 } as const;

/** What is known of the tokens; `generation` counts how often all was forgotten. */
interface Held {
  current: Bearer | null;
  flight: Promise<Bearer> | null;
  accepted: Bearer | null;
  pausedUntilMs: number;
  generation: number;
}

const createHeld = (generation: number): Held => ({
  current: null,
  flight: null,
  accepted: null,
  pausedUntilMs: 0,
  generation,
});

/** Holds one access token and renews it by the exchange of §5.3. */
export function createToken(options: TokenOptions): TokenHolder {
  const { ports } = options;
  const held = createHeld(0);
  return {
    bearer: async () => give(options, held),
    async renew(refused) {
      if (held.current === refused) {
        if (ports.nowMs() < held.pausedUntilMs && held.accepted !== refused) {
          throw new RequestError("FEED_UNAUTHORISED", "the provider refuses its own new tokens; connect again later");
        }
        held.current = null;
      }
      const { current, generation } = held;
      const renewed = await give(options, held);
      // A first token of another client is none that follows a refusal.
      if (renewed !== current && generation === held.generation) held.pausedUntilMs = ports.nowMs() + REFUSAL_PAUSE_MS;
      return renewed;
    },
    accept(bearer) {
      if (bearer === held.current) held.accepted = bearer; // a late answer to an older token says nothing of this one
    },
    forget() {
      Object.assign(held, createHeld(held.generation + 1));
    },
  };
}

/** The held token, or one exchange for all who ask while it is under way; what was forgotten on the way serves nobody. */
function give(options: TokenOptions, held: Held): Promise<Bearer> {
  const { current, generation: asked } = held;
  if (current !== null && options.ports.nowMs() < current.renewAtMs) return Promise.resolve(current);
  const isForgotten = () => asked !== held.generation;
  held.flight ??= loadToken(options, isForgotten).then(
    (bearer) => {
      if (isForgotten()) return give(options, held); // it may be another client's
      held.flight = null;
      held.current = bearer;
      return bearer;
    },
    (error) => {
      if (isForgotten()) return give(options, held);
      held.flight = null;
      throw error;
    },
  );
  return held.flight;
}

/** One exchange; a refused assertion gets one fresh one, since a clock, a reused jti or a new key may have been the reason. */
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

/** Lifetime counts from when the request left: the provider's count began no earlier. */
function readToken({ body }: Reply, sentAtMs: number, nowMs: number): Bearer {
  const { access_token: token, expires_in: lifetime } = (body ?? {}) as Record<string, unknown>;
  if (typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token)) {
    throw new TokenError("FEED_TOKEN_MALFORMED", "the provider's answer holds no access token; check the base URL");
  }
  const seconds = Number(lifetime ?? TOKEN_LIFETIME_SECONDS);
  const lifetimeMs = Math.min(seconds, LONGEST_LIFETIME_SECONDS) * 1000;
  const renewAtMs = sentAtMs + lifetimeMs - Math.min(MARGIN_MS, lifetimeMs / 4);
  if (nowMs < renewAtMs) return { token, renewAtMs };
  throw new TokenError(
    "FEED_TOKEN_MALFORMED",
    `the access token had ended when it came, a token for ${lifetime ?? seconds} seconds; tell the provider`,
  );
}

const isRefusal = hasCode("FEED_REQUEST_INVALID", "FEED_UNAUTHORISED", "FEED_SCOPE_MISSING", "FEED_NOT_FOUND");

/** A definite no of the token endpoint is about the credentials; anything else keeps its own code. */
function toTokenError(error: unknown, signed: Assertion | null, refusedKeyId?: string): unknown {
  if (!isRefusal(error) || signed === null) return error;
  if (error.facts.refusal !== undefined) return error;
  const { clientId, keyId } = signed;
  const keys = [...new Set([refusedKeyId ?? keyId, keyId])].map((key) => `"${key}"`).join(", then ");
  const { status, said } = error.facts;
  const reason = said === undefined ? `${status}` : `${status}, ${said}`;
  return new TokenError(
    "FEED_TOKEN_REFUSED",
    `the provider refused client "${clientId}" with key ${keys} (${reason}); check both, and the public key at the provider`,
    { ...error.facts, keyId },
  );
}

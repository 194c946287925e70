import type { FastifyBaseLogger } from "fastify";
import { createTokenManager } from "../../client/auth/token";
import { hasCode } from "../../client/errors";
import { createHedgeBudget, type HedgeBudget } from "../../client/http/hedge";
import { type Signer, signAssertion } from "../assertion";
import type { ProviderClock } from "../clock";
import { type Exchange, exchangeAssertion } from "../exchange";
import { toLogFields } from "../log";
import type { Network } from "../network";
import { isKeyRefusal, type Provider, pickSigner, toKeyWarning, toTokenUrl } from "../provider";
import { createRedact, type Redact } from "../redaction";
import { sendHedged } from "./upstream";

/**
 * Longer than the pane's own 30 seconds, so that a pane that renews gets another token and not the rest of this one.
 */
const MARGIN_MS = 45_000;

/** Reads wait no longer than this. */
const LONGEST_EXCHANGE_MS = 30_000;

/** Time between exchanges with a provider that gives or takes no token. */
const PAUSE_MS = 5000;

/** An access token, which never leaves the companion. */
export interface AccessToken {
  provider: Provider;
  token: string;
  /** Milliseconds since 1970. */
  expiresAtMs: number;
  renewAtMs: number;
  /** Redacts the token in the provider's words. */
  redact: Redact;
}

/** An exchange that gave no token. */
export type Declined = Extract<Exchange, { ok: false }>;

/** A declined exchange, not repeated before `renewAtMs`, milliseconds since 1970. */
type HeldBack = Declined & { renewAtMs: number };

/** The log and the pairing that an exchange is logged under. */
export interface LogContext {
  log: FastifyBaseLogger;
  /** The pairing's id, "sample", or "all" for a token that serves every reader. */
  pairing: string;
}

/** The one token of this process, which all panes and reads share. */
export interface RelayToken {
  /**
   * Gives the provider's token; concurrent calls share one exchange (§5.3). A declined exchange is given to all for
   * five seconds, or as long as the provider asks to wait.
   * @param isPane Whether a pane exchanges: it may retry once after a refusal, since the refusal can correct the clock.
   * @throws Error of the signer.
   */
  load(logContext: LogContext, isPane?: boolean): Promise<AccessToken | Declined>;
  /**
   * Renews a refused token, and gives whether the read is worth another attempt.
   * @throws Error of the signer.
   */
  renew(refused: AccessToken, logContext: LogContext): Promise<boolean>;
}

interface RelayTokenOptions {
  /** The current provider: another provider's token is neither given out nor sent. */
  provider: () => Provider;
  /** Learns the provider's clock from refusals. */
  clock: ProviderClock;
  /** How the provider is reached; default directly. */
  network?: Network | undefined;
  /** Milliseconds before a second exchange goes out beside a slow one; default 10000. */
  aloneMs?: number | undefined;
}

type Context = RelayTokenOptions & { hedges: HedgeBudget };

/** Creates the token's holder, in memory only. */
export function createRelayToken(options: RelayTokenOptions): RelayToken {
  const context = { ...options, hedges: createHedgeBudget() };
  const { nowMs } = options.clock;
  let provider: Provider | undefined;
  let latest: AccessToken | undefined;
  let declined: HeldBack | undefined;
  let triedAgainAtMs = Number.NEGATIVE_INFINITY;

  /** Forgets another provider's token. */
  const follow = (): Provider => {
    const current = options.provider();
    if (current !== provider) {
      latest = undefined;
      manager.forget();
    }
    provider = current;
    return current;
  };
  const load = async (_isForgotten: () => boolean, logContext: LogContext) => {
    const requested = follow();
    const result = await exchange(context, requested, logContext);
    if (follow() === requested && "token" in result) {
      latest = result;
      triedAgainAtMs = Number.NEGATIVE_INFINITY;
    }
    if ("token" in result) return result;
    declined = { ...result, renewAtMs: nowMs() + Math.max(PAUSE_MS, result.waitMs ?? 0) };
    return declined;
  };
  const manager = createTokenManager<AccessToken | HeldBack, LogContext>(nowMs, load, PAUSE_MS);
  const mayTryAgain = ({ status }: Declined) => {
    if (!isKeyRefusal(status) || nowMs() - triedAgainAtMs < PAUSE_MS) return false;
    triedAgainAtMs = nowMs();
    return true;
  };
  return {
    async load(logContext, isPane = false) {
      follow();
      const before = declined;
      let result = await manager.bearer(logContext);
      if (isPane && !("token" in result) && result === before && mayTryAgain(result)) {
        manager.forget();
        result = await manager.bearer(logContext);
      }
      if ("token" in result) return result;
      // The last token may still be valid.
      return latest !== undefined && nowMs() < latest.expiresAtMs ? latest : result;
    },
    async renew(refused, logContext) {
      if (follow() !== refused.provider) return true;
      if (latest === refused) latest = undefined;
      return isRenewed(manager.renew(refused, logContext));
    },
  };
}

/** Whether a renewal was made, and not refused for following another one too soon. */
async function isRenewed(renewal: Promise<unknown>): Promise<boolean> {
  try {
    await renewal;
    return true;
  } catch (error) {
    if (isTooSoon(error)) return false;
    throw error;
  }
}

const isTooSoon = hasCode("FEED_UNAUTHORISED");

/**
 * Exchanges with the newest key, and with the previous one while the provider does not know it. After a clock error the
 * pane is refused: it retries once, with the corrected clock.
 */
async function exchange(context: Context, provider: Provider, logContext: LogContext): Promise<AccessToken | Declined> {
  const newest = pickSigner(provider.client);
  const first = await exchangeHedged(context, provider, newest, logContext);
  if ("token" in first || !isKeyRefusal(first.status)) return first;
  const { isOther, news } = context.clock.correct(provider, first.skewMs);
  if (news !== null) logContext.log[news.level](news.text);
  if (isOther) return first;
  const other = pickSigner(provider.client, newest.keyId);
  if (other === newest) return first;
  const second = await exchangeHedged(context, provider, other, logContext);
  if (!("token" in second)) return first;
  logContext.log.warn({ kid: newest.keyId, status: first.status }, toKeyWarning("The provider refuses", newest, other));
  return second;
}

/** Exchanges with a hedge, which has an assertion of its own. */
function exchangeHedged(
  context: Context,
  provider: Provider,
  signer: Signer,
  logContext: LogContext,
): Promise<AccessToken | Declined> {
  const { aloneMs, hedges } = context;
  return sendHedged({
    aloneMs,
    hedges,
    send: (signal) => exchangeOnce(context, provider, signer, logContext, signal),
    mayHedge: async () => hedges.take(),
    isFinal: (each) => "token" in each || (each.status >= 400 && each.status < 500 && each.status !== 429),
  });
}

async function exchangeOnce(
  { clock, network }: RelayTokenOptions,
  provider: Provider,
  signer: Signer,
  { log, pairing }: LogContext,
  signal: AbortSignal,
): Promise<AccessToken | Declined> {
  const { clientId } = provider.client;
  const tokenUrl = toTokenUrl(provider);
  const { nowMs } = clock;
  const sentAtMs = nowMs();
  const { assertion, keyId, jti } = await signAssertion(clientId, signer, tokenUrl, clock.signingMs(provider));
  const result = await exchangeAssertion(tokenUrl, clientId, assertion, {
    timeoutMs: LONGEST_EXCHANGE_MS,
    network,
    nowMs,
    signal,
  });
  const about = toLogFields(pairing, { keyId, jti });
  if (!result.ok) {
    log.info({ ...about, outcome: result.reason }, "token exchange");
    return result;
  }
  log.info({ ...about, outcome: "granted" }, "token exchange");
  const { token, expiresInSeconds } = result;
  // The provider's count began no earlier than the request left.
  const lifetimeMs = expiresInSeconds * 1000;
  const expiresAtMs = sentAtMs + lifetimeMs;
  const renewAtMs = expiresAtMs - Math.min(MARGIN_MS, lifetimeMs / 3);
  return { provider, token, expiresAtMs, renewAtMs, redact: createRedact([token]) };
}

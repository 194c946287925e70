import type { FastifyBaseLogger } from "fastify";
import { createTokenManager } from "../../client/auth/token";
import { hasCode } from "../../client/errors";
import { createHedgeBudget, type HedgeBudget } from "../../client/http/hedge";
import { type Signer, signAssertion } from "../assertion";
import { isKeyRefusal, pickSigner, toKeyWarning } from "../client";
import type { ProviderClock } from "../clock";
import { type Exchange, exchangeAssertion } from "../exchange";
import { toLogFields } from "../log";
import { type Provider, toTokenUrl } from "../provider";
import { createRedact, type Redact } from "../redaction";
import { sendHedged } from "./upstream";

/** Above the pane's own 30 seconds, so that a pane that renews gets another token and not the rest of this one. */
const MARGIN_MS = 45_000;

/** No read waits for longer. */
const LONGEST_EXCHANGE_MS = 30_000;

/** A provider that gives no token, or takes none, is not asked for another with every read. */
const PAUSE_MS = 5000;

/** A token that the companion keeps to itself. */
export interface AccessToken {
  provider: Provider;
  token: string;
  /** Milliseconds since 1970. */
  expiresAtMs: number;
  renewAtMs: number;
  /** Takes the token out of what the provider says. */
  redact: Redact;
}

/** An exchange that gave no token. */
export type Declined = Extract<Exchange, { ok: false }>;

/** One that is not asked for again before a time, in milliseconds since 1970. */
type HeldBack = Declined & { renewAtMs: number };

/** On whose behalf a token is exchanged, for the log. */
interface LogContext {
  log: FastifyBaseLogger;
  /** The pairing's id, or "sample", or "all" where the token is to serve whoever reads. */
  pairing: string;
}

/** The one token of this process, which all panes share: reads and panes take it alike. */
export interface RelayToken {
  /**
   * Gives the provider's token; however many ask at once, one exchange serves them (§5.3). What an exchange was declined
   * with is given to all for five seconds, or as long as the provider asks to wait.
   * @param isPane Whether a pane exchanges: once it has heard of the clock by a refusal, another exchange may do better.
   * @throws Error of the signer.
   */
  load(logContext: LogContext, isPane?: boolean): Promise<AccessToken | Declined>;
  /**
   * Renews a token that the provider refused, and tells whether a read is worth another try.
   * @throws Error of the signer.
   */
  renew(refused: AccessToken, logContext: LogContext): Promise<boolean>;
}

interface RelayTokenOptions {
  /** Whom tokens are of at this moment: one of another is never given out, nor sent. */
  provider: () => Provider;
  /** What is learned of a provider's clock is the companion API's to tell. */
  clock: ProviderClock;
  /** A certificate authority to trust for a provider in place of the public ones (PEM). */
  authority: (provider: Provider) => string | undefined;
  /** Milliseconds that an exchange is waited for alone; default 10000. */
  aloneMs?: number | undefined;
}

type Context = RelayTokenOptions & { hedges: HedgeBudget };

/** Creates the holder of the token; it is in memory only. */
export function createRelayToken(options: RelayTokenOptions): RelayToken {
  const context = { ...options, hedges: createHedgeBudget() };
  const { nowMs } = options.clock;
  let provider: Provider | undefined;
  let latest: AccessToken | undefined;
  let declined: HeldBack | undefined;
  let triedAgainAtMs = Number.NEGATIVE_INFINITY;

  /** Forgets what another provider gave. */
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
      // The last one may not have ended.
      return latest !== undefined && nowMs() < latest.expiresAtMs ? latest : result;
    },
    async renew(refused, logContext) {
      if (follow() !== refused.provider) return true;
      if (latest === refused) latest = undefined;
      return isRenewed(manager.renew(refused, logContext));
    },
  };
}

/** Tells whether a renewal was made, and not refused for coming too soon after another. */
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
 * The newest key signs first; while the provider does not know it, the one before it still serves. Where the clock is why,
 * the pane is refused: it asks once more, and hears of the clock with that.
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

/** A slow exchange has another beside it, with an assertion of its own. */
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
  { clock, authority }: RelayTokenOptions,
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
    authority: authority(provider),
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

import type { FastifyBaseLogger } from "fastify";
import { createHedgeBudget, type HedgeBudget } from "../../client/http/hedge";
import { type Signer, signAssertion } from "../assertion";
import { isKeyRefusal, pickSigner, toKeyWarning } from "../client";
import type { ProviderClock } from "../clock";
import { type Exchange, exchangeAssertion } from "../exchange";
import { toLogFields } from "../log";
import { type Provider, toTokenUrl } from "../provider";
import { type Cut, createCut } from "../secrets";

import { sendHedged } from "./upstream";

/** Above the pane's own 30 seconds, so that a pane that renews gets another token and not the rest of this one. */
const MARGIN_MS = 45_000;

/** No read waits for longer. */
const LONGEST_EXCHANGE_MS = 30_000;

/** A token that the companion keeps to itself. */
export interface Held {
  token: string;
  /** Milliseconds since 1970. */
  expiresAtMs: number;
  /** Takes the token out of what the provider says. */
  cut: Cut;
}

/** An exchange that gave no token. */
export type Declined = Extract<Exchange, { ok: false }>;

/** On whose behalf a token is exchanged, for the log. */
export interface Asker {
  log: FastifyBaseLogger;
  /** The pairing's id, or "sample", or "all" where the token is to serve whoever reads. */
  pairing: string;
}

/** The one token of this process, which all panes share. */
export interface HeldToken {
  /** Gives the token for a read at a provider, if there is one of that provider that has not ended. */
  find(provider: Provider): Held | undefined;
  /**
   * Gives a token with time to spare; however many ask at once, one exchange serves them (§5.3).
   * @throws Error of the signer.
   */
  load(asker: Asker): Promise<Held | Declined>;
  /** Drops the token that the provider has just refused; a late refusal of an older one drops nothing. */
  drop(refused: Held): void;
}

interface HeldTokenOptions {
  /** Whom tokens are of at this moment: one of another is never given out, nor sent. */
  provider: () => Provider;
  /** What is learned of a provider's clock is the companion API's to tell. */
  clock: ProviderClock;
  /** A certificate authority to trust for a provider in place of the public ones (PEM). */
  authority: (provider: Provider) => string | undefined;
  /** Milliseconds that an exchange is waited for alone; default 10000. */
  aloneMs?: number | undefined;
}

type Context = HeldTokenOptions & { hedges: HedgeBudget };

type Current = Held & { provider: Provider; renewAtMs: number };

/** Creates the holder of the token; it is in memory only. */
export function createHeldToken(options: HeldTokenOptions): HeldToken {
  const context = { ...options, hedges: createHedgeBudget() };
  const { nowMs } = options.clock;
  let current: Current | null = null;
  let flight: { provider: Provider; result: Promise<Current | Declined> } | null = null;

  const land = async (provider: Provider, asker: Asker): Promise<Current | Declined> => {
    try {
      const result = await exchange(context, provider, asker);
      if ("token" in result && options.provider() === provider) current = result;
      return result;
    } finally {
      if (flight?.provider === provider) flight = null;
    }
  };
  return {
    find: (provider) =>
      current !== null && current.provider === provider && nowMs() < current.expiresAtMs ? current : undefined,
    async load(asker) {
      for (;;) {
        const provider = options.provider();
        if (current?.provider === provider && nowMs() < current.renewAtMs) return current;
        if (flight?.provider !== provider) flight = { provider, result: land(provider, asker) };
        const result = await flight.result;
        // Another provider may have been set up on the way.
        if (options.provider() === provider) return result;
      }
    },
    drop(refused) {
      if (current === refused) current = null;
    },
  };
}

/**
 * The newest key signs first; while the provider does not know it, the one before it still serves. Where the clock is why,
 * the pane is refused: it asks once more, and hears of the clock with that.
 */
async function exchange(context: Context, provider: Provider, asker: Asker): Promise<Current | Declined> {
  const newest = pickSigner(provider.client);
  const first = await exchangeHedged(context, provider, newest, asker);
  if ("token" in first || !isKeyRefusal(first.status)) return first;
  const { isOther, news } = context.clock.correct(provider, first.skewMs);
  if (news !== null) asker.log[news.level](news.text);
  if (isOther) return first;
  const other = pickSigner(provider.client, newest.keyId);
  if (other === newest) return first;
  const second = await exchangeHedged(context, provider, other, asker);
  if (!("token" in second)) return first;
  asker.log.warn({ kid: newest.keyId, status: first.status }, toKeyWarning("The provider refuses", newest, other));
  return second;
}

/** A slow exchange has another beside it, with an assertion of its own. */
function exchangeHedged(
  context: Context,
  provider: Provider,
  signer: Signer,
  asker: Asker,
): Promise<Current | Declined> {
  const { aloneMs, hedges } = context;
  return sendHedged({
    aloneMs,
    hedges,
    send: (signal) => exchangeOnce(context, provider, signer, asker, signal),
    mayHedge: async () => hedges.take(),
    isFinal: (each) => "token" in each || (each.status >= 400 && each.status < 500 && each.status !== 429),
  });
}

async function exchangeOnce(
  { clock, authority }: HeldTokenOptions,
  provider: Provider,
  signer: Signer,
  { log, pairing }: Asker,
  signal: AbortSignal,
): Promise<Current | Declined> {
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
  return { provider, token, expiresAtMs, renewAtMs, cut: createCut([token]) };
}

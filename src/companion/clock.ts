import { request } from "undici";
import { LARGEST_CORRECTED_SKEW_MS } from "../contract/companion-api";
import { createConnections, type Network } from "./network";
import type { Provider } from "./provider";

/** Largest lag without a correction: half of an assertion's 60 seconds is for the way. */
const LARGEST_LAG_MS = 30_000;

/**
 * Largest lead without a correction: providers refuse times in their future, and a header with whole seconds shows no
 * less.
 */
const LARGEST_LEAD_MS = 2_000;

/** Subtracted from a corrected time, so that it is not in the provider's future. */
const MARGIN_MS = 5_000;

const TIMEOUT_MS = 3_000;

/** The difference between this computer's clock and a provider's, measured when the provider refuses an assertion. */
export interface ProviderClock {
  /** This computer's own time, in milliseconds since 1970. */
  nowMs: () => number;
  /** How far it is ahead of the provider's, in milliseconds; negative where it is behind, 0 while both agree. */
  skewMs(provider: Provider): number;
  /** The time for assertions, in milliseconds since 1970: the provider's, where the clocks differ by a day at most. */
  signingMs(provider: Provider): number;
  /** Records a measured difference, if there is one. */
  correct(provider: Provider, skewMs: number | undefined): Correction;
}

/** The result of a measurement. */
interface Correction {
  /** Whether the signing time changed, so that another attempt may help. */
  isOther: boolean;
  /** The log line of a change; null without one. */
  news: { level: "warn" | "info"; text: string } | null;
}

/** Creates the companion's clock; a provider is forgotten together with its settings. */
export function createProviderClock(nowMs: () => number): ProviderClock {
  const skews = new WeakMap<Provider, number>();
  const skewMs = (provider: Provider) => skews.get(provider) ?? 0;
  const correctionMs = (provider: Provider) => (isCorrected(skewMs(provider)) ? skewMs(provider) + MARGIN_MS : 0);
  return {
    nowMs,
    skewMs,
    signingMs: (provider) => nowMs() - correctionMs(provider),
    correct(provider, measuredMs) {
      if (measuredMs === undefined || !mayBeRefused(measuredMs - skewMs(provider))) {
        return { isOther: false, news: null };
      }
      const beforeMs = correctionMs(provider);
      skews.set(provider, mayBeRefused(measuredMs) ? Math.round(measuredMs) : 0);
      return { isOther: correctionMs(provider) !== beforeMs, news: toNews(skewMs(provider)) };
    },
  };
}

/** Whether a provider may refuse assertions of a clock with this difference. */
export const mayBeRefused = (skewMs: number): boolean => skewMs > LARGEST_LEAD_MS || skewMs < -LARGEST_LAG_MS;

/** A difference of days is not corrected. */
const isCorrected = (skewMs: number): boolean => skewMs !== 0 && Math.abs(skewMs) <= LARGEST_CORRECTED_SKEW_MS;

function toNews(skewMs: number): Correction["news"] {
  if (skewMs === 0) return { level: "info", text: "This computer's clock and the provider's agree again." };
  const meanwhile = isCorrected(skewMs)
    ? "Until then assertions are signed by the provider's time."
    : "That is too far for assertions to be signed by the provider's time.";
  return { level: "warn", text: `${toClockSentence(skewMs)} Set it by network time. ${meanwhile}` };
}

/** Describes the difference of the clocks. */
export function toClockSentence(skewMs: number): string {
  const side = skewMs > 0 ? "ahead of" : "behind";
  return `This computer's clock is ${toSpan(skewMs)} ${side} the provider's.`;
}

const UNITS = [
  ["days", 24 * 3_600_000],
  ["hours", 3_600_000],
  ["min", 60_000],
] as const;

/** Formats a duration, in the largest unit of which it has two. */
export function toSpan(spanMs: number): string {
  const lengthMs = Math.abs(spanMs);
  const [unit, unitMs] = UNITS.find(([, each]) => lengthMs >= 2 * each) ?? ["s", 1000];
  return `${Math.round(lengthMs / unitMs)} ${unit}`;
}

/** Reads the header Date, in milliseconds since 1970. */
export function readDateMs(date: string | string[] | undefined): number | undefined {
  const dateMs = Date.parse(String(date));
  return Number.isNaN(dateMs) ? undefined : dateMs;
}

/** Gives this computer's lead over an answer's Date; half a second is added, since Date has whole seconds. */
export function toSkewMs(dateMs: number | undefined, sentAtMs: number, receivedAtMs: number): number | undefined {
  return dateMs === undefined ? undefined : (sentAtMs + receivedAtMs) / 2 - (dateMs + 500);
}

/**
 * Measures the clock of a token endpoint by an empty request; never throws.
 * @param network How the endpoint is reached.
 * @param timeoutMs Milliseconds that the answer may take; default 3000.
 * @returns Milliseconds that this computer is ahead; undefined where no answer with a Date came within 3 seconds.
 */
export async function loadSkewMs(
  tokenUrl: string,
  nowMs: () => number,
  network: Network,
  timeoutMs = TIMEOUT_MS,
): Promise<number | undefined> {
  const dispatcher = createConnections(network);
  const sentAtMs = nowMs();
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const { headers, body } = await request(tokenUrl, { method: "HEAD", signal, dispatcher });
    const skewMs = toSkewMs(readDateMs(headers.date), sentAtMs, nowMs());
    await body.dump();
    return skewMs;
  } catch {
    return undefined;
  } finally {
    await dispatcher.destroy();
  }
}

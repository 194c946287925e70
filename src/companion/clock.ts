import { Agent, request } from "undici";
import { LARGEST_CORRECTED_SKEW_MS } from "../contract/companion-api";
import type { Provider } from "./provider";

/** Between this and the largest lead clocks are taken to agree: of an assertion's 60 seconds half is for the way. */
const LARGEST_LAG_MS = 30_000;

/** A provider may refuse what is but a moment in its future; less than this a header with whole seconds cannot show. */
const LARGEST_LEAD_MS = 2_000;

/** What is signed by a measured time is dated back by this much: a provider refuses what it takes for its own future. */
const MARGIN_MS = 5_000;

const TIMEOUT_MS = 3_000;

/** How far this computer's clock is off a provider's, looked at when the provider has refused an assertion. */
export interface ProviderClock {
  /** This computer's own time, in milliseconds since 1970. */
  nowMs: () => number;
  /** How far it is ahead of the provider's, in milliseconds, negative where it is behind; 0 while both are taken to agree. */
  skewMs(provider: Provider): number;
  /** The time to sign by, in milliseconds since 1970: the provider's, where the clocks are at most a day apart. */
  signingMs(provider: Provider): number;
  /** Takes in how far an answer showed the clock to be ahead, if it did. */
  correct(provider: Provider, skewMs: number | undefined): Correction;
}

/** What came of another look at the clocks. */
interface Correction {
  /** Whether the time to sign by is another one now, so that to sign anew may help. */
  isOther: boolean;
  /** What is new, for the log; null where nothing is. */
  news: { level: "warn" | "info"; text: string } | null;
}

/** Creates the clock of a companion; it forgets a provider together with its settings. */
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

/** Whether a provider may refuse what is signed by a clock that is so far ahead, or behind. */
export const mayBeRefused = (skewMs: number): boolean => skewMs > LARGEST_LEAD_MS || skewMs < -LARGEST_LAG_MS;

/** A provider that is days off has no time to go by. */
const isCorrected = (skewMs: number): boolean => skewMs !== 0 && Math.abs(skewMs) <= LARGEST_CORRECTED_SKEW_MS;

function toNews(skewMs: number): Correction["news"] {
  if (skewMs === 0) return { level: "info", text: "This computer's clock and the provider's agree again." };
  const meanwhile = isCorrected(skewMs)
    ? "Until then assertions are signed by the provider's time."
    : "That is too far for assertions to be signed by the provider's time.";
  return { level: "warn", text: `${toClockSentence(skewMs)} Set it by network time. ${meanwhile}` };
}

/** Says how far the clocks are apart. */
export function toClockSentence(skewMs: number): string {
  const side = skewMs > 0 ? "ahead of" : "behind";
  return `This computer's clock is ${toSpan(skewMs)} ${side} the provider's.`;
}

const UNITS = [
  ["days", 24 * 3_600_000],
  ["hours", 3_600_000],
  ["min", 60_000],
] as const;

/** Says how long a time is, in the largest unit of which it has two. */
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

/** Converts the Date of an answer to how far this computer is ahead; Date has whole seconds, so half of one is added. */
export function toSkewMs(dateMs: number | undefined, sentAtMs: number, receivedAtMs: number): number | undefined {
  return dateMs === undefined ? undefined : (sentAtMs + receivedAtMs) / 2 - (dateMs + 500);
}

/**
 * Measures the clock of a token endpoint by one request that carries nothing; never throws.
 * @returns Milliseconds that this computer is ahead; undefined where no answer with a Date came within 3 seconds.
 */
export async function loadSkewMs(tokenUrl: string, nowMs: () => number): Promise<number | undefined> {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: true } });
  const sentAtMs = nowMs();
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
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

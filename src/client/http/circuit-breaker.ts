import { FeedError } from "../errors";
import { BASE_DELAY_MS, isFailure, MAX_ATTEMPTS, spread } from "./retry";

/**
 * How a family of operations fares: a state machine whose state each outcome replaces.
 *
 * | state     | is                            | on an answer | on a failure                         | on one that asks to wait |
 * |-----------|-------------------------------|--------------|--------------------------------------|--------------------------|
 * | well      | `pauses` is 0                 | well         | well; broken by the 6th in a row     | asked                    |
 * | asked     | pauses, as it was asked to    | asked        | asked                                | asked, where that is longer |
 * | broken    | pauses, for its failures      | well         | broken                               | asked, where that is longer |
 * | half-open | the pause is over             | well         | broken, for twice as long            | asked, for as long at least |
 *
 * While asked or broken nothing goes out, and while half-open one request, the trial: what comes all the same went out
 * before, and tells of a half-open family nothing by failing. A person's wish ends a pause,
 * unless that is for a limit.
 */
export interface BreakerState {
  /** Failures in a row. */
  readonly failures: number;
  /** Failures that are still worth another try: answers earn them, so that tries do not multiply where all fail. */
  readonly retries: number;
  /** Pauses in a row. */
  readonly pauses: number;
  /** Beginning and end of the last pause, milliseconds since the Unix epoch. */
  readonly sinceMs: number;
  readonly untilMs: number;
  /** What it pauses for; null while it is well. */
  readonly reason: FeedError | null;
}

const MOST_RETRIES = 20;

/** Two answers pay for one failure: beyond a third of failures there are no tries again. */
const EARNED_RETRIES = 0.5;

/** So many failures in a row are no accident: two requests with all their tries. */
const BREAKING_FAILURES = 6;

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

export const WELL: BreakerState = {
  failures: 0,
  retries: MOST_RETRIES,
  pauses: 0,
  sinceMs: 0,
  untilMs: 0,
  reason: null,
};

/** Whether the provider itself asked for the pause. */
export const isProviderPause = ({ reason }: BreakerState): boolean => reason !== null && requestsPause(reason);

/** A limit asks for it, and whatever else names a time, such as a 503 for maintenance. */
const requestsPause = ({ code, facts }: FeedError): boolean =>
  code === "FEED_RATE_LIMITED" || (facts.retryAfterMs ?? 0) > 0;

/** A computer's clock may be set back during a pause, which then remains no longer than it was to last in all. */
export const atTime = (breaker: BreakerState, nowMs: number): BreakerState =>
  nowMs < breaker.sinceMs
    ? { ...breaker, sinceMs: nowMs, untilMs: nowMs + breaker.untilMs - breaker.sinceMs }
    : breaker;

/** Whether another try of a request that failed is worth it. */
export const mayRetry = (breaker: BreakerState, nowMs: number): boolean =>
  breaker.retries >= 1 && (isProviderPause(breaker) || nowMs >= breaker.untilMs);

/** A person does not want to wait for a family that failed, which may be well by now; a limit stays. */
export const tryNow = (breaker: BreakerState): BreakerState =>
  breaker.reason?.code === "FEED_RATE_LIMITED" ? breaker : { ...breaker, untilMs: 0 };

export interface Outcome {
  /** Absent for an answer; null where nobody knows, as when it was called off. */
  error?: unknown;
  nowMs: number;
  /** 0 to 1, spreads clients that failed together over half to all of a pause. */
  random: number;
  /** Whether the request went out before the pause began. */
  isLate: boolean;
  /** Whether all data waits for it, as for a token: then one request with all its tries tells enough; default false. */
  isForAll?: boolean;
}

/** Goes on to the state after an outcome; a refusal such as 404 is an answer, too: there is a way, and somebody there. */
export function afterOutcome(breaker: BreakerState, outcome: Outcome): BreakerState {
  const { error, nowMs } = outcome;
  if (isFailure(error)) return afterFailure(breaker, error, outcome);
  const isRefusal = error instanceof FeedError && error.facts.status !== undefined && error.facts.refusal === undefined;
  if (error !== undefined && !isRefusal) return breaker;
  const retries = Math.min(MOST_RETRIES, breaker.retries + EARNED_RETRIES);
  return isProviderPause(breaker) && nowMs < breaker.untilMs ? { ...breaker, retries } : { ...WELL, retries };
}

function afterFailure(
  breaker: BreakerState,
  error: FeedError,
  { nowMs, random, isLate, isForAll }: Outcome,
): BreakerState {
  const next = { ...breaker, failures: breaker.failures + 1, retries: Math.max(0, breaker.retries - 1) };
  const pauses = isLate ? breaker.pauses - 1 : breaker.pauses; // one from before the pause must not count it twice
  const isRequested = requestsPause(error);
  if (!isRequested && (isLate || (pauses === 0 && next.failures < (isForAll ? MAX_ATTEMPTS : BREAKING_FAILURES))))
    return next;
  const firstMs = isRequested ? BASE_DELAY_MS : FIRST_PAUSE_MS;
  const backoffMs = spread(Math.min(LONGEST_PAUSE_MS, firstMs * 2 ** pauses), random);
  const retryAfterMs = error.facts.retryAfterMs;
  // A first pause lasts as long as was asked; further ones the backoff at least, for whoever asks for hardly any time.
  const leastMs = isRequested && retryAfterMs !== undefined && pauses === 0 ? 0 : backoffMs;
  const untilMs = nowMs + Math.max(retryAfterMs ?? 0, leastMs);
  return untilMs > breaker.untilMs ? { ...next, pauses: pauses + 1, sinceMs: nowMs, untilMs, reason: error } : next;
}

import { FeedError } from "../errors";
import { BASE_DELAY_MS, isFailure, MAX_ATTEMPTS, spread } from "./retry";

/**
 * The state of a family's circuit breaker; each outcome replaces it.
 *
 * | state     | is                            | on an answer | on a failure                         | on a requested pause        |
 * |-----------|-------------------------------|--------------|--------------------------------------|-----------------------------|
 * | well      | `pauses` is 0                 | well         | well; broken by the 6th in a row     | requested                   |
 * | requested | pauses, as the provider asked | requested    | requested                            | requested, if longer        |
 * | broken    | pauses, for its failures      | well         | broken                               | requested, if longer        |
 * | half-open | the pause is over             | well         | broken, for twice as long            | requested, at least as long |
 *
 * While requested or broken no request goes out; while half-open one does, the probe. Requests from before the pause may
 * still end: their failures do not change a half-open state. A user's refresh ends a pause, unless that is for a rate
 * limit.
 */
export interface BreakerState {
  /** Failures in a row. */
  readonly failures: number;
  /** Retries left: answers earn them, so that retries do not multiply during an outage. */
  readonly retries: number;
  /** Pauses in a row. */
  readonly pauses: number;
  /** Beginning and end of the last pause, milliseconds since the Unix epoch. */
  readonly sinceMs: number;
  readonly untilMs: number;
  /** Why it pauses; null while it is well. */
  readonly reason: FeedError | null;
}

const MOST_RETRIES = 20;

/** Two answers earn one retry: above a third of failures there are no retries. */
const EARNED_RETRIES = 0.5;

/** Failures in a row that open the breaker: two requests with all their attempts. */
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

/** A rate limit requests a pause, and so does any answer that names a time, such as a 503 for maintenance. */
const requestsPause = ({ code, facts }: FeedError): boolean =>
  code === "FEED_RATE_LIMITED" || (facts.retryAfterMs ?? 0) > 0;

/** Gives the state at this time. After a clock was set back, a pause lasts no longer than its full length. */
export const atTime = (breaker: BreakerState, nowMs: number): BreakerState =>
  nowMs < breaker.sinceMs
    ? { ...breaker, sinceMs: nowMs, untilMs: nowMs + breaker.untilMs - breaker.sinceMs }
    : breaker;

/** Whether a failed request is worth another attempt. */
export const mayRetry = (breaker: BreakerState, nowMs: number): boolean =>
  breaker.retries >= 1 && (isProviderPause(breaker) || nowMs >= breaker.untilMs);

/** Ends a pause for failures, since the user asked for data now; a rate limit's pause stays. */
export const tryNow = (breaker: BreakerState): BreakerState =>
  breaker.reason?.code === "FEED_RATE_LIMITED" ? breaker : { ...breaker, untilMs: 0 };

export interface Outcome {
  /** Absent for an answer; null where the outcome is unknown, as for an aborted request. */
  error?: unknown;
  nowMs: number;
  /** 0 to 1; spreads clients that failed together over half to all of a pause. */
  random: number;
  /** Whether the request went out before the pause began. */
  isLate: boolean;
  /**
   * Whether all data depends on it, as on a token: one request with all its attempts then opens the breaker; default
   * false.
   */
  isForAll?: boolean;
}

/** Gives the state after an outcome. A refusal such as 404 counts as an answer: the server is reachable. */
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
  const pauses = isLate ? breaker.pauses - 1 : breaker.pauses; // a request from before the pause must not count it twice
  const isRequested = requestsPause(error);
  if (!isRequested && (isLate || (pauses === 0 && next.failures < (isForAll ? MAX_ATTEMPTS : BREAKING_FAILURES))))
    return next;
  const firstMs = isRequested ? BASE_DELAY_MS : FIRST_PAUSE_MS;
  const backoffMs = spread(Math.min(LONGEST_PAUSE_MS, firstMs * 2 ** pauses), random);
  const retryAfterMs = error.facts.retryAfterMs;
  // The first pause is the server's Retry-After. Without one, and for further pauses, it is at least the backoff.
  const leastMs = isRequested && retryAfterMs !== undefined && pauses === 0 ? 0 : backoffMs;
  const untilMs = nowMs + Math.max(retryAfterMs ?? 0, leastMs);
  return untilMs > breaker.untilMs ? { ...next, pauses: pauses + 1, sinceMs: nowMs, untilMs, reason: error } : next;
}

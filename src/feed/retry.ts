import { type FeedCode, FeedError } from "./errors";

/** Tries of one request, the first included. */
export const MAX_ATTEMPTS = 3;

const BASE_DELAY_MS = 400;

/** Failures that tell of the provider, or of the way to it, that it is not well. */
const FAILING: ReadonlySet<FeedCode> = new Set<FeedCode>([
  "FEED_RATE_LIMITED",
  "FEED_SERVER_FAILED",
  "FEED_NETWORK_FAILED",
  "FEED_TIMED_OUT",
]);

/** Whether a try has failed in a way that may pass, and that is no answer to what was asked. */
export const isFailure = (error: unknown): error is FeedError => error instanceof FeedError && FAILING.has(error.code);

/** A companion that is not there tells nothing of the provider, and may be there a moment later. */
const mayPass = (error: unknown): error is FeedError =>
  isFailure(error) || (error instanceof FeedError && error.code === "FEED_SIGNER_UNREACHABLE");

/**
 * Says how long to wait before the next try, or null when there is none.
 *
 * @param error what ended the last try
 * @param attempt number of tries made so far, 1 or more
 * @param remainingMs time left until the deadline; a longer wait is no wait at all
 * @param random 0 to 1, spreads clients that failed together over half to all of the delay
 */
export function retryDelayMs(error: unknown, attempt: number, remainingMs: number, random: number): number | null {
  if (!mayPass(error) || attempt >= MAX_ATTEMPTS) return null;
  const delayMs = Math.max(spread(BASE_DELAY_MS * 2 ** (attempt - 1), random), error.facts.retryAfterMs ?? 0);
  return delayMs < remainingMs ? delayMs : null;
}

const spread = (fullMs: number, random: number): number => fullMs * (0.5 + random / 2);

/**
 * Reads a Retry-After header, which is either seconds or an HTTP date.
 *
 * @returns milliseconds from now, 0 or more; undefined when absent or unreadable
 */
export function readRetryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null || header.trim() === "") return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

/**
 * How a family of operations fares: a state machine whose state each outcome replaces.
 *
 * | state     | is                         | on an answer | on a failure                         | on 429 |
 * |-----------|----------------------------|--------------|--------------------------------------|--------|
 * | well      | `pauses` is 0              | well         | well; broken by the 6th in a row     | asked  |
 * | asked     | until then, for a 429      | asked        | asked                                | asked, where that is longer |
 * | broken    | until then, for a failure  | well         | broken                               | asked, where that is longer |
 * | half-open | the pause is over          | well         | broken, for twice as long            | asked, for as long at least |
 *
 * While asked or broken nothing goes out, and while half-open one request, the trial: what comes all the same went out
 * before, and tells of a half-open family nothing by failing. A person's wish makes broken half-open, and asked not.
 */
export interface Health {
  /** Failures in a row. */
  readonly failures: number;
  /** Failures that are still worth another try: answers earn them, so that tries do not multiply where all fail. */
  readonly retries: number;
  /** Pauses in a row. */
  readonly pauses: number;
  /** End of the last pause, milliseconds since the Unix epoch. */
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

/** Whoever asks for more is asked again after an hour. */
const LONGEST_ASKED_PAUSE_MS = 3_600_000;

export const WELL: Health = { failures: 0, retries: MOST_RETRIES, pauses: 0, untilMs: 0, reason: null };

/** Whether the provider itself asked for the pause. */
export const isAsked = ({ reason }: Health): boolean => reason?.code === "FEED_RATE_LIMITED";

/** Whether another try of a request that failed is worth it. */
export const mayRetry = (health: Health, nowMs: number): boolean =>
  health.retries >= 1 && (isAsked(health) || nowMs >= health.untilMs);

/** A person does not want to wait for a family that kept failing; what the provider asked for stays. */
export const tryAgain = (health: Health): Health => (isAsked(health) ? health : { ...health, untilMs: 0 });

export interface Outcome {
  /** Absent for an answer; null where nobody knows, as when it was called off. */
  error?: unknown;
  nowMs: number;
  /** As in {@link retryDelayMs}. */
  random: number;
  /** Whether the request went out before the pause began. */
  isLate: boolean;
}

/** Goes on to the state after an outcome; a refusal such as 404 is an answer, too: there is a way, and somebody there. */
export function afterOutcome(health: Health, outcome: Outcome): Health {
  const { error, nowMs } = outcome;
  if (isFailure(error)) return afterFailure(health, error, outcome);
  const isRefusal = error instanceof FeedError && error.facts.status !== undefined && error.facts.refusal === undefined;
  if (error !== undefined && !isRefusal) return health;
  const retries = Math.min(MOST_RETRIES, health.retries + EARNED_RETRIES);
  return isAsked(health) && nowMs < health.untilMs ? { ...health, retries } : { ...WELL, retries };
}

function afterFailure(health: Health, error: FeedError, { nowMs, random, isLate }: Outcome): Health {
  const next = { ...health, failures: health.failures + 1, retries: Math.max(0, health.retries - 1) };
  const pauses = isLate ? health.pauses - 1 : health.pauses; // one of before belongs to the same pause
  const isLimit = error.code === "FEED_RATE_LIMITED";
  if (!isLimit && (isLate || (pauses === 0 && next.failures < BREAKING_FAILURES))) return next;
  const firstMs = isLimit ? BASE_DELAY_MS : FIRST_PAUSE_MS;
  const backoffMs = spread(Math.min(LONGEST_PAUSE_MS, firstMs * 2 ** pauses), random);
  const askedMs = isLimit ? error.facts.retryAfterMs : undefined;
  const leastMs = askedMs !== undefined && pauses === 0 ? 0 : backoffMs; // once more is more than was asked for
  const untilMs = nowMs + Math.min(LONGEST_ASKED_PAUSE_MS, Math.max(askedMs ?? 0, leastMs));
  return untilMs > health.untilMs ? { ...next, pauses: pauses + 1, untilMs, reason: error } : next;
}

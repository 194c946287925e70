import { type FeedError, hasCode } from "../errors";

/** Attempts of one request, including the first. */
export const MAX_ATTEMPTS = 3;

export const BASE_DELAY_MS = 400;

/** Limit of a Retry-After. */
const LONGEST_ASKED_PAUSE_MS = 3_600_000;

/** Whether a failure may pass and concerns the provider or the way to it. */
export const isFailure = hasCode("FEED_RATE_LIMITED", "FEED_SERVER_FAILED", "FEED_NETWORK_FAILED", "FEED_TIMED_OUT");

const isUnreachable = hasCode("FEED_SIGNER_UNREACHABLE");

/** Whether a failure may pass; an unreachable companion says nothing about the provider. */
export const mayPass = (error: unknown): error is FeedError => isFailure(error) || isUnreachable(error);

/**
 * Gives the wait before the next attempt, or null where there is none.
 *
 * @param error the last attempt's error
 * @param attempt number of attempts so far, 1 or more
 * @param remainingMs time left until the deadline; a longer wait gives null
 * @param random 0 to 1, spreads clients that failed together over half to all of the delay
 */
export function retryDelayMs(error: unknown, attempt: number, remainingMs: number, random: number): number | null {
  if (!mayPass(error) || attempt >= MAX_ATTEMPTS) return null;
  const delayMs = Math.max(spread(BASE_DELAY_MS * 2 ** (attempt - 1), random), error.facts.retryAfterMs ?? 0);
  return delayMs < remainingMs ? delayMs : null;
}

/** @param random as in {@link retryDelayMs} */
export const spread = (fullMs: number, random: number): number => fullMs * (0.5 + random / 2);

/** A proxy's own header makes a list of two; the first one counts. */
const SECONDS = /^\s*(\d+(?:\.\d+)?)\s*(?:[,;]|$)/;

/**
 * Reads a Retry-After header: seconds or an HTTP date.
 *
 * @param date the answer's Date header: a retry date is by the server's own clock
 * @returns milliseconds from now, 0 to 3,600,000; undefined when absent or unreadable
 */
export function readRetryAfterMs(header: string | null, date: string | null, nowMs: number): number | undefined {
  const [, seconds] = SECONDS.exec(header ?? "") ?? [];
  if (seconds !== undefined) return Math.min(LONGEST_ASKED_PAUSE_MS, Number(seconds) * 1000);
  if (!header?.includes(":")) return undefined; // Date.parse takes "5 5" for a day
  const atMs = Date.parse(header);
  return Number.isNaN(atMs)
    ? undefined
    : Math.min(LONGEST_ASKED_PAUSE_MS, Math.max(0, atMs - (Date.parse(date ?? "") || nowMs)));
}

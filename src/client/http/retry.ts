import { type FeedError, hasCode } from "../errors";

/** Tries of one request, the first included. */
export const MAX_ATTEMPTS = 3;

export const BASE_DELAY_MS = 400;

/** Whoever asks for more is asked again after an hour. */
const LONGEST_ASKED_PAUSE_MS = 3_600_000;

/** Whether a try has failed in a way that may pass, and that tells of the provider, or of the way to it, that it is not well. */
export const isFailure = hasCode("FEED_RATE_LIMITED", "FEED_SERVER_FAILED", "FEED_NETWORK_FAILED", "FEED_TIMED_OUT");

const isUnreachable = hasCode("FEED_SIGNER_UNREACHABLE");

/** A companion that is not there tells nothing of the provider, and may be there a moment later. */
export const mayPass = (error: unknown): error is FeedError => isFailure(error) || isUnreachable(error);

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

/** @param random as in {@link retryDelayMs} */
export const spread = (fullMs: number, random: number): number => fullMs * (0.5 + random / 2);

/** A proxy that adds its own header makes a list of two, of which the first counts. */
const SECONDS = /^\s*(\d+(?:\.\d+)?)\s*(?:[,;]|$)/;

/**
 * Reads a Retry-After header, which is either seconds or an HTTP date.
 *
 * @param date the answer's header Date: a time to come back is meant by the server's own clock, where it shows that one
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

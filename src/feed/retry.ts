import { type FeedCode, FeedError } from "./errors";

/** Tries of one request, the first included. */
export const MAX_ATTEMPTS = 3;

const BASE_DELAY_MS = 400;
const RETRIED: ReadonlySet<FeedCode> = new Set<FeedCode>([
  "FEED_RATE_LIMITED",
  "FEED_SERVER_FAILED",
  "FEED_NETWORK_FAILED",
  "FEED_TIMED_OUT",
  "FEED_SIGNER_UNREACHABLE",
]);

/**
 * Says how long to wait before the next try, or null when there is none.
 *
 * @param error what ended the last try
 * @param attempt number of tries made so far, 1 or more
 * @param remainingMs time left until the deadline; a longer wait is no wait at all
 * @param random 0 to 1, spreads clients that failed together over half to all of the delay
 */
export function retryDelayMs(error: unknown, attempt: number, remainingMs: number, random: number): number | null {
  if (!(error instanceof FeedError) || !RETRIED.has(error.code) || attempt >= MAX_ATTEMPTS) return null;
  const backoffMs = BASE_DELAY_MS * 2 ** (attempt - 1) * (0.5 + random / 2);
  const delayMs = Math.max(backoffMs, error.facts.retryAfterMs ?? 0);
  return delayMs < remainingMs ? delayMs : null;
}

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

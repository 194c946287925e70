const SECONDS = /^\s*(\d+(?:\.\d+)?)\s*(?:[,;]|$)/;

/** Nobody is believed who asks for more. */
const LONGEST_MS = 10 * 60_000;

/**
 * Reads how long the header Retry-After asks to wait: it holds seconds or a date, which is meant by the server's clock.
 * @param headers Also with the server's Date, if it came.
 * @returns Milliseconds above 0, 10 minutes at most; absent where the header is, or cannot be read, or is over.
 */
export function readRetryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const { "retry-after": asked = "", date = "" } = headers;
  const [, seconds] = SECONDS.exec(asked) ?? [];
  if (seconds !== undefined) return Math.min(Number(seconds) * 1000, LONGEST_MS) || undefined;
  const waitMs = Date.parse(asked.includes(":") ? asked : "") - (Date.parse(date) || nowMs);
  return waitMs > 0 ? Math.min(waitMs, LONGEST_MS) : undefined;
}

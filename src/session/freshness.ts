import type { Family, Keeping } from "../feed/keeping";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** How old an answer may be when a workbook opens: of what is still going on, and of what is over. */
const FRESH_MS: Readonly<Record<Family, { current: number; closed: number }>> = {
  financials: { current: DAY_MS, closed: 90 * DAY_MS },
  rankings: { current: 15 * MINUTE_MS, closed: 90 * DAY_MS },
  companies: { current: 7 * DAY_MS, closed: 7 * DAY_MS },
  taxonomies: { current: 7 * DAY_MS, closed: 7 * DAY_MS },
};

/** Whether an answer is to be asked for again when a workbook opens; one of the future tells that a clock was wrong. */
export function isStale({ family, isClosed }: Keeping, asOfMs: number, nowMs: number): boolean {
  const { current, closed } = FRESH_MS[family];
  const ageMs = nowMs - asOfMs;
  return ageMs < 0 || ageMs > (isClosed?.(nowMs) ? closed : current);
}

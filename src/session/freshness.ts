import type { Family } from "../contract/constants";
import type { PersistencePolicy } from "../feed/persistence-policy";
import type { Query, ToMaxAge } from "../feed/query-cache";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How old an answer may be when a workbook opens: of what is still going on, and of what is over. */
const USUAL_MS: Readonly<Record<Family, { current: number; closed: number }>> = {
  financials: { current: DAY_MS, closed: 90 * DAY_MS },
  rankings: { current: 15 * MINUTE_MS, closed: 90 * DAY_MS },
  companies: { current: 7 * DAY_MS, closed: 7 * DAY_MS },
  taxonomies: { current: 7 * DAY_MS, closed: 7 * DAY_MS },
};

/** When a family is asked again by itself: never, when the workbook opens and it is too old, or also every so often. */
export const REFRESH_POLICIES = [
  "manual",
  "open",
  "open-1h",
  "open-1d",
  "open-7d",
  "open-30d",
  "every-1",
  "every-5",
  "every-15",
  "every-60",
] as const;

export type RefreshPolicy = (typeof REFRESH_POLICIES)[number];

export type RefreshPolicies = Readonly<Record<Family, RefreshPolicy>>;

/** How old an answer may be; that depends on the family for those that are not here. */
const OLDEST_MS: { readonly [policy in RefreshPolicy]?: number } = {
  "open-1h": HOUR_MS,
  "open-1d": DAY_MS,
  "open-7d": 7 * DAY_MS,
  "open-30d": 30 * DAY_MS,
};

const EVERY_MS: { readonly [policy in RefreshPolicy]?: number } = {
  "every-1": MINUTE_MS,
  "every-5": 5 * MINUTE_MS,
  "every-15": 15 * MINUTE_MS,
  "every-60": HOUR_MS,
};

export interface Freshness {
  /** Until when an answer counts as fresh, in milliseconds since the Unix epoch; null where it is not kept. */
  freshUntilMs(query: Asked, asOfMs: number): number | null;
  /** Whether an answer is older than it may be, by hand than is usual; never where it is not kept. */
  isStale(query: Asked, asOfMs: number): boolean;
  /** Whether it is to be asked for again when the workbook opens. */
  isDue(query: Asked, asOfMs: number): boolean;
  /** How old an answer may be that the companion has already; 0 where it is not kept. */
  toMaxAgeMs: ToMaxAge;
  /** How often a family is asked again while the workbook is open, in milliseconds; null where it is not. */
  everyMs(family: Family): number | null;
}

type Asked = Pick<Query<unknown>, "persistence">;

/** Judges ages by what the workbook wants. */
export function createFreshness(nowMs: () => number, policies: () => RefreshPolicies): Freshness {
  const freshUntilMs: Freshness["freshUntilMs"] = ({ persistence }, asOfMs) =>
    persistence === undefined ? null : asOfMs + toOldestMs(persistence, policies()[persistence.family], nowMs());
  const isStale: Freshness["isStale"] = (query, asOfMs) => {
    const untilMs = freshUntilMs(query, asOfMs);
    return untilMs !== null && (asOfMs > nowMs() || nowMs() > untilMs); // one of the future tells that a clock was wrong
  };
  return {
    freshUntilMs,
    isStale,
    isDue: (query, asOfMs) =>
      query.persistence !== undefined && policies()[query.persistence.family] !== "manual" && isStale(query, asOfMs),
    toMaxAgeMs: ({ persistence }) =>
      persistence === undefined ? 0 : toOldestMs(persistence, policies()[persistence.family], nowMs()),
    everyMs: (family) => EVERY_MS[policies()[family]] ?? null,
  };
}

function toOldestMs({ family, isClosed }: PersistencePolicy, policy: RefreshPolicy, nowMs: number): number {
  const { current, closed } = USUAL_MS[family];
  return OLDEST_MS[policy] ?? EVERY_MS[policy] ?? (isClosed?.(nowMs) ? closed : current);
}

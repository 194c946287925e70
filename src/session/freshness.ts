import type { Family } from "../contract/constants";
import type { PersistencePolicy } from "../feed/persistence-policy";
import type { Query, ToMaxAge } from "../feed/query-cache";
import type { RefreshPolicies, RefreshPolicy } from "./settings";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Default maximum ages at the opening of a workbook: of current periods, and of closed ones. */
export const USUAL_MS: Readonly<Record<Family, { current: number; closed: number }>> = {
  financials: { current: DAY_MS, closed: 90 * DAY_MS },
  rankings: { current: 15 * MINUTE_MS, closed: 90 * DAY_MS },
  companies: { current: 7 * DAY_MS, closed: 7 * DAY_MS },
  taxonomies: { current: 7 * DAY_MS, closed: 7 * DAY_MS },
};

/** Maximum age by policy; other policies use the family's default. */
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
  /** Until when an answer counts as fresh, in milliseconds since the Unix epoch; null where it is not persisted. */
  freshUntilMs(query: QueryWithPolicy, asOfMs: number): number | null;
  /** Whether an answer is older than its maximum age; never where it is not persisted. */
  isStale(query: QueryWithPolicy, asOfMs: number): boolean;
  /** Whether it must be refetched when the workbook opens. */
  isDue(query: QueryWithPolicy, asOfMs: number): boolean;
  /** Maximum age of the companion's answer; 0 where answers are not persisted. */
  toMaxAgeMs: ToMaxAge;
  /** Interval of scheduled refreshes in milliseconds; null without one. */
  everyMs(family: Family): number | null;
}

type QueryWithPolicy = Pick<Query<unknown>, "persistence">;

/** Makes the freshness policy of the workbook's settings. */
export function createFreshness(nowMs: () => number, policies: () => RefreshPolicies): Freshness {
  const freshUntilMs: Freshness["freshUntilMs"] = ({ persistence }, asOfMs) =>
    persistence === undefined ? null : asOfMs + toOldestMs(persistence, policies()[persistence.family], nowMs());
  const isStale: Freshness["isStale"] = (query, asOfMs) => {
    const untilMs = freshUntilMs(query, asOfMs);
    return untilMs !== null && (asOfMs > nowMs() || nowMs() > untilMs); // an answer of the future has a wrong clock
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

import { FAMILIES, type Family } from "../contract/constants";
import type { PersistencePolicy } from "../feed/persistence-policy";
import type { Query, ToMaxAge } from "../feed/query-cache";

export const TEMPLATES = ["ranking", "comparison", "statement"] as const;

export type Template = (typeof TEMPLATES)[number];

/** A sheet that the pane made in this workbook, by the name it was given then. */
export interface MadeSheet {
  name: string;
  template: Template;
}

/**
 * What a workbook goes by, shared by pane and cells. The pane offers all but the date system, which the workbook itself
 * decides, and has the workbook keep what was chosen.
 */
export interface Settings {
  /** IANA name of the zone whose calendar days relative dates mean; default Asia/Tokyo, where the rankings are from. */
  timeZone: string;
  /** First year of the workbook's date serials; default 1900. */
  dateSystem: 1900 | 1904;
  /** Country that formulas mean when they name none: an ISO 3166-1 alpha-3 code, or ALL; default JPN. */
  country: string;
  /** Whether figures carry their currency, fiscal year and the like where the host can show it; default false. */
  numberProperties: boolean;
  /** When each family is refreshed by itself; default when the workbook opens and it is older than is usual. */
  refresh: RefreshPolicies;
  /** How many requests are sent without being confirmed; default 200. */
  requestLimit: number;
  /** Whose figures the workbook shows, as `toProvider` names it; null as long as it shows none. */
  provider: string | null;
  /** The latest first; default none. */
  sheets: readonly MadeSheet[];
}

/** Those that change what a formula shows. */
export const FORMULA_SETTINGS: readonly (keyof Settings)[] = ["timeZone", "dateSystem", "country", "numberProperties"];

/** The same for all families. */
export const toPolicies = (policy: RefreshPolicy): RefreshPolicies =>
  Object.fromEntries(FAMILIES.map((family) => [family, policy])) as RefreshPolicies;

export const DEFAULT_SETTINGS: Settings = {
  timeZone: "Asia/Tokyo",
  dateSystem: 1900,
  country: "JPN",
  numberProperties: false,
  refresh: toPolicies("open"),
  requestLimit: 200,
  provider: null,
  sheets: [],
};

/** Reads a country of the settings as somebody wrote it: three letters or "ALL"; null when it is neither. */
export function toCountry(written: string): string | null {
  const code = written.trim().toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? code : null;
}

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
  freshUntilMs(query: QueryWithPolicy, asOfMs: number): number | null;
  /** Whether an answer is older than it may be, by hand than is usual; never where it is not kept. */
  isStale(query: QueryWithPolicy, asOfMs: number): boolean;
  /** Whether it is to be asked for again when the workbook opens. */
  isDue(query: QueryWithPolicy, asOfMs: number): boolean;
  /** How old an answer may be that the companion has already; 0 where it is not kept. */
  toMaxAgeMs: ToMaxAge;
  /** How often a family is asked again while the workbook is open, in milliseconds; null where it is not. */
  everyMs(family: Family): number | null;
}

type QueryWithPolicy = Pick<Query<unknown>, "persistence">;

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

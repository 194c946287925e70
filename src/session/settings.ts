import { FAMILIES, type Family } from "../contract/constants";
import type { PersistencePolicy } from "../feed/persistence-policy";
import type { Query, ToMaxAge } from "../feed/query-cache";

export type Template = "ranking" | "league" | "movers" | "heat" | "rotation" | "comparison" | "statement";

/** A sheet that the pane made in this workbook. */
export interface MadeSheet {
  /** Its name when it was last seen. */
  name: string;
  template: Template;
  /** The host's id of it, which a new name leaves alone; absent until the sheet has been seen. */
  id?: string;
  /** Default the workbook's policies. */
  schedule?: SheetSchedule;
}

/** A finding of the model's check that a person has dismissed. */
export interface Dismissal {
  /** Names the finding in later checks. */
  key: string;
  /** In the person's words; may be empty. */
  reason: string;
  /** Milliseconds since the Unix epoch. */
  atMs: number;
}

/** When a sheet is refreshed by a schedule of its own, in the workbook's time zone. */
export interface SheetSchedule {
  kind: "manual" | "every-15" | "every-60" | "daily" | "weekly";
  /** Of a daily or weekly one: minutes after midnight, 0 to 1,439. */
  atMinutes: number;
  /** Of a weekly one: 0 for Sunday to 6. */
  weekday: number;
}

/**
 * The workbook's settings, shared by pane and cells. The pane changes all but the date system, which is the workbook's
 * own, and stores them in the workbook.
 */
export interface Settings {
  /** IANA name of the time zone of relative dates; default Asia/Tokyo, where the rankings are from. */
  timeZone: string;
  /** First year of the workbook's date serials; default 1900. */
  dateSystem: 1900 | 1904;
  /** Country of formulas without one: an ISO 3166-1 alpha-3 code, or ALL; default JPN. */
  country: string;
  /** Whether figures carry properties such as currency and fiscal year where the host can show them; default false. */
  numberProperties: boolean;
  /** Automatic refreshes of each family; default at the opening of the workbook, of stale answers. */
  refresh: RefreshPolicies;
  /** Requests that need no confirmation; default 200. */
  requestLimit: number;
  /** Provider of the workbook's figures, as `toProvider` names it; null while it has none. */
  provider: string | null;
  /** The latest first; default none. */
  sheets: readonly MadeSheet[];
  /** Of the model's check; default none. */
  dismissals: readonly Dismissal[];
}

/** Settings that change the output of formulas. */
export const FORMULA_SETTINGS: readonly (keyof Settings)[] = ["timeZone", "dateSystem", "country", "numberProperties"];

/** Gives all families one policy. */
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
  dismissals: [],
};

/** Reads a country from a person's input: three letters or "ALL"; null for anything else. */
export function toCountry(written: string): string | null {
  const code = written.trim().toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? code : null;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Default maximum ages at the opening of a workbook: of current periods, and of closed ones. */
const USUAL_MS: Readonly<Record<Family, { current: number; closed: number }>> = {
  financials: { current: DAY_MS, closed: 90 * DAY_MS },
  rankings: { current: 15 * MINUTE_MS, closed: 90 * DAY_MS },
  companies: { current: 7 * DAY_MS, closed: 7 * DAY_MS },
  taxonomies: { current: 7 * DAY_MS, closed: 7 * DAY_MS },
};

/** Automatic refreshes of a family: none, of stale answers at the opening of the workbook, or also at an interval. */
export type RefreshPolicy =
  | "manual"
  | "open"
  | `open-${"1h" | "1d" | "7d" | "30d"}`
  | `every-${"1" | "5" | "15" | "60"}`;

export type RefreshPolicies = Readonly<Record<Family, RefreshPolicy>>;

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

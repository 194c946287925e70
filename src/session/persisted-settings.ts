import { SAMPLE } from "../client/owner";
import { FAMILIES } from "../contract/constants";
import type { NameChoice } from "../feed/names/preferred";
import {
  DEFAULT_SETTINGS,
  type Dismissal,
  type MadeSheet,
  type RefreshPolicies,
  type RefreshPolicy,
  type Settings,
  type SheetSchedule,
  type Template,
  toCountry,
  toPolicies,
} from "./settings";

export const TEMPLATES: readonly Template[] = [
  "ranking",
  "league",
  "movers",
  "heat",
  "rotation",
  "comparison",
  "statement",
];

/** In the order in which a person chooses. */
export const REFRESH_POLICIES: readonly RefreshPolicy[] = [
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
];

/** The kinds of a sheet's own schedule. */
export const SCHEDULE_KINDS: readonly SheetSchedule["kind"][] = ["manual", "every-15", "every-60", "daily", "weekly"];

/** In the order in which a person chooses. */
export const NAME_CHOICES: readonly NameChoice[] = ["provider", "en", "ja"];

/** More requests at once would take a provider hours. */
const HIGHEST_REQUEST_LIMIT = 10_000;

/** Reads a limit of requests from a person's input: a whole number from 1 to 10,000; null for anything else. */
export function toRequestLimit(written: string): number | null {
  const digits = written.normalize("NFKC").replaceAll(",", "").trim();
  const limit = /^\d+$/.test(digits) ? Number(digits) : 0;
  return limit >= 1 && limit <= HIGHEST_REQUEST_LIMIT ? limit : null;
}

/** Reads a stored provider; null for anything else. */
export const toPersistedProvider = (persisted: unknown): string | null =>
  persisted === SAMPLE || (typeof persisted === "string" && URL.canParse(persisted)) ? String(persisted) : null;

/** Reads a time zone from a person's input: an IANA name that this engine knows; null for anything else. */
export function toTimeZone(written: string): string | null {
  const name = written.trim();
  // Only newer engines accept offsets such as "+09:00", and another one may open the workbook next.
  if (!/^[a-z]/i.test(name)) return null;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return name;
  } catch {
    return null;
  }
}

/**
 * Reads stored policies, with the default for a family that has none; null where there are none.
 *
 * @param minutes setting of older workbooks, with one interval for all families
 */
export function toPersistedPolicies(persisted: unknown, minutes: unknown): RefreshPolicies | null {
  if (typeof persisted !== "object" || persisted === null) {
    const policy = REFRESH_POLICIES.find((each) => each === `every-${minutes}`);
    return policy === undefined ? null : toPolicies(policy);
  }
  const read = (family: string) =>
    REFRESH_POLICIES.find((each) => each === (persisted as Record<string, unknown>)[family]);
  const policies = FAMILIES.map((family) => [family, read(family) ?? DEFAULT_SETTINGS.refresh[family]]);
  return Object.fromEntries(policies) as RefreshPolicies;
}

/** Reads stored dismissals, and skips anything else. */
export function toDismissals(persisted: unknown): Dismissal[] {
  if (!Array.isArray(persisted)) return [];
  return persisted.flatMap((each: unknown): Dismissal[] => {
    const { key, reason, atMs } = Object(each) as { [member in keyof Dismissal]?: unknown };
    if (typeof key !== "string") return [];
    return [{ key, reason: typeof reason === "string" ? reason : "", atMs: Number(atMs) || 0 }];
  });
}

/** Reads stored sheets, and skips anything else. Two people may have stored one sheet under two names. */
export function toMadeSheets(persisted: unknown): MadeSheet[] {
  if (!Array.isArray(persisted)) return [];
  const sheets = persisted.flatMap((each: unknown): MadeSheet[] => {
    if (typeof each !== "object" || each === null) return [];
    const { name, template, id, schedule }: { [member in keyof MadeSheet]?: unknown } = each;
    const known = TEMPLATES.find((one) => one === template);
    if (typeof name !== "string" || known === undefined) return [];
    const own = toSheetSchedule(schedule);
    return [{ name, template: known, ...(typeof id === "string" && { id }), ...(own && { schedule: own }) }];
  });
  return sheets.filter(({ id }, nth) => id === undefined || nth === sheets.findIndex((other) => other.id === id));
}

/** Reads a stored schedule; null for anything else. */
function toSheetSchedule(persisted: unknown): SheetSchedule | null {
  const { kind, atMinutes, weekday } = Object(persisted) as { [member in keyof SheetSchedule]?: unknown };
  const known = SCHEDULE_KINDS.find((one) => one === kind);
  if (known === undefined || !isBelow(atMinutes, 1_440) || !isBelow(weekday, 7)) return null;
  return { kind: known, atMinutes, weekday };
}

const isBelow = (number: unknown, end: number): number is number =>
  Number.isInteger(number) && (number as number) >= 0 && (number as number) < end;

/** The settings that a workbook stores in its file. */
export type PersistedSettings = Omit<Settings, "dateSystem">;

/** Settings as a file may hold them; `refreshMinutes` is of older files, with one policy for all families. */
type StoredSettings = { [name in keyof PersistedSettings | "refreshMinutes"]?: unknown };

/** Reads the settings that a file holds; an invalid value is ignored. */
export function readStoredSettings(stored: unknown): Partial<PersistedSettings> {
  if (typeof stored !== "object" || stored === null) return {};
  const {
    numberProperties,
    companyNames,
    country,
    timeZone,
    refresh,
    refreshMinutes,
    requestLimit,
    provider,
    sheets,
    dismissals,
  }: StoredSettings = stored;
  const read: { [name in keyof PersistedSettings]: PersistedSettings[name] | null } = {
    numberProperties: typeof numberProperties === "boolean" ? numberProperties : null,
    companyNames: NAME_CHOICES.find((choice) => choice === companyNames) ?? null,
    country: typeof country === "string" ? toCountry(country) : null,
    timeZone: typeof timeZone === "string" ? toTimeZone(timeZone) : null,
    refresh: toPersistedPolicies(refresh, refreshMinutes),
    requestLimit: typeof requestLimit === "number" ? toRequestLimit(String(requestLimit)) : null,
    provider: toPersistedProvider(provider),
    sheets: sheets === undefined ? null : toMadeSheets(sheets),
    dismissals: dismissals === undefined ? null : toDismissals(dismissals),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== null));
}

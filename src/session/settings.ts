import { FAMILIES } from "../feed/keeping";
import { REFRESH_POLICIES, type RefreshPolicies, type RefreshPolicy } from "./freshness";
import { SAMPLE } from "./owner";

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

/** More than that in one go would keep a provider busy for hours. */
const HIGHEST_REQUEST_LIMIT = 10_000;

/** Reads a limit of requests as somebody wrote it: a whole number from 1 to 10,000; null when it is none. */
export function toRequestLimit(written: string): number | null {
  const digits = written.normalize("NFKC").replaceAll(",", "").trim();
  const limit = /^\d+$/.test(digits) ? Number(digits) : 0;
  return limit >= 1 && limit <= HIGHEST_REQUEST_LIMIT ? limit : null;
}

/** Reads a provider of the settings as it was kept; null when it is none. */
export const toKeptProvider = (kept: unknown): string | null =>
  kept === SAMPLE || (typeof kept === "string" && URL.canParse(kept)) ? String(kept) : null;

/** Reads a country of the settings as somebody wrote it: three letters or "ALL"; null when it is neither. */
export function toCountry(written: string): string | null {
  const code = written.trim().toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? code : null;
}

/** Reads a time zone of the settings as somebody wrote it: an IANA name that this engine knows; null when it is none. */
export function toTimeZone(written: string): string | null {
  const name = written.trim();
  // Newer engines take offsets such as "+09:00", which the next one to open the workbook may not know.
  if (!/^[a-z]/i.test(name)) return null;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return name;
  } catch {
    return null;
  }
}

/**
 * Reads the policies of the settings as they were kept, the usual one for a family that has none; null where nothing
 * was kept.
 *
 * @param minutes of a workbook that was kept when all families had the same minutes
 */
export function toKeptPolicies(kept: unknown, minutes: unknown): RefreshPolicies | null {
  if (typeof kept !== "object" || kept === null) {
    const policy = REFRESH_POLICIES.find((each) => each === `every-${minutes}`);
    return policy === undefined ? null : toPolicies(policy);
  }
  const read = (family: string) => REFRESH_POLICIES.find((each) => each === (kept as Record<string, unknown>)[family]);
  const policies = FAMILIES.map((family) => [family, read(family) ?? DEFAULT_SETTINGS.refresh[family]]);
  return Object.fromEntries(policies) as RefreshPolicies;
}

/** Reads the sheets of the settings as they were kept; what is none is left out. */
export function toMadeSheets(kept: unknown): MadeSheet[] {
  if (!Array.isArray(kept)) return [];
  return kept.flatMap((each: unknown): MadeSheet[] => {
    if (typeof each !== "object" || each === null) return [];
    const { name, template }: { name?: unknown; template?: unknown } = each;
    const known = TEMPLATES.find((one) => one === template);
    return typeof name === "string" && known !== undefined ? [{ name, template: known }] : [];
  });
}

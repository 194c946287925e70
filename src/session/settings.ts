import { FAMILIES } from "../contract/constants";
import type { RefreshPolicies, RefreshPolicy } from "./freshness";

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

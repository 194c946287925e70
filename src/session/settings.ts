import { FAMILIES, type Family } from "../contract/constants";
import type { NameChoice } from "../feed/names/preferred";

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
  /** Names of companies, in cells too; default as the provider writes them. */
  companyNames: NameChoice;
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
export const FORMULA_SETTINGS: readonly (keyof Settings)[] = [
  "timeZone",
  "dateSystem",
  "country",
  "numberProperties",
  "companyNames",
];

/** Gives all families one policy. */
export const toPolicies = (policy: RefreshPolicy): RefreshPolicies =>
  Object.fromEntries(FAMILIES.map((family) => [family, policy])) as RefreshPolicies;

export const DEFAULT_SETTINGS: Settings = {
  timeZone: "Asia/Tokyo",
  dateSystem: 1900,
  country: "JPN",
  numberProperties: false,
  companyNames: "provider",
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

/** Automatic refreshes of a family: none, of stale answers at the opening of the workbook, or also at an interval. */
export type RefreshPolicy =
  | "manual"
  | "open"
  | `open-${"1h" | "1d" | "7d" | "30d"}`
  | `every-${"1" | "5" | "15" | "60"}`;

export type RefreshPolicies = Readonly<Record<Family, RefreshPolicy>>;

/** How often a workbook may be refreshed by itself, in minutes; 0 is never. */
export const REFRESH_MINUTES = [0, 1, 5, 15, 60] as const;

export type RefreshMinutes = (typeof REFRESH_MINUTES)[number];

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
  /** How often everything is refreshed by itself, in minutes; default 0, never. */
  refreshMinutes: RefreshMinutes;
  /** The latest first; default none. */
  sheets: readonly MadeSheet[];
}

/** Those that change what a formula shows. */
export const FORMULA_SETTINGS: readonly (keyof Settings)[] = ["timeZone", "dateSystem", "country", "numberProperties"];

export const DEFAULT_SETTINGS: Settings = {
  timeZone: "Asia/Tokyo",
  dateSystem: 1900,
  country: "JPN",
  numberProperties: false,
  refreshMinutes: 0,
  sheets: [],
};

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

/** Reads the minutes of the settings as they were kept; null when they are none of those that can be chosen. */
export const toRefreshMinutes = (kept: unknown): RefreshMinutes | null =>
  REFRESH_MINUTES.find((minutes) => minutes === kept) ?? null;

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

/**
 * What formulas go by besides their arguments, shared by pane and cells. The pane offers all but the date system, which
 * the workbook itself decides, and has the workbook keep what was chosen.
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
}

export const DEFAULT_SETTINGS: Settings = {
  timeZone: "Asia/Tokyo",
  dateSystem: 1900,
  country: "JPN",
  numberProperties: false,
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

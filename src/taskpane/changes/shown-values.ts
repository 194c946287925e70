import type { Texts } from "../texts";

const DAY_MS = 86_400_000;

/** The day before the first, so that a serial of 1900 counts the day that never was, 29 February of that year. */
const DAY_ZERO_MS = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) };

/** As many digits as Excel shows; further ones are binary rounding. */
const EXACT = { maximumSignificantDigits: 15 } as const;
const SIGNED_PERCENT = { style: "percent", signDisplay: "exceptZero" } as const;
const PERCENT = { ...SIGNED_PERCENT, minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
const SMALL_PERCENT = { ...SIGNED_PERCENT, maximumSignificantDigits: 2 } as const;

const formats = new Map<string, Intl.NumberFormat>();

/** A format is made once: making one takes longer than drawing a line. */
function findFormat(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const known = formats.get(key) ?? new Intl.NumberFormat(language, options);
  formats.set(key, known);
  return known;
}

/**
 * Formats a cell's value for a person: a number with thousands separators, a date as a day.
 *
 * @param format the cell's number format; null where it has none
 */
export function toShownValue(value: unknown, format: string | null, texts: Texts, dateSystem: 1900 | 1904): string {
  if (value === null || value === undefined || value === "") return texts.ofChanges.empty;
  if (typeof value === "boolean") return String(value).toUpperCase();
  if (typeof value !== "number") return String(value);
  if (format?.includes("yyyy")) return toMoment(DAY_ZERO_MS[dateSystem] + value * DAY_MS, format.includes("hh"));
  const digits = format?.startsWith("#,##0") ? (format.split(".")[1]?.length ?? 0) : null;
  const options = digits === null ? EXACT : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return findFormat(texts.language, options).format(value);
}

function toMoment(timeMs: number, withTime: boolean): string {
  const [day = "", time = ""] = new Date(Math.round(timeMs / 1000) * 1000).toISOString().split("T");
  return withTime ? `${day} ${time.slice(0, 5)}` : day;
}

/** Below this, two significant digits show; "0.0%" would say that nothing has changed. */
const SMALL_RATIO = 0.001;

/** Formats a ratio: "+4.2%". */
export function toShownRatio(ratio: number, { language }: Texts): string {
  return findFormat(language, Math.abs(ratio) < SMALL_RATIO ? SMALL_PERCENT : PERCENT).format(ratio);
}

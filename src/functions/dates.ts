/** A calendar day as the API writes it, YYYY-MM-DD. */
export type Day = string;

export const DAY_MS = 86_400_000;

/** Excel counts 1900-02-29, which did not exist; serials from this one on are a day ahead. */
const FIRST_SERIAL_AFTER_LEAP_BUG = 61;

/** Serial of 9999-12-31, the last day Excel has. */
const LAST_SERIAL = 2_958_465;

/** Days between the two date systems. */
const SHIFT_1904 = 1_462;

const EPOCH_1900_MS = Date.UTC(1899, 11, 30);

/** Whether a number can be a date serial. */
export const isSerial = (serial: number): boolean => Number.isFinite(serial) && serial >= 1 && serial < LAST_SERIAL + 1;

/** Converts a date serial to `YYYY-MM-DDTHH:mm:ss`, to the nearest second. */
export function toDateTime(serial: number, dateSystem: 1900 | 1904): string {
  const days = dateSystem === 1904 ? serial + SHIFT_1904 : serial;
  const shifted = days < FIRST_SERIAL_AFTER_LEAP_BUG ? days + 1 : days;
  const seconds = Math.round(shifted * 86_400);
  return new Date(EPOCH_1900_MS + seconds * 1000).toISOString().slice(0, 19);
}

/** Converts a calendar day to the workbook's serial. */
export function toSerial(day: Day, dateSystem: 1900 | 1904): number {
  const days = (Date.parse(`${day}T00:00:00Z`) - EPOCH_1900_MS) / DAY_MS;
  if (dateSystem === 1904) return days - SHIFT_1904;
  return days < FIRST_SERIAL_AFTER_LEAP_BUG ? days - 1 : days;
}

/** Converts `YYYY-MM-DDTHH:mm:ss` in UTC, as it is written, to a serial; null when it is none, or of another zone. */
export function toMomentSerial(text: string, dateSystem: 1900 | 1904): number | null {
  const [, day = "", time = ""] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?Z?$/.exec(text) ?? [];
  const timeMs = Date.parse(`1970-01-01T${time}Z`);
  return isDay(day) && !Number.isNaN(timeMs) ? toSerial(day, dateSystem) + timeMs / DAY_MS : null;
}

/** A moment in this machine's local time, as if that were UTC. */
export const toLocalTime = (atMs: number): string =>
  new Date(atMs - new Date(atMs).getTimezoneOffset() * 60_000).toISOString();

/** Converts a moment to a serial in this machine's local time. */
export function toLocalSerial(atMs: number, dateSystem: 1900 | 1904): number {
  const local = toLocalTime(atMs);
  return toSerial(local.slice(0, 10), dateSystem) + (Date.parse(local) % DAY_MS) / DAY_MS;
}

/** Whether a number may be meant as a month, such as 202403, which is a serial of the year 2454. */
export const isMonthNumber = (value: number): boolean =>
  Number.isInteger(value) && value >= 190_001 && value <= 299_912 && value % 100 >= 1 && value % 100 <= 12;

/** The last day of a month, 1 to 12. */
export function toMonthEnd(year: number, month: number): Day {
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

/** The first year that Excel's dates have. */
export const FIRST_YEAR = 1900;

/** Whether text is a calendar day that exists, in a year that Excel has. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number(text.slice(0, 4)) < FIRST_YEAR) return false;
  const atMs = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(text);
}

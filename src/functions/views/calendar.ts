import { DAY_MS, type Day, isDay, toSerial } from "../dates";

/** Converts `YYYY-MM-DDTHH:mm:ss` in UTC, as it is written, to a serial; null when it is none, or of another zone. */
export function toMomentSerial(text: string, dateSystem: 1900 | 1904): number | null {
  const [, day = "", time = ""] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?Z?$/.exec(text) ?? [];
  const timeMs = Date.parse(`1970-01-01T${time}Z`);
  return isDay(day) && !Number.isNaN(timeMs) ? toSerial(day, dateSystem) + timeMs / DAY_MS : null;
}

/** The day that many days later, or earlier when negative. */
export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The calendar day of a moment in a time zone. */
export function toToday(nowMs: number, timeZone: string): Day {
  const parts = new Intl.DateTimeFormat("en", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  const part = Object.fromEntries(parts.formatToParts(nowMs).map(({ type, value }) => [type, value]));
  return `${part.year}-${part.month}-${part.day}`;
}

/** Monday of an ISO 8601 week, or null when the year has no such week. */
export function toWeekStart(year: number, week: number): Day | null {
  const fourth = `${year}-01-04`; // always in week 1
  const weekday = (new Date(`${fourth}T00:00:00Z`).getUTCDay() + 6) % 7;
  const monday = addDays(fourth, (week - 1) * 7 - weekday);
  const thursday = addDays(monday, 3);
  return week >= 1 && thursday.startsWith(`${year}-`) ? monday : null;
}

/** The ISO 8601 week of a day, with its year. */
export function toWeekNumber(day: Day): { year: number; week: number } {
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  const thursday = addDays(day, 3 - weekday);
  const year = Number(thursday.slice(0, 4));
  return { year, week: Math.floor((Date.parse(thursday) - Date.UTC(year, 0, 1)) / (7 * DAY_MS)) + 1 };
}

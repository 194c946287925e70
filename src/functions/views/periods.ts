import { ArgumentError } from "../../client/errors";
import { type Message, msg } from "../../client/messages";
import type { RankingRange } from "../../feed/rankings";
import type { Settings } from "../../session/settings";
import { type Argument, isBlank, quote, readScalar } from "../arguments";
import {
  DAY_MS,
  type Day,
  FIRST_YEAR,
  isDay,
  isMonthNumber,
  isSerial,
  toDateTime,
  toLocalSerial,
  toMonthEnd,
} from "../dates";
import { toIso } from "../written-dates";

/** The start or the end of a range: whole days from first to last, or one moment. */
type Period = { first: Day; last: Day; isRelative: boolean } | { moment: string };

interface RangeReading {
  range: RankingRange;
  /** Whether it depends on which day today is. */
  isRelative: boolean;
}

/**
 * Reads the start and end of a range: a date or date-time serial, ISO text without offset, or relative text
 * ("-7d", "-4w", "-1m", "MTD", "YTD", "2024-03", "2024-W12"). A day or relative text alone needs no end. A date without a
 * time means 00:00:00 as start and 23:59:59 as end; a date-time is sent as it is written (§4.4), but the present moment as
 * its hour.
 *
 * @throws ArgumentError (FEED_ARGUMENT_INVALID)
 */
export function readRange(start: Argument, end: Argument, settings: Settings, nowMs: number): RangeReading {
  const today = toToday(nowMs, settings.timeZone);
  const [from, to] = [start, end].map((given) => cutNow(readScalar(given), settings, nowMs));
  if (isBlank(from)) throw new ArgumentError(msg`start is missing; give a date, or a range such as "-7d" or "2024-03"`);
  const first = isBlank(to) ? readAlone(from, "start", settings, today) : readPeriod(from, "start", settings, today);
  if (isBlank(to) && "moment" in first) {
    throw new ArgumentError(msg`end is missing; give a date, or as start a range such as "-7d" or "2024-03" alone`);
  }
  const last = isBlank(to) ? first : readPeriod(to, "end", settings, today);
  const range = {
    start: "moment" in first ? first.moment : `${first.first}T00:00:00`,
    end: "moment" in last ? last.moment : `${last.last}T23:59:59`,
  };
  if (range.start > range.end) {
    throw new ArgumentError(msg`start is after end: ${showRange(range)}; exchange them`);
  }
  assertBegun(range, nowMs);
  return { range, isRelative: [first, last].some((each) => "isRelative" in each && each.isRelative) };
}

/** No calendar is further ahead of UTC. */
const MOST_AHEAD_MS = (14 / 24) * DAY_MS;

/**
 * The provider's time zone is unknown, and the computer's TODAY() may be ahead of the workbook's.
 *
 * @throws ArgumentError (FEED_ARGUMENT_INVALID) of a range that has begun nowhere, for which there can be no ranking
 */
export function assertBegun(range: RankingRange, nowMs: number): void {
  if (range.start.slice(0, 10) <= toToday(nowMs + MOST_AHEAD_MS, "UTC")) return;
  throw new ArgumentError(msg`the period begins after today: ${showRange(range)}; give an earlier one`);
}

/** NOW() is another moment at each recalculation; a serial so near to it is meant as now. */
const NEAR_NOW_DAYS = 2 / (24 * 60);

/** Cuts the present moment to its hour, so that a formula of NOW() asks one query an hour. */
function cutNow(value: Argument, { dateSystem }: Settings, nowMs: number): Argument {
  if (typeof value !== "number" || Number.isInteger(value)) return value;
  const isNow = Math.abs(value - toLocalSerial(nowMs, dateSystem)) <= NEAR_NOW_DAYS;
  return isNow ? Math.floor(value * 24 + ROUNDING) / 24 : value;
}

/** A whole hour may be a little less in a serial's binary digits. */
const ROUNDING = 1e-6;

/** A range as a sentence says it: whole days as days. */
export const showRange = ({ start, end }: RankingRange): Message =>
  msg`${start.replace("T00:00:00", "")} to ${end.replace("T23:59:59", "")}`;

/** A range as a cell shows it, in whichever language: "2024-03-01 – 2024-03-07". */
export const toRangeName = ({ start, end }: RankingRange): string =>
  [...new Set([start.replace("T00:00:00", ""), end.replace("T23:59:59", "")])].join(" – ");

const SPAN = /^(-\d+[dwm]|mtd|ytd|\d{4}-\d{2}|\d{4}-w\d{1,2})$/i;

/** Text that names several days at once. */
const isSpan = (value: Argument): boolean => typeof value === "string" && SPAN.test(value.trim());

/** A time zone at the end of a date-time, which is refused. */
const ZONE = /\s?(z|[+-]\d{2}(:?\d{2})?)$/i;

/**
 * Reads what is a period by itself: a day means that day, but for a date cell of the first of a month, since "2024-03" that
 * is typed into a cell becomes that date.
 *
 * @throws ArgumentError (FEED_ARGUMENT_INVALID)
 */
export function readAlone(value: Argument, name: string, settings: Settings, today: Day): Period {
  const period = readPeriod(value, name, settings, today);
  if (typeof value === "number" && "first" in period) assertNoMonth(period.first, name);
  return period;
}

/** @throws ArgumentError (FEED_ARGUMENT_INVALID) of a date cell that may mean a day or a month */
export function assertNoMonth(day: Day, name: string): void {
  if (!day.endsWith("-01")) return;
  throw new ArgumentError(
    msg`${name} is a cell with the date ${day}, which may be meant as a month; write "${day.slice(0, 7)}" as text for the month, or "${day}" for the day`,
  );
}

/** Reads one start, end or period. @throws ArgumentError (FEED_ARGUMENT_INVALID) */
function readPeriod(value: Argument, name: string, settings: Settings, today: Day): Period {
  if (typeof value === "number") return readSerial(value, name, settings.dateSystem);
  if (typeof value === "string") {
    const text = toIso(value, name);
    const period = isSpan(text) ? readSpan(text.toUpperCase(), name, today) : readIso(text);
    if (period !== null) return period;
    if (ZONE.test(text) && readIso(text.replace(ZONE, "")) !== null) {
      throw new ArgumentError(
        msg`${name} must have no time zone: write ${quote(text.replace(ZONE, ""))}, not ${quote(text)}`,
      );
    }
  }
  throw new ArgumentError(
    msg`${name} must be a date such as "2024-01-31", a date cell, or "-7d", "MTD", "2024-03", not ${quote(value)}`,
  );
}

/** A number from 1900 to 2999 is meant as a year, not as a serial of 1905 to 1908. */
function readSerial(value: number, name: string, dateSystem: 1900 | 1904): Period {
  if (Number.isInteger(value) && value >= 1900 && value <= 2999) {
    throw new ArgumentError(
      msg`${name} is the number ${value}; for the year write "${value}-01-01" or "${value}-12-31"`,
    );
  }
  if (!isSerial(value) || isMonthNumber(value) || (value >= 1900 && value < 3000))
    throw new ArgumentError(msg`${name} must be a date such as "2024-01-31", not the number ${value}`);
  const moment = toDateTime(value, dateSystem);
  const day = moment.slice(0, 10);
  return Number.isInteger(value) ? { first: day, last: day, isRelative: false } : { moment };
}

function readIso(text: string): Period | null {
  if (isDay(text)) return { first: text, last: text, isRelative: false };
  const [, day = "", time = "", seconds = ":00"] = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?$/i.exec(text) ?? [];
  const isTime = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(time + seconds);
  return isDay(day) && isTime ? { moment: `${day}T${time}${seconds}` } : null;
}

/**
 * Days back run to yesterday and months back to the end of the last, since only whole ones count; as an end they mean
 * that one. "MTD" and "YTD" run to today.
 */
function readSpan(text: string, name: string, today: Day): Period | null {
  const [, count, unit] = /^-(\d+)([DW])$/.exec(text) ?? [];
  if (count !== undefined) {
    const days = Number(count) * (unit === "W" ? 7 : 1);
    if (days < 1 || days > 36_600) return null;
    const first = addDays(today, -days);
    return { first, last: name === "end" ? first : addDays(today, -1), isRelative: true };
  }
  const months = Number(/^-(\d+)M$/.exec(text)?.[1]);
  if (!Number.isNaN(months)) return months < 1 || months > 1_200 ? null : readMonthsBack(months, name, today);
  if (text === "MTD") return { first: `${today.slice(0, 7)}-01`, last: today, isRelative: true };
  if (text === "YTD") return { first: `${today.slice(0, 4)}-01-01`, last: today, isRelative: true };
  const [year = 0, month = 0] = text.split(/-W?/).map(Number);
  if (year < FIRST_YEAR) return null;
  if (text.includes("W")) {
    const monday = toWeekStart(year, month);
    return monday === null ? null : { first: monday, last: addDays(monday, 6), isRelative: false };
  }
  if (month < 1 || month > 12) return null;
  return { first: `${text}-01`, last: toMonthEnd(year, month), isRelative: false };
}

function readMonthsBack(months: number, name: string, today: Day): Period {
  const [year = 0, month = 0] = today.split("-").map(Number);
  const last = name === "end" ? month - months : month - 1;
  return { first: addDays(toMonthEnd(year, month - months - 1), 1), last: toMonthEnd(year, last), isRelative: true };
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

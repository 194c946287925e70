import { ArgumentError } from "../../client/errors";
import { msg } from "../../client/messages";
import type { RankingRange } from "../../feed/rankings";
import type { Settings } from "../../session/settings";
import { type Argument, isBlank, quote, readScalar, splitText, toRange } from "../arguments";
import { DAY_MS, type Day, isDay, isSerial, toDateTime, toMonthEnd } from "../dates";
import { readPlain, toPlain } from "../written-dates";
import { addDays, assertNoMonth, readAlone, toToday, toWeekNumber, toWeekStart } from "./periods";

/** Whole days, from the first to the last. */
export interface Days {
  first: Day;
  last: Day;
}

export interface PeriodReading<T> {
  value: T;
  /** Whether it depends on which day today is. */
  isRelative: boolean;
}

/** More columns than this are a mistake, and would take as many requests. */
const MOST_PERIODS = 400;

/**
 * Periods as text or cells, each a column: `"-12w"` are the last twelve whole weeks, `"2024-01:2024-12"` months,
 * `"2024-01-01:2024-01-07"` days; dates in cells each begin a column, which ends before the next one. A blank cell before
 * others is null: its column stays empty.
 *
 * @throws ArgumentError (FEED_ARGUMENT_INVALID)
 */
export function readPeriods(argument: Argument, settings: Settings, nowMs: number): PeriodReading<(Days | null)[]> {
  const today = toToday(nowMs, settings.timeZone);
  const cells = toRange(argument).flat().map(readScalar);
  const used = cells.slice(0, cells.findLastIndex((cell) => !isBlank(cell)) + 1);
  const values = used.flatMap((cell) => {
    if (isBlank(cell)) return [null];
    return typeof cell === "string" ? splitText(toPlain(cell)).map((part) => readPlain(part, "periods")) : [cell];
  });
  const given = values.filter((value) => value !== null);
  if (given.length === 0) {
    throw new ArgumentError(
      msg`periods is missing; give periods such as "-12w" or "2024-01:2024-12", or cells with dates`,
    );
  }
  const days = values.map((value) => readDay(value, settings.dateSystem));
  const dates = days.filter((day) => day !== null);
  const [only] = dates;
  if (given.length === 1 && typeof given[0] === "number" && only !== undefined) assertNoMonth(only, "periods");
  if (dates.length === given.length) return { value: assertFew(toSteps(days)), isRelative: false };
  if (dates.length > 0) {
    throw new ArgumentError(
      msg`periods mixes dates with periods; give dates alone, or periods such as "2024-03" alone`,
    );
  }
  const read = values.map((value) => (value === null ? null : readSeveral(value, settings, today)));
  return {
    value: assertFew(read.flatMap((each) => each?.value ?? [null])),
    isRelative: read.some((each) => each?.isRelative),
  };
}

/** A day as a date cell or as text; null for anything else. */
function readDay(value: Argument, dateSystem: 1900 | 1904): Day | null {
  if (typeof value === "string") return isDay(value) ? value : null;
  const isDate = typeof value === "number" && Number.isInteger(value) && value > 2_999 && isSerial(value);
  return isDate ? toDateTime(value, dateSystem).slice(0, 10) : null;
}

/**
 * Begins a column at each day: of whole months where all begin one, else of days. Each is as long as the step from a day to
 * the one in the next cell; behind blank cells some steps may be left out.
 */
function toSteps(days: readonly (Day | null)[]): (Days | null)[] {
  const given = days.filter((day) => day !== null);
  if (given.length === 1) return days.map((day) => (day === null ? null : { first: day, last: day }));
  const [count, add] = given.every((day) => day.endsWith("-01")) ? [toMonths, addMonths] : [toDays, addDays];
  const gaps = given.slice(1).map((day, at) => {
    const before = given[at] as Day;
    return { size: count(before, day), isNext: days[days.indexOf(day) - 1] === before };
  });
  const step = gaps.find(({ isNext }) => isNext)?.size ?? 0;
  const isEven = gaps.every(({ size, isNext }) => size > 0 && (isNext ? size === step : size % step === 0));
  if (step < 1 || !isEven || given.every(isMonthEnd)) {
    throw new ArgumentError(
      msg`dates in periods must be first days of months, or days, at equal steps; give periods such as "2024-03" for others`,
    );
  }
  return days.map((day) => (day === null ? null : { first: day, last: addDays(add(day, step), -1) }));
}

const isMonthEnd = (day: Day): boolean => addDays(day, 1).endsWith("-01");

const toDays = (from: Day, to: Day): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

/** Months from one month to another. */
const toMonths = (from: Day, to: Day): number =>
  (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7));

/** The first day of a month that many months later. */
const addMonths = (day: Day, months: number): Day =>
  addDays(toMonthEnd(Number(day.slice(0, 4)), Number(day.slice(5, 7)) + months - 1), 1);

/** Reads a text that means one period or several in a row. */
function readSeveral(value: Argument, settings: Settings, today: Day): PeriodReading<Days[]> {
  const text = typeof value === "string" ? value.toUpperCase() : "";
  const [, count = "", unit] = /^-(\d{1,4})([DWM])$/.exec(text) ?? [];
  if (unit !== undefined) return { value: readBack(Number(count), unit, today), isRelative: true };
  const [from, to] = text.split(":");
  if (from !== undefined && to !== undefined && isPlainPair(text)) {
    return { value: readBetween(from, to, settings, today), isRelative: false };
  }
  const { value: only, isRelative } = readDays(value, "periods", settings, today);
  return { value: [only], isRelative };
}

/** Whole units before today's, the oldest first. */
function readBack(count: number, unit: string, today: Day): Days[] {
  const backs = Array.from({ length: assertCount(count) }, (_, at) => count - at);
  if (unit === "D") return backs.map((back) => ({ first: addDays(today, -back), last: addDays(today, -back) }));
  if (unit === "M") {
    return backs.map((back) => ({ first: addMonths(today, -back), last: addDays(addMonths(today, 1 - back), -1) }));
  }
  const weekday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7;
  const monday = addDays(today, -weekday);
  return backs.map((back) => ({ first: addDays(monday, -7 * back), last: addDays(monday, -7 * back + 6) }));
}

/** Two months, two weeks or two days with a colon between them. */
const isPlainPair = (text: string): boolean =>
  [/^\d{4}-\d{2}:\d{4}-\d{2}$/, /^\d{4}-W\d{1,2}:\d{4}-W\d{1,2}$/, /^\d{4}-\d{2}-\d{2}:\d{4}-\d{2}-\d{2}$/].some(
    (form) => form.test(text),
  );

/** Each month, week or day from the first to the last. */
function readBetween(from: string, to: string, settings: Settings, today: Day): Days[] {
  const [first, last] = [from, to].map((text) => readDays(text, "periods", settings, today).value);
  const days: Days[] = [];
  for (let next = first as Days; next.first <= (last as Days).first; next = toNext(next)) {
    days.push(next);
    if (days.length > MOST_PERIODS) assertCount(days.length);
  }
  if (days.length === 0)
    throw new ArgumentError(msg`${"periods"} begins after it ends: ${quote(`${from}:${to}`)}; exchange them`);
  return days;
}

/** The month after a month, the week after a week, the day after a day. */
function toNext({ first, last }: Days): Days {
  const next = addDays(last, 1);
  if (isMonth({ first, last })) return { first: next, last: addDays(addMonths(next, 1), -1) };
  return { first: next, last: addDays(next, toDays(first, last)) };
}

const isMonth = ({ first, last }: Days): boolean => first.endsWith("-01") && last === addDays(addMonths(first, 1), -1);

const assertFew = <Each>(days: Each[]): Each[] => {
  assertCount(days.length);
  return days;
};

function assertCount(count: number): number {
  if (count >= 1 && count <= MOST_PERIODS) return count;
  throw new ArgumentError(msg`periods must be 1 to ${MOST_PERIODS} columns; give fewer or longer ones`);
}

/** Reads one period of whole days. @throws ArgumentError (FEED_ARGUMENT_INVALID) */
function readDays(value: Argument, name: string, settings: Settings, today: Day): PeriodReading<Days> {
  const period = readAlone(value, name, settings, today);
  if ("moment" in period) {
    throw new ArgumentError(msg`${name} must be of whole days, such as "2024-01-31" or "2024-03", not ${quote(value)}`);
  }
  const { first, last, isRelative } = period;
  return { value: { first, last }, isRelative };
}

/**
 * Reads one period: a date, a text as `start` takes it, or two of them with a colon, from the first day of the one to
 * the last of the other; null when not given.
 *
 * @throws ArgumentError (FEED_ARGUMENT_INVALID)
 */
export function readOnePeriod(
  argument: Argument,
  name: string,
  settings: Settings,
  nowMs: number,
): PeriodReading<Days> | null {
  const value = readPlain(argument, name);
  if (isBlank(value)) return null;
  const today = toToday(nowMs, settings.timeZone);
  const [from, to] = typeof value === "string" ? value.split(":") : [];
  if (typeof value !== "string" || from === undefined || to === undefined || !isPlainPair(value.trim().toUpperCase())) {
    return readDays(value, name, settings, today);
  }
  const [first, last] = [from, to].map((text) => readDays(text, name, settings, today).value as Days);
  if ((first as Days).first > (last as Days).last) {
    throw new ArgumentError(msg`${name} begins after it ends: ${quote(value)}; exchange them`);
  }
  return { value: { first: (first as Days).first, last: (last as Days).last }, isRelative: false };
}

/** The period of equal length before: months before months, else as many days. */
export function toPrevious({ first, last }: Days): Days {
  const end = addDays(first, -1);
  const isMonths = first.endsWith("-01") && addDays(last, 1).endsWith("-01");
  return {
    first: isMonths ? addMonths(first, -toMonths(first, last) - 1) : addDays(end, -toDays(first, last)),
    last: end,
  };
}

/** The range that goes to the provider (§4.4). */
export const toRankingRange = ({ first, last }: Days): RankingRange => ({
  start: `${first}T00:00:00`,
  end: `${last}T23:59:59`,
});

/** A period's name: "2024-03", "2024-W12", "2024-03-05", or its first and last day. */
export function toPeriodName({ first, last }: Days): string {
  if (first === last) return first;
  if (isMonth({ first, last })) return first.slice(0, 7);
  const week = toWeekNumber(first);
  const isWeek = toDays(first, last) === 6 && toWeekStart(week.year, week.week) === first;
  return isWeek ? `${week.year}-W${String(week.week).padStart(2, "0")}` : `${first} – ${last}`;
}

import { ArgumentError, NoValueError } from "../client/errors";
import { msg } from "../client/messages";
import type { Financials } from "../feed/decode";
import type { FinancialsOptions } from "../feed/financials";
import { isPeriodFact } from "../feed/financials/metrics";
import { listTexts } from "../feed/financials/names";
import { findLatestYear, isInterim, listInterimTexts, listVersions } from "../feed/financials/periods";
import { type Argument, isSingle, quote } from "./arguments";
import { type Day, FIRST_YEAR, isDay, isMonthNumber, isSerial, toDateTime, toMonthEnd } from "./dates";
import { toIso, toPlain } from "./written-dates";

/** Expands a single range of years to a row of years. */
export function spreadYears(range: Argument[][], dateSystem: 1900 | 1904): Argument[][] {
  if (!isSingle(range)) return range;
  const years = readYearRange(range[0]?.[0], dateSystem);
  return years === null ? range : [years];
}

/** A year of {@link spreadYears}. @throws ArgumentError (FEED_ARGUMENT_INVALID) */
export function readSpreadYear(value: Argument, dateSystem: 1900 | 1904): YearChoice {
  return isYearChoice(value) ? value : readYear(value, dateSystem);
}

function isYearChoice(value: Argument): value is YearChoice {
  return typeof value === "object" && value !== null && "kind" in value;
}

/** The name of a metric or of a year's fact. @throws ArgumentError (FEED_ARGUMENT_INVALID) */
export function readMetric(value: Argument, argument = "metric"): string {
  if (isYear(Number(value))) {
    throw new ArgumentError(msg`year and metric look swapped: ${argument} is ${quote(value)}; exchange them`);
  }
  if (typeof value === "string") return value.trim();
  throw new ArgumentError(msg`${argument} must be a name such as "Revenue", not ${quote(value)}`);
}

/** The query options for some years and metrics; a single year is queried by its number. */
export function toOptions(years: readonly YearChoice[] | null, metrics: readonly string[] | null): FinancialsOptions {
  const each = years?.map(toYearOptions) ?? [];
  return {
    year: each.length === 1 ? (each[0]?.year ?? null) : null,
    withPeriods: each.some(({ withPeriods }) => withPeriods) || (metrics ?? []).some(isPeriodFact),
  };
}

/** A fiscal year as a cell names it. */
export type YearChoice =
  | { kind: "fiscal"; year: number }
  /** Years back from the latest one with an annual statement, 0 or less. */
  | { kind: "latest"; offset: number }
  /** The fiscal year that has this day. */
  | { kind: "day"; day: Day }
  /** A quarter, a half or twelve months, which are no fiscal year: the error names the periods of the company. */
  | { kind: "part"; text: string };

const LAST_YEAR = 2999;

/** "LTM", "Q1", "2H", "2023Q4", "FY24 H1", "第1四半期". */
const PART = /^(?:[LTN]TM|YTD|(?:FY)?[\d\s-]*[QH][\d\s-]*|.*(?:四半期|[上下]期|中間).*)$/;

/** Whether a number is a fiscal year, 1900 to 2999. */
export const isYear = (value: number): boolean => Number.isInteger(value) && value >= FIRST_YEAR && value <= LAST_YEAR;

/**
 * Reads a year: 1900 to 2999 as a number or text, "FY2023", "FY23", "2023A", "2023/24", "FY0" (the latest), "FY-1", or a date,
 * as {@link toIso} reads it.
 *
 * @throws ArgumentError (FEED_ARGUMENT_INVALID)
 */
export function readYear(value: Argument, dateSystem: 1900 | 1904, argument = "year"): YearChoice {
  if (typeof value === "number") {
    if (isYear(value)) return { kind: "fiscal", year: value };
    if (value > LAST_YEAR && isSerial(value) && !isMonthNumber(value))
      return { kind: "day", day: toDateTime(value, dateSystem).slice(0, 10) };
  }
  if (typeof value === "string") {
    const text = toIso(value, argument).toUpperCase();
    const [, long, short] = /^(?:FY\s?)?(?:(\d{4})|(?<=FY\s?)['’]?(\d{2}))[AE]?$/.exec(text) ?? [];
    const year = Number(long ?? (short && `${Number(short) > LATEST_SHORT ? 19 : 20}${short}`));
    if (isYear(year)) return { kind: "fiscal", year };
    // "2023/24" begins in 2023 and has the end of that year, whenever it ends.
    const [, begun = "", ended] = /^(?:FY\s?)?(\d{4})[/-](?:20)?(\d{2})$/.exec(text) ?? [];
    if (ended !== undefined && (Number(begun) + 1) % 100 === Number(ended)) {
      if (Number(ended) <= 12 && Number(ended) >= 1 && !text.startsWith("FY"))
        throw toMonthOrYears(begun, ended, argument);
      return { kind: "day", day: `${begun}-12-31` };
    }
    const offset = /^FY\s?(0|-\d{1,2})$/.exec(text)?.[1];
    if (offset !== undefined) return { kind: "latest", offset: Number(offset) };
    if (isDay(text)) return { kind: "day", day: text };
    if (/^FY\d$/.test(text)) {
      throw new ArgumentError(
        msg`${quote(value)} is a period of the provider, not a year; give it as basis, or "FY0" for the latest year`,
      );
    }
    if (PART.test(text.normalize("NFKC"))) return { kind: "part", text: value.trim().slice(0, 20) };
  }
  throw new ArgumentError(
    msg`${argument} must be like 2023, "FY2023", "FY0" for the latest, "2019:2023" or a date, not ${quote(value)}`,
  );
}

/** "FY51" is of the last century. */
const LATEST_SHORT = 50;

/** "2002/03" is March 2002 in Japan, and a year from 2002 into 2003 elsewhere. */
const toMonthOrYears = (year: string, month: string, argument: string) =>
  new ArgumentError(
    msg`${argument} "${year}/${month}" may be a month or a year; write "${toMonthEnd(Number(year), Number(month))}" or "FY${year}/${month}"`,
  );

/**
 * Reads "2019:2023" or "FY-4:FY0" as a row of years, ascending; null when the text is no such range.
 *
 * @throws ArgumentError (FEED_ARGUMENT_INVALID) for a range that cannot be
 */
export function readYearRange(value: Argument, dateSystem: 1900 | 1904, argument = "year"): YearChoice[] | null {
  const text = typeof value === "string" ? toPlain(value) : "";
  if (!text.includes(":")) return null;
  const ends = text.split(":").map((each) => readYear(each, dateSystem, argument));
  const [from, to] = ends;
  const misfit = new ArgumentError(
    msg`a range of years is like "2019:2023" or "FY-4:FY0", the earlier first, not ${quote(value)}`,
  );
  if (ends.length !== 2 || from === undefined || to === undefined) throw misfit;
  if (from.kind === "fiscal" && to.kind === "fiscal" && from.year <= to.year) {
    return toSpan(from.year, to.year).map((year) => ({ kind: "fiscal", year }));
  }
  if (from.kind === "latest" && to.kind === "latest" && from.offset <= to.offset) {
    return toSpan(from.offset, to.offset).map((offset) => ({ kind: "latest", offset }));
  }
  throw misfit;
}

/** The query options that a year needs. */
export function toYearOptions(choice: YearChoice): FinancialsOptions {
  if (choice.kind === "fiscal") return { year: choice.year };
  return { withPeriods: choice.kind === "day" };
}

/**
 * Finds the fiscal year that a choice means in a company's answer.
 *
 * @param basis names versions that a date may lie in, beside the annual ones; default none
 * @throws NoValueError (FEED_NO_VALUE, FEED_AMBIGUOUS); ArgumentError for a date where the answer has no period bounds,
 *   and for a quarter
 */
export function pickYear(financials: Financials, choice: YearChoice, basis: readonly string[] = []): number {
  if (choice.kind === "fiscal") return choice.year;
  if (choice.kind === "day") return pickYearOf(choice.day, financials, basis);
  if (choice.kind === "part") throw toNoYear(choice.text, financials);
  const latest = findLatestYear(financials);
  if (latest === null) throw toNoAnnual(financials);
  return latest + choice.offset;
}

const MOST_PERIODS = 8;

/** Why a quarter or the last twelve months name no year: the periods of the company, the latest first. */
function toNoYear(text: string, financials: Financials): NoValueError | ArgumentError {
  const { years } = financials;
  if (years.length === 0) return toNoAnnual(financials);
  const latest = [...years].sort((one, other) => other.year - one.year);
  const periods = new Set(
    latest.map(({ year, fields }) => `${year} ${fields.period ?? fields.periodType ?? ""}`.trim()),
  );
  const shown = [...periods].slice(0, MOST_PERIODS).join(", ");
  return new ArgumentError(
    msg`"${text}" is no fiscal year; the provider has ${shown} of this company: give a year, and a period such as "HY2" as basis`,
  );
}

/** Why a company has no latest year. */
export function toNoAnnual({ years }: Financials): NoValueError {
  const interim = years.filter(isInterim).sort((one, other) => other.year - one.year);
  const [cure = msg`ask for another company`] = interim.flatMap((version) =>
    listInterimTexts(version).map((text) => msg`give ${version.year} as year and "${text}" as basis`),
  );
  return new NoValueError(
    "FEED_NO_VALUE",
    years.length === 0
      ? msg`the provider has no financials of this company; ${cure}`
      : msg`the provider has no annual statement of this company; ${cure}`,
  );
}

function pickYearOf(day: Day, financials: Financials, basis: readonly string[]): number {
  const years = [...listVersions([financials], []), ...(basis.length > 0 ? listVersions([financials], basis) : [])];
  if (years.length === 0) throw toNoAnnual(financials);
  const within = years.filter((candidate) => {
    const bounds = readBounds(candidate);
    return bounds !== null && bounds.start <= day && day <= bounds.end;
  });
  const found = new Set(within.map(({ year }) => year));
  const [year] = found;
  if (year !== undefined && found.size === 1) return year;
  if (found.size > 1) {
    throw new NoValueError(
      "FEED_AMBIGUOUS",
      msg`${day} lies in several fiscal years: ${[...found].join(", ")}; give one of them`,
    );
  }
  if (years.some((candidate) => readBounds(candidate) === null)) {
    throw new ArgumentError(
      msg`the provider does not say when its fiscal years end, so ${day} names none; give a year`,
    );
  }
  throw new NoValueError(
    "FEED_NO_VALUE",
    msg`no fiscal year of this company has ${day}; ask for one of ${listTexts(years.map((each) => String(each.year)))}`,
  );
}

/** The first and last day of a year of the answer; null where one of them is missing or no day. */
function readBounds({ fields }: Financials["years"][number]): { start: Day; end: Day } | null {
  const [start, end] = [fields.financialPeriodStart, fields.financialPeriodEnd].map((bound) =>
    String(bound).slice(0, 10),
  );
  return start !== undefined && end !== undefined && isDay(start) && isDay(end) ? { start, end } : null;
}

function toSpan(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

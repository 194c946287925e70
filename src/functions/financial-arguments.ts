import { ArgumentError } from "../client/errors";
import type { CompanyRef } from "../feed/company-ref";
import type { FinancialsOptions } from "../feed/financials";
import { isPeriodFact } from "../feed/financials/metrics";
import {
  type Argument,
  isBlank,
  isSingle,
  quote,
  type Reading,
  readCell,
  readCompany,
  readScalar,
  splitText,
  toCompanies,
  toMissingCompany,
} from "./arguments";
import { PassedError } from "./cells";
import { readYear, readYearRange, toYearOptions, type YearChoice } from "./years";

/** A single range of years is a row of them, already read. */
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
  if (typeof value === "number" && value >= 1900 && value <= 2999) {
    throw new ArgumentError(`year and metric look swapped: ${argument} is ${quote(value)}; exchange them`);
  }
  if (typeof value === "string") return value.trim();
  throw new ArgumentError(`${argument} must be a name such as "Revenue", not ${quote(value)}`);
}

/** A company of a table: what its cell held, and what that means. */
export interface GivenCompany {
  given: unknown;
  reading: Exclude<Reading<CompanyRef>, { kind: "blank" }>;
}

/** Companies as a range or comma text, without the blanks; a bad one spoils no other. @throws ArgumentError when there is none */
export function readCompanies(argument: Argument): GivenCompany[] {
  const filled = toCompanies(argument, "companies").flatMap((row) => row.filter((cell) => !isBlank(cell)));
  const given = filled.flatMap((cell): GivenCompany[] => {
    const reading = readCell(cell, (value) => readCompany(value, "companies"));
    if (reading.kind === "blank") return [];
    const isPassed = reading.kind === "error" && reading.error instanceof PassedError;
    return [{ given: isPassed ? reading.error : readScalar(cell), reading }];
  });
  if (given.length === 0) throw toMissingCompany("companies");
  return given;
}

/**
 * Years as a range, comma text or "2019:2023", in the order given; null for all.
 *
 * @throws ArgumentError (FEED_ARGUMENT_INVALID)
 */
export function readYears(argument: Argument, dateSystem: 1900 | 1904): YearChoice[] | null {
  const values = readFilled(argument).flatMap((value) => (typeof value === "string" ? splitText(value) : [value]));
  if (isAll(values)) return null;
  return values.flatMap((value) => readYearRange(value, dateSystem, "years") ?? [readYear(value, dateSystem, "years")]);
}

/**
 * Names of metrics as comma text or a range, in which a name may hold commas; null for all.
 *
 * @throws ArgumentError (FEED_ARGUMENT_INVALID)
 */
export function readMetrics(argument: Argument): string[] | null {
  const names = readFilled(argument).map((value) => readMetric(value, "metrics"));
  const given = names.length === 1 ? names.flatMap(splitText) : names;
  return isAll(given) ? null : given;
}

/** Whether nothing is named, or the one word that means everything. */
const isAll = ([first, ...others]: readonly Argument[]): boolean =>
  others.length === 0 && (first === undefined || (typeof first === "string" && first.toLowerCase() === "all"));

/** The values of a range's cells, blanks left out; an error among them is handed on. */
function readFilled(argument: Argument): Argument[] {
  const cells = Array.isArray(argument) ? argument.flat() : [argument];
  return cells.filter((cell) => !isBlank(cell)).map(readScalar);
}

/** What the answer must hold for some years and metrics: one year alone is asked for by its number. */
export function toOptions(years: readonly YearChoice[] | null, metrics: readonly string[] | null): FinancialsOptions {
  const each = years?.map(toYearOptions) ?? [];
  return {
    year: each.length === 1 ? (each[0]?.year ?? null) : null,
    withPeriods: each.some(({ withPeriods }) => withPeriods) || (metrics ?? []).some(isPeriodFact),
  };
}

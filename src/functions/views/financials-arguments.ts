import type { CompanyRef } from "../../client/ids";
import {
  type Argument,
  isBlank,
  type Reading,
  readCell,
  readCompany,
  readScalar,
  splitText,
  toCompanies,
  toMissingCompany,
} from "../arguments";
import { PassedError } from "../cells";
import { readMetric, readYear, readYearRange, type YearChoice } from "../financial-arguments";

/** A company of a table: its cell's content, and its reading. */
export interface GivenCompany {
  given: unknown;
  reading: Exclude<Reading<CompanyRef>, { kind: "blank" }>;
}

/** Companies as a range or comma text, without blanks; an invalid one affects no other. @throws ArgumentError when there is none */
export function readCompanies(argument: Argument, country: string): GivenCompany[] {
  const filled = toCompanies(argument, "companies").flatMap((row) => row.filter((cell) => !isBlank(cell)));
  const given = filled.flatMap((cell): GivenCompany[] => {
    const reading = readCell(cell, (value) => readCompany(value, country, "companies"));
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

/** Whether nothing is named, or the word "all". */
const isAll = ([first, ...others]: readonly Argument[]): boolean =>
  others.length === 0 && (first === undefined || (typeof first === "string" && first.toLowerCase() === "all"));

/** The values of a range's cells without blanks; an error among them is passed on. */
function readFilled(argument: Argument): Argument[] {
  const cells = Array.isArray(argument) ? argument.flat() : [argument];
  return cells.filter((cell) => !isBlank(cell)).map(readScalar);
}

import { ArgumentError } from "../client/errors";
import { msg } from "../client/messages";
import { type Argument, quote, readScalar, toSeen } from "./arguments";
import { toMonthEnd } from "./dates";

/** First years of Japan's eras, less one. */
const ERAS: Readonly<Record<string, number>> = { 令和: 2018, 平成: 1988, 昭和: 1925, R: 2018, H: 1988, S: 1925 };
const ERA = /^(令和|平成|昭和|[RHS](?=\d{1,2}年))\s*(元|\d{1,2})\s*年/iu;

const MONTHS = "JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER".split(" ");

/** A text of a date or period in half width, with a hyphen for each dash. */
export const toPlain = (written: string): string =>
  toSeen(written)
    .normalize("NFKC")
    .replace(/[\p{Pd}−]/gu, "-");

/** Reads a period as {@link toIso} does, also each of two with a colon between them. */
export function readPlain(argument: Argument, name: string): Argument {
  const value = readScalar(argument);
  if (typeof value !== "string") return value;
  return toPlain(value)
    .split(":")
    .map((part) => toIso(part, name))
    .join(":");
}

/**
 * Writes a day, a month or a year as ISO 8601, as people in Japan, Britain, Germany and the US write them: "2024/1/31",
 * "31.12.2023", "31 Dec 2023", "2023年3月", "令和5年". A year's end as in "2023年3月期" is its last day. Other text stays.
 *
 * @throws ArgumentError (FEED_ARGUMENT_INVALID) where day and month could be exchanged
 */
export function toIso(written: string, name: string): string {
  const text = toPlain(written).replace(
    ERA,
    (_, era: string, year: string) => `${(ERAS[era.toUpperCase()] ?? 0) + (year === "元" ? 1 : Number(year))}年`,
  );
  const [, year = "", month, day] = /^(\d{4})\s*年(?:度|\s*(\d{1,2})\s*月(?:期|\s*(\d{1,2})\s*日)?)?$/.exec(text) ?? [];
  if (year !== "" && month === undefined) return year;
  if (month !== undefined && text.endsWith("期") && Number(month) >= 1 && Number(month) <= 12)
    return toMonthEnd(Number(year), Number(month));
  if (month !== undefined) return join(year, month, day);
  const [, first = "", second, third] = /^(\d{4})[/.](\d{1,2})(?:[/.](\d{1,2}))?$/.exec(text) ?? [];
  // "2023/24" is a year that begins in one and ends in the next.
  if (second !== undefined && Number(second) <= 12) return join(first, second, third);
  return readNamedMonth(text) ?? readDayFirst(text, name) ?? text;
}

const join = (year: string, month: string, day: string | undefined): string =>
  [year, ...[month, day ?? []].flat().map((part) => part.padStart(2, "0"))].join("-");

/** "31 Dec 2023", "31-Dec-2023", "December 31, 2023", "Mar 2024". */
function readNamedMonth(text: string): string | null {
  const [, day, before, after, other, year = ""] =
    /^(?:(\d{1,2})[\s-]+([a-z]{3,9})|([a-z]{3,9})\.?(?:\s+(\d{1,2}),)?)[\s,-]+(\d{4})$/i.exec(text) ?? [];
  const word = (before ?? after ?? "").toUpperCase().replace(/^SEPT$/, "SEP");
  const at = word === "" ? -1 : MONTHS.findIndex((month) => month.startsWith(word));
  return at < 0 ? null : join(year, String(at + 1), day ?? other);
}

/** Points part day, month and year; slashes and dashes the month, day and year too. */
function readDayFirst(text: string, name: string): string | null {
  const [, one = "", sign, other = "", year = ""] = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})$/.exec(text) ?? [];
  if (sign === undefined) return null;
  const [dayFirst, monthFirst] = [join(year, other, one), join(year, one, other)];
  if (sign === "." || Number(one) > 12 || one === other) return dayFirst;
  if (Number(other) > 12) return monthFirst;
  throw new ArgumentError(msg`${name} ${quote(text)} may be one of two days; write "${dayFirst}" or "${monthFirst}"`);
}

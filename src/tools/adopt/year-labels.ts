import { withoutBrackets } from "./label-words";

/** The fiscal years that a label may mean, the likeliest first. */
export interface YearLabel {
  years: readonly number[];
  /** Whether a formula reads the cell as the first of them. */
  isArgument: boolean;
}

export const [FIRST_YEAR, LAST_YEAR] = [1950, 2100];

const isYear = (year: number) => Number.isInteger(year) && year >= FIRST_YEAR && year <= LAST_YEAR;

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const MONTH = `(?:${MONTHS.join("|")})[a-z]*`;
/** Marks of actual and expected figures. */
const MARK = "(?:a|e|f|p|act|est|実績|予想|見込|計画)?";

const PLAIN = /^(?:fy\s?)?(\d{4})$/i;
const NAMED = new RegExp(`^(?:fy|cy)?\\s?'?(\\d{4}|\\d{2})(?:年度?|年|年通期)?\\s?${MARK}$`, "i");
const ENDING = [
  /^(?:fy|fye)?\s?(?<year>\d{4})(?:年|[-/.])(?<month>\d{1,2})月?(?:期|(?:[-/.]|月)\d{1,2}日?)?$/i,
  /^(?:fy|fye)\s?(?<month>\d{1,2})[-/.](?<year>\d{4}|\d{2})$/i,
  /^(?<month>\d{1,2})[-/.](?<year>\d{4})$/,
  /^\d{1,2}[-/.](?<month>\d{1,2})[-/.](?<year>\d{4})$/,
  new RegExp(`^(?:fy|fye|year to|ye)?\\s?(?:\\d{1,2}[-\\s])?(?<word>${MONTH})[-\\s'.]*(?<year>\\d{4}|\\d{2})$`, "i"),
];

const toFull = (year: string): number => (year.length === 2 ? 2000 + Number(year) : Number(year));

/**
 * Reads a label as a fiscal year. A label by the year's end also may mean the year before, as some providers count.
 *
 * @param format the cell's number format, by which a number is a date
 */
export function readYearLabel(value: unknown, format = "", dateSystem: 1900 | 1904 = 1900): YearLabel | null {
  if (typeof value === "number") {
    if (isDateFormat(format)) return value > LAST_YEAR ? toEnding(...toMonth(value, dateSystem)) : null;
    return isYear(value) ? { years: [value], isArgument: true } : null;
  }
  if (typeof value !== "string") return null;
  const [, plain] = PLAIN.exec(value.trim()) ?? [];
  if (plain !== undefined) return isYear(Number(plain)) ? { years: [Number(plain)], isArgument: true } : null;
  const text = withoutBrackets(value);
  const [, named] = NAMED.exec(text) ?? [];
  const isShort = named?.length === 2 && !/^(?:fy|cy|')/i.test(text);
  if (named !== undefined && !isShort) return toSingle(toFull(named));
  for (const pattern of ENDING) {
    const { year, month, word } = pattern.exec(text)?.groups ?? {};
    if (year === undefined) continue;
    const number = word === undefined ? Number(month) : MONTHS.indexOf(word.slice(0, 3).toLowerCase()) + 1;
    if (number >= 1 && number <= 12) return toEnding(toFull(year), number);
  }
  return null;
}

const toSingle = (year: number): YearLabel | null => (isYear(year) ? { years: [year], isArgument: false } : null);

const toEnding = (year: number, month: number): YearLabel | null =>
  isYear(year) ? { years: month === 12 ? [year] : [year, year - 1], isArgument: false } : null;

/** The years in a title such as "Results FY2023". */
export const findYears = (text: string): number[] =>
  [...text.normalize("NFKC").matchAll(/(?<!\d)(?:19|20)\d\d(?!\d)/g)].map(([year]) => Number(year)).filter(isYear);

/** Whether a number format shows a date: a day, month or year outside of quotes and colours. */
export const isDateFormat = (format: string): boolean =>
  /[dyｙ年]|mmm|m\/|\/m/i.test(format.replace(/"[^"]*"|\[[^\]]*\]|\\.|_./g, "").replace(/general|standard/i, ""));

const DAYS_TO_1970 = { 1900: 25_569, 1904: 24_107 } as const;

function toMonth(serial: number, dateSystem: 1900 | 1904): [year: number, month: number] {
  const day = new Date((Math.floor(serial) - DAYS_TO_1970[dateSystem]) * 86_400_000);
  return [day.getUTCFullYear(), day.getUTCMonth() + 1];
}

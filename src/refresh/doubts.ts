import type { Given, Matrix, Value } from "./values";

/** More digits than Excel has. */
const MOST_DIGITS = 15;

/** Whether Excel may show a number by another text. */
export const isLong = (value: unknown): boolean =>
  typeof value === "number" &&
  (Math.abs(value) >= 10 ** MOST_DIGITS ||
    (value !== 0 && Math.abs(value) < 1e-4) ||
    String(Math.abs(value)).replace(/^0\.0*|\D/g, "").length > MOST_DIGITS);

/** Excel compares and rounds by fifteen digits. */
const NEAR = 1e-12;
export const areNear = (one: number, other: number): boolean =>
  one !== other && Math.abs(one - other) <= NEAR * Math.max(Math.abs(one), Math.abs(other));

/** A text that is the same number in any Excel. */
export const isPlain = (text: string): boolean => /^ *-?(\d+\.?\d*|\.\d+)(e[-+]?\d+)? *%? *$/i.test(text);

/** The texts of values that are no errors. */
const listTexts = (given: Given): string[] =>
  [given]
    .flat(2)
    .flatMap((each) => (typeof each?.value === "string" && !each.value.startsWith("#") ? [each.value] : []));

/** Whether the order of two texts may be another in Excel, which has places of its own for signs and accents. */
function isUnordered(one: string, other: string): boolean {
  let at = 0;
  while (at < one.length && one[at]!.toLowerCase() === other[at]?.toLowerCase()) at++;
  return [one[at], other[at]].some((letter) => letter !== undefined && !/[a-z\d ]/i.test(letter));
}

/** Whether the order of any text to another may be another in Excel. */
export const areUnordered = (one: Given, other: Given): boolean =>
  listTexts(one).some((text) => listTexts(other).some((against) => isUnordered(text, against)));

/** Whether Excel may sort texts otherwise: those are compared that come to stand side by side. */
function maySort([rows, by]: Given[]): boolean {
  const texts = listTexts(Array.isArray(rows) ? [rows[Number(toValue(by) ?? 1) - 1] ?? []] : rows);
  const sorted = texts.map((text) => text.toLowerCase()).sort();
  return sorted.some((text, index) => index > 0 && isUnordered(sorted[index - 1]!, text));
}

/** Whether Excel's result of a call may be another. */
export function mayDiffer(name: string, given: Given[]): boolean {
  if (ROUNDING.has(name)) return mayRound(name, given);
  if (/^(COUNT|SUM|AVERAGE|MAX|MIN)IFS?$/.test(name)) return mayMatch(name, given);
  if (name === "DATE") return Number(toValue(given[0]) ?? 0) < FIRST_YEAR;
  if (name === "IRR" || name === "XIRR") return countTurns(given[0]) !== 1;
  if (DATES.has(name)) return [given[0]].flat(2).some((each) => isEarly(each?.value ?? 0));
  if (name === "SORT") return maySort(given);
  if (name === "SUBSTITUTE") return toText(given[2]).includes("$");
  if (name === "SWITCH") return given.some((each, index) => index % 2 === 1 && isOtherCase(given[0], each));
  if (name === "VALUE") return !isPlain(toText(given[0]));
  if (name === "TEXT") return !isSimpleFormat(given[1]) || listTexts(given[0]).length > 0 || mayShow(given);
  return LOOKUPS.has(name) && mayFind(name, given);
}

/** Whether a number under a format is near the middle of two, nothing with a sign, or of more digits than Excel has. */
const mayShow = ([number, format]: Given[]): boolean => {
  const [, decimals = ""] = /\.([0#]*)/.exec(toText(format)) ?? [];
  const digits = decimals.length + (toText(format).includes("%") ? 2 : 0);
  const value = Number(toValue(number) ?? 0);
  const isNothing = value < 0 && -value * 10 ** digits <= 0.5;
  return isNothing || Math.abs(value) >= 10 ** MOST_DIGITS || mayRound("ROUND", [number, { value: digits }]);
};

/** Formats that each Excel shows alike, of numbers and of dates. */
const SIMPLE = /^([$€£¥]?(#,##0|0+)(\.0+)?%?|(yyyy|yy|mm?|dd?|[-/. ])+)$/i;
export const isSimpleFormat = (given: Given): boolean => SIMPLE.test(toText(given));

/** How often payments turn: more than once, and several rates may be theirs. */
function countTurns(given: Given): number {
  const signs = [given].flat(2).flatMap((each) => Math.sign(Number(each?.value ?? 0)) || []);
  return signs.filter((sign, index) => index > 0 && sign !== signs[index - 1]).length;
}

const toValue = (given: Given) => (Array.isArray(given) ? given[0]?.[0] : given)?.value ?? null;
const toText = (given: Given) => String(toValue(given) ?? "");

/** Earlier years are counted from another. */
const FIRST_YEAR = 1901;
/** Excel's calendar has a day of 1900 that there was not. */
const isEarly = (value: Value["value"]) => (typeof value === "string" ? !value.startsWith("#") : Number(value) < 61);
const DATES = new Set(["YEAR", "MONTH", "DAY", "EDATE", "EOMONTH", "WEEKDAY"]);

const isOtherCase = (one: Given, other: Given) =>
  toText(one) !== toText(other) && toText(one).toLowerCase() === toText(other).toLowerCase();

/** Whether Excel may find other cells by conditions: nothing, orders of texts, what may be a date, areas that differ. */
function mayMatch(name: string, given: Given[]): boolean {
  const isPaired = name.endsWith("IFS");
  const first = isPaired && name !== "COUNTIFS" ? 1 : 0;
  const areas = given.filter((each, index) => !isCriterion(index) && Array.isArray(each)) as Matrix[];
  if (areas.some((area) => area.length !== areas[0]!.length || area[0]!.length !== areas[0]![0]!.length)) return true;
  const hasText = (pattern: RegExp) => areas.some((area) => listTexts(area).some((text) => pattern.test(text)));
  return given
    .filter((_, index) => isCriterion(index))
    .some((each) => [each].flat(2).some((one) => isOpen(one?.value)));

  function isCriterion(index: number): boolean {
    return isPaired ? index >= first && (index - first) % 2 === 1 : index === 1;
  }

  function isOpen(value: Value["value"] | undefined): boolean {
    if (typeof value !== "string") return value === null || value === undefined;
    const [, operator = "", operand = ""] = /^(<>|[<>]=?|=?)(.*)$/su.exec(value) ?? [];
    if (operand === "" || operand === "*")
      return (value !== "" && hasText(/^$/)) || !["", "=", "<>"].includes(operator);
    if (isPlain(operand)) return operator === "<>" && hasText(/^[^a-z]*\d[^a-z]*$/i);
    return !["", "=", "<>"].includes(operator) || /^([\W\d]*\d[\W\d]*|true|false|#.*)$/i.test(operand);
  }
}

const LOOKUPS = new Set(["MATCH", "VLOOKUP", "HLOOKUP", "LOOKUP", "XLOOKUP", "XMATCH"]);

/** Whether Excel may find another: for nothing, or the nearest where the values are no ascending numbers. */
function mayFind(name: string, [key, area, third, fourth]: Given[]): boolean {
  if ([key].flat(2).some((each) => (each?.value ?? null) === null)) return true;
  if (name.startsWith("X")) return false;
  const type = name === "MATCH" ? third : name === "LOOKUP" ? undefined : fourth;
  const isExact = type !== undefined && Number(toValue(type)) === 0;
  if (isExact || !Array.isArray(area)) return false;
  const values = (
    name === "HLOOKUP" ? area.map((column) => column[0]!) : name === "MATCH" ? area.flat() : area[0]!
  ).map(({ value }) => value);
  const order = Number(type === undefined ? 1 : toValue(type)) < 0 ? -1 : 1;
  return values.some(
    (value, index) => typeof value !== "number" || order * (value - Number(values[index - 1] ?? value)) < 0,
  );
}

/** Whether a call rounds a number that Excel may take for another in its last digits. */
function mayRound(name: string, [numbers, by]: Given[]): boolean {
  const second = Number(toValue(by) ?? 0);
  return [numbers].flat(2).some((each) => {
    const number = Number(each?.value ?? 0);
    if (name === "MOD") return areNear(number / second, Math.round(number / second));
    const scaled = Math.abs(number) * 10 ** (name === "INT" ? 0 : second);
    if (scaled > 10 ** (MOST_DIGITS - 1) && !Number.isInteger(number)) return true;
    return name === "ROUND" ? areNear(scaled % 1, 0.5) : areNear(scaled, Math.round(scaled));
  });
}

const ROUNDING = new Set(["INT", "MOD", "ROUND", "ROUNDDOWN", "ROUNDUP", "TRUNC"]);

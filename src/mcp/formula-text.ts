import { toInvalid } from "./tool-error";

type Scalar = string | number | boolean;

/** An argument of a formula; a list is a column. */
export type FormulaArgument = Scalar | readonly Scalar[] | null | undefined;

/** Excel takes no longer formula, and no longer text in one. */
const LONGEST_FORMULA = 8_192;
const LONGEST_TEXT = 255;

/** Writes a formula of FEED, without "="; arguments that are not given, and empty lists, are left out. */
export function toFormula(name: string, given: readonly FormulaArgument[]): string {
  const end = given.findLastIndex((each) => each != null && !isEmpty(each)) + 1;
  const formula = `FEED.${name}(${given.slice(0, end).map(toText).join(",")})`;
  if (formula.length < LONGEST_FORMULA) return formula;
  throw toInvalid("Excel takes no formula so long", "give fewer names at once");
}

const isEmpty = (given: FormulaArgument): boolean => Array.isArray(given) && given.length === 0;

function toText(given: FormulaArgument): string {
  if (given === undefined || given === null || isEmpty(given)) return "";
  if (!Array.isArray(given)) return toLiteral(given as Scalar);
  return given.length === 1 ? toLiteral(given[0]) : `{${given.map(toLiteral).join(";")}}`;
}

function toLiteral(value: Scalar): string {
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  if (typeof value === "number") return String(value);
  if (value.length <= LONGEST_TEXT) return `"${value.replaceAll('"', '""')}"`;
  throw toInvalid(`a text has ${value.length} characters`, "give at most 255");
}

import { ArgumentError } from "../client/errors";
import { type CompanyRef, isCompanyId, isNumberForm } from "../client/ids";
import { either, msg } from "../client/messages";
import { readUnitText, type Unit } from "../feed/financials/unit";
import { PassedError } from "./cells";

/** An argument as the host passes it. */
export type Argument = unknown;

/** Arguments of a formula by their names. */
export type Given<Name extends string> = Record<Name, Argument>;

/** The reading of a cell of an argument range. */
export type Reading<T> = { kind: "value"; value: T } | { kind: "blank" } | { kind: "error"; error: unknown };

/** Whether an argument counts as omitted: a referenced blank cell is 0 on the desktop and null on the web. */
export const isBlank = (value: Argument): boolean =>
  value === null || value === undefined || value === 0 || (typeof value === "string" && value.trim() === "");

/**
 * The single value of an argument. An error in it is passed on, as by Excel's own functions. A number that a
 * cell holds with a format or properties, such as a date of another formula, is that number; an entity, such as one of
 * Stocks, is the text that its cell shows.
 */
export function readScalar(argument: Argument): Argument {
  const value = Array.isArray(argument) ? argument[0]?.[0] : argument;
  const { type, text, basicType, basicValue } = Object(value) as Record<string, unknown>;
  if (typeof text === "string" && /Entity$/.test(String(type))) return text;
  if (PassedError.isError(value)) throw new PassedError(value);
  return typeof value === "object" && (typeof basicValue === "number" || PLAIN_TYPES.includes(String(basicType)))
    ? basicValue
    : value;
}

/** Kinds of a value with a format or properties. */
const PLAIN_TYPES = ["Double", "String", "Boolean"];

/** Reads each cell of a range by itself, so that an invalid one affects no other. */
export function readCells<T>(range: readonly (readonly Argument[])[], read: (value: Argument) => T): Reading<T>[][] {
  return range.map((row) => row.map((cell) => readCell(cell, read)));
}

/** Reads a single cell. */
export function readCell<T>(cell: Argument, read: (value: Argument) => T): Reading<T> {
  try {
    const value = readScalar(cell);
    return isBlank(value) ? { kind: "blank" } : { kind: "value", value: read(value) };
  } catch (error) {
    return { kind: "error", error };
  }
}

/** Text, trimmed; null when not given. @throws ArgumentError (FEED_ARGUMENT_INVALID) */
export function readText(argument: Argument, name: string): string | null {
  const value = readScalar(argument);
  if (isBlank(value)) return null;
  if (typeof value === "boolean" || typeof value === "object") {
    throw new ArgumentError(msg`${name} must be text, not ${quote(value)}`);
  }
  return String(value).trim();
}

/** A longer text is no name; the pane takes none either. */
export const LONGEST_NAME = 300;

/**
 * A company: a companyId (UUID), a registration number, a ticker or a name; an integer means its digits.
 *
 * @param country where names and tickers are looked up: an ISO 3166-1 alpha-3 code, or "ALL"
 * @throws ArgumentError (FEED_ARGUMENT_INVALID)
 */
export function readCompany(value: Argument, country: string, argument = "company"): CompanyRef {
  const isDigits = typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
  const text = typeof value === "string" || isDigits ? toPlainCompany(String(value)) : "";
  if (isCompanyId(text)) return { companyId: text };
  if (isRounded(value)) {
    throw new ArgumentError(
      msg`${argument} is the number ${quote(value)}, of which Excel keeps 15 digits alone; enter it as text, with an apostrophe before it`,
    );
  }
  if (text === "" || text.length > LONGEST_NAME || /\p{Cc}/u.test(text)) {
    throw new ArgumentError(msg`${argument} must be ${A_COMPANY}, not ${quote(value)}`);
  }
  return isNumberForm(text) ? { registrationNumber: text } : { name: text, country };
}

/** A number of more than 15 digits, or one that was copied as "1.78568E+12": its last digits are lost. */
const isRounded = (value: Argument): boolean =>
  typeof value === "number"
    ? Number.isInteger(value) && value >= 1e15
    : typeof value === "string" && /^\s*\d(?:[.,]\d+)?e\+?\d{1,3}\s*$/i.test(value);

/** A text without what is not seen: white space of any kind, marks of no width, an apostrophe that kept it as text. */
export const toSeen = (written: string): string =>
  written
    .replace(/\p{Cf}/gu, "")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^['’](?=\S)/, "");

/**
 * A company as people copy it, without the decimal that a program wrote. Japan's number of 13 digits is taken as invoices
 * and letters write it: "T1-7856…", "1 7856…".
 */
function toPlainCompany(written: string): string {
  const text = toSeen(written).replace(/(?<=^\d+)\.0+$/, "");
  const digits = text.normalize("NFKC").replace(/^T(?=[\d\s-])|[\s\p{Pd}−]/giu, "");
  if (/^\d{13}$/.test(digits)) return digits;
  return isNumberForm(text) ? text.normalize("NFKC") : text;
}

/** Outside these limits a quotient may be no finite number. */
const SMALLEST_UNIT = 1e-12;
const LARGEST_UNIT = 1e15;

/**
 * The unit of figures: "k", "m", "bn" or a divisor from 1e-12 to 1e15, with a currency or without, as in "JPY m"; default 1.
 *
 * @throws ArgumentError (FEED_ARGUMENT_INVALID)
 */
export function readUnit(argument: Argument): Unit {
  const value = readScalar(argument);
  if (isBlank(value)) return { divisor: 1, currency: null };
  const unit = typeof value === "number" ? { divisor: value, currency: null } : readUnitText(String(value));
  if (unit !== null && unit.divisor >= SMALLEST_UNIT && unit.divisor <= LARGEST_UNIT) return unit;
  throw new ArgumentError(
    msg`unit must be "k", "m", "bn" or a number from 1e-12 to 1e15 to divide by, not ${quote(value)}`,
  );
}

/** One of a few words, letter case, spaces, hyphens and underscores aside. @throws ArgumentError (FEED_ARGUMENT_INVALID) */
export function readChoice<T extends string>(argument: Argument, name: string, choices: readonly T[], byDefault: T): T {
  const value = readScalar(argument);
  if (isBlank(value)) return byDefault;
  const fold = (text: string) => text.toLowerCase().replace(/[\s_-]+/g, "");
  const found = choices.find((choice) => typeof value === "string" && fold(choice) === fold(value));
  if (found !== undefined) return found;
  const quoted = choices.map((choice) => `"${choice}"`);
  throw new ArgumentError(
    msg`${name} must be ${either([quoted.slice(0, -1).join(", "), quoted.at(-1)])}, not ${quote(value)}`,
  );
}

/** Names, as comma text or a range of texts; null when none is given. @throws ArgumentError (FEED_ARGUMENT_INVALID) */
export function readNames(argument: Argument, name: string): string[] | null {
  if (isBlank(argument)) return null;
  const cells = Array.isArray(argument) ? argument.flat() : [argument];
  const given = cells.flatMap((cell) => splitText(readText(cell, name) ?? ""));
  return given.length > 0 ? given : null;
}

/** Splits a text at commas into trimmed parts, without blank ones. */
export function splitText(text: string): string[] {
  const parts = text.split(",").map((part) => part.trim());
  return parts.filter((part) => part !== "");
}

/** A value as an error's sentence quotes it. */
export function quote(value: Argument): unknown {
  if (typeof value === "string") return `"${value.length > 60 ? `${value.slice(0, 60)}…` : value}"`;
  if (typeof value === "boolean") return String(value).toUpperCase();
  return typeof value === "number" ? String(value) : msg`a value of another kind`;
}

/**
 * The cells of a required argument. A single blank one is a mistake; a blank among others leaves its
 * place empty.
 *
 * @param wanted the expected argument, for the error's sentence
 * @throws ArgumentError (FEED_ARGUMENT_INVALID)
 */
export function toGiven(range: Argument, name: string, wanted: unknown = msg`a ${name}`): Argument[][] {
  const cells = toRange(range);
  if (isSingle(cells) && isBlank(readScalar(cells))) throw toMissing(name, wanted);
  return cells;
}

/** The given companies, as {@link toGiven}. */
export const toCompanies = (range: Argument, name: string): Argument[][] => toGiven(range, name, A_COMPANY);

/** An argument as rows of cells. */
export const toRange = (range: Argument): Argument[][] => (Array.isArray(range) ? range : [[range]]);

export const isSingle = (cells: readonly (readonly Argument[])[]): boolean =>
  cells.length === 1 && cells[0]?.length === 1;

/** The names in a single text with commas; null for anything else. */
export function splitSingle(cells: Argument[][]): string[] | null {
  const only = cells[0]?.[0];
  if (!isSingle(cells) || typeof only !== "string" || !only.includes(",")) return null;
  return splitText(only);
}

export const A_COMPANY = msg`a company's name, ticker, registration number or id`;

/** The error of an argument that names no company. */
export const toMissingCompany = (name: string): ArgumentError => toMissing(name, A_COMPANY);

const toMissing = (name: string, wanted: unknown) => new ArgumentError(msg`${name} is missing; give ${wanted}`);

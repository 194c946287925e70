import { ArgumentError } from "../../client/errors";
import { msg } from "../../client/messages";
import { toCountry } from "../../session/settings";
import { type Argument, isBlank, isSingle, quote, readScalar, splitSingle, toRange } from "../arguments";

/** Rows wanted: an integer from 1, or "all". @throws ArgumentError (FEED_ARGUMENT_INVALID) */
export function readTop(argument: Argument, byDefault: number | "all"): number | "all" {
  const value = readScalar(argument);
  if (isBlank(value)) return byDefault;
  if (typeof value === "string" && value.trim().toLowerCase() === "all") return "all";
  const top = typeof value === "string" ? Number(value) : value;
  if (typeof top === "number" && Number.isSafeInteger(top) && top >= 1) return top;
  throw new ArgumentError(msg`top must be a whole number from 1, or "all", not ${quote(value)}`);
}

/** Whether a header row is wanted; default TRUE. @throws ArgumentError (FEED_ARGUMENT_INVALID) */
export const readHeaders = (argument: Argument): boolean => readFlag(argument, "headers", true);

/** TRUE or FALSE, also as 1 or text; 0 is a blank cell and means `byDefault`. @throws ArgumentError (FEED_ARGUMENT_INVALID) */
export function readFlag(argument: Argument, name: string, byDefault: boolean): boolean {
  const value = readScalar(argument);
  if (isBlank(value)) return byDefault;
  const word = String(value).trim().toLowerCase();
  if (value === 1 || word === "true") return true;
  if (word === "false") return false;
  throw new ArgumentError(msg`${name} must be TRUE or FALSE, not ${quote(value)}`);
}

/** A country's ISO 3166-1 alpha-3 code, or "ALL"; any three letters are a code. @throws ArgumentError (FEED_ARGUMENT_INVALID) */
export function readCountry(argument: Argument, byDefault: string | null): string {
  const value = readScalar(argument);
  if (isBlank(value) && byDefault !== null) return byDefault;
  if (isBlank(value)) throw new ArgumentError(msg`country is missing; give a code such as "JPN", or "ALL"`);
  const country = typeof value === "string" ? toCountry(value) : null;
  if (country !== null) return country;
  throw new ArgumentError(msg`country must be a code of three letters such as "JPN", or "ALL", not ${quote(value)}`);
}

/** The cells of an optional argument, null when omitted; a single text with commas is a row of names. */
export function toNameCells(range: Argument): Argument[][] | null {
  const cells = toRange(range);
  if (isSingle(cells) && isBlank(cells[0]?.[0])) return null;
  const names = splitSingle(cells);
  if (names === null) return cells;
  return names.length === 0 ? null : [names];
}

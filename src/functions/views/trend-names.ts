import { ArgumentError } from "../../client/errors";
import { msg } from "../../client/messages";
import { isLegalForm } from "../../feed/names/form-kinds";
import {
  type Argument,
  isSingle,
  quote,
  type Reading,
  readCell,
  readScalar,
  readText,
  splitSingle,
  toGiven,
  toMissingCompany,
} from "../arguments";

/** A cell that names a company or industry, and its text. */
export interface GivenName {
  given: Argument;
  reading: Reading<string>;
}

/** How many rows of the latest period; "any" are all of each period, the latest one's first. */
export type FirstRows = number | "all" | "any";

/** The rows of a trend: those that are named, alone or by a text with commas as a `whole`, or the first of the latest period. */
export type GivenNames =
  | { kind: "names"; names: readonly GivenName[]; whole: GivenName | null }
  | { kind: "first"; count: FirstRows };

/** No name is longer. */
const LONGEST_NAME = 300;

/**
 * Names as text with commas or as cells, read row by row, without the blank ones at the end; or `"top 20"`, `"all"`, `"any"`.
 *
 * @throws ArgumentError (FEED_ARGUMENT_INVALID) when none is given; the error of the first one where all are invalid
 */
export function readRankedNames(argument: Argument): GivenNames {
  const cells = toGiven(argument, "names", msg`a ticker, a name, or "top 20"`);
  const only = isSingle(cells) ? readScalar(cells) : null;
  const count = typeof only === "string" ? readFirst(only) : null;
  if (count !== null) return { kind: "first", count };
  const toName = (given: Argument): GivenName => ({ given, reading: readCell(given, readName) });
  const listed = splitSingle(cells);
  if (listed?.length === 0) throw toMissingCompany("names");
  const names = (listed === null ? cells.flat() : joinForms(listed)).map(toName);
  if (!names.some(({ reading }) => reading.kind === "value")) {
    for (const { reading } of names) if (reading.kind === "error") throw reading.error;
  }
  const used = names.findLastIndex(({ reading }) => reading.kind !== "blank") + 1;
  return { kind: "names", names: names.slice(0, Math.max(used, 1)), whole: listed === null ? null : toName(only) };
}

/** Joins "Sakura Foods Co." and "Ltd." again, which a comma has parted. */
function joinForms(names: readonly string[]): string[] {
  const joined: string[] = [];
  for (const name of names) joined.push(isLegalForm(name) && joined.length > 0 ? `${joined.pop()}, ${name}` : name);
  return joined;
}

/** "top 20", "all" or "any"; null for a name. */
function readFirst(text: string): FirstRows | null {
  const word = text.trim().toLowerCase();
  if (word === "all" || word === "any") return word;
  const [, digits] = /^\s*top\s*(-?\d+(?:\.\d+)?)\s*$/i.exec(text) ?? [];
  if (digits === undefined) return null;
  const count = Number(digits);
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new ArgumentError(msg`names must be "top 1" or more, not ${quote(text)}`);
}

function readName(value: Argument): string {
  const text = readText(value, "names") ?? "";
  if (text.length <= LONGEST_NAME) return text;
  throw new ArgumentError(msg`names must be tickers or names as a ranking shows them, not ${quote(text)}`);
}

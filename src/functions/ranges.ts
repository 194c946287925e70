import { ArgumentError } from "../client/errors";
import { type Argument, isBlank, readScalar, splitText } from "./arguments";

/**
 * The cells of an argument that must be given. A single blank one is a mistake; a blank among others leaves its
 * place empty.
 *
 * @param wanted what to give, as a sentence says it
 * @throws ArgumentError (FEED_ARGUMENT_INVALID)
 */
export function toGiven(range: Argument, name: string, wanted = `a ${name}`): Argument[][] {
  const cells = toRange(range);
  if (isSingle(cells) && isBlank(readScalar(cells))) throw toMissing(name, wanted);
  return cells;
}

/** The companies that were given, as {@link toGiven}; a single text that lists some is a column of them. @throws ArgumentError */
export function toCompanies(range: Argument, name: string): Argument[][] {
  const cells = toGiven(range, name, A_COMPANY);
  const names = splitSingle(cells);
  if (names === null) return cells;
  if (names.length === 0) throw toMissingCompany(name);
  return names.map((each) => [each]);
}

/** The cells of an argument that may be left out, null when it is; a single text that lists names is a row of them. */
export function toNameCells(range: Argument): Argument[][] | null {
  const cells = toRange(range);
  if (isSingle(cells) && isBlank(cells[0]?.[0])) return null;
  const names = splitSingle(cells);
  if (names === null) return cells;
  return names.length === 0 ? null : [names];
}

const toRange = (range: Argument): Argument[][] => (Array.isArray(range) ? range : [[range]]);

export const isSingle = (cells: readonly (readonly Argument[])[]): boolean =>
  cells.length === 1 && cells[0]?.length === 1;

/** The names that a single text with commas lists; null for anything else. */
function splitSingle(cells: Argument[][]): string[] | null {
  const only = cells[0]?.[0];
  if (!isSingle(cells) || typeof only !== "string" || !only.includes(",")) return null;
  return splitText(only);
}

const A_COMPANY = "a company id or a registration number";

/** The failure of an argument that names no company. */
export const toMissingCompany = (name: string): ArgumentError => toMissing(name, A_COMPANY);

const toMissing = (name: string, wanted: string) => new ArgumentError(`${name} is missing; give ${wanted}`);

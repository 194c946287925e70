import { ArgumentError } from "../../client/errors";
import { msg } from "../../client/messages";
import { foldName, foldWhole } from "../../feed/names/folding";
import { contradictsForm, isLegalForm } from "../../feed/names/form-kinds";
import {
  type Entry,
  findCoded,
  findNamed,
  type Identity,
  indexNames,
  inSteps,
  type NameIndex,
  type RankedList,
  type Steps,
  toIdentity,
} from "../../feed/rankings/ranked-list";
import {
  type Argument,
  isSingle,
  LONGEST_NAME,
  quote,
  type Reading,
  readCell,
  readScalar,
  readText,
  splitSingle,
  toGiven,
  toMissingCompany,
} from "../arguments";
import { type RankingChoice, toSeveralNames, toUnknownName } from "./ranking-kinds";

/** What a row of a trend shows. */
export type Line = { kind: "blank" } | { kind: "error"; label: unknown; error: unknown } | RankedLine;

export interface RankedLine {
  kind: "ranked";
  identity: Identity;
  entry: Entry;
  /** The ranking that the line was taken from, where it is certain; null where it was named. */
  own: RankedList | null;
}

/** A row of the ranking that gives the first ones. */
export const toFirstLine = (entry: Entry, own: RankedList, lists: readonly RankedList[]): RankedLine => ({
  kind: "ranked",
  entry,
  identity: toIdentity(entry, lists),
  own,
});

/**
 * Finds what each cell names: by the code, else by the whole name, else by the name without its legal form. A text means
 * the same in each ranking.
 */
export function* toNamedLines(
  names: readonly GivenName[],
  lists: readonly RankedList[],
  ranking: RankingChoice,
): Steps<Line[]> {
  const found = new Map<string, readonly Entry[]>();
  const texts = new Set(names.flatMap(({ reading }) => (reading.kind === "value" ? reading.value : [])));
  yield* inSteps([...texts], (text) => {
    const entry = findCoded(lists, text);
    if (entry !== undefined) found.set(text, [entry]);
  });
  for (const fold of FOLDS) {
    const left = [...texts].filter((text) => !found.has(text));
    if (left.length === 0) break;
    const indexes: NameIndex[] = [];
    for (const list of lists) {
      yield;
      indexes.push(yield* fold.index(list));
    }
    yield* inSteps(left, (text) => {
      const entries = findNamed(indexes, fold.fold(text)).filter(
        ({ name }) => !contradictsForm(text, [name], RANKED_COUNTRY),
      );
      if (entries.length > 0) found.set(text, entries);
    });
  }
  const lines: Line[] = [];
  yield* inSteps(names, (name) => void lines.push(toLine(name, found, lists, ranking)));
  return lines;
}

function toLine(
  { given, reading }: GivenName,
  found: ReadonlyMap<string, readonly Entry[]>,
  lists: readonly RankedList[],
  { named }: RankingChoice,
): Line {
  if (reading.kind === "blank") return reading;
  const label = readLabel(given);
  if (reading.kind === "error") return { kind: "error", label, error: reading.error };
  const [entry, ...others] = found.get(reading.value) ?? [];
  if (entry === undefined) return { kind: "error", label, error: toUnknownName(reading.value, named) };
  if (others.length > 0) return { kind: "error", label, error: toSeveralNames(reading.value, [entry, ...others]) };
  return { kind: "ranked", entry, identity: toIdentity(entry, lists), own: null };
}

/** The text that was given, or the error in its place. */
function readLabel(given: Argument): unknown {
  try {
    return readScalar(given);
  } catch (error) {
    return error;
  }
}

/** More names than these are folded again. */
const MOST_FOLDED = 50_000;

/** Makes an index of names by a fold, which many formulas share; rankings have nearly the same names. */
function createFold(foldOnce: (name: string) => string) {
  const folded = new Map<string, string>();
  const indexes = new WeakMap<RankedList, NameIndex>();
  const fold = (name: string) => {
    const known = folded.get(name);
    if (known !== undefined) return known;
    if (folded.size >= MOST_FOLDED) folded.clear();
    const text = foldOnce(name);
    folded.set(name, text);
    return text;
  };
  function* index(list: RankedList): Steps<NameIndex> {
    const known = indexes.get(list) ?? (yield* indexNames(list, fold));
    indexes.set(list, known);
    return known;
  }
  return { fold, index };
}

/** Rankings have companies of Japan alone (§4.4). */
const RANKED_COUNTRY = "JPN";

const FOLDS = [createFold(foldWhole), createFold(foldName)];

/** A cell that names a company or industry, and its text. */
interface GivenName {
  given: Argument;
  reading: Reading<string>;
}

/** How many rows of the latest period; "any" are all of each period, the latest one's first. */
export type FirstRows = number | "all" | "any";

/** The rows of a trend: those that are named, alone or by a text with commas as a `whole`, or the first of the latest period. */
export type GivenNames =
  | { kind: "names"; names: readonly GivenName[]; whole: GivenName | null }
  | { kind: "first"; count: FirstRows };

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

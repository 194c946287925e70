import { foldName, foldWhole } from "../../feed/names/folding";
import { contradictsForm } from "../../feed/names/form-kinds";
import {
  findCoded,
  findNamed,
  type Identity,
  indexNames,
  type NameIndex,
  toIdentity,
} from "../../feed/rankings/joining";
import { type Entry, inSteps, type RankedList, type Steps } from "../../feed/rankings/ranked-list";
import { type Argument, readScalar } from "../arguments";
import { toSeveralNames, toUnknownName } from "./ranked-errors";
import type { RankingChoice } from "./ranking-kinds";
import type { GivenName } from "./trend-names";

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

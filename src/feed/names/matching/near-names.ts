import type { Postings } from "./postings";
import type { LikeWord, Vocabulary } from "./vocabulary";
import type { Word, Words } from "./words";

/** The words of names by their numbers. */
export interface NameWords {
  /** The numbers of a name's words. */
  numbersOf(entry: number): Uint32Array;
  /** The names with a word. */
  entriesOf: Postings;
  /** Weight of a word of the index by its number. */
  weighNumber(number: number): number;
  weigh(word: Word): number;
}

/** Names compared in full. */
const MOST_NEAR = 40;
/** Names looked at for one search; the rarest words come first. */
const MOST_LOOKED_AT = 60_000;
/** A name that lacks words of this share of the weight is not near. */
const SHARE_THAT_MAY_LACK = 0.55;

/** Gives a function that finds the names that have most in common with some words, the nearest first. */
export function createNearNames(vocabulary: Vocabulary, names: NameWords) {
  return (words: Words, isThorough: boolean): number[] => {
    const searched = listSearched(vocabulary, words, names, isThorough);
    const total = words.reduce((sum, word) => sum + names.weigh(word), 0);
    const worth = new Map<number, number>();
    for (const { like, weight } of searched) {
      for (const { number, likeness } of like) worth.set(number, Math.max(worth.get(number) ?? 0, likeness * weight));
    }
    return rankNear([...gather(searched, total, names)], worth, total, names);
  };
}

/** The names with the rarest of the words, until any other name would lack too much. */
function gather(searched: readonly Searched[], total: number, { entriesOf }: NameWords): Set<number> {
  const gathered = new Set<number>();
  let lacking = 0;
  let looked = 0;
  for (const { like, weight, isWord } of searched) {
    if (isWord && lacking > total * SHARE_THAT_MAY_LACK && gathered.size > 0) break;
    for (const { number } of like) {
      looked += entriesOf.count(number);
      if (looked > MOST_LOOKED_AT && gathered.size > 0) return gathered;
      for (const entry of entriesOf.of(number).subarray(0, MOST_LOOKED_AT)) gathered.add(entry);
    }
    if (isWord) lacking += weight;
  }
  return gathered;
}

function rankNear(gathered: readonly number[], worth: ReadonlyMap<number, number>, total: number, names: NameWords) {
  const ranked = gathered.map((entry) => {
    let own = 0;
    let common = 0;
    for (const number of names.numbersOf(entry)) {
      own += names.weighNumber(number);
      common += worth.get(number) ?? 0;
    }
    return { entry, rank: (2 * Math.min(common, total)) / (total + own) };
  });
  ranked.sort((one, other) => other.rank - one.rank);
  return ranked.slice(0, MOST_NEAR).map(({ entry }) => entry);
}

interface Searched {
  like: readonly LikeWord[];
  weight: number;
  owners: number;
  /** Not a pair of words. */
  isWord: boolean;
}

/** A name's words and pairs of neighbours, since a space may be missing or too many; the rarest first. */
function listSearched(
  { findLike }: Vocabulary,
  words: Words,
  { weigh, entriesOf }: NameWords,
  isThorough: boolean,
): Searched[] {
  const search = (word: Word, isWord: boolean) => {
    const like = findLike(word, isThorough);
    return {
      like,
      weight: weigh(word),
      owners: like.reduce((sum, { number }) => sum + entriesOf.count(number), 0),
      isWord,
    };
  };
  const pairs = words.slice(1).flatMap((word, at) => {
    const before = words[at] as Word;
    return before.kind === word.kind ? [join(before, word)] : [];
  });
  return [...words.map((word) => search(word, true)), ...pairs.map((word) => search(word, false))].sort(
    (one, other) => one.owners - other.owners,
  );
}

/** Two words as one, which a writer may have parted. */
export const join = (one: Word, other: Word): Word => ({
  text: one.text + other.text,
  keys: [(one.keys[0] as string) + other.keys[0]],
  kind: one.kind,
  meaning: null,
  isJapanese: one.isJapanese,
});

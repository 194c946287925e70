import type { Postings } from "./postings";
import type { LikeWord, Vocabulary } from "./vocabulary";
import type { Word, Words } from "./word";

/** The words of names by their numbers. */
export interface NameWords {
  /** The numbers of all names' words, one name behind the other, and where each begins. */
  numbers: Uint32Array;
  firstWords: Uint32Array;
  /** The names with a word. */
  entriesOf: Postings;
  /** Weights of the words of the index by their number. */
  weights: Float32Array;
  weigh(word: Word): number;
}

/** Names compared in full. */
const MOST_NEAR = 40;
/** Names looked at for one search; the rarest words come first. */
const MOST_LOOKED_AT = 60_000;
/** A name that lacks words of this share of the weight is not near. */
const SHARE_THAT_MAY_LACK = 0.55;

/** Gives a function that finds the names that have most in common with some words, the nearest first. */
export function createNearNames(vocabulary: Vocabulary, names: NameWords, count: number) {
  const worth = new Float32Array(vocabulary.size());
  const gathered = createGathered(count);
  return (words: Words, isThorough: boolean): number[] => {
    const searched = listSearched(vocabulary, words, names, isThorough);
    const total = words.reduce((sum, word) => sum + names.weigh(word), 0);
    for (const { like, weight } of searched) {
      for (const { number, likeness } of like) worth[number] = Math.max(worth[number] as number, likeness * weight);
    }
    gather(searched, total, names, gathered);
    const nearest = pickNearest(gathered, worth, total, names);
    gathered.clear();
    for (const { like } of searched) for (const { number } of like) worth[number] = 0;
    return nearest;
  };
}

/** Names of a search, each once. */
interface Gathered {
  readonly entries: Uint32Array;
  size(): number;
  add(entry: number): void;
  clear(): void;
}

function createGathered(count: number): Gathered {
  const entries = new Uint32Array(Math.min(count, MOST_LOOKED_AT));
  const isIn = new Uint8Array(count);
  let size = 0;
  return {
    entries,
    size: () => size,
    add(entry) {
      if (isIn[entry] === 1 || size === entries.length) return;
      isIn[entry] = 1;
      entries[size++] = entry;
    },
    clear() {
      for (let at = 0; at < size; at++) isIn[entries[at] as number] = 0;
      size = 0;
    },
  };
}

/** Gathers the names with the rarest of the words, until any other name would lack too much. */
function gather(searched: readonly Searched[], total: number, { entriesOf }: NameWords, gathered: Gathered): void {
  let lacking = 0;
  let looked = 0;
  for (const { like, weight, isWord } of searched) {
    if (isWord && lacking > total * SHARE_THAT_MAY_LACK && gathered.size() > 0) return;
    for (const { number } of like) {
      looked += entriesOf.count(number);
      if (looked > MOST_LOOKED_AT && gathered.size() > 0) return;
      for (const entry of entriesOf.of(number).subarray(0, MOST_LOOKED_AT)) gathered.add(entry);
    }
    if (isWord) lacking += weight;
  }
}

/** Picks the names with the most words in common, and the fewest others. */
function pickNearest(gathered: Gathered, worth: Float32Array, total: number, names: NameWords): number[] {
  const ranks: number[] = [];
  const entries: number[] = [];
  for (let at = 0; at < gathered.size(); at++) {
    const entry = gathered.entries[at] as number;
    const rank = rankName(entry, worth, total, names);
    if (ranks.length === MOST_NEAR && rank <= (ranks[MOST_NEAR - 1] as number)) continue;
    let place = Math.min(ranks.length, MOST_NEAR - 1);
    for (; place > 0 && (ranks[place - 1] as number) < rank; place--) {
      ranks[place] = ranks[place - 1] as number;
      entries[place] = entries[place - 1] as number;
    }
    ranks[place] = rank;
    entries[place] = entry;
  }
  return entries;
}

function rankName(entry: number, worth: Float32Array, total: number, names: NameWords): number {
  const { numbers, firstWords, weights } = names;
  const end = firstWords[entry + 1] as number;
  let own = 0;
  let common = 0;
  for (let at = firstWords[entry] as number; at < end; at++) {
    const number = numbers[at] as number;
    own += weights[number] as number;
    common += worth[number] as number;
  }
  return (2 * Math.min(common, total)) / (total + own);
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
  meanings: [],
  isJapanese: one.isJapanese,
});

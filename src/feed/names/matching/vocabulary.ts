import { compareWords } from "./likeness";
import { createPostingsBuilder, type Postings } from "./postings";
import type { Word } from "./word";

/** The words of an index's names, each with its number. */
export interface Vocabulary {
  /** Gives the known word of a text; makes one that names may have where there is none. */
  know(text: string, create: () => Word): Word;
  /** Numbers a word of the index. */
  number(word: Word): number;
  /** The number of a word of the index; null for any other. */
  findNumber(word: Word): number | null;
  word(number: number): Word;
  size(): number;
  /** Makes the words findable by their spellings and parts, in steps. */
  finish(): Generator<void, void>;
  /**
   * Words of the index that a word may be, with their likeness, the closest first.
   *
   * @param isThorough whether typing errors are looked for too
   */
  findLike(word: Word, isThorough: boolean): readonly LikeWord[];
}

export interface LikeWord {
  number: number;
  likeness: number;
}

const WORDS_A_STEP = 2_000;
const MOST_REMEMBERED = 20_000;

export function createVocabulary(): Vocabulary {
  const words: Word[] = [];
  const known = createKnown();
  const remembered = new Map<string, readonly LikeWord[]>();
  let finders: { byKey: Find; byParts: Find } | null = null;
  const findNumber = (word: Word) => known.get(word.text)?.number ?? null;
  const find = (word: Word, isThorough: boolean): LikeWord[] => {
    if (finders === null) return [];
    const isKnown = findNumber(word) !== null;
    const like = finders.byKey(word, isKnown);
    const found = new Set(like.map(({ number }) => number));
    const others = isThorough ? finders.byParts(word, isKnown) : [];
    return [...like, ...others.filter(({ number }) => !found.has(number))];
  };
  return {
    know(text, create) {
      const before = known.get(text);
      if (before !== undefined || finders !== null) return before?.word ?? create(); // a query's own words are not kept
      const word = create();
      known.set(text, { word, number: null });
      return word;
    },
    number(word) {
      const entry = known.get(word.text) ?? { word, number: null };
      entry.number ??= words.push(word) - 1;
      return entry.number;
    },
    findNumber,
    word: (number) => words[number] as Word,
    size: () => words.length,
    *finish() {
      finders = { byKey: yield* createKeyFinder(words), byParts: yield* createPartFinder(words) };
    },
    findLike(word, isThorough) {
      const key = `${isThorough}${word.text}`;
      const before = remembered.get(key);
      if (before !== undefined) return before;
      const like = find(word, isThorough);
      if (remembered.size >= MOST_REMEMBERED) remembered.clear();
      remembered.set(key, like);
      return like;
    },
  };
}

interface KnownWord {
  word: Word;
  /** Null for one that no name of the index has. */
  number: number | null;
}

const MAPS = 64;

/** Words by their text, in many maps: one of all would hold the page up as it grows. */
function createKnown() {
  const maps = Array.from({ length: MAPS }, () => new Map<string, KnownWord>());
  const pick = (text: string) => maps[hash(text, 0, 8) % MAPS] as Map<string, KnownWord>;
  return {
    get: (text: string) => pick(text).get(text),
    set: (text: string, word: KnownWord) => pick(text).set(text, word),
  };
}

type Find = (word: Word, isKnown: boolean) => LikeWord[];

const KEY_GROUPS = 1 << 18;

/** Finds words of one spelling or meaning. */
function* createKeyFinder(words: readonly Word[]): Generator<void, Find> {
  const builder = createPostingsBuilder();
  for (const [number, word] of words.entries()) {
    for (const group of new Set(listKeys(word))) builder.add(group, number);
    if (number % WORDS_A_STEP === 0) yield;
  }
  const postings = yield* builder.pack(KEY_GROUPS);
  return (word, isKnown) => {
    const found = new Set(listKeys(word).flatMap((group) => Array.from(postings.of(group))));
    return rate(word, isKnown, found, words, LEAST_OF_KEY);
  };
}

const LEAST_OF_KEY = 0.69;

const listKeys = ({ keys, meanings, text }: Word): number[] => [
  ...[text, ...keys].map((key) => hash(key, 0, key.length) % KEY_GROUPS),
  ...meanings.map((meaning) => hash(`#${meaning}`, 0, 5) % KEY_GROUPS),
];

const PART_GROUPS = 1 << 16;
/** Words compared in full, by how many parts they share. */
const MOST_COMPARED = 50;
const MOST_LIKE = 10;
const LEAST_SHARED = 0.3;
const LEAST_LIKENESS = 0.5;

/** Finds words that have two letters or kanji in a row in common. */
function* createPartFinder(words: readonly Word[]): Generator<void, Find> {
  const builder = createPostingsBuilder();
  const partsOf = new Uint8Array(words.length);
  for (const [number, word] of words.entries()) {
    const own = listParts(word);
    partsOf[number] = own.length;
    for (const part of own) builder.add(part, number);
    if (number % WORDS_A_STEP === 0) yield;
  }
  const postings = yield* builder.pack(PART_GROUPS);
  const shared = new Uint8Array(words.length);
  return (word, isKnown) => {
    const parts = listParts(word);
    const near = pickSharing(parts, postings, partsOf, shared);
    return rate(word, isKnown, near, words, LEAST_LIKENESS).slice(0, MOST_LIKE);
  };
}

/** The words that share most parts. @param shared zeros, and zeros again afterwards */
function pickSharing(parts: readonly number[], postings: Postings, partsOf: Uint8Array, shared: Uint8Array): number[] {
  const touched: number[] = [];
  for (const part of parts) {
    for (const number of postings.of(part)) if (shared[number]!++ === 0) touched.push(number);
  }
  const shares = touched.map((number) => ({
    number,
    share: (2 * (shared[number] as number)) / (parts.length + (partsOf[number] as number)),
  }));
  for (const number of touched) shared[number] = 0;
  const near = shares.filter(({ share }) => share >= LEAST_SHARED);
  near.sort((one, other) => other.share - one.share);
  return near.slice(0, MOST_COMPARED).map(({ number }) => number);
}

function rate(word: Word, isKnown: boolean, numbers: Iterable<number>, words: readonly Word[], least: number) {
  return Array.from(numbers, (number) => ({ number, likeness: compareWords(word, words[number] as Word, isKnown) }))
    .filter(({ likeness }) => likeness >= least)
    .sort((one, other) => other.likeness - one.likeness);
}

const MOST_PARTS = 60;

/** Parts of two letters each of a word and its spelling, with its beginning and end, as numbers. */
function listParts({ keys, text }: Word): number[] {
  const parts = new Set<number>();
  for (const key of new Set([text, ...keys])) {
    const padded = `^${key}$`;
    for (let at = 0; at + 2 <= padded.length; at++) parts.add(hash(padded, at, at + 2) % PART_GROUPS);
  }
  return [...parts].slice(0, MOST_PARTS);
}

function hash(text: string, from: number, end: number): number {
  let mixed = 0x811c9dc5;
  for (let at = from; at < Math.min(end, text.length); at++) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

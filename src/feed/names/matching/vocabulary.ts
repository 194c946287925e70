import { compareWords, type Word, type Words } from "./likeness";

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

interface LikeWord {
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

export function hash(text: string, from: number, end: number): number {
  let mixed = 0x811c9dc5;
  for (let at = from; at < Math.min(end, text.length); at++) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** The words of names by their numbers. */
interface NameWords {
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

type Gathered = ReturnType<typeof createGathered>;

/** Names of a search, each once. */
function createGathered(count: number) {
  const entries = new Uint32Array(Math.min(count, MOST_LOOKED_AT));
  const isIn = new Uint8Array(count);
  let size = 0;
  return {
    entries,
    size: (): number => size,
    add(entry: number): void {
      if (isIn[entry] === 1 || size === entries.length) return;
      isIn[entry] = 1;
      entries[size++] = entry;
    },
    clear(): void {
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

/** Lists of numbers, each of a group, packed into two arrays. */
export interface Postings {
  /** The numbers of a group. */
  of(group: number): Uint32Array;
  count(group: number): number;
}

/** Pairs are kept in parts of this length, so that none is ever copied as it grows. */
const PART_LENGTH = 1 << 16;

/** Collects pairs of a group and a number, and packs them once all are known. */
export function createPostingsBuilder() {
  const parts: Uint32Array[] = [];
  let part = new Uint32Array(0);
  let at = 0;
  return {
    add(group: number, value: number): void {
      if (at === part.length) {
        part = new Uint32Array(PART_LENGTH);
        parts.push(part);
        at = 0;
      }
      part[at++] = group;
      part[at++] = value;
    },
    /** Packs what was added, in steps that leave time for other work between them. */
    *pack(groups: number): Generator<void, Postings> {
      const starts = new Uint32Array(groups + 1);
      const lengthOf = (each: Uint32Array) => (each === part ? at : each.length);
      let count = 0;
      for (const each of parts) {
        for (let pair = 0; pair < lengthOf(each); pair += 2) starts[(each[pair] as number) + 1]!++;
        count += lengthOf(each) / 2;
        yield;
      }
      for (let group = 0; group < groups; group++) starts[group + 1]! += starts[group] as number;
      const values = new Uint32Array(count);
      const next = starts.slice();
      yield;
      for (const each of parts) {
        for (let pair = 0; pair < lengthOf(each); pair += 2) {
          values[next[each[pair] as number]!++] = each[pair + 1] as number;
        }
        yield;
      }
      parts.length = 0;
      return {
        of: (group) => values.subarray(starts[group], starts[group + 1]),
        count: (group) => (starts[group + 1] as number) - (starts[group] as number),
      };
    },
  };
}

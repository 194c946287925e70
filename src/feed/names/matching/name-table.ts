import { foldWhole } from "../folding";
import type { PersistedIndex } from "../search";
import { IDLE_WORDS, isForm, joinLetters, listAbbreviations, listMeanings } from "./lexicon";
import { ONE_WORD, type Word, type Words } from "./likeness";
import {
  createNearNames,
  createPostingsBuilder,
  createVocabulary,
  hash,
  type Postings,
  type Vocabulary,
} from "./vocabulary";

/** The names of an index in words, and companies by them. */
export interface NameTable {
  readonly reader: WordReader;
  readonly vocabulary: Vocabulary;
  readonly codes: CodeTable;
  /** Weight of a word, more for a rarer one: 0 to 1. */
  weigh(word: Word): number;
  /** The words of a name of the index, by its number. */
  wordsOf(entry: number): Words;
  /** The company of a name. */
  rowOf(entry: number): number;
  textOf(entry: number): string;
  /**
   * Numbers of the names that have most in common with some words, the nearest first.
   *
   * @param isThorough whether typing errors are looked for too
   */
  findNear(words: Words, isThorough: boolean): number[];
}

const NAMES_A_STEP = 750;

/** Makes the table of an index, in steps: a worker or page does other work between them. */
export function* createNameTable(index: PersistedIndex): Generator<void, NameTable> {
  const { names, nameRows } = index;
  const vocabulary = createVocabulary();
  const reader = createWordReader(vocabulary.know);
  yield;
  const byWord = createPostingsBuilder();
  const starts = new Uint32Array(nameRows.length + 1);
  const firstWords = new Uint32Array(nameRows.length + 1);
  let numbers = new Uint32Array(nameRows.length * 4 + 16);
  let count = 0;
  for (let entry = 0, at = 0; entry < nameRows.length; entry++) {
    const end = names.indexOf("\n", at + 1);
    starts[entry] = at + 1;
    for (const word of reader.read(names.slice(at + 1, end))) {
      const number = vocabulary.number(word);
      if (count === numbers.length) numbers = enlarge(numbers);
      numbers[count++] = number;
      byWord.add(number, entry);
    }
    starts[entry + 1] = end + 1;
    firstWords[entry + 1] = count;
    at = end;
    if (entry % NAMES_A_STEP === 0) yield;
  }
  const entriesOf = yield* byWord.pack(vocabulary.size());
  yield* vocabulary.finish();
  const codes = yield* createCodeTable(index);
  const numbersOf = (entry: number) => numbers.subarray(firstWords[entry], firstWords[entry + 1]);
  const wordsOf = (entry: number): Words => Array.from(numbersOf(entry), vocabulary.word);
  const weights = createNumberWeights(vocabulary.size(), entriesOf, nameRows.length);
  const weigh = createWeights(vocabulary, weights);
  return {
    reader,
    vocabulary,
    codes,
    weigh,
    wordsOf,
    rowOf: (entry) => nameRows[entry] as number,
    textOf: (entry) => names.slice(starts[entry], (starts[entry + 1] as number) - 1),
    findNear: createNearNames(vocabulary, { numbers, firstWords, entriesOf, weights, weigh }, nameRows.length),
  };
}

function enlarge(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}

/** A word that every second company has still tells something. */
const LEAST_WEIGHT = 0.3;

/** More for a rarer word, 0 to 1. */
function createNumberWeights(words: number, entriesOf: Postings, names: number): Float32Array {
  const most = Math.log(names + 2);
  const weights = new Float32Array(words);
  for (let number = 0; number < words; number++) {
    weights[number] = Math.max(LEAST_WEIGHT, 1 - Math.log(entriesOf.count(number) + 1) / most);
  }
  return weights;
}

/** A word that is not of the index has the weight of the one that it may be. */
function createWeights({ findNumber, findLike }: Vocabulary, weights: Float32Array) {
  const remembered = new Map<string, number>();
  const weighUnknown = (word: Word): number => {
    const [like] = findLike(word, true);
    return like !== undefined && like.likeness >= ONE_WORD ? (weights[like.number] as number) : 1;
  };
  return (word: Word): number => {
    const known = findNumber(word);
    if (known !== null) return weights[known] as number;
    const weight = remembered.get(word.text) ?? weighUnknown(word);
    if (remembered.size > MOST_WEIGHTS) remembered.clear();
    remembered.set(word.text, weight);
    return weight;
  };
}

const MOST_WEIGHTS = 50_000;

/** A longer name is compared by its beginning. */
const MOST_WORDS = 14;

interface Lexicon {
  /** Words with a meaning, and those of abbreviations. */
  words: ReadonlyMap<string, Word>;
  /** What abbreviations stand for. */
  long: ReadonlyMap<string, readonly string[]>;
  /** Splits Japanese text before and behind each word that it knows. */
  japanese: RegExp;
  /** A word in Latin letters that ends with a known one. */
  compound: RegExp;
}

/** Readings this short are parts of too many names. */
const SHORTEST_READING = 4;
const SHORTEST_ENDING = 5;

let opened: Lexicon | null = null;

function openLexicon(): Lexicon {
  const words = new Map<string, Word>();
  const add = (text: string, rest: Omit<Word, "text">) => {
    if (!words.has(text)) words.set(text, { text, ...rest });
  };
  const long = new Map<string, readonly string[]>();
  const split: string[] = [];
  const endings: string[] = [];
  for (const [meaning, { english, japanese }] of listMeanings().entries()) {
    for (const text of english)
      add(text, { keys: [toSpelling(text)], kind: "latin", meanings: [meaning], isJapanese: false });
    endings.push(...english);
    for (const each of japanese) {
      const [text, reading] = [foldWhole(each.word), foldWhole(each.reading)];
      const keys = romanise(reading);
      const [first = text] = keys;
      add(text, { keys: keys.length === 0 ? [text] : keys, kind: "japanese", meanings: [meaning], isJapanese: true });
      split.push(text);
      if (text === reading) continue;
      if (reading.length >= SHORTEST_READING) {
        add(reading, { keys, kind: "japanese", meanings: [meaning], isJapanese: true });
        split.push(reading);
      }
      const before = words.get(`=${first}`)?.meanings ?? [];
      const meanings = [...new Set([...before, meaning])];
      words.set(`=${first}`, { text: `=${first}`, keys, kind: "latin", meanings, isJapanese: true });
      endings.push(first);
    }
  }
  for (const [short, whole] of listAbbreviations()) {
    const [folded, text] = [foldWhole(short), foldWhole(whole)];
    long.set(folded, [text]);
    if (!/[a-z]/.test(folded)) split.push(folded);
  }
  const byLength = (texts: readonly string[]) => [...new Set(texts)].sort((one, other) => other.length - one.length);
  const ends = byLength(endings.filter((each) => each.length >= SHORTEST_ENDING));
  return {
    words,
    long,
    japanese: new RegExp(
      `(${byLength(split)
        .filter((each) => each.length > 1)
        .join("|")})`,
      "u",
    ),
    compound: new RegExp(`^([a-z]{3,})(${ends.join("|")})$`),
  };
}

/** Cuts names into words; equal words are one object as long as the vocabulary lives. */
interface WordReader {
  /** @param folded a name as `foldName` gives it */
  read(folded: string): Words;
}

const CHUNKS = /[a-z]+|[0-9]+|[\p{sc=Han}々〆ぁ-ゖー]+|[^\sa-z0-9\p{sc=Han}々〆ぁ-ゖー]+/gu;
const JAPANESE = /^[\p{sc=Han}々〆ぁ-ゖー]/u;

/** @param know keeps a word, and gives the one that is kept of an equal text */
function createWordReader(know: (text: string, create: () => Word) => Word): WordReader {
  opened ??= openLexicon();
  const lexicon = opened;
  const toWord = (text: string): Word => know(text, () => createWord(lexicon, text));
  const readLatin = (text: string): Word[] => {
    const [whole = ""] = lexicon.long.get(text) ?? [];
    if (whole.includes(" ")) return whole.split(" ").map(toWord);
    if (lexicon.words.has(text) || lexicon.long.has(text)) return [toWord(text)];
    const [, first, last] = lexicon.compound.exec(text) ?? [];
    return first === undefined || last === undefined ? [toWord(text)] : [toWord(first), toWord(last)];
  };
  const readJapanese = (text: string): Word[] =>
    text
      .split(lexicon.japanese)
      .filter((part) => part !== "")
      .flatMap((part) => (lexicon.long.get(part) ?? [part]).flatMap((each) => spread(lexicon, each)).map(toWord));
  return {
    read(folded) {
      const chunks = joinLetters(folded).match(CHUNKS) ?? [];
      const words = chunks.flatMap((chunk) => (JAPANESE.test(chunk) ? readJapanese(chunk) : readLatin(chunk)));
      const telling = words.filter(({ text }) => !IDLE_WORDS.has(text) && !isForm(text));
      return (telling.length > 0 ? telling : words).slice(0, MOST_WORDS);
    },
  };
}

/** What an abbreviation stands for may be several words: 自動車工業 is one that the lexicon knows. */
const spread = ({ words, japanese }: Lexicon, text: string): string[] =>
  words.has(text) ? [text] : text.split(japanese).filter((part) => part !== "");

const LATIN = /^[a-z]+$/;

/** A word that may be an abbreviation: "elec" is compared as "electric" too. */
const createShort = (text: string, whole: string, meanings: readonly number[]): Word => ({
  text,
  keys: [toSpelling(whole), toSpelling(text)],
  kind: "latin",
  meanings,
  isJapanese: false,
});

function createWord({ words, long }: Lexicon, text: string): Word {
  const [whole] = long.get(text) ?? [];
  if (whole !== undefined && LATIN.test(text)) return createShort(text, whole, words.get(whole)?.meanings ?? []);
  const known = words.get(text) ?? words.get(`=${toSpelling(text)}`);
  if (known !== undefined) return known.text === text ? known : { ...known, text };
  if (/^[0-9]+$/.test(text)) return { text, keys: [text], kind: "number", meanings: [], isJapanese: false };
  if (LATIN.test(text)) return { text, keys: [toSpelling(text)], kind: "latin", meanings: [], isJapanese: false };
  const isJapanese = JAPANESE.test(text);
  const keys = romanise(text);
  return {
    text,
    keys: keys.length > 0 ? keys : [text],
    kind: isJapanese ? "japanese" : "other",
    meanings: [],
    isJapanese,
  };
}

/** Kana as they are folded: hiragana, with large in place of small ones. */
const KANA =
  "あa いi うu えe おo かka きki くku けke こko がga ぎgi ぐgu げge ごgo さsa しshi すsu せse そso ざza じji ずzu ぜze ぞzo " +
  "たta ちchi つtsu てte とto だda ぢji づzu でde どdo なna にni ぬnu ねne のno はha ひhi ふfu へhe ほho ばba びbi ぶbu べbe ぼbo " +
  "ぱpa ぴpi ぷpu ぺpe ぽpo まma みmi むmu めme もmo やya ゆyu よyo らra りri るru れre ろro わwa ゐi ゑe をo んn ゔbu ー";

const LETTERS = new Map(KANA.split(" ").map((pair) => [pair[0] as string, pair.slice(1)]));

/** Kana before which a small tsu, which is folded to a large one, may double the consonant. */
const MAY_BE_DOUBLED = /つ(?=[か-ぢて-どぱぴぷぺぽ])/g;

const isKana = (text: string): boolean => /^[ぁ-ゖー]+$/.test(text);

const toLatin = (kana: string): string => [...kana].map((each) => LETTERS.get(each) ?? "").join("");

/**
 * Ways of writing Japanese in Latin letters, before the one that they are compared in: Kunrei and Nihon style to Hepburn,
 * long vowels to short ones, and letters that transcriptions do not tell apart.
 */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/sy(?=[auo])/g, "sh"],
  [/ty(?=[auo])|cy(?=[auo])/g, "ch"],
  [/(?:z|j|d)y(?=[auo])/g, "j"],
  [/([sc]h|j)i?y(?=[auo])/g, "$1"],
  [/(?<![sctwp])hu/g, "fu"],
  [/fu(?=[aeio])/g, "f"],
  [/c(?=[ei]|y(?![auo]))/g, "s"],
  [/si(?!o)/g, "shi"],
  [/ti(?!o)/g, "chi"],
  [/tu/g, "tsu"],
  [/zi|di/g, "ji"],
  [/dzu|du/g, "zu"],
  [/([kgnhbpmr])iy?(?=[auo])/g, "$1y"],
  [/oh(?![aeiouy])/g, "o"],
  [/o[ou]/g, "o"],
  [/uu/g, "u"],
  [/aa/g, "a"],
  [/ii/g, "i"],
  [/ee/g, "e"],
  [/m(?=[bpm])/g, "n"],
  [/tch/g, "ch"],
  [/l/g, "r"],
  [/v/g, "b"],
  [/ph/g, "f"],
  [/x/g, "ks"],
  [/c(?!h)/g, "k"],
  [/y(?![aeiou])/g, "i"],
  [/([bdfgjkmnprstz])\1/g, "$1"],
];

/** Gives the form in which spellings of one word in Latin letters are equal: "Saitou", "Saitoh" and "Saito" are "saito". */
const toSpelling = (word: string): string =>
  SPELLINGS.reduce((text, [pattern, usual]) => text.replace(pattern, usual), word).replace(/(?<=..[^s])s$/, "");

/** The spellings of folded kana in Latin letters, one or two; none for other text. */
function romanise(text: string): string[] {
  if (!isKana(text)) return [];
  const written = toSpelling(toLatin(text));
  const doubled = toSpelling(toLatin(text.replace(MAY_BE_DOUBLED, "")));
  return [...new Set([written, doubled])].filter((spelling) => spelling !== "");
}

/** Finds companies by a whole code or website, without a pass over all of them. */
interface CodeTable {
  /** Companies with this folded code; each once. */
  find(code: string): number[];
}

const CODES_A_STEP = 20_000;

/** Codes that more companies have tell nothing. */
const MOST_OWNERS = 50;

/** Makes the table of an index's codes, in steps. */
function* createCodeTable({ codes, codeRows }: PersistedIndex): Generator<void, CodeTable> {
  const buckets = 2 ** Math.ceil(Math.log2(codeRows.length + 1));
  const starts = new Uint32Array(codeRows.length + 1);
  /** For each bucket its latest code, for each code the one before it in its bucket; both one more than the number. */
  const latest = new Uint32Array(buckets);
  const before = new Uint32Array(codeRows.length);
  for (let count = 0, at = 0; count < codeRows.length; count++) {
    const end = codes.indexOf("\n", at + 1);
    starts[count] = at + 1;
    starts[count + 1] = end + 1;
    const bucket = hash(codes, at + 1, end) & (buckets - 1);
    before[count] = latest[bucket] as number;
    latest[bucket] = count + 1;
    at = end;
    if (count % CODES_A_STEP === 0) yield;
  }
  return {
    find(code) {
      const rows = new Set<number>();
      for (
        let at = latest[hash(code, 0, code.length) & (buckets - 1)] as number;
        at !== 0;
        at = before[at - 1] as number
      ) {
        const [start, end] = [starts[at - 1] as number, (starts[at] as number) - 1];
        if (end - start === code.length && codes.startsWith(code, start)) rows.add(codeRows[at - 1] as number);
        if (rows.size === MOST_OWNERS) break;
      }
      return [...rows];
    },
  };
}

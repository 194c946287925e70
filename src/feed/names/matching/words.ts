import { foldWhole } from "../folding";
import { isForm, joinLetters } from "./forms";
import { IDLE_WORDS, listAbbreviations, listMeanings } from "./lexicon";
import { romanise, toSpelling } from "./romanised";
import type { Word, Words } from "./word";

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
export interface WordReader {
  /** @param folded a name as `foldName` gives it */
  read(folded: string): Words;
}

const CHUNKS = /[a-z]+|[0-9]+|[\p{sc=Han}々〆ぁ-ゖー]+|[^\sa-z0-9\p{sc=Han}々〆ぁ-ゖー]+/gu;
const JAPANESE = /^[\p{sc=Han}々〆ぁ-ゖー]/u;

/** @param know keeps a word, and gives the one that is kept of an equal text */
export function createWordReader(know: (text: string, create: () => Word) => Word): WordReader {
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

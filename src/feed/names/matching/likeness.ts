import type { Word } from "./words";

/** Keys that are next to one another on a keyboard, by rows; a slip of the finger replaces one by the other. */
const ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

const NEAR = new Set(
  ROWS.flatMap((row, line) =>
    [...row].flatMap((key, at) => {
      const below = ROWS[line + 1] ?? "";
      return [row[at + 1], below[at], below[at - 1]].flatMap((other) =>
        other === undefined ? [] : [key + other, other + key],
      );
    }),
  ),
);

/** What an edit counts; a wrong first letter is seldom a slip. */
const SLIP = 1;
const OTHER_LETTER = 1.5;
const FIRST_LETTER = 1.8;

/**
 * Counts the edits between two texts, each by how seldom typing makes it; a swap of two neighbours is one edit. Gives a
 * number above `most` where there are more.
 */
export function countEdits(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= other.length; j++) {
      const [a, b] = [one[i - 1] as string, other[j - 1] as string];
      const removed = i === 1 || j === 1 ? FIRST_LETTER : SLIP;
      const replaced = a === b ? 0 : i === 1 && j === 1 ? FIRST_LETTER : NEAR.has(a + b) ? SLIP : OTHER_LETTER;
      let edits = Math.min(
        (row[j - 1] as number) + replaced,
        (row[j] as number) + (isDoubled(one, i - 1) ? SLIP / 2 : removed),
        (next[j - 1] as number) + (isDoubled(other, j - 1) ? SLIP / 2 : removed),
      );
      if (i > 1 && j > 1 && a === other[j - 2] && b === one[i - 2] && a !== b)
        edits = Math.min(edits, (before[j - 2] as number) + SLIP);
      next.push(edits);
      least = Math.min(least, edits);
    }
    if (least > most) return most + 1;
    before = row;
    row = next;
  }
  return row[other.length] as number;
}

const isDoubled = (text: string, at: number): boolean => text[at] === text[at - 1];

/** Likeness of words that are one word written in two ways. */
const SAME_SPELLING = 0.98;
const SAME_MEANING = 0.95;
const SAME_STEM = 0.92;
const OTHER_WORD_OF_MEANING = 0.7;
const SHORTENED = 0.86;
const UNLIKE = 0;

/** Likeness, 0 to 1, from which on two words can be one word. */
export const ONE_WORD = 0.78;

/**
 * Tells how likely two words are one: 1 for the same, less for another spelling, language, a typing error or an
 * abbreviation.
 *
 * @param isKnown whether a word is one of its own, which is seldom a mistyped other one
 */
export function compareWords(one: Word, other: Word, isKnown: boolean): number {
  if (one.text === other.text) return 1;
  if (one.kind === "number" || other.kind === "number") return UNLIKE;
  if (one.keys.some((key) => other.keys.includes(key))) return SAME_SPELLING;
  const areLatin = one.kind === "latin" && other.kind === "latin";
  const shortened = areLatin ? compareShortened(one.text, other.text) : UNLIKE;
  if (one.meaning !== null && one.meaning === other.meaning) return Math.max(shortened, compareMeaning(one, other));
  const written = compareTexts(one.text, other.text);
  const spelt = Math.max(...one.keys.flatMap((key) => other.keys.map((its) => compareTexts(key, its) - 0.02)));
  const likeness = Math.max(written, spelt);
  const isMistaken = likeness < ONE_WORD || !isKnown;
  return Math.max(isMistaken ? likeness : Math.min(likeness, OTHER_WORD_OF_MEANING), shortened);
}

/** Words of one meaning: "pharma" is "pharmaceuticals" in short, but a company of 電機 is seldom one of 電気. */
function compareMeaning(one: Word, other: Word): number {
  if (one.isJapanese !== other.isJapanese) return SAME_MEANING;
  const stem = HAN.test(one.text) ? Number.POSITIVE_INFINITY : one.kind === "latin" ? 4 : 2;
  return one.text.slice(0, stem) === other.text.slice(0, stem) ? SAME_STEM : OTHER_WORD_OF_MEANING;
}

const HAN = /\p{sc=Han}/u;

const SHORTEST_MISTYPED = 4;
const LONG = 8;
const ONE_EDIT = 2;
const TWO_EDITS = 3;
const JAPANESE = /[^\x20-\x7e]/;

function compareTexts(one: string, other: string): number {
  const length = Math.max(one.length, other.length);
  const isJapanese = JAPANESE.test(one) || JAPANESE.test(other);
  const most = length >= LONG ? TWO_EDITS : ONE_EDIT;
  const edits = countEdits(one, other, Math.max(most, length / 2));
  const likeness = Math.max(0, 1 - edits / length);
  if (edits > most || length < SHORTEST_MISTYPED) return Math.min(likeness, ONE_WORD - 0.1);
  // A letter stands for a sound, a kanji for a word.
  return isJapanese ? likeness * likeness : likeness;
}

const SHORTEST_BEGINNING = 3;
const VOWELS = /[aeiou]/g;

/** An abbreviation by the beginning, or by consonants: "manuf", "mnfctrng". */
function compareShortened(one: string, other: string): number {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length < SHORTEST_BEGINNING || long.length < short.length + 2) return UNLIKE;
  if (long.startsWith(short)) return SHORTENED;
  const consonants = long[0] + long.slice(1).replace(VOWELS, "");
  return consonants === short ? SHORTENED : UNLIKE;
}

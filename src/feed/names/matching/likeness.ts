/** Keys that are next to one another on a keyboard, by rows; a slip of the finger replaces one by the other. */
const ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

const LETTERS = 128;
const NEAR = createNear();

function createNear(): Uint8Array {
  const near = new Uint8Array(LETTERS * LETTERS);
  for (const [line, row] of ROWS.entries()) {
    const below = ROWS[line + 1] ?? "";
    for (const [at, key] of [...row].entries()) {
      for (const other of [row[at + 1], below[at], below[at - 1]]) {
        if (other === undefined) continue;
        near[key.charCodeAt(0) * LETTERS + other.charCodeAt(0)] = 1;
        near[other.charCodeAt(0) * LETTERS + key.charCodeAt(0)] = 1;
      }
    }
  }
  return near;
}

const isNear = (one: number, other: number): boolean =>
  one < LETTERS && other < LETTERS && NEAR[one * LETTERS + other] === 1;

/** What an edit counts; a wrong first letter is seldom a slip. */
const SLIP = 1;
const SWAP = 0.8;
const OTHER_LETTER = 1.5;
const FIRST_LETTER = 1.8;

/** Rows of the table that counts edits, one more than the longest text that is compared. */
const LONGEST = 48;
const SPARE = [0, 1, 2].map(() => new Float64Array(LONGEST + 1));

/**
 * Counts the edits between two texts, each by how seldom typing makes it; a swap of two neighbours is one edit. Gives a
 * number above `most` where there are more.
 */
export function countEdits(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most || Math.max(one.length, other.length) > LONGEST) return most + 1;
  let [before, row, next] = SPARE as [Float64Array, Float64Array, Float64Array];
  for (let j = 0; j <= other.length; j++) row[j] = j;
  for (let i = 1; i <= one.length; i++) {
    next[0] = i;
    const least = fillRow(one, other, i, before, row, next);
    if (least > most) return most + 1;
    [before, row, next] = [row, next, before];
  }
  return row[other.length] as number;
}

/** Fills the row of a letter of `one`; gives its least number. */
function fillRow(
  one: string,
  other: string,
  i: number,
  before: Float64Array,
  row: Float64Array,
  next: Float64Array,
): number {
  const letter = one.charCodeAt(i - 1);
  const dropped = letter === one.charCodeAt(i - 2) ? SLIP / 2 : SLIP;
  let least = i;
  for (let j = 1; j <= other.length; j++) {
    const its = other.charCodeAt(j - 1);
    const isFirst = i === 1 || j === 1;
    const replaced = letter === its ? 0 : i === 1 && j === 1 ? FIRST_LETTER : isNear(letter, its) ? SLIP : OTHER_LETTER;
    const added = isFirst ? FIRST_LETTER : its === other.charCodeAt(j - 2) ? SLIP / 2 : SLIP;
    let edits = Math.min(
      (row[j - 1] as number) + replaced,
      (row[j] as number) + (isFirst ? FIRST_LETTER : dropped),
      (next[j - 1] as number) + added,
    );
    if (i > 1 && j > 1 && letter !== its && letter === other.charCodeAt(j - 2) && its === one.charCodeAt(i - 2))
      edits = Math.min(edits, (before[j - 2] as number) + SWAP);
    next[j] = edits;
    if (edits < least) least = edits;
  }
  return least;
}

/** Likeness of words that are one word written in two ways. */
const SAME_SPELLING = 0.98;
const SAME_MEANING = 0.95;
const SAME_STEM = 0.92;
const LOAN_WORD = 0.85;
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
  if (one.meanings.some((each) => other.meanings.includes(each)))
    return Math.max(shortened, compareMeaning(one, other));
  const written = compareTexts(one.text, other.text);
  const spelt = Math.max(...one.keys.flatMap((key) => other.keys.map((its) => compareTexts(key, its) - 0.02)));
  const likeness = Math.max(written, spelt);
  const isMistaken = likeness < ONE_WORD || !isKnown;
  return Math.max(isMistaken ? likeness : Math.min(likeness, OTHER_WORD_OF_MEANING), shortened);
}

/** Words of one meaning: "pharma" is "pharmaceuticals" in short, but a company of 電機 is seldom one of 電気. */
function compareMeaning(one: Word, other: Word): number {
  const isHomophone = one.meanings.length > 1 || other.meanings.length > 1;
  if (one.isJapanese !== other.isJapanese) return isHomophone ? SAME_STEM : SAME_MEANING;
  if (isHomophone) return OTHER_WORD_OF_MEANING;
  if (one.text.startsWith(other.text) || other.text.startsWith(one.text)) return SAME_STEM;
  if (one.isJapanese && HAN.test(one.text) !== HAN.test(other.text)) return LOAN_WORD;
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

/** A word of a name; equal words of one vocabulary are one object. */
export interface Word {
  /** Folded. */
  readonly text: string;
  /** Spellings in Latin letters by which it is compared, or the text itself. */
  readonly keys: readonly string[];
  readonly kind: "latin" | "number" | "japanese" | "other";
  /** Numbers of its meanings, which it shares with words of another language: none of a name, several of a homophone. */
  readonly meanings: readonly number[];
  /** Whether it is Japanese, in whatever letters. */
  readonly isJapanese: boolean;
}

/** A name in words, without its legal forms. */
export type Words = readonly Word[];

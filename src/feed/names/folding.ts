import { toPlainKanji } from "./kanji";
import { LEGAL_FORMS } from "./legal-forms";

/** Longer than any name that a person types; what a hostile name has beyond it is not compared. */
const LONGEST_NAME = 300;

const COMBINING = /[\u0300-\u036f]/g;

/** Zero width, direction marks and the selectors between forms of one kanji say nothing that is read. */
const UNSEEN = /\p{Cf}|\p{Variation_Selector}/gu;

/** Latin letters that do not come apart into a letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = { đ: "d", ð: "d", ø: "o", ł: "l", ı: "i", ß: "ss", æ: "ae", œ: "oe" };
const ODD_LETTER = /[đðøłıßæœ]/g;

const KATAKANA = /[\u30a1-\u30f6\u30fd\u30fe]/g;
const KATAKANA_TO_HIRAGANA = 0x60;
const SMALL = "ぁぃぅぇぉゕゖっゃゅょゎ";
const LARGE = "あいうえおかけつやゆよわ";
const SMALL_KANA = /[ぁぃぅぇぉゕゖっゃゅょゎ]/g;

const DASH = "[-\\u2010-\\u2015\\u2212\\u2500~\\u301c]";
/** What cannot be made longer is followed by a hyphen; any other kana by a long vowel, however that is written. */
const LONG_VOWEL = new RegExp(`(?<=[ぁ-っつ-ゖー])(?<!ん)${DASH}`, "g");
const NO_LONG_VOWEL = /(?<![ぁ-ゖー])ー+/g;

const APOSTROPHES = /['’ʼ`´]/g;
const PUNCTUATION = /[^\p{L}\p{N}\p{M}]+/gu;

/** Japanese and Chinese are written without spaces, so one in a name tells nothing. */
const IDLE_SPACE = /(?<=[\p{sc=Han}ぁ-ゖー]) | (?=[\p{sc=Han}ぁ-ゖー])/gu;

const ASCII = /^[\x20-\x7e]*$/;

/** Text as a search compares it. */
export interface NameQuery {
  /** The whole text as names are folded. */
  whole: string;
  /** Its words, all of which must occur. */
  words: readonly string[];
  /** The text as tickers and registration numbers are folded. */
  code: string;
}

/**
 * Folds a company's name for comparison: one width and case, one kana, no marks on Latin letters, the usual form
 * of variant kanji, punctuation as spaces, and no legal form at its ends.
 */
export const foldName = (name: string): string => join(dropForms(toWords(name)));

/** The same with its legal form, which tells companies of one name apart. */
export const foldWhole = (name: string): string => join(toWords(name));

/** Folds a ticker or a registration number: its letters and digits. */
export const foldCode = (code: string): string => fold(code).replace(/[^\p{L}\p{N}]+/gu, "");

/** Folds what somebody looks for. */
export function foldQuery(text: string): NameQuery {
  const words = dropForms(toWords(text));
  return { whole: join(words), words: words.split(" ").filter((word) => word !== ""), code: foldCode(text) };
}

const join = (words: string): string => (ASCII.test(words) ? words : words.replace(IDLE_SPACE, ""));

/** Folded text with its abbreviated forms spelt so that they can be found, and spaces between words. */
function toWords(text: string): string {
  const folded = fold(text);
  const spelt = ASCII.test(folded) ? folded : spellForms(folded);
  return spelt.replace(APOSTROPHES, "").replace(PUNCTUATION, " ").trim();
}

function fold(text: string): string {
  const lower = text.slice(0, LONGEST_NAME).toLowerCase();
  if (ASCII.test(lower)) return lower;
  const plain = lower.normalize("NFKC").toLowerCase().replace(UNSEEN, "");
  const unmarked = plain.normalize("NFD").replace(COMBINING, "").normalize("NFC");
  return toPlainKanji(toPlainKana(unmarked.replace(ODD_LETTER, (letter) => LETTERS[letter] ?? letter)));
}

function toPlainKana(text: string): string {
  return text
    .replace(KATAKANA, (kana) => String.fromCharCode(kana.charCodeAt(0) - KATAKANA_TO_HIRAGANA))
    .replace(SMALL_KANA, (kana) => LARGE[SMALL.indexOf(kana)] as string)
    .replace(LONG_VOWEL, "ー")
    .replace(NO_LONG_VOWEL, "-");
}

/** "(株)" and its like, "株)" included, stand for whole words only in brackets. */
const spellForms = (text: string): string =>
  text.replace(LEGAL_FORMS.bracketed, (found, ...groups: (string | undefined)[]) => {
    const form = LEGAL_FORMS.abbreviations[groups.slice(0, 3).find((each) => each !== undefined) ?? ""];
    return form === undefined ? found : ` ${form} `;
  });

/** A name that is nothing but its form stays itself. */
function dropForms(words: string): string {
  let rest = words;
  for (let before = ""; rest !== before; ) {
    before = rest;
    rest = ` ${rest} `.replace(LEGAL_FORMS.first, "").replace(LEGAL_FORMS.last, "").trim();
  }
  return rest === "" ? words : rest;
}

import { ASCII, fold, foldCode, PUNCTUATION } from "./folded-letters";
import { LEGAL_FORMS } from "./legal-forms";

const APOSTROPHES = /['’ʼ`´]/g;

/** Japanese and Chinese are written without spaces, so one in a name tells nothing. */
const IDLE_SPACE = /(?<=[\p{sc=Han}ぁ-ゖー]) | (?=[\p{sc=Han}ぁ-ゖー])/gu;

/** A search text, folded. */
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

/** Folds a search text. */
export function foldQuery(text: string): NameQuery {
  const words = dropForms(toWords(text));
  return { whole: join(words), words: words.split(" ").filter((word) => word !== ""), code: foldCode(text) };
}

const join = (words: string): string => (ASCII.test(words) ? words : words.replace(IDLE_SPACE, ""));

/** Folds text, spells its abbreviated legal forms out, and puts spaces between words. */
function toWords(text: string): string {
  const folded = fold(text);
  const spelt = ASCII.test(folded) ? folded : spellForms(folded);
  return spelt.replace(APOSTROPHES, "").replace(PUNCTUATION, " ").trim();
}

/** Abbreviations such as "(株)" and "株)" are legal forms only in brackets. */
const spellForms = (text: string): string =>
  text.replace(LEGAL_FORMS.bracketed, (found, ...groups: (string | undefined)[]) => {
    const form = LEGAL_FORMS.abbreviations[groups.slice(0, 3).find((each) => each !== undefined) ?? ""];
    return form === undefined ? found : ` ${form} `;
  });

/** Removes legal forms at both ends; a name that is only a legal form stays. */
function dropForms(words: string): string {
  let rest = words;
  for (let before = ""; rest !== before; ) {
    before = rest;
    rest = ` ${rest} `.replace(LEGAL_FORMS.first, "").replace(LEGAL_FORMS.last, "").trim();
  }
  return rest === "" ? words : rest;
}

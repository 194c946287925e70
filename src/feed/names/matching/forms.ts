import { foldWhole } from "../folding";
import { FORM_WORDS } from "./lexicon";
import { countEdits } from "./likeness";

const LETTERS = /\b[a-z](?: [a-z]\b)+/g;

/** Writes a legal form of single letters as one word: "k k" of "K. K." is "kk". */
export const joinLetters = (folded: string): string =>
  folded.replace(LETTERS, (letters) => {
    const joined = letters.replaceAll(" ", "");
    return FORM_WORDS.has(joined) ? joined : letters;
  });

/** Whether a word is a legal form, also one that is mistyped. */
export const isForm = (text: string): boolean => FORM_WORDS.has(text) || toLongForm(text) !== undefined;

const SHORTEST_MISTYPED = 6;
const LONG_FORMS = [...FORM_WORDS].filter((form) => /^[a-z]{7,}$/.test(form));

const toLongForm = (text: string): string | undefined =>
  text.length < SHORTEST_MISTYPED
    ? undefined
    : LONG_FORMS.find((form) => text[0] === form[0] && countEdits(text, form, 1) <= 1);

/** Long legal forms before their short ones. */
const SHORT: readonly (readonly [RegExp, string])[] = [
  [/company/g, "co"],
  [/limited/g, "ltd"],
  [/incorporated/g, "inc"],
  [/corporation|corpn/g, "corp"],
  [/berhad/g, "bhd"],
  [/private|pvt/g, "pte"],
  [/joint stock(?: co)?/g, "jsc"],
  [/public co ltd/g, "pcl"],
  [/kabushiki ?[kg]aisha/g, "kk"],
];

const STOCK_COMPANY = /株式会社/;
const OTHER_OWN_FORM = /有限会社|合同会社|合資会社|合名会社/;

/**
 * Reads the legal form of a name so that equal ones are equal texts: "co ltd" of "Foods Company Limited". Of a 株式会社 it
 * says the side too, "^" before and "$" behind the name, where it is written out and without a space.
 *
 * @returns an empty text where there is none, or one that says little: "Co."
 */
export function readForm(name: string): string {
  const whole = foldWhole(name);
  const own = OTHER_OWN_FORM.exec(whole);
  if (own !== null) return own[0];
  if (STOCK_COMPANY.test(whole)) return `株式会社${toSide(name.trim())}`;
  const words = joinLetters(whole).split(" ");
  const last = words.findLastIndex((word) => !isForm(word));
  const form = words
    .slice(last + 1)
    .map((word) => toLongForm(word) ?? word)
    .join(" ");
  const short = SHORT.reduce((text, [long, usual]) => text.replace(long, usual), form);
  if (short !== "") return short === "co" ? "" : short;
  return isForm(words[0] as string) ? (words[0] as string) : "";
}

const toSide = (name: string): string => (/^株式会社\S/.test(name) ? "^" : /\S株式会社$/.test(name) ? "$" : "");

/** Whether legal forms are one; a company of "Co., Ltd." may be written "Ltd." alone. */
export const isSameForm = (written: string, own: string): boolean =>
  written === own ||
  (written === "ltd" && own.endsWith(" ltd")) ||
  (isStock(written) && isStock(own) && written.length !== own.length);

const isStock = (form: string) => STOCK_COMPANY.test(form);

/** Whether a form is of Latin letters; a company's others do not speak against it. */
export const isLatinForm = (form: string): boolean => /^[a-z]/.test(form);

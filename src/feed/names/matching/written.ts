import { foldName, foldWhole } from "../folding";
import { isLegalForm } from "../form-kinds";
import { LEGAL_FORMS } from "../legal-forms";
import { toCountry } from "./countries";
import { isForm, joinLetters } from "./forms";
import { FORM_WORDS } from "./lexicon";
import { dropBranch, isRemark } from "./remarks";

/** A name as a list has it, taken apart. */
export interface WrittenName {
  /** The name without what is in brackets or behind a dash, comma or legal form. */
  main: string;
  /** What stands there: another name, a place, a code. */
  asides: readonly string[];
  /** "Group" or a country at its end, which may be its own; empty without one. */
  ending: string;
}

/** Forms of address, and a number in a list. */
const ADDRESS =
  /(?<=[部課室係長])[\s　]+\S{1,5}\s*(?:様|殿|さん|氏)\s*$|\s*(?:御中|様|殿|行)\s*$|^[\s*#・•-]*(?:(?:attn|attention|client|customer|vendor|supplier|company|re|取引先|顧客|会社名|社名)\s*[:：.]+|attn|attention|c\/o|messrs\.?|m\/s\.?|to:)\s*(?<=\W)|^\s*(?:no\.?\s*|#)?\d{1,4}[.)、:]\s+(?=\D)/giu;
const BRACKETED = /[([{（［｛【「『〔《<＜]([^)\]}）］｝】」』〕》>＞]*)[)\]}）］｝】」』〕》>＞]/gu;
const LATIN_FORMS = [...FORM_WORDS].filter((word) => /^[a-z]/.test(word)).join("|");
const PARTED = new RegExp(
  [
    String.raw`\s+[-–—|/／｜]+\s+|\s*※\s*|\s*[|｜;；]\s*`,
    String.raw`[\s　]+(?=担当|窓口|tel\b|attn\b|c\/o\b|as of\b)`,
    String.raw`[、,，](?!\s*(?:${LATIN_FORMS}|k\.?\s?k)\b)`,
    // What stands behind a legal form is no part of the name.
    String.raw`(?<=[^\s(（]\s*(?:[株有][式限]会社|㈱|㈲|[(（][株有][)）]))(?=[^\s)）])`,
    String.raw`(?<=[a-z][,\s]+(?:inc|incorporated|corp|corporation|ltd|limited|llp|llc|plc|k\.?k|jsc)\b\.?)\s+(?!\(|(?:co|inc|llc|liability|partnership|company)\b)`,
  ].join("|"),
  "giu",
);
/** A letter for a country, as registers of these countries write it. */
const COUNTRY_LETTERS: readonly (readonly [RegExp, string])[] = [
  [/\(s\)(?=\s*p(?:te|rivate|l\b))/i, "(Singapore)"],
  [/\(m\)(?=\s*sdn)/i, "(Malaysia)"],
];
/** Bloomberg's way to write a ticker, with its exchange. */
const QUOTED = /^([A-Z]{3,6}|\d{4}) [A-Z]{2}(?: Equity)?$/;

/** Takes a written name apart. */
export function readWritten(text: string): WrittenName {
  const inner: string[] = [];
  const spelt = COUNTRY_LETTERS.reduce((all, [letter, country]) => all.replace(letter, country), text);
  const open = spelt.replace(ADDRESS, "").replace(BRACKETED, (found, part: string) => {
    if (isFormAlone(part)) return found;
    inner.push(part);
    return " ";
  });
  const [first = "", ...others] = open
    .split(PARTED)
    .map((part) => part.trim())
    .filter((part) => part !== "" && !isFormAlone(part));
  const isCapitalised = /\p{Lu}/u.test(first);
  const kept = [...inner, ...others]
    .map((aside) => dropBranch(aside).trim().replace(QUOTED, "$1"))
    .filter(
      (aside) => foldName(aside) !== "" && (toCountry(foldWhole(aside)) !== "" || !isRemark(aside, isCapitalised)),
    );
  const main = dropBranch(first).trim();
  if (main === "") return { main: kept[0] ?? text, asides: kept.slice(1), ending: "" };
  return { ...partEnding(main), asides: kept };
}

/** What stands in brackets before a legal form, as in "Sakura (Osaka) Co., Ltd.", is the name's own. */
const INNER = /[([（［]([^)\]）］]*)[)\]）］](?=[\s,]*(.+)$)/u;

/** What stands beside a name, folded: in brackets behind it, or behind a dash, comma or slash. */
export function listBeside(text: string): string[] {
  const [found = "", inner = "", rest = ""] = INNER.exec(text) ?? [];
  const isInner = found !== "" && words(rest).every(isForm);
  return readWritten(isInner ? text.replace(found, ` ${inner} `) : text).asides.map(foldName);
}

const words = (text: string): string[] => joinLetters(foldWhole(text)).split(" ");

const LEAST_WORDS = 2;

/** Parts a country or "Group" from the end of a name of two words at least, before its legal form. */
function partEnding(name: string): { main: string; ending: string } {
  const words = name.split(/\s+/);
  const count = words.findLastIndex((word) => !isForm(foldWhole(word))) + 1;
  for (const length of [2, 1]) {
    const ending = words.slice(count - length, count).join(" ");
    const rest = [...words.slice(0, count - length), ...words.slice(count)];
    if (count - length >= LEAST_WORDS && isEnding(foldWhole(ending))) return { main: rest.join(" "), ending };
  }
  return { main: name, ending: "" };
}

/** Singapore is a city too, by which companies' names differ; short codes of countries are words. */
const isEnding = (folded: string): boolean =>
  isGroup(folded) || (folded.length > 3 && toCountry(folded).length === 3 && toCountry(folded) !== "SGP");

/** Whether a word tells no company from another. */
export const isGroup = (folded: string): boolean => folded === "group" || folded === "ぐるーぷ";

/** Whether a part is a legal form alone; "(M)" is Malaysia's. */
const isFormAlone = (part: string): boolean => {
  const folded = foldWhole(part);
  return folded === "m" || Object.hasOwn(LEGAL_FORMS.abbreviations, folded) || isLegalForm(part);
};

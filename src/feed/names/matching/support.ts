import { foldCode } from "../folded-letters";
import { foldName } from "../folding";
import { contradictsForm } from "../form-kinds";
import { listNames, type NameRow, pickColumn } from "../rows";
import { compareNames } from "./comparison";
import { toCountry } from "./countries";
import { isLatinForm, isSameForm, readForm } from "./forms";
import type { Given, Spoken } from "./given";
import { isAbout } from "./hints";
import { compareWords } from "./likeness";
import type { NameTable } from "./name-table";
import type { Evidence } from "./types";
import type { Words } from "./word";
import { isGroup } from "./written";

const SAME = 0.9;

/** Whether what stands beside a name is another name of the company or a part of it, its code, country, place or industry. */
export function explainsAside({ folded, words: aside }: Spoken, row: NameRow, table: NameTable): boolean {
  const country = toCountry(folded);
  if (country !== "") return country === pickColumn(row, "countryCode") || isAbout(aside, row, table).length > 0;
  if (isGroup(folded)) return true;
  const codes = [pickColumn(row, "tickerSymbol"), pickColumn(row, "exchangeCode")].map(foldCode);
  if (aside.some(({ text }) => codes.includes(text)) || codes.includes(foldCode(folded))) return true;
  if (isAbout(aside, row, table).length > 0) return true;
  const weighing = { weigh: table.weigh, isKnown: () => true };
  return listNames(row).some((own) => {
    const words = table.reader.read(foldName(own));
    const { score, isWhole } = compareNames(aside, words, weighing);
    return (isWhole && score > SAME) || isPartOf(aside, words);
  });
}

/** A place of a name's own may stand beside it again, as a prefecture or city. */
const isPartOf = (aside: Words, own: Words): boolean => {
  const telling = aside.filter(({ text }) => !/^[都府県市]$/.test(text));
  return telling.length > 0 && telling.every((word) => own.some((its) => compareWords(word, its, true) > SAME));
};

/** Whether a company writes one of its names with these kanji, of which others have the usual form. */
export const isSpeltSo = (oddKanji: readonly string[], row: NameRow): boolean =>
  oddKanji.length > 0 && listNames(row).some((own) => oddKanji.every((kanji) => own.includes(kanji)));

/** What a written legal form says of a company. */
export interface FormSupport {
  evidence: Evidence[];
  /** Whether the company's names tell of no form in such letters. */
  isUnknown: boolean;
  /** Whether it is the form of another kind of company. */
  isContradicted: boolean;
}

/** Weighs the legal form of a name; one that contradicts the company's speaks for no other spelling of it. */
export function weighForm({ name, form }: Pick<Given, "name" | "form">, row: NameRow): FormSupport {
  const names = listNames(row);
  const isContradicted = contradictsForm(name, names, pickColumn(row, "countryCode"));
  const own = form === "" || isContradicted ? [] : names.map(readForm);
  const comparable = own.filter((each) => each !== "" && isLatinForm(each) === isLatinForm(form));
  const isSame = comparable.some((each) => isSameForm(form, each));
  return { evidence: isSame ? ["legalForm"] : [], isUnknown: comparable.length === 0, isContradicted };
}

import { foldName } from "../folding";
import { listNames, type NameRow, pickColumn } from "../rows";
import { compareNames } from "./comparison";
import { toCountry } from "./countries";
import type { Spoken } from "./given";
import { isLatinForm, isSameForm, readForm } from "./forms";
import { isAbout } from "./hints";
import type { NameTable } from "./name-table";
import type { Evidence } from "./types";
import { isGroup } from "./written";

const SAME = 0.9;

/** Whether what stands beside a name is another name of the company, its ticker, country, place or industry. */
export function explainsAside({ folded, words: aside }: Spoken, row: NameRow, table: NameTable): boolean {
  if (isGroup(folded) || toCountry(folded) === pickColumn(row, "countryCode")) return true;
  const ticker = pickColumn(row, "tickerSymbol").toLowerCase();
  if (ticker !== "" && aside.some(({ text }) => text === ticker)) return true;
  if (isAbout(aside, row, table).length > 0) return true;
  const weighing = { weigh: table.weigh, isKnown: () => true };
  return listNames(row).some((own) => {
    const { score, isWhole } = compareNames(aside, table.reader.read(foldName(own)), weighing);
    return isWhole && score > SAME;
  });
}

/** Whether a company writes one of its names with these kanji, of which others have the usual form. */
export const isSpeltSo = (oddKanji: readonly string[], row: NameRow): boolean =>
  oddKanji.length > 0 && listNames(row).some((own) => oddKanji.every((kanji) => own.includes(kanji)));

/** Whether a company has the written legal form, and whether its names tell of none in such letters. */
export function weighForm(form: string, row: NameRow): { evidence: Evidence[]; isUnknown: boolean } {
  const own = form === "" ? [] : listNames(row).map(readForm);
  const comparable = own.filter((each) => each !== "" && isLatinForm(each) === isLatinForm(form));
  const isSame = comparable.some((each) => isSameForm(form, each));
  return { evidence: isSame ? ["legalForm"] : [], isUnknown: comparable.length === 0 };
}

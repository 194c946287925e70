import { foldName } from "../folding";
import { listNames, type NameRow, pickColumn } from "../rows";
import { compareNames } from "./comparison";
import { isAbout } from "./hints";
import type { NameTable } from "./name-table";
import type { Words } from "./word";

const SAME = 0.9;

/** Whether what stands beside a name is another name of the company, its ticker, place or industry. */
export function explainsAside(aside: Words, row: NameRow, table: NameTable): boolean {
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

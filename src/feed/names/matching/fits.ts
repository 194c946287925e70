import { foldCode } from "../folded-letters";
import { foldName } from "../folding";
import { listNames, type NameRow, pickColumn } from "../rows";
import { compareNames, type Fit } from "./comparison";
import type { Given, Spoken } from "./given";
import { findByHints } from "./hints";
import type { NameTable } from "./name-table";
import { pause } from "./pause";
import type { Evidence } from "./types";
import type { Word, Words } from "./word";

/** What was found of a company. */
export interface FoundFit {
  fit: Fit;
  /** Whether it has the text as its very code. */
  isVeryCode: boolean;
  /** Whether the whole text was compared, with what stands beside the name. */
  isWhole: boolean;
  evidence: readonly Evidence[];
  rank: number;
}

/** What an unexplained part beside the name takes from a rank. */
const BESIDE = 0.02;
/** What a name loses without its last word. */
const CUT = 0.03;
/** With such a fit, typing errors need not be looked for. */
const CLOSE = 0.97;

/** Finds the companies that a name may mean, by their number in the index; gives time to others between its searches. */
export async function findFits(
  table: NameTable,
  given: Given,
  unpack: (row: number) => NameRow,
): Promise<Map<number, FoundFit>> {
  const fits = new Map<number, FoundFit>();
  const compare = createComparison(table, given, fits);
  const search = async (isThorough: boolean) => {
    for (const { words } of listSpoken(given)) {
      await pause();
      for (const entry of table.findNear(words, isThorough))
        compare(table.rowOf(entry), table.wordsOf(entry), table.textOf(entry));
    }
  };
  await search(false);
  if (![...fits.values()].some(({ fit }) => fit.isWhole && fit.score >= CLOSE)) await search(true);
  await pause();
  for (const row of findByHints(given.hints, table)) {
    for (const text of listNames(unpack(row)).map(foldName)) compare(row, table.reader.read(text), text);
    raise(fits, row);
  }
  for (const row of given.code === "" ? [] : table.codes.find(given.code)) {
    const evidence = [isTicker(unpack(row), given.code) ? ("ticker" as const) : ("registrationNumber" as const)];
    fits.set(row, { fit: { score: 1, isWhole: true }, isVeryCode: true, isWhole: true, evidence, rank: 1 });
  }
  return fits;
}

/** A company that a hint names is worth showing, whatever it is called; its name alone can make it sure. */
const LEAST_OF_NAMED = 0.5;
/** It is weighed before all others: very many may have its name. */
const RANK_OF_NAMED = 2;

function raise(fits: Map<number, FoundFit>, row: number): void {
  const found = fits.get(row);
  if (found === undefined) return;
  const fit = found.fit.score >= LEAST_OF_NAMED ? found.fit : { score: LEAST_OF_NAMED, isWhole: false };
  fits.set(row, { ...found, fit, rank: RANK_OF_NAMED });
}

const isTicker = (row: NameRow, code: string): boolean => {
  const ticker = foldCode(pickColumn(row, "tickerSymbol"));
  return ticker !== "" && code.endsWith(ticker);
};

const listSpoken = ({ main, whole }: Given): Spoken[] => (whole === null ? [main] : [whole, main]);

function createComparison(table: NameTable, given: Given, fits: Map<number, FoundFit>) {
  const isKnown = (word: Word) => table.vocabulary.findNumber(word) !== null;
  const weighing = { weigh: table.weigh, isKnown };
  return (row: number, own: Words, text: string): void => {
    for (const { folded, words } of listSpoken(given)) {
      const isWhole = given.whole === null || words === given.whole.words;
      const isCut = given.isCut && !isWhole;
      const fit = text === folded ? { score: 1, isWhole: true } : compareNames(words, own, weighing);
      if (isCut) fit.score -= CUT;
      const rank = fit.score - (isWhole ? 0 : BESIDE);
      const before = fits.get(row);
      if (before === undefined || rank > before.rank)
        fits.set(row, { fit, isVeryCode: false, isWhole, evidence: [], rank });
    }
  };
}

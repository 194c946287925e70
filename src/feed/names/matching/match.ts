import { isCompanyId } from "../../../client/ids";
import { afterCurrentTask } from "../../../client/ports";
import { foldCode, foldPlain } from "../folded-letters";
import { foldName } from "../folding";
import { contradictsForm } from "../form-kinds";
import { listNames, type NameRow, pickColumn } from "../rows";
import type { NameIndex } from "../search";
import { compareNames, type Fit } from "./comparison";
import { isLatinForm, isSameForm, readForm } from "./lexicon";
import { compareWords, type Word, type Words } from "./likeness";
import { createNameTable, type NameTable } from "./name-table";
import type { Evidence, MatchState, NameToMatch } from "./types";
import {
  findByHints,
  type Given,
  isAbout,
  isGroup,
  listBeside,
  readGiven,
  type Spoken,
  toCountry,
  weighHints,
} from "./written";

/** The match of a name, with the index's rows. */
export interface MatchedName {
  state: MatchState;
  candidates: { row: NameRow; score: number; evidence: readonly Evidence[] }[];
  alike: number;
  /** The state that the first candidate would have without those that fit as well; absent where none does. */
  alone?: MatchState;
}

const MOST_CANDIDATES = 5;
/** Companies whose evidence is weighed. */
const MOST_WEIGHED = 16;

const NOBODY: MatchedName = { state: "none", candidates: [], alike: 0 };

const tables = new WeakMap<NameIndex, Promise<NameTable>>();

/** Matches names with the companies of an index, and gives time to others after each name. */
export async function matchNames(index: NameIndex, names: readonly NameToMatch[]): Promise<MatchedName[]> {
  if (index.size === 0) return names.map(() => NOBODY);
  const table = await openTable(index);
  const matched: MatchedName[] = [];
  for (const name of names) {
    matched.push(await matchName(index, table, name));
    await pause();
  }
  return matched;
}

function openTable(index: NameIndex): Promise<NameTable> {
  const open = async () => {
    const steps = createNameTable(index.toPersisted());
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) return step.value;
      await pause();
    }
  };
  const opening = tables.get(index) ?? open();
  tables.set(index, opening);
  return opening;
}

interface Rated {
  row: NameRow;
  points: Points;
}

async function matchName(index: NameIndex, table: NameTable, { name, hints }: NameToMatch): Promise<MatchedName> {
  if (name.trim() === "") return NOBODY;
  const given = readGiven(name, hints, table);
  const unpack = (row: number): NameRow => index.list(row, 1)[0] as NameRow;
  const named = new Set(given.hints.codes.flatMap(table.codes.find).map((row) => toId(unpack(row))));
  const byId = isCompanyId(name.trim()) ? index.match(name).rows[0] : undefined;
  if (byId !== undefined)
    return { state: "exact", candidates: [{ row: byId, score: 1, evidence: ["companyId"] }], alike: 1 };
  const fits = await findFits(table, given, unpack);
  const rated = pickBest(fits)
    .map(([row, found]) => rate(unpack(row), found, given, table, named))
    .sort((one, other) => weighPoints(other.points) - weighPoints(one.points));
  const points = rated.map((each) => each.points);
  const state = settle(decide(points), points, fits);
  const [best] = points;
  if (state === "none" || best === undefined) return NOBODY;
  const others = points.filter((each) => !isAlike(best, each));
  const alike = points.length - others.length;
  const alone = alike > 1 && { alone: settle(decide([best, ...others]), points, fits) };
  return { state, candidates: pickShown(rated), alike, ...alone };
}

/** A candidate below is no help to who chooses. */
const LEAST_SHOWN = 0.4;

const toId = (row: NameRow): string => pickColumn(row, "companyId");

/** Leaves to the person what a city or industry would settle, where others of the name were not weighed. */
function settle(state: MatchState, [best]: readonly Points[], fits: ReadonlyMap<number, FoundFit>): MatchState {
  if ((state !== "exact" && state !== "sure") || fits.size <= MOST_WEIGHED || best === undefined) return state;
  const isCut = [...fits.values()].filter(({ rank }) => rank >= best.fit.score).length > MOST_WEIGHED;
  return isCut && !isNamed(best) ? "doubtful" : state;
}

/** Evidence that is of one company alone. */
const NAMING: readonly Evidence[] = ["companyId", "ticker", "registrationNumber", "website"];

const isNamed = ({ evidence }: Points): boolean => evidence.some((each) => NAMING.includes(each));

/** The best, and those that a hint names in place of the last ones. */
function pickShown(rated: readonly Rated[]): MatchedName["candidates"] {
  const shown = rated
    .map(({ row, points }) => ({ row, points, score: toScore(points), evidence: points.evidence }))
    .filter(({ score }) => score >= LEAST_SHOWN);
  const named = shown
    .slice(MOST_CANDIDATES)
    .filter(({ points }) => isNamed(points))
    .slice(0, MOST_CANDIDATES - 1);
  return [...shown.slice(0, MOST_CANDIDATES - named.length), ...named].map(({ points: _, ...each }) => each);
}

const pickBest = (fits: ReadonlyMap<number, FoundFit>): [number, FoundFit][] =>
  [...fits].sort(([, one], [, other]) => other.rank - one.rank).slice(0, MOST_WEIGHED);

function rate(row: NameRow, found: FoundFit, given: Given, table: NameTable, named: ReadonlySet<string>): Rated {
  const { evidence, isContradicted } = weighHints(given.hints, row, table, named);
  const form = weighForm(given, row);
  const names = listNames(row);
  const isOwn = given.parted.every((part) => names.some((own) => listBeside(own).includes(part)));
  const points: Points = {
    fit: found.fit,
    isVery: found.isVeryCode || names.some((own) => foldPlain(own) === given.plain),
    isSpeltSo: isSpeltSo(given.oddKanji, row),
    evidence: [...found.evidence, ...evidence, ...form.evidence],
    unknown: [
      ...(["city", "industry"] as const).filter((column) => pickColumn(row, column) === ""),
      ...(form.isUnknown ? (["legalForm"] as const) : []),
    ],
    isContradicted: isContradicted || form.isContradicted,
    isBeside: found.isWhole && !isOwn,
    isExplained: found.isWhole || given.asides.every((aside) => explainsAside(aside, row, table)),
  };
  return { row, points };
}

/** A company that a written name may mean, with all that speaks for it. */
interface Points {
  fit: Fit;
  /** Whether it has the very name, but for width, case and white space, or the very code. */
  isVery: boolean;
  /** Whether it writes itself with the written name's unusual kanji. */
  isSpeltSo: boolean;
  evidence: readonly Evidence[];
  /** What the index does not know of it, so that a hint cannot tell it from another company. */
  unknown: readonly Evidence[];
  /** Whether a hint is another company's code, or the legal form is of another kind of company. */
  isContradicted: boolean;
  /** Whether it has the name only together with what stands beside it, which may tell of a place alone. */
  isBeside: boolean;
  /** Whether all that stands beside the name in brackets or behind a dash is the company's own too. */
  isExplained: boolean;
}

/** What evidence is worth, against 1 for the very name. */
const WORTH: Readonly<Record<Evidence, number>> = {
  workbook: 1,
  companyId: 1,
  ticker: 0.12,
  registrationNumber: 0.12,
  website: 0.1,
  city: 0.04,
  industry: 0.03,
  legalForm: 0.03,
};
const SPELT_SO = 0.02;
const CONTRADICTED = -0.15;
const UNEXPLAINED = -0.05;

const sum = (evidence: readonly Evidence[]) => [...new Set(evidence)].reduce((all, each) => all + WORTH[each], 0);

/** What speaks for a company in all, by which candidates are ranked. */
export const weighPoints = (points: Points): number =>
  points.fit.score + sum(points.evidence) + (points.isSpeltSo ? SPELT_SO : 0) + weighDoubts(points);

const weighDoubts = ({ isContradicted, isExplained }: Points): number =>
  (isContradicted ? CONTRADICTED : 0) + (isExplained ? 0 : UNEXPLAINED);

/** Calibrated on synthetic names: at least so alike a name must be, */
const SURE = 0.89;
/** or so alike with a city or industry, a website, or a code that is the company's. */
const SURE_SUPPORTED = 0.84;
const SURE_BY_WEBSITE = 0.7;
const SURE_BY_CODE = 0.55;
/** and so far ahead of the next company. */
const AHEAD = 0.025;
/** Less is no match. */
const LEAST = 0.6;
/** Companies that differ by less fit alike. */
const ALIKE = 0.006;

export const isAlike = (best: Points, other: Points): boolean => weighPoints(best) - weighPoints(other) < ALIKE;

/** @param all companies by their points, best first */
export function decide(all: readonly Points[]): MatchState {
  const [best, ...others] = all;
  if (best === undefined || toScore({ ...best, isContradicted: false }) < LEAST) return "none";
  const isAhead = others.every((other) => weighLead(best, other) >= AHEAD && !isNamedInstead(other, best));
  if (!isAhead || best.isContradicted || best.isBeside || !best.isExplained || best.fit.score < toLeast(best))
    return "doubtful";
  return best.isVery && !others.some(({ isVery }) => isVery) ? "exact" : "sure";
}

/** Whether a hint names another company, however unlike its name is. */
const isNamedInstead = ({ evidence }: Points, best: Points): boolean =>
  NAMING.some((each) => evidence.includes(each) && !best.evidence.includes(each));

/** How far a company is ahead of another, but for what may be true of both. */
function weighLead(best: Points, other: Points): number {
  const untold = best.evidence.filter((each) => other.unknown.includes(each));
  return weighPoints(best) - weighPoints(other) - sum(untold);
}

/** The least fit with which a company is sure. */
function toLeast({ fit, evidence }: Points): number {
  const has = (...kinds: Evidence[]) => kinds.some((kind) => evidence.includes(kind));
  if (has("companyId", "ticker", "registrationNumber")) return SURE_BY_CODE;
  if (has("website")) return SURE_BY_WEBSITE;
  if (!fit.isWhole) return Number.POSITIVE_INFINITY;
  return has("city", "industry") ? SURE_SUPPORTED : SURE;
}

/** The score as it is shown, 0 to 1 in hundredths: evidence fills up a part of what the name lacks. */
export function toScore(points: Points): number {
  const { score } = points.fit;
  const evidence = points.evidence.filter((each) => each !== "legalForm");
  const filled = score + (1 - score) * score * Math.min(1, sum(evidence) * 6);
  return Math.round(Math.max(0, Math.min(1, filled + weighDoubts(points))) * 100) / 100;
}

/** What was found of a company. */
interface FoundFit {
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
interface FormSupport {
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

/** Lets the page draw and take input, or the worker other calls. */
export const pause = (): Promise<void> => new Promise((resolve) => void afterCurrentTask(resolve));

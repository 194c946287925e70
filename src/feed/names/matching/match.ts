import { foldPlain } from "../folded-letters";
import { listNames, type NameRow, pickColumn } from "../rows";
import type { NameIndex } from "../search";
import { decide, isAlike, type Points, toScore, weighPoints } from "./decision";
import { type FoundFit, findFits } from "./fits";
import { type Given, readGiven } from "./given";
import { weighHints } from "./hints";
import { createNameTable, type NameTable } from "./name-table";
import { pause } from "./pause";
import { explainsAside, isSpeltSo, weighForm } from "./support";
import type { Evidence, MatchState, NameToMatch } from "./types";
import { listBeside } from "./written";

/** The match of a name, with the index's rows. */
export interface MatchedName {
  state: MatchState;
  candidates: { row: NameRow; score: number; evidence: readonly Evidence[] }[];
  alike: number;
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
  const byId = ID.test(name.trim()) ? index.match(name).rows[0] : undefined;
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
  return {
    state,
    candidates: pickShown(rated),
    alike: points.filter((each) => isAlike(best, each)).length,
  };
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

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

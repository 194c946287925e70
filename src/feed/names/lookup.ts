import { NoValueError } from "../../client/errors";
import { isCompanyId, isNumberForm } from "../../client/ids";
import { msg } from "../../client/messages";
import type { List } from "../pages";
import type { LoadContext } from "../query-cache/types";
import type { NamedCompany, Resolution } from "../resolutions";
import { findById, MOST_CANDIDATES, pickOfFamily, readResolved, toSeveral, toShort } from "./candidates";
import { readCountryPrefix } from "./country-prefix";
import type { IndexFacts, NameEngine } from "./engine";
import { foldPlain } from "./folded-letters";
import { foldName } from "./folding";
import { isLegalForm } from "./form-kinds";
import type { MatchedName } from "./matching/match";
import type { MatchCandidate, NameMatch, NameMatches, NameToMatch } from "./matching/types";
import type { NamesAtHand } from "./naming";
import { listNames, NAME_SOURCES, type NameSource, pickColumn, toTableRow } from "./rows";
import type { FoundRows } from "./search";
import { findClosest, toUnknownName } from "./unknown-name";

/** The number of companies wanted, or which: those with exactly the name, or those that a person may have meant. */
export type Wanted = number | "all" | "exact" | "candidates";

/** More rows do not fit into a cell's result, with any fields. */
const MOST_ROWS = 50_000;

/** Companies that match a text. */
export interface FoundNames extends List {
  /** How many companies of other families than the wanted one match as well as these. */
  leftOut: number;
}

/**
 * Gives the companies that match a text, in the engine's order; of one family only where one is given. "exact" gives
 * those that have it as their name or number; "candidates" at most five of these where there are several, else of those
 * that match, else the closest. It gives none, but leaves some out, where companies of other families alone have it.
 *
 * @throws NoValueError (FEED_NO_VALUE where none matches, FEED_RESULT_TOO_LARGE); the errors of `NameIndexes.need`
 */
export async function findCompanies(
  { indexes, engine }: NamesAtHand,
  named: NamedCompany,
  wanted: Wanted,
  family: NameSource | undefined,
): Promise<FoundNames> {
  const { text, country } = readCountryPrefix(named.name, named.country);
  const { key, facts } = await indexes.need(country);
  if (wanted === "exact") return toFoundNames(await engine.match(key, text, family));
  if (wanted === "candidates") return findCandidates(engine, { key, facts }, text, family);
  const most = wanted === "all" ? MOST_ROWS : wanted;
  const found = await engine.search(key, text, most, family);
  if (family !== undefined) return toFoundNames(found);
  if (found.total === 0) throw toNobody(text, country, facts);
  if (wanted === "all" && found.total > MOST_ROWS) throw toTooMany(text, found.total);
  return { ...toFoundNames(found), leftOut: 0 };
}

type Index = Awaited<ReturnType<NamesAtHand["indexes"]["need"]>>;

async function findCandidates(engine: NameEngine, { key, facts }: Index, text: string, family?: NameSource) {
  const exact = await engine.match(key, text, family);
  if (exact.total > 1) return toFew(exact);
  if (exact.total === 0 && family !== undefined && !facts.missing.includes(family)) {
    const others = await engine.match(key, text);
    if (others.total > 0) return toFoundNames({ rows: [], total: others.total });
  }
  const found = await engine.search(key, text, MOST_CANDIDATES, family);
  return toFew(found.rows.length > 0 ? found : { rows: await findClosest(engine, key, text, family), total: 0 });
}

function toFew({ rows }: FoundRows): FoundNames {
  const few = rows.slice(0, MOST_CANDIDATES);
  return toFoundNames({ rows: few, total: few.length });
}

const toFoundNames = ({ rows, total }: FoundRows): FoundNames => ({
  rows: rows.map(toTableRow),
  expected: rows.length,
  leftOut: total - rows.length,
});

/**
 * Gives the id of the one company that has a text as its whole name or number: the workbook's own, else the index's,
 * which is recorded for the workbook. A part of a name means nobody, even if it is one company's alone.
 *
 * @throws NoValueError (FEED_NO_VALUE with the closest where none matches, or where none is meant; FEED_AMBIGUOUS with candidates); the errors
 *   of `NameIndexes.need`
 */
export async function findId({ indexes, engine, resolutions }: NamesAtHand, named: NamedCompany): Promise<string> {
  const kept = resolutions.find(named);
  if (kept !== null) return readResolved(kept);
  const written = readCountryPrefix(named.name, named.country);
  const { key, facts } = await indexes.need(written.country);
  const exact = await engine.match(key, written.text);
  const found = exact.total > 0 ? exact : await engine.search(key, written.text, MOST_CANDIDATES);
  const writing = { engine, key, resolutions, named, written, readsNumbers: false, marksFigureless: false };
  if (found.total > 1) throw await toSeveral(writing, found);
  const [only] = exact.rows;
  if (only === undefined) throw await toUnknownName(writing, indexes, facts.missing.length > 0);
  const companyId = pickColumn(only, "companyId");
  resolutions.record({ ...named, companyId, companyName: listNames(only)[0] ?? companyId });
  return companyId;
}

function toNobody(text: string, country: string, { missing }: IndexFacts): NoValueError {
  const [first, second] = missing.map((family) => (family === "private" ? msg`private-market` : msg`classified`));
  const left = second === undefined ? first : msg`${first} and ${second}`;
  const reason = left === undefined ? "" : msg` (without ${left} companies, which this client may not read)`;
  return new NoValueError(
    "FEED_NO_VALUE",
    country === "ALL"
      ? msg`no company fits "${toShort(text)}"${reason}; try a shorter part of the name or another spelling`
      : msg`no company of ${country} fits "${toShort(text)}"${reason}; try a shorter part of the name, another spelling, or "ALL" as country`,
  );
}

function toTooMany(text: string, total: number): NoValueError {
  return new NoValueError(
    "FEED_RESULT_TOO_LARGE",
    msg`${total} companies fit "${toShort(text)}"; give more of the name, or top`,
  );
}

/**
 * Splits a text at its commas into companies, unless the whole is a company's name: a name may have commas. Where the name
 * differs from the text but for width, case and white space, as by a comma, the text is a list if each part names a company.
 * A comma before a legal form parts nothing.
 *
 * @throws the errors of `NameIndexes.need`
 */
export async function splitCompanies(context: NamesAtHand, { name: text, country }: NamedCompany): Promise<string[]> {
  const parts = text.split(",").map((part) => part.trim());
  const given = parts.filter((part) => part !== "");
  if (!/\p{L}/u.test(text)) return given;
  const isKept = (name: string) => NAME_SOURCES.some((family) => context.resolutions.find({ name, country }, family));
  if (isKept(text)) return [text];
  if (given.every(isKept)) return given;
  const listed = await joinForms(context, given, country);
  if (listed.length === 1 || listed.some((each) => isNumberForm(each) || isCompanyId(each))) return listed;
  const names = await findNames(context, text, country);
  if (!names.some((own) => foldName(own) === foldName(readCountryPrefix(text, country).text))) return listed;
  if (names.some((own) => foldPlain(own) === foldPlain(text))) return [text];
  const found = await Promise.all(listed.map((each) => findNames(context, each, country)));
  return found.every((each) => each.length > 0) ? listed : [text];
}

/** The names of all companies that have a text as their name or number. */
async function findNames({ indexes, engine }: NamesAtHand, written: string, country: string): Promise<string[]> {
  const { text, country: own } = readCountryPrefix(written, country);
  const { key } = await indexes.need(own);
  return (await engine.match(key, text)).rows.flatMap(listNames);
}

/** Joins "Sakura Foods Co." and "Ltd." again, which a comma has parted; capitals alone may be a ticker, as "AB" is. */
async function joinForms(context: NamesAtHand, parts: readonly string[], country: string): Promise<string[]> {
  const joined: string[] = [];
  for (const part of parts) {
    const mayBeForm = joined.length > 0 && isLegalForm(part);
    const isForm = mayBeForm && !(/^\p{Lu}{2,5}$/u.test(part) && (await findNames(context, part, country)).length > 0);
    joined.push(isForm ? `${joined.pop()}, ${part}` : part);
  }
  return joined;
}

/** Names that go to the engine at once: progress shows, and a cancel ends the work, after so many. */
const NAMES_AT_ONCE = 25;

const NOBODY: MatchedName = { state: "none", candidates: [], alike: 0 };

/** Matches the names of a list. */
export async function matchNames(
  context: NamesAtHand,
  names: readonly NameToMatch[],
  country: string,
  family: NameSource | undefined,
  { signal, advance }: Pick<LoadContext, "signal" | "advance">,
): Promise<NameMatches> {
  const add = createPlaces();
  const matches: NameMatch[] = [];
  for (let from = 0; from < names.length; from += NAMES_AT_ONCE) {
    signal.throwIfAborted();
    const found = await matchSlice(context, names.slice(from, from + NAMES_AT_ONCE), country, family);
    matches.push(...found.map(add));
    if (matches.length < names.length) advance?.({ rows: matches, expected: names.length });
  }
  return { matches };
}

type FoundMatch = Omit<NameMatch, "sameAs">;

/** Matches some names, those of each country in its index. */
async function matchSlice(
  context: NamesAtHand,
  names: readonly NameToMatch[],
  country: string,
  family: NameSource | undefined,
): Promise<FoundMatch[]> {
  const { indexes, engine, resolutions } = context;
  const matches: (FoundMatch | null)[] = [];
  for (const { name } of names) {
    const kept = resolutions.find({ name: name.trim(), country }, family);
    matches.push(kept === null ? null : await toKept(context, kept));
  }
  const asked = names.map((each) => ({ ...each, ...readCountryPrefix(each.name, country) }));
  const open = asked.flatMap(({ text }, at) => (matches[at] === null && text.trim() !== "" ? [at] : []));
  for (const each of new Set(open.map((at) => asked[at]?.country ?? country))) {
    const places = open.filter((at) => asked[at]?.country === each);
    const { key, facts } = await indexes.need(each);
    const slice = places.map((at) => ({ name: asked[at]?.text ?? "", hints: asked[at]?.hints ?? [] }));
    const found = await engine.matchNames(key, slice);
    for (const [index, at] of places.entries())
      matches[at] = toMatch(decide(found[index], slice[index]?.name ?? "", family, facts));
  }
  return matches.map((match) => match ?? toMatch(NOBODY));
}

/** Takes the one of companies alike, all of the very name, that alone can have the data of a family, if nothing else is in doubt. */
function decide({ alone, ...match } = NOBODY, name: string, family: NameSource | undefined, facts: IndexFacts) {
  const { candidates, alike } = match;
  const rows = candidates.slice(0, alike).map(({ row }) => row);
  const isCertain = alone === "exact" || alone === "sure";
  const only = family && isCertain ? pickOfFamily({ rows, total: alike }, name, family, facts) : null;
  if (!isCertain || only === null) return match;
  const ordered = [...candidates].sort((one, other) => Number(other.row === only) - Number(one.row === only));
  return { ...match, state: alone, candidates: ordered, alike: 1 };
}

/** Gives a decision's match, with what the index knows of its company; id and name where there is none. */
async function toKept({ indexes, engine }: NamesAtHand, kept: Resolution): Promise<FoundMatch> {
  const { companyId, companyName } = kept;
  if (companyId === "") return { ...NOBODY, candidates: [], isDecided: true };
  const index = await indexes.need(readCountryPrefix(kept.name, kept.country).country).catch(() => null);
  const row = index === null ? undefined : await findById(engine, index.key, companyId);
  const company = row === undefined ? { companyId, companyName } : toTableRow(row);
  return { state: "exact", candidates: [{ company, score: 1, evidence: ["workbook"] }], alike: 1, isDecided: true };
}

const toMatch = ({ candidates, ...rest }: MatchedName): FoundMatch => ({
  ...rest,
  candidates: candidates.map(({ row, ...each }): MatchCandidate => ({ ...each, company: toTableRow(row) })),
  isDecided: false,
});

/** Adds to each match the place of the first name before it that leads to the same company. */
function createPlaces(): (match: FoundMatch) => NameMatch {
  const places = new Map<unknown, number>();
  let place = 0;
  return (match) => {
    const isTaken = match.state === "exact" || match.state === "sure";
    const id = isTaken ? match.candidates[0]?.company.companyId : undefined;
    const sameAs = places.get(id) ?? null;
    if (isTaken && sameAs === null) places.set(id, place);
    place++;
    return { ...match, sameAs };
  };
}

import { toCompanyKey } from "../../client/ids";
import { readCountryPrefix } from "../names/country-prefix";
import type { MatchedName } from "../names/matching/match";
import type { MatchCandidate, NameMatch, NameMatches, NameToMatch } from "../names/matching/types";
import type { NamingContext } from "../names/naming";
import { pickColumn, toTableRow } from "../names/rows";
import type { LoadContext } from "../query-cache/types";
import type { Resolution } from "../resolutions";

type Context = Pick<NamingContext, "indexes" | "engine" | "resolutions">;
type Loading = Pick<LoadContext, "signal" | "advance">;

/** Names that go to the engine at once: progress shows, and a cancel ends the work, after so many. */
const NAMES_AT_ONCE = 25;

const NOBODY: MatchedName = { state: "none", candidates: [], alike: 0 };

/** Implements the query of `MatchingQueries`. */
export async function matchNames(
  context: Context,
  names: readonly NameToMatch[],
  country: string,
  { signal, advance }: Loading,
): Promise<NameMatches> {
  const add = createPlaces();
  const matches: NameMatch[] = [];
  for (let from = 0; from < names.length; from += NAMES_AT_ONCE) {
    signal.throwIfAborted();
    const found = await matchSlice(context, names.slice(from, from + NAMES_AT_ONCE), country);
    matches.push(...found.map(add));
    if (matches.length < names.length) advance?.({ rows: matches, expected: names.length });
  }
  return { matches };
}

/** Matches some names, those of each country in its index. */
async function matchSlice(
  context: Context,
  names: readonly NameToMatch[],
  country: string,
): Promise<Omit<NameMatch, "sameAs">[]> {
  const { indexes, engine, resolutions } = context;
  const matches: (Found | null)[] = [];
  for (const { name } of names) {
    const kept = resolutions.find({ name: name.trim(), country });
    matches.push(kept === null ? null : await toKept(context, kept));
  }
  const asked = names.map((each) => ({ ...each, ...readCountryPrefix(each.name, country) }));
  const open = asked.flatMap(({ text }, at) => (matches[at] === null && text.trim() !== "" ? [at] : []));
  for (const each of new Set(open.map((at) => asked[at]?.country ?? country))) {
    const places = open.filter((at) => asked[at]?.country === each);
    const { key } = await indexes.need(each);
    const slice = places.map((at) => ({ name: asked[at]?.text ?? "", hints: asked[at]?.hints ?? [] }));
    const found = await engine.matchNames(key, slice);
    for (const [index, at] of places.entries()) matches[at] = toMatch(found[index] ?? NOBODY);
  }
  return matches.map((match) => match ?? toMatch(NOBODY));
}

type Found = Omit<NameMatch, "sameAs">;

/** Gives a decision's match, with what the index knows of its company; id and name where there is none. */
async function toKept({ indexes, engine }: Context, kept: Resolution): Promise<Found> {
  const { companyId, companyName } = kept;
  if (companyId === "") return { ...NOBODY, candidates: [], isDecided: true };
  const index = await indexes.need(readCountryPrefix(kept.name, kept.country).country).catch(() => null);
  const rows = index === null ? [] : (await engine.match(index.key, companyId)).rows;
  const row = rows.find((each) => toCompanyKey(pickColumn(each, "companyId")) === toCompanyKey(companyId));
  const company = row === undefined ? { companyId, companyName } : toTableRow(row);
  return { state: "exact", candidates: [{ company, score: 1, evidence: ["workbook"] }], alike: 1, isDecided: true };
}

const toMatch = ({ candidates, ...rest }: MatchedName): Found => ({
  ...rest,
  candidates: candidates.map(({ row, ...each }): MatchCandidate => ({ ...each, company: toTableRow(row) })),
  isDecided: false,
});

/** Adds to each match the place of the first name before it that leads to the same company. */
function createPlaces(): (match: Found) => NameMatch {
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

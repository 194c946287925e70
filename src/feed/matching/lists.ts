import { readCountryPrefix } from "../names/country-prefix";
import type { MatchedName } from "../names/matching/match";
import type { MatchCandidate, NameMatch, NameMatches, NameToMatch } from "../names/matching/types";
import type { NamingContext } from "../names/naming";
import { toTableRow } from "../names/rows";
import type { LoadContext } from "../query-cache/types";

type Context = Pick<NamingContext, "indexes" | "engine" | "resolutions">;
type Loading = Pick<LoadContext<NameMatches>, "signal" | "grow">;

/** Names that go to the engine at once: progress shows, and a cancel ends the work, after so many. */
const NAMES_AT_ONCE = 25;

const NOBODY: MatchedName = { state: "none", candidates: [], alike: 0 };

/** Implements the query of `MatchingQueries`. */
export async function matchNames(
  context: Context,
  names: readonly NameToMatch[],
  country: string,
  { signal, grow }: Loading,
): Promise<NameMatches> {
  const add = createPlaces();
  const matches: NameMatch[] = [];
  for (let from = 0; from < names.length; from += NAMES_AT_ONCE) {
    signal.throwIfAborted();
    const found = await matchSlice(context, names.slice(from, from + NAMES_AT_ONCE), country);
    matches.push(...found.map(add));
    if (matches.length < names.length) grow({ matches: [...matches] });
  }
  return { matches };
}

/** Matches some names, those of each country in its index. */
async function matchSlice(
  { indexes, engine, resolutions }: Context,
  names: readonly NameToMatch[],
  country: string,
): Promise<Omit<NameMatch, "sameAs">[]> {
  const matches = names.map(({ name }) => {
    const kept = resolutions.find({ name: name.trim(), country });
    return kept === null ? null : toKept(kept);
  });
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

const toKept = ({ companyId, companyName }: { companyId: string; companyName: string }): Found => ({
  state: "exact",
  candidates: [{ company: { companyId, companyName }, score: 1, evidence: ["workbook"] }],
  alike: 1,
});

const toMatch = ({ candidates, ...rest }: MatchedName): Found => ({
  ...rest,
  candidates: candidates.map(({ row, ...each }): MatchCandidate => ({ ...each, company: toTableRow(row) })),
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

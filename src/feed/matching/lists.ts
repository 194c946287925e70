import type { NameMatch, NameMatches, NameToMatch } from "../matching";
import { readCountryPrefix } from "../names/country-prefix";
import type { NamingContext } from "../names/naming";
import { toTableRow } from "../names/rows";
import type { LoadContext } from "../query-cache/types";

type Context = Pick<NamingContext, "indexes" | "engine" | "resolutions">;

const MOST_CANDIDATES = 5;
const NOBODY: NameMatch = { state: "none", candidates: [], alike: 0, sameAs: null };

/** Implements the query of `MatchingQueries`. */
export async function matchNames(
  context: Context,
  names: readonly NameToMatch[],
  country: string,
  { signal, grow }: Pick<LoadContext<NameMatches>, "signal" | "grow">,
): Promise<NameMatches> {
  const matches: NameMatch[] = [];
  const places = new Map<unknown, number>();
  for (const { name } of names) {
    signal.throwIfAborted();
    const match = await matchOne(context, name, country);
    const id = match.state === "exact" ? match.candidates[0]?.company.companyId : undefined;
    matches.push({ ...match, sameAs: places.get(id) ?? null });
    if (id !== undefined && !places.has(id)) places.set(id, matches.length - 1);
    if (matches.length % 100 === 0) grow({ matches: [...matches] });
  }
  return { matches };
}

async function matchOne({ indexes, engine, resolutions }: Context, name: string, country: string): Promise<NameMatch> {
  if (name.trim() === "") return NOBODY;
  const kept = resolutions.find({ name, country });
  if (kept !== null) {
    const company = { companyId: kept.companyId, companyName: kept.companyName };
    return { state: "exact", candidates: [{ company, score: 1, evidence: ["workbook"] }], alike: 1, sameAs: null };
  }
  const written = readCountryPrefix(name, country);
  const { key } = await indexes.need(written.country);
  const exact = await engine.match(key, written.text);
  const found = exact.total > 0 ? exact : await engine.search(key, written.text, MOST_CANDIDATES);
  if (found.total === 0) return NOBODY;
  const score = found === exact ? 1 : 0.5;
  const candidates = found.rows
    .slice(0, MOST_CANDIDATES)
    .map((row) => ({ company: toTableRow(row), score, evidence: [] }));
  return { state: exact.total === 1 ? "exact" : "doubtful", candidates, alike: found.total, sameAs: null };
}

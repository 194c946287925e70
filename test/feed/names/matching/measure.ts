import type { MatchState, NameToMatch } from "../../../../src/feed/names";
import { matchNames } from "../../../../src/feed/names/matching/match";
import { pickColumn } from "../../../../src/feed/names/rows";
import type { NameIndex } from "../../../../src/feed/names/search";

/** A name whose company is known; null where the index has none. */
export interface KnownName extends NameToMatch {
  country: string;
  companyId: string | null;
  kind: string;
}

/** What the matcher made of a name. */
export interface Outcome {
  known: KnownName;
  state: MatchState;
  score: number;
  /** Whether the first candidate, and whether any, is the company. */
  isFirst: boolean;
  isFound: boolean;
  best: string;
}

/** Names of each state by whether the first candidate is right, another one is, none is, and of absent companies. */
export type Confusion = Record<MatchState, { right: number; listed: number; wrong: number; absent: number }>;

/** Matches names of known companies, those of each country in its index. */
export async function matchKnown(
  names: readonly KnownName[],
  indexOf: (country: string) => NameIndex,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const country of new Set(names.map((each) => each.country))) {
    const some = names.filter((each) => each.country === country);
    const matches = await matchNames(indexOf(country), some);
    for (const [at, { state, candidates }] of matches.entries()) {
      const known = some[at] as KnownName;
      const ids = candidates.map(({ row }) => pickColumn(row, "companyId").toLowerCase());
      const place = known.companyId === null ? -1 : ids.indexOf(known.companyId.toLowerCase());
      const [best] = candidates;
      outcomes.push({
        known,
        state,
        score: best?.score ?? 0,
        isFirst: place === 0,
        isFound: place >= 0,
        best: best === undefined ? "" : best.row.slice(1, 6).join(" | "),
      });
    }
  }
  return outcomes;
}

export const isAccepted = ({ state }: Outcome): boolean => state === "exact" || state === "sure";

/** Shares of 1 that the goals are about. */
export function measure(outcomes: readonly Outcome[]) {
  const present = outcomes.filter(({ known }) => known.companyId !== null);
  const accepted = outcomes.filter(isAccepted);
  const share = (all: readonly Outcome[], isMeant: (each: Outcome) => boolean) =>
    all.length === 0 ? 1 : all.filter(isMeant).length / all.length;
  return {
    acceptedRight: share(accepted, ({ isFirst }) => isFirst),
    found: share(present, (each) => (isAccepted(each) ? each.isFirst : each.isFound)),
    withoutReview: share(present, isAccepted),
    absentAccepted: accepted.filter(({ known }) => known.companyId === null).length,
  };
}

export function toConfusion(outcomes: readonly Outcome[]): Confusion {
  const row = () => ({ right: 0, listed: 0, wrong: 0, absent: 0 });
  const confusion: Confusion = { exact: row(), sure: row(), doubtful: row(), none: row() };
  for (const { known, state, isFirst, isFound } of outcomes) {
    const column = known.companyId === null ? "absent" : isFirst ? "right" : isFound ? "listed" : "wrong";
    confusion[state][column]++;
  }
  return confusion;
}

import type { Row } from "./decode";
import type { Evidence, MatchState, NameToMatch } from "./names/matching/types";
import type { NamingContext } from "./names/naming";
import type { Query } from "./query-cache";
import { loadScript } from "./script";

export type { Evidence, MatchState, NameToMatch } from "./names/matching/types";

/** A company that a name may mean. */
export interface MatchCandidate {
  /** The company as `toTableRow` gives it. */
  readonly company: Row;
  /** 0 to 1. */
  readonly score: number;
  readonly evidence: readonly Evidence[];
}

export interface NameMatch {
  readonly state: MatchState;
  /** At most five, best first; exactly the first one is meant where the state is "exact" or "sure". */
  readonly candidates: readonly MatchCandidate[];
  /** Number of companies that fit as well as the first candidate, itself included; 0 without candidates. */
  readonly alike: number;
  /** Place in the call, from 0, of the first name that leads to the same company; null where there is none before. */
  readonly sameAs: number | null;
}

/** The matches of the first names of a call, of all names once complete. */
export interface NameMatches {
  readonly matches: readonly NameMatch[];
}

/** Companies for whole lists of names, from the local index: no request beyond those of the index. */
export interface MatchingQueries {
  /**
   * Gives the query for the companies that a list of names means, which grows as names are matched. A country before a
   * name, as in "JPN:さくら食品", goes before `country`. What the workbook keeps of a name goes before any match.
   *
   * @param country ISO 3166-1 alpha-3 code, or "ALL"
   * @throws NoValueError (FEED_INDEX_NOT_READY) and the errors of a build, as the query's failure
   */
  query(names: readonly NameToMatch[], country: string): Query<NameMatches>;
}

type Context = Pick<NamingContext, "indexes" | "engine" | "resolutions">;

/** Makes the queries for lists of names, which the indexes' engine matches. */
export function createMatching(context: Context): MatchingQueries {
  return {
    query: (names, country) => ({
      key: ["matchNames", country, names.length, names],
      load: async (loading) => (await loadMatching()).matchNames(context, names, country, loading),
    }),
  };
}

/** A script of its own, since most pages match no list. */
const loadMatching = () => loadScript(() => import(/* webpackChunkName: "lists" */ "./matching/lists"));

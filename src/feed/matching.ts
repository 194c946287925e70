import type { NameMatches, NameToMatch } from "./names/matching/types";
import type { NamingContext } from "./names/naming";
import type { Query } from "./query-cache";
import { loadScript } from "./script";

export type { Evidence, MatchCandidate, MatchState, NameMatch, NameMatches, NameToMatch } from "./names/matching/types";

/** Companies for whole lists of names, from the local index: no request beyond those of the index. */
export interface MatchingQueries {
  /**
   * Gives the query for the companies that a list of names means. A country before a name, as in "JPN:さくら食品", goes
   * before `country`. What the workbook keeps of a name goes before any match.
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

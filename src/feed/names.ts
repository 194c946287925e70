import type { FoundNames, Wanted } from "./names/lookup";
import type { NameMatches, NameToMatch } from "./names/matching/types";
import type { NamingContext } from "./names/naming";
import type { NameSource } from "./names/rows";
import type { Query } from "./query-cache";
import { loadScript } from "./script";

export type { Evidence, MatchCandidate, MatchState, NameMatch, NameMatches, NameToMatch } from "./names/matching/types";

/** Names of companies: the API has no search for them. */
export interface NamesQueries {
  /**
   * Gives the query for the companies whose names, ticker or registration number match a text. It builds an index that
   * takes few requests; a larger one is left to `NameIndexes.build`.
   *
   * @param country ISO 3166-1 alpha-3 code, or "ALL"; a country before the text, as in "JPN:7203", goes before it
   * @param wanted "exact" for the companies that have the text as their name or number, "candidates" for the few that
   *   a person may have meant by it; none is an answer then
   * @param family the data family that must have a company, where an empty list is an answer; default any
   */
  query(text: string, country: string, wanted: Wanted, family?: NameSource): Query<FoundNames>;
  /** Gives the query for the id of the one company that a text names. */
  queryId(text: string, country: string): Query<string>;
  /** Gives the query for the companies that a text with commas lists: one where the whole is a company's name. */
  querySplit(text: string, country: string): Query<string[]>;
  /**
   * Gives the query for the companies that a list of names means, without a request beyond those of the index. A country
   * before a name, as in "JPN:さくら食品", goes before `country`. What the workbook keeps of a name goes before any match.
   *
   * @param country ISO 3166-1 alpha-3 code, or "ALL"
   * @param family the family of data that is wanted of the companies, which decides between namesakes; default any
   * @throws NoValueError (FEED_INDEX_NOT_READY) and the errors of a build, as the query's failure
   */
  queryMatches(names: readonly NameToMatch[], country: string, family?: NameSource): Query<NameMatches>;
}

/** Makes the queries for names, which search the indexes' engine. */
export function createNames(context: Pick<NamingContext, "indexes" | "engine" | "resolutions">): NamesQueries {
  return {
    query: (text, country, wanted, family) => ({
      key: ["findNames", country, text, wanted, family],
      load: async () => (await loadLookup()).findCompanies(context, { name: text, country }, wanted, family),
    }),
    queryId: (text, country) => ({
      key: ["findNames", country, text, "id"],
      load: async () => (await loadLookup()).findId(context, { name: text, country }),
    }),
    querySplit: (text, country) => ({
      key: ["findNames", country, text, "companies"],
      load: async () => (await loadLookup()).splitCompanies(context, { name: text, country }),
    }),
    queryMatches: (names, country, family) => ({
      key: ["matchNames", country, names.length, names, family],
      load: async (loading) => (await loadLookup()).matchNames(context, names, country, family, loading),
    }),
  };
}

/** A script of its own, since most pages look no name up. */
const loadLookup = () => loadScript(() => import(/* webpackChunkName: "lists" */ "./names/lookup"));

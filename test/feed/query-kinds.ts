import type { Feed } from "../../src/feed/feed";
import type { Query } from "../../src/feed/query-cache";

const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };
const LIST = { country: "JPN", companyType: "ALL" };
const BY_ID = { companyId: "C1" };
const BY_NUMBER = { registrationNumber: "0100-01-000001" };

/** A query by each query function; the compiler reports a missing one here. */
type Kinds<Queries, Part = never> = Record<Exclude<keyof Queries, Part>, Query<unknown>>;

/** Queries of every kind that formulas use, by function; those used by other queries alone are left out. */
export function listKinds({ financials, companies, taxonomies, rankings, names }: Feed) {
  const ofFinancials: Kinds<typeof financials> = { query: financials.query(BY_ID, { year: 2023 }) };
  const ofCompanies: Kinds<typeof companies, "queryId"> = {
    query: companies.query(BY_ID.companyId),
    queryOf: companies.queryOf(BY_NUMBER),
    querySearch: companies.querySearch({ country: "JPN" }, 10),
  };
  const ofTaxonomies: Kinds<typeof taxonomies> = {
    queryTree: taxonomies.queryTree(),
    query: taxonomies.query(BY_ID),
    queryUniverse: taxonomies.queryUniverse(LIST, 1010),
    queryConstituentsOf: taxonomies.queryConstituentsOf("12", LIST, false, "all"),
    queryPeers: taxonomies.queryPeers(BY_ID, "industry", LIST, false, 10),
  };
  const ofRankings: Kinds<typeof rankings> = {
    queryCompanies: rankings.queryCompanies(RANGE, 10),
    queryCompanyPages: rankings.queryCompanyPages(RANGE, 10),
    queryIndustries: rankings.queryIndustries(RANGE, 10),
  };
  const ofNames: Kinds<typeof names> = {
    query: names.query("sakura", "SGP", 10),
    queryId: names.queryId("sakura", "SGP"),
    querySplit: names.querySplit("Sakura, Inc.", "SGP"),
    queryMatches: names.queryMatches([{ name: "sakura", hints: [] }], "JPN"),
  };
  return {
    financials: ofFinancials,
    companies: ofCompanies,
    taxonomies: ofTaxonomies,
    rankings: ofRankings,
    names: ofNames,
  };
}

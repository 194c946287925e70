import type { Feed } from "../../src/feed/feed";
import type { Question } from "../../src/feed/query-cache";

const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };
const LIST = { country: "JPN", companyType: "ALL" };
const BY_ID = { companyId: "C1" };
const BY_NUMBER = { registrationNumber: "0100-01-000001" };

/** A question by each of those that make them: the compiler says which one is missing here. */
type Asked<Questions, Part = never> = Record<Exclude<keyof Questions, Part>, Question<unknown>>;

/** Questions of every kind that formulas ask, by what makes them; those that only other questions ask are left out. */
export function listKinds({ financials, companies, taxonomies, rankings, names }: Feed) {
  const ofFinancials: Asked<typeof financials> = { ask: financials.ask(BY_ID, { year: 2023 }) };
  const ofCompanies: Asked<typeof companies, "askId"> = {
    ask: companies.ask(BY_ID.companyId),
    askOf: companies.askOf(BY_NUMBER),
    askSearch: companies.askSearch({ country: "JPN" }, 10),
  };
  const ofTaxonomies: Asked<typeof taxonomies> = {
    askTree: taxonomies.askTree(),
    ask: taxonomies.ask(BY_ID),
    askUniverse: taxonomies.askUniverse(LIST, 1010),
    askConstituentsOf: taxonomies.askConstituentsOf("12", LIST, false, "all"),
    askPeers: taxonomies.askPeers(BY_ID, "industry", LIST, 10),
  };
  const ofRankings: Asked<typeof rankings> = {
    askCompanies: rankings.askCompanies(RANGE, 10),
    askCompanyPages: rankings.askCompanyPages(RANGE, 10),
    askIndustries: rankings.askIndustries(RANGE, 10),
  };
  const ofNames: Asked<typeof names> = { ask: names.ask("sakura", "SGP", 10), askId: names.askId("sakura", "SGP") };
  return {
    financials: ofFinancials,
    companies: ofCompanies,
    taxonomies: ofTaxonomies,
    rankings: ofRankings,
    names: ofNames,
  };
}

import type { TaxonomyCompany } from "../contract/types";
import { type Grant, pickCountries } from "./access";
import type { Level } from "./data/universe";
import { Refusal } from "./errors";
import { createPage, type PageQuery, type Provider } from "./provider";

/** The query of the four taxonomy lists (§4.3). */
export interface TaxonomyQuery extends PageQuery {
  country: string;
  company_type: "PUBLIC" | "PRIVATE" | "ALL";
}

/** The query of the three grouping endpoints. */
export interface GroupingQuery extends TaxonomyQuery {
  show_all_industries: boolean;
}

function pickMatching(provider: Provider, grant: Grant, query: TaxonomyQuery, positions: readonly number[]) {
  const { universe } = provider;
  const countries = pickCountries(grant, query.country);
  const type = query.company_type;
  return positions.filter(
    (position) =>
      (type === "ALL" || universe.isListed(position) === (type === "PUBLIC")) &&
      (countries === "ALL" || countries.has(universe.pickCountryCode(position))),
  );
}

/** All classified companies of a country, with all their classifications: the document names no switch here (§4.3). */
export function listTaxonomyCompanies(provider: Provider, grant: Grant, query: TaxonomyQuery) {
  const { universe, controls } = provider;
  const positions = pickMatching(provider, grant, query, universe.positions());
  const create = (place: number) => universe.createTaxonomyCompany(positions[place]!);
  return createPage({ total: positions.length, create }, query, controls);
}

/** One company with all its classifications. */
export function getTaxonomyCompany({ universe }: Provider, companyId: string): TaxonomyCompany {
  const position = universe.pickPosition(companyId);
  if (position === undefined) throw new Refusal(404, "NOT_FOUND", `No company has the id ${companyId}.`);
  return universe.createTaxonomyCompany(position);
}

/**
 * The companies that have any classification under a node, each once.
 * The document leaves body and taxonomy array open (§4.3): here the body is the page envelope, and without
 * show_all_industries the array holds the primary classification alone, even when another one lies under the node.
 */
export function listGroupingCompanies(
  provider: Provider,
  grant: Grant,
  level: Level,
  nodeId: string,
  query: GroupingQuery,
) {
  const { universe, controls } = provider;
  const members = universe.pickMembers(level, nodeId);
  if (members === undefined) throw new Refusal(404, "NOT_FOUND", `The taxonomy has no ${level} ${nodeId}.`);
  const positions = pickMatching(provider, grant, query, members);
  const create = (place: number) => {
    const company = universe.createTaxonomyCompany(positions[place]!);
    if (query.show_all_industries) return company;
    return { ...company, taxonomy: company.taxonomy.filter(({ isPrimaryIndustry }) => isPrimaryIndustry) };
  };
  return createPage({ total: positions.length, create }, query, controls);
}

import type { Company } from "../contract/types";
import { type Grant, pickCountries } from "./access";
import { createCompany, SORT_ORDERS } from "./data/companies";
import { pickCountry } from "./data/countries";
import { Refusal, refuseField } from "./errors";
import { createPage, type Pageable, type PageQuery, type Provider } from "./provider";

/** The query of the company search (§4.2). */
export interface CompanyQuery extends PageQuery {
  country: string;
  identifier?: string;
  sort?: string;
}

/**
 * Lists the companies of a country, or the one with an identifier: a registration number or a company id.
 * The document shows no values of sort (§4.2); the sandbox knows a few.
 */
export function searchCompanies(provider: Provider, grant: Grant, query: CompanyQuery) {
  const { seed, controls, companyIndex } = provider;
  if (query.sort !== undefined && !SORT_ORDERS.includes(query.sort)) {
    throw refuseField("sort", `must be one of ${SORT_ORDERS.join(", ")}`);
  }
  const countries = pickCountries(grant, query.country);
  let indexes = companyIndex.pickIndexes(countries, query.sort);
  if (query.identifier !== undefined) {
    const found = companyIndex.pickByRegistration(query.identifier) ?? companyIndex.pickById(query.identifier);
    const inside = found !== undefined && (countries === "ALL" || countries.has(pickCountry(found).code));
    indexes = inside ? [found] : [];
  }
  const pageable: Pageable<Company> = {
    total: indexes.length,
    create: (place) => createCompany(seed, indexes[place]!),
  };
  return createPage(pageable, query, controls);
}

/** One company; needs no country scope (§4.2). */
export function getCompany({ seed, companyIndex }: Provider, companyId: string): Company {
  const index = companyIndex.pickById(companyId);
  if (index === undefined) throw new Refusal(404, "NOT_FOUND", `No company has the id ${companyId}.`);
  return createCompany(seed, index);
}

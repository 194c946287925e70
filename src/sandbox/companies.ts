import type { Company } from "../contract/types";
import type { Grant } from "./access";
import { pickCountries } from "./access";
import { createCompany } from "./data/companies";
import { pickCountry } from "./data/countries";
import { createRegistrationNumber, pickIndexOfId, pickIndexOfRegistration } from "./data/identifiers";
import { createCompanyNames } from "./data/names";
import { Refusal, refuseField } from "./errors";
import type { Pageable, PageQuery } from "./paging";
import { createPage } from "./paging";
import type { Provider } from "./provider";

/** The query of the company search (§4.2). */
export interface CompanyQuery extends PageQuery {
  country: string;
  identifier?: string;
  sort?: string;
}

/** The fields that can be sorted by, each with a minus in front for the reverse; the document shows none (§4.2). */
const SORT_KEYS: Record<string, (seed: number, index: number) => string> = {
  companyName: (seed, index) => createCompanyNames(seed, index).shown,
  registrationNumber: createRegistrationNumber,
};

/** The orders and country lists that were asked for once are kept: each is one number a company. */
export interface CompanyIndex {
  pickIndexes(countries: ReadonlySet<string> | "ALL", sort: string | undefined): readonly number[];
  /** The index behind a company id in any case. */
  pickById(id: string): number | undefined;
  pickByRegistration(registrationNumber: string): number | undefined;
}

/** Creates the lists of private companies; none is made before it is asked for. */
export function createCompanyIndex(seed: number, companies: number): CompanyIndex {
  const kept = new Map<string, readonly number[]>();
  const keep = (key: string, create: () => readonly number[]) => {
    const list = kept.get(key) ?? create();
    kept.set(key, list);
    return list;
  };
  const all = () => keep("", () => Array.from({ length: companies }, (_, index) => index));
  const pickSorted = (sort: string) => keep(sort, () => sortIndexes(seed, all(), sort));
  const within = (index: number | undefined) => (index !== undefined && index < companies ? index : undefined);
  return {
    pickIndexes(countries, sort) {
      const list = sort === undefined ? all() : pickSorted(sort);
      if (countries === "ALL") return list;
      const key = JSON.stringify([sort, ...countries]);
      return keep(key, () => list.filter((index) => countries.has(pickCountry(index).code)));
    },
    pickById: (id) => within(pickIndexOfId(seed, "private", id)),
    pickByRegistration: (registrationNumber) => within(pickIndexOfRegistration(seed, registrationNumber)),
  };
}

/** Sorts by code units, so that the order is the same on every machine; equal names stay in the order of the data. */
function sortIndexes(seed: number, indexes: readonly number[], sort: string): readonly number[] {
  const descending = sort.startsWith("-");
  const readKey = SORT_KEYS[descending ? sort.slice(1) : sort];
  if (readKey === undefined) {
    throw refuseField("sort", `must be one of ${Object.keys(SORT_KEYS).join(", ")}, with - in front for descending`);
  }
  const keys = indexes.map((index) => readKey(seed, index));
  const sign = descending ? -1 : 1;
  return [...indexes].sort((left, right) => {
    if (keys[left]! === keys[right]!) return left - right;
    return keys[left]! < keys[right]! ? -sign : sign;
  });
}

/** Lists the companies of a country, or the one with an identifier: a registration number or a company id. */
export function searchCompanies(provider: Provider, grant: Grant, query: CompanyQuery) {
  const { seed, controls, companyIndex } = provider;
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

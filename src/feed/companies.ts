import { assertAnswerOf, type CompanyRef, toCompanyKey, toRefKey } from "../client/ids";
import type { Provider } from "../client/provider";
import { decodePage, decodeRow, type Row, readText } from "./decode";
import { createLoadPage, type List, loadPages, type PageLimits } from "./pages";
import { type PersistencePolicy, withoutContacts } from "./persistence-policy";
import type { Loading, Query, QueryCache } from "./query-cache";
import type { CompanyData } from "./registrations/evidence";
import type { WrittenCompanies } from "./written-companies";

interface CompanySearch {
  /** ISO 3166-1 alpha-3 code, or "ALL". */
  country: string;
  /** Registration number or another id of the company; default none. */
  identifier?: string | undefined;
  /** Sort field, passed on as written, since the API document shows no values (§4.2). */
  sort?: string | undefined;
}

export interface CompaniesQueries {
  /** Gives the query for one private company by its id (§4.2). */
  query(companyId: string): Query<Row>;
  /**
   * Gives the query for one private company (§4.2); an unknown registration number is resolved by the search, which
   * brings the company with it, and a name by the index.
   *
   * @param withContacts whether the answer has persons' contact data, which are never persisted; default false
   * @throws RequestError (FEED_NOT_FOUND …), NoValueError (FEED_AMBIGUOUS) as the query's failure
   */
  queryOf(company: CompanyRef, withContacts?: boolean): Query<Row>;
  /** Gives the query for the private companies of a country (§4.2). */
  querySearch(search: CompanySearch, wanted: number | "all"): Query<List>;
  /**
   * Gives the query for a company's id; a registration number is resolved by the search over all countries (§4.2), a
   * name by the index.
   *
   * @param data what is asked of the company; default its record
   * @throws RequestError (FEED_NOT_FOUND, FEED_SCOPE_MISSING …), NoValueError (FEED_AMBIGUOUS) as the query's failure
   */
  queryId(company: CompanyRef, data?: CompanyData): Query<string>;
}

interface Registry {
  queryCache: QueryCache;
  writtenCompanies: WrittenCompanies;
  limits: PageLimits;
}

export function createCompanies(provider: Provider, registry: Registry): CompaniesQueries {
  const companies: CompaniesQueries = {
    query: (companyId) => ({
      key: toRowKey(companyId),
      persistence: COMPANY_POLICY,
      load: (loading) => loadRow(provider, companyId, loading),
    }),
    queryOf: (company, withContacts = false) =>
      withContacts ? queryContacts(provider, registry, company) : queryOf(provider, registry, companies, company),
    querySearch: (search, wanted) => querySearch(provider, registry.limits, search, wanted),
    queryId: (company, data = "record") =>
      "companyId" in company
        ? { key: ["companyId", toRefKey(company)], load: async () => company.companyId }
        : registry.writtenCompanies.query(company, data),
  };
  return companies;
}

function queryOf(
  provider: Provider,
  { queryCache, writtenCompanies }: Registry,
  companies: CompaniesQueries,
  company: CompanyRef,
): Query<Row> {
  if ("companyId" in company) return companies.query(company.companyId);
  return {
    key: ["getCompany", company],
    /** A name may mean another company after the query was made. */
    get within() {
      const known = writtenCompanies.find(company, "record");
      return known === null ? undefined : toRowKey(known);
    },
    persistence: writtenCompanies.persist(COMPANY_POLICY, company, "record"),
    load: (loading) =>
      writtenCompanies.load({ company, data: "record" }, loading, (companyId, isKnown) =>
        isKnown ? loadRow(provider, companyId, loading) : queryCache.wait(companies.query(companyId), loading),
      ),
  };
}

const CONTACTS = "contacts";

/** Whether the answer of a query has contact data of persons. */
export const hasContacts = ({ key }: Query<unknown>): boolean => key.at(-1) === CONTACTS;

/** A query of its own, since the persisted answer of the other one has no contact data. */
const queryContacts = (provider: Provider, { writtenCompanies }: Registry, company: CompanyRef): Query<Row> => ({
  key: ["getCompany", toRefKey(company), CONTACTS],
  load: (loading) =>
    writtenCompanies.load({ company, data: "record" }, loading, (companyId) => loadRow(provider, companyId, loading)),
});

function querySearch(
  provider: Provider,
  limits: PageLimits,
  { country, identifier, sort }: CompanySearch,
  wanted: number | "all",
): Query<List> {
  return {
    key: ["searchCompanies", { country, identifier, sort }, wanted],
    persistence: { family: "companies", toPersisted: (list) => toPersistedList(list as List) },
    load: ({ expect, ...loading }) =>
      loadPages({
        wanted,
        advance: loading.advance,
        expect,
        limit: limits.of("searchCompanies"),
        loadPage: createLoadPage(
          provider,
          { operation: "searchCompanies", query: { country, identifier, sort } },
          loading,
          (body) => decodePage(body, "companies"),
        ),
      }),
  };
}

const COMPANY_POLICY: PersistencePolicy = {
  family: "companies",
  toPersisted: (company) => withoutContacts(company as Row),
};

const toPersistedList = ({ rows, expected }: List): List => ({
  rows: rows.map((row) => withoutContacts(row)),
  expected,
});

const toRowKey = (companyId: string) => ["getCompany", toCompanyKey(companyId)];

async function loadRow(provider: Provider, companyId: string, { signal, sources }: Loading): Promise<Row> {
  const reply = await provider.load({ operation: "getCompany", path: { companyId } }, { signal, sources });
  const row = decodeRow(reply.body, "company");
  assertAnswerOf(companyId, readText(row.id));
  return row;
}

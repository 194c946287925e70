import { assertAnswerOf, type CompanyRef, toCompanyKey, toRefKey } from "../client/ids";
import type { Provider } from "../client/provider";
import type { CompaniesQueries } from "./companies";
import { decodeObjects, decodeRow, type Row, readText } from "./decode";
import type { List, PageLimits } from "./pages";
import type { PersistencePolicy } from "./persistence-policy";
import type { Query, QueryCache } from "./query-cache";
import { loadScript } from "./script";
import type { ListContext, TaxonomyList } from "./taxonomies/lists";
import type { Level } from "./taxonomies/tree";
import type { WrittenCompanies } from "./written-companies";

export type { TaxonomyList } from "./taxonomies/lists";

export interface TaxonomyQueries {
  /** Gives the query for the whole tree of sectors, sub-sectors and industries (§2.5). */
  queryTree(): Query<readonly Row[]>;
  /** Gives the query for one company's record with its classifications (§2.4). */
  query(company: CompanyRef): Query<Row>;
  /** Gives the query for the classified companies of a country (§4.3). */
  queryUniverse(list: TaxonomyList, wanted: number | "all"): Query<List>;
  /**
   * Gives the query for the companies under a node, each once (§4.3). A text without a level takes it from the tree.
   *
   * @param text the node's id, or its level and id as in "sector:12"
   * @param withAllIndustries every classification of each company instead of what the provider shows by default
   * @throws RequestError (FEED_NOT_FOUND …), NoValueError (FEED_AMBIGUOUS) as the query's failure
   */
  queryConstituentsOf(
    text: string,
    list: TaxonomyList,
    withAllIndustries: boolean,
    wanted: number | "all",
  ): Query<List>;
  /**
   * Gives the query for the other companies of a company's node, each once (§4.3). The company's record names the node.
   *
   * @param withAllMatches also companies whose primary classification is another node; default, those of the same one
   * @throws RequestError (FEED_NOT_FOUND …), NoValueError (FEED_NO_VALUE, FEED_AMBIGUOUS) as the query's failure
   */
  queryPeers(
    company: CompanyRef,
    level: Level,
    list: TaxonomyList,
    withAllMatches: boolean,
    wanted: number | "all",
  ): Query<List>;
}

interface TaxonomiesOptions {
  queryCache: QueryCache;
  queryId: CompaniesQueries["queryId"];
  writtenCompanies: WrittenCompanies;
  limits: PageLimits;
}

const POLICY: PersistencePolicy = { family: "taxonomies" };

/** Makes the queries about taxonomies. */
export function createTaxonomies(provider: Provider, options: TaxonomiesOptions): TaxonomyQueries {
  const queries = {
    queryTree: () => queryTree(provider),
    query: (company: CompanyRef) => queryCompany(provider, options, company),
  };
  const context: ListContext = { ...options, ...queries, provider };
  return {
    ...queries,
    queryUniverse: (list, wanted) => ({
      key: ["universe", list, wanted],
      persistence: POLICY,
      load: async (loading) => (await loadLists()).loadUniverse(context, list, wanted, loading),
    }),
    queryConstituentsOf: (text, list, withAllIndustries, wanted) => ({
      key: ["constituents", text, list, withAllIndustries, wanted],
      persistence: POLICY,
      load: async (loading) =>
        (await loadLists()).loadConstituents(context, text, list, withAllIndustries, wanted, loading),
    }),
    queryPeers: (company, level, list, withAllMatches, wanted) => ({
      key: ["peers", toRefKey(company), level, list, withAllMatches, wanted],
      persistence: options.writtenCompanies.persist(POLICY, company, "classification"),
      load: async (loading) =>
        (await loadLists()).loadPeers(context, company, { level, list, withAllMatches, wanted }, loading),
    }),
  };
}

const loadLists = () => loadScript(() => import(/* webpackChunkName: "lists" */ "./taxonomies/lists"));

function queryTree(provider: Provider): Query<readonly Row[]> {
  return {
    key: ["getTaxonomyTree"],
    persistence: POLICY,
    load: async ({ signal, sources }) =>
      decodeObjects((await provider.load({ operation: "getTaxonomyTree" }, { signal, sources })).body, "taxonomy"),
  };
}

function queryCompany(
  provider: Provider,
  { queryCache, writtenCompanies }: TaxonomiesOptions,
  company: CompanyRef,
): Query<Row> {
  if ("companyId" in company) return queryById(provider, company.companyId);
  return {
    key: ["getTaxonomyCompany", company],
    persistence: writtenCompanies.persist(POLICY, company, "classification"),
    load: (loading) =>
      writtenCompanies.load({ company, data: "classification" }, loading, (companyId) =>
        queryCache.wait(queryById(provider, companyId), loading),
      ),
  };
}

function queryById(provider: Provider, companyId: string): Query<Row> {
  return {
    key: ["getTaxonomyCompany", toCompanyKey(companyId)],
    persistence: POLICY,
    load: async ({ signal, sources }) => {
      const reply = await provider.load({ operation: "getTaxonomyCompany", path: { companyId } }, { signal, sources });
      const record = decodeRow(reply.body, "taxonomy");
      assertAnswerOf(companyId, readText(record.companyId));
      return record;
    },
  };
}

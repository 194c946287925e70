import type { FastifyRequest } from "fastify";
import { DEFAULT_PAGE_SIZE, type OperationId } from "../contract/constants";
import type { Grant } from "./access";
import { type CompanyQuery, getCompany, searchCompanies } from "./companies";
import { TAXONOMY_TREE } from "./data/taxonomy";
import type { Level } from "./data/universe";
import { getCompanyFinancials, getFinancialsOfMany } from "./financials";
import type { Provider } from "./provider";
import { type RankingQuery, rankCompanies, rankCompanyPages, rankIndustries } from "./rankings";
import {
  type GroupingQuery,
  getTaxonomyCompany,
  listGroupingCompanies,
  listTaxonomyCompanies,
  type TaxonomyQuery,
} from "./taxonomies";

type Handler = (provider: Provider, grant: Grant, request: FastifyRequest) => unknown;

/** The parts of a request, which the contract's schemas have checked and filled with defaults before. */
const readQuery = <Query>({ query }: FastifyRequest) => query as Query;
const readPath = ({ params }: FastifyRequest, name: string) => (params as Record<string, string>)[name]!;

const groupBy =
  (level: Level): Handler =>
  (provider, grant, request) =>
    listGroupingCompanies(provider, grant, level, readPath(request, level), readQuery<GroupingQuery>(request));

/** The handler of each operation. */
export const HANDLERS: Record<Exclude<OperationId, "createToken">, Handler> = {
  searchCompanies: (provider, grant, request) => searchCompanies(provider, grant, readQuery<CompanyQuery>(request)),
  getCompany: (provider, _grant, request) => getCompany(provider, readPath(request, "companyId")),
  getCompanyFinancials: (provider, _grant, request) =>
    getCompanyFinancials(provider, readPath(request, "companyId"), readQuery<{ year?: number }>(request).year),
  getFinancialsOfMany: (provider, _grant, request) => getFinancialsOfMany(provider, request.body),
  listTaxonomyCompanies: (provider, grant, request) =>
    listTaxonomyCompanies(provider, grant, readQuery<TaxonomyQuery>(request)),
  getTaxonomyCompany: (provider, _grant, request) => getTaxonomyCompany(provider, readPath(request, "companyId")),
  listIndustryCompanies: groupBy("industryId"),
  listSubSectorCompanies: groupBy("subSectorId"),
  listSectorCompanies: groupBy("sectorId"),
  getTaxonomyTree: () => TAXONOMY_TREE,
  rankCompanies: (provider, _grant, request) => rankCompanies(provider, readQuery<RankingQuery>(request)),
  rankCompanyPages: (provider, _grant, request) => rankCompanyPages(provider, readQuery<RankingQuery>(request)),
  rankIndustries: (provider, _grant, request) => rankIndustries(provider, readQuery<RankingQuery>(request)),
  // The document shows one parameter and no answer (§4.5): here it is the first page of the search.
  listCompaniesWalkThrough: (provider, grant, request) => {
    const { country = "ALL" } = readQuery<{ country?: string }>(request);
    return searchCompanies(provider, grant, { country, page: 1, page_size: DEFAULT_PAGE_SIZE });
  },
};

/** Method and path of every operation; the path continues the provider's base URL (§4). */
export const OPERATIONS = {
  createToken: { method: "POST", path: "/token" },
  searchCompanies: { method: "GET", path: "/asia/private-markets/v1/companies" },
  getCompany: { method: "GET", path: "/asia/private-markets/v1/companies/{companyId}" },
  getCompanyFinancials: { method: "GET", path: "/asia/private-markets/v1/financials/companies/{companyId}" },
  getFinancialsOfMany: { method: "POST", path: "/asia/private-markets/v1/financials" },
  listTaxonomyCompanies: { method: "GET", path: "/asia/industry-taxonomies/v1/companies" },
  getTaxonomyCompany: { method: "GET", path: "/asia/industry-taxonomies/v1/companies/{companyId}" },
  listIndustryCompanies: { method: "GET", path: "/asia/industry-taxonomies/v1/industries/{industryId}/companies" },
  listSubSectorCompanies: { method: "GET", path: "/asia/industry-taxonomies/v1/sub-sectors/{subSectorId}/companies" },
  listSectorCompanies: { method: "GET", path: "/asia/industry-taxonomies/v1/sectors/{sectorId}/companies" },
  getTaxonomyTree: { method: "GET", path: "/asia/industry-taxonomies/v1/tree" },
  rankCompanies: { method: "GET", path: "/japan/ranking/v1/companies" },
  rankCompanyPages: { method: "GET", path: "/japan/ranking/v1/company-pages" },
  rankIndustries: { method: "GET", path: "/japan/ranking/v1/industries" },
  listCompaniesWalkThrough: { method: "GET", path: "/private-company/v1/companies" },
} as const satisfies Record<string, { method: "GET" | "POST"; path: string }>;

/** Names an operation. */
export type OperationId = keyof typeof OPERATIONS;

/** An operation that reads data. */
export type ReadOperation = Exclude<OperationId, "createToken">;

/** Items per page when page_size is left out (§8). */
export const DEFAULT_PAGE_SIZE = 25;

/** Items per page of the industry ranking when page_size is left out (§8). */
export const INDUSTRY_RANKING_PAGE_SIZE = 1000;

/** Lifetime of an access token in seconds (§8). */
export const TOKEN_LIFETIME_SECONDS = 300;

/** Longest recommended time between iat and exp of a client assertion, in seconds (§5.2). */
export const ASSERTION_LIFETIME_LIMIT_SECONDS = 300;

/** The grant_type of the token request (§4.1). */
export const GRANT_TYPE = "client_credentials";

/** The client_assertion_type of the token request (§4.1). */
export const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** The scopes of the document; any one of the three for taxonomy suffices (§5.4). */
export const SCOPES = {
  company: "company:read",
  financials: "financials:read",
  taxonomy: ["taxonomy:*:read", "taxonomy:private:read", "taxonomy:public:read"],
  rankings: {
    companies: "feed-ranking.companies",
    companyPages: "feed-ranking.company-pages",
    industries: "feed-ranking.industries",
  },
} as const;

/** Families of data: each has its own servers, as far as paths tell (§4), rights and freshness policy. */
export const FAMILIES = ["financials", "rankings", "companies", "taxonomies"] as const;
export type Family = (typeof FAMILIES)[number];

/** The family of each operation that reads data. */
export const OPERATION_FAMILIES: Readonly<Record<ReadOperation, Family>> = {
  searchCompanies: "companies",
  getCompany: "companies",
  listCompaniesWalkThrough: "companies",
  getCompanyFinancials: "financials",
  getFinancialsOfMany: "financials",
  listTaxonomyCompanies: "taxonomies",
  getTaxonomyCompany: "taxonomies",
  listIndustryCompanies: "taxonomies",
  listSubSectorCompanies: "taxonomies",
  listSectorCompanies: "taxonomies",
  getTaxonomyTree: "taxonomies",
  rankCompanies: "rankings",
  rankCompanyPages: "rankings",
  rankIndustries: "rankings",
};

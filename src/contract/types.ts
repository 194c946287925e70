import type { components } from "./generated/types";

type Schemas = components["schemas"];

export type TokenResponse = Schemas["TokenResponse"];
export type Company = Schemas["Company"];
export type Representative = Schemas["Representative"];
export type Employees = Schemas["Employees"];
export type IndustryClassification = Schemas["IndustryClassification"];
export type CompanyFinancials = Schemas["CompanyFinancials"];
export type FinancialYear = Schemas["FinancialYear"];
export type Statement = Schemas["Statement"];
export type Metric = Schemas["Metric"];
export type FinancialsRequest = Schemas["FinancialsRequest"];
export type TaxonomyCompany = Schemas["TaxonomyCompany"];
export type TaxonomyEntry = Schemas["TaxonomyEntry"];
export type Sector = Schemas["Sector"];
export type CompanyRanking = Schemas["CompanyRanking"];
export type CompanyPageRanking = Schemas["CompanyPageRanking"];
export type PageStatsValue = Schemas["PageStatsValue"];
export type EngagementTime = Schemas["EngagementTime"];
export type IndustryRanking = Schemas["IndustryRanking"];
export type ErrorBody = Schemas["ErrorBody"];
export type ErrorDetail = Schemas["ErrorDetail"];
export type CompanyPage = Schemas["CompanyPage"];
export type TaxonomyCompanyPage = Schemas["TaxonomyCompanyPage"];
export type CompanyRankingPage = Schemas["CompanyRankingPage"];
export type CompanyPageRankingPage = Schemas["CompanyPageRankingPage"];
export type IndustryRankingPage = Schemas["IndustryRankingPage"];

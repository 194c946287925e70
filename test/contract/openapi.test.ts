import { describe, expect, it } from "@jest/globals";
import { description, operations, readParameters, type Schema } from "./description";

const { schemas } = description.components;

function withScopes(...scopes: string[]) {
  return scopes.map((scope) => ({ accessToken: [scope] }));
}

function isNullable({ type, anyOf }: Schema): boolean {
  return [type].flat().includes("null") || (anyOf ?? []).some(isNullable);
}

describe("the operations", () => {
  it("require the scopes of the document (§4, §5.4)", () => {
    const taxonomy = withScopes("taxonomy:*:read", "taxonomy:private:read", "taxonomy:public:read");
    expect(Object.fromEntries(Object.values(operations).map((each) => [each.operationId, each.security]))).toEqual({
      createToken: [],
      searchCompanies: withScopes("company:read"),
      getCompany: withScopes("company:read"),
      getCompanyFinancials: withScopes("financials:read"),
      getFinancialsOfMany: withScopes("financials:read"),
      listTaxonomyCompanies: taxonomy,
      getTaxonomyCompany: taxonomy,
      listIndustryCompanies: taxonomy,
      listSubSectorCompanies: taxonomy,
      listSectorCompanies: taxonomy,
      getTaxonomyTree: taxonomy,
      rankCompanies: withScopes("feed-ranking.companies"),
      rankCompanyPages: withScopes("feed-ranking.company-pages"),
      rankIndustries: withScopes("feed-ranking.industries"),
      listCompaniesWalkThrough: undefined, // a bearer without named scopes, like the description's default
    });
  });

  it("require a country's access scope on the five lists by country, and nowhere else", () => {
    const marked = Object.values(operations).filter((operation) => operation["x-country-scope"]);
    expect(marked.map(({ operationId }) => operationId)).toEqual([
      "searchCompanies",
      "listTaxonomyCompanies",
      "listIndustryCompanies",
      "listSubSectorCompanies",
      "listSectorCompanies",
    ]);
  });

  it("document 404 for the two reads by id alone (§7)", () => {
    const marked = Object.values(operations).filter(({ responses }) => "404" in responses);
    expect(marked.map(({ operationId }) => operationId)).toEqual(["getCompany", "getTaxonomyCompany"]);
  });

  it("fail in the error shape in the ranking family alone (§7)", () => {
    const shaped = Object.values(operations).filter(({ responses }) =>
      JSON.stringify([responses["4XX"], responses.default]).includes("/RankingFailure"),
    );
    expect(shaped.map(({ operationId }) => operationId)).toEqual([
      "rankCompanies",
      "rankCompanyPages",
      "rankIndustries",
    ]);
  });

  it.each([
    ["searchCompanies", "country! identifier page=1 page_size=25 sort"],
    ["getCompany", "companyId!"],
    ["getCompanyFinancials", "companyId! year"],
    ["getFinancialsOfMany", ""],
    ["listTaxonomyCompanies", "country! company_type! page=1 page_size=25"],
    ["getTaxonomyCompany", "companyId!"],
    ["listIndustryCompanies", "industryId! country! company_type! page=1 page_size=25 show_all_industries=false"],
    ["listSubSectorCompanies", "subSectorId! country! company_type! page=1 page_size=25 show_all_industries=false"],
    ["listSectorCompanies", "sectorId! country! company_type! page=1 page_size=25 show_all_industries=false"],
    ["getTaxonomyTree", ""],
    ["rankCompanies", "start_datetime! end_datetime! page=1 page_size=25"],
    ["rankCompanyPages", "start_datetime! end_datetime! page=1 page_size=25"],
    ["rankIndustries", "start_datetime! end_datetime! page=1 page_size=1000"],
    ["listCompaniesWalkThrough", "country"],
  ])("%s takes the parameters: %s", (operationId, expected) => {
    const written = readParameters(operationId).map(({ name, required, schema }) => {
      if (required) return `${name}!`;
      return schema.default === undefined ? name : `${name}=${schema.default}`;
    });
    expect(written.join(" ")).toBe(expected);
  });
});

describe("the fields", () => {
  it("can be null if the document says so, and nowhere else (§2, §7)", () => {
    const nullable = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.keys(properties)
        .filter((field) => isNullable(properties[field]!))
        .map((field) => `${name}.${field}`),
    );
    expect(nullable).toEqual([
      "Employees.nonConsolidated",
      "Employees.consolidated",
      "TaxonomyCompany.companyInformalName",
      "TaxonomyCompany.tickerSymbol",
      "TaxonomyCompany.exchangeName",
      "TaxonomyCompany.exchangeCode",
      "TaxonomyCompany.exchangeCountry",
      "TaxonomyCompany.listingDate",
      "CompanyRanking.tickerSymbol",
      "CompanyRanking.engagementTime",
      "PageStatsValue.engagementTime",
      "EngagementTime.min",
      "EngagementTime.max",
    ]);
    const error = schemas.ErrorBody!.properties!.error!;
    expect(Object.keys(error.properties!).filter((field) => isNullable(error.properties![field]!))).toEqual([
      "traceId",
      "details",
    ]);
  });

  it("have an enum only if the document gives a whole list", () => {
    const closed = Object.entries(schemas).filter(([, schema]) => JSON.stringify(schema).includes('"enum"'));
    expect(closed.map(([name]) => name)).toEqual(["PageType"]);
  });
});

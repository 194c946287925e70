import { describe, expect, it } from "@jest/globals";
import * as constants from "../../src/contract/constants";
import * as values from "../../src/contract/parameter-values";
import { description, operations, readParameters } from "./description";

const { schemas, securitySchemes } = description.components;

function readDefault(operationId: string, name: string): unknown {
  return readParameters(operationId).find((parameter) => parameter.name === name)?.schema.default;
}

describe("the constants", () => {
  it("name every operation of the description with its method and path", () => {
    const described = Object.values(operations).map(({ operationId, method, path }) => [operationId, { method, path }]);
    expect(constants.OPERATIONS).toEqual(Object.fromEntries(described));
  });

  it("list the metric names by statement, in the description's order", () => {
    expect(Object.entries(constants.METRICS)).toEqual(Object.entries(schemas.Statement!["x-metric-names"]!));
    expect(Object.keys(constants.METRICS)).toEqual([...constants.STATEMENT_TYPES]);
  });

  it("list the 18 page types in the description's order", () => {
    expect(values.PAGE_TYPES).toEqual(schemas.PageType!.enum);
    expect(values.PAGE_TYPES).toHaveLength(18);
  });

  it("list the company types of the parameter", () => {
    const type = readParameters("listTaxonomyCompanies").find(({ name }) => name === "company_type");
    expect(values.COMPANY_TYPES).toEqual(type!.schema.enum);
  });

  it("hold the default page sizes", () => {
    for (const { operationId } of Object.values(operations)) {
      const size = readDefault(operationId, "page_size");
      if (size === undefined) continue;
      const expected =
        operationId === "rankIndustries" ? constants.INDUSTRY_RANKING_PAGE_SIZE : constants.DEFAULT_PAGE_SIZE;
      expect([operationId, size]).toEqual([operationId, expected]);
    }
  });

  it("hold the fixed values of the token request", () => {
    const { grant_type, client_assertion_type } = schemas.TokenRequest!.properties!;
    expect(constants.GRANT_TYPE).toBe(grant_type!.const);
    expect(constants.ASSERTION_TYPE).toBe(client_assertion_type!.const);
  });

  it("hold the two lifetimes of five minutes", () => {
    expect([constants.TOKEN_LIFETIME_SECONDS, constants.ASSERTION_LIFETIME_LIMIT_SECONDS]).toEqual([300, 300]);
  });

  it("hold every named scope, and no other", () => {
    const { company, financials, taxonomy, rankings } = constants.SCOPES;
    expect([company, financials, ...taxonomy, ...Object.values(rankings)]).toEqual(
      Object.keys(securitySchemes.accessToken.flows.clientCredentials.scopes),
    );
  });
});

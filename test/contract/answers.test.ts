import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import Ajv from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { ROOM } from "./description";

const COMPANY_ID = "0f8f4a4e-2b1c-4c55-9d0a-6f1f6f0f3a11";

// The description is no schema itself; ajv only resolves references into it.
const ajv = addFormats(new Ajv({ strict: false }));
ajv.addSchema(JSON.parse(readFileSync(join(ROOM, "generated/openapi.json"), "utf8")), "api");

function fits(schema: string, value: unknown): boolean {
  return ajv.validate({ $ref: `api#/components/schemas/${schema}` }, value);
}

const ranking = { companyName: "A", headquarters: "Tokyo", totalPageViews: 3, totalUniquePageViews: 2 };

describe("the description accepts", () => {
  it.each([
    ["a company of which only the id is known", "Company", { id: COMPANY_ID }],
    ["employees without any count", "Employees", { nonConsolidated: null, consolidated: null }],
    ["consolidated employees of an unknown shape", "Employees", { consolidated: { anything: [1] } }],
    ["an employee range that is null", "EmployeeCount", { employeeRange: null }],
    ["an employee range of any type", "EmployeeCount", { employeeRange: { from: 1, to: 9 } }],
    ["a year of POST /financials without period bounds", "FinancialYear", { year: 2023, statements: [] }],
    [
      "a statement type and metric nobody has named",
      "Statement",
      { statementType: "EQUITY", metrics: [{ name: "X", value: -1 }] },
    ],
    ["financials by company", "FinancialsRequest", { companyIds: [COMPANY_ID] }],
    ["financials by registration number", "FinancialsRequest", { identifiers: ["0100-01"], year: 2023 }],
    ["financials by both", "FinancialsRequest", { companyIds: [COMPANY_ID], identifiers: ["0100-01"] }],
    [
      "a company that is not listed",
      "TaxonomyCompany",
      { companyId: COMPANY_ID, tickerSymbol: null, listingDate: null, taxonomy: [] },
    ],
    ["a ranked company without engagement", "CompanyRanking", { ...ranking, tickerSymbol: null, engagementTime: null }],
    ["engagement with an average only", "EngagementTime", { avg: 1.5, min: null, max: null }],
    ["a page type without statistics", "CompanyPageRanking", { ...ranking, pages: { NEWS: null } }],
    [
      "an error without trace and details",
      "ErrorBody",
      { error: { code: "X", message: "Y", traceId: null, details: null } },
    ],
  ])("%s", (_what, schema, value) => {
    expect(fits(schema, value)).toBe(true);
  });
});

describe("the description refuses", () => {
  it.each([
    ["a company without id", "Company", { companyName: "A" }],
    ["a company id that is no UUID", "Company", { id: "7" }],
    ["a null where the document allows none", "CompanyRanking", { ...ranking, headquarters: null }],
    ["financials of nobody", "FinancialsRequest", { year: 2023 }],
    ["a metric whose value is text", "Metric", { name: "Revenue", value: "12" }],
    ["a page ranking without pages", "CompanyPageRanking", ranking],
    ["a page type outside the 18", "CompanyPageRanking", { ...ranking, pages: { HOME: null } }],
    ["engagement without an average", "EngagementTime", { avg: null, min: 1, max: 2 }],
    ["an envelope without total", "CompanyPage", { data: [], page: 1, pageSize: 25 }],
    [
      "another grant type",
      "TokenRequest",
      { grant_type: "password", client_id: "c", client_assertion_type: "x", client_assertion: "j" },
    ],
    ["an error without message", "ErrorBody", { error: { code: "X" } }],
  ])("%s", (_what, schema, value) => {
    expect(fits(schema, value)).toBe(false);
  });
});

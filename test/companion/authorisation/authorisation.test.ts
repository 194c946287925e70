import { describe, expect, it } from "@jest/globals";
import { authorise, type ReadRequest } from "../../../src/companion/reads/authorisation";
import { type Role, toEntitlements } from "../../../src/companion/reads/entitlements";
import { FAMILIES, OPERATIONS } from "../../../src/contract/constants";

const COUNTRIES: Readonly<Record<string, string>> = { toyo: "JPN", hana: "KOR", anzu: "JPN" };

const ROLES: Readonly<Record<string, Role>> = {
  everything: { families: FAMILIES, countries: "ALL" },
  japan: { families: FAMILIES, countries: ["JPN"] },
  korea: { families: ["companies", "financials"], countries: ["KOR"] },
  statements: { families: ["financials"], countries: "ALL" },
  taiwan: { families: FAMILIES, countries: ["TWN", "HKG"] },
};

const as = (...roles: string[]) => toEntitlements({ id: "a", roles }, ROLES);

/** Builds a request as the relay has it after validation. */
function ask(
  operation: ReadRequest["operation"],
  about: { id?: string; parameters?: string; body?: unknown } = {},
): ReadRequest {
  const { method, path } = OPERATIONS[operation];
  const { id, parameters = "", body } = about;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const query = { method, path: path + parameters, body: text === undefined ? undefined : Buffer.from(text) };
  return { operation, ids: id === undefined ? {} : { companyId: id }, query };
}

const refusalOf = (roles: readonly string[], asked: ReadRequest) =>
  authorise(as(...roles), asked, async (ids) => ids.map((id) => COUNTRIES[id])).then(
    () => "read",
    ({ statusCode, code, message }) => `${statusCode} ${code} ${message}`,
  );

const sentenceOf = (what: string) => `403 FEED_SCOPE_MISSING Your role reads ${what}: ask your administrator for more.`;

describe("a person entitled to one country", () => {
  it.each<[string, ReadRequest]>([
    ["a company of it", ask("getCompany", { id: "toyo" })],
    ["statements of one", ask("getCompanyFinancials", { id: "toyo", parameters: "?year=2024" })],
    ["statements of several", ask("getFinancialsOfMany", { body: { companyIds: ["toyo", "anzu"], year: 2024 } })],
    ["all years of them", ask("getFinancialsOfMany", { body: { companyIds: ["toyo"] } })],
    ["a classification", ask("getTaxonomyCompany", { id: "toyo" })],
    ["a list of it", ask("listTaxonomyCompanies", { parameters: "?country=JPN&company_type=ALL" })],
    ["an industry's companies", ask("listIndustryCompanies", { parameters: "?company_type=ALL&country=JPN" })],
    ["a registration number in it", ask("searchCompanies", { parameters: "?country=JPN&identifier=1" })],
    ["the rankings, which are of it", ask("rankCompanies", { parameters: "?start_datetime=a&end_datetime=b" })],
    ["the tree, which is of no country", ask("getTaxonomyTree")],
  ])("may read %s", async (_what, asked) => {
    expect(await refusalOf(["japan"], asked)).toBe("read");
  });

  it.each<[string, string, ReadRequest]>([
    ["a company elsewhere", "companies of JPN only", ask("getCompany", { id: "hana" })],
    ["a company that nobody knows", "companies of JPN only", ask("getCompany", { id: "nobody" })],
    ["statements elsewhere", "financials of JPN only", ask("getCompanyFinancials", { id: "hana" })],
    [
      "statements of several, one elsewhere",
      "financials of JPN only",
      ask("getFinancialsOfMany", { body: { companyIds: ["toyo", "hana"] } }),
    ],
    ["a classification elsewhere", "taxonomies of JPN only", ask("getTaxonomyCompany", { id: "hana" })],
    ["all countries", "companies of JPN only", ask("searchCompanies", { parameters: "?country=ALL&identifier=1" })],
    ["a country written otherwise", "companies of JPN only", ask("searchCompanies", { parameters: "?country=jpn" })],
    ["no country", "companies of JPN only", ask("listCompaniesWalkThrough")],
    ["another country", "taxonomies of JPN only", ask("listSectorCompanies", { parameters: "?country=KOR" })],
  ])("may not read %s", async (_what, said, asked) => {
    expect(await refusalOf(["japan"], asked)).toBe(sentenceOf(said));
  });

  it("cannot tell a missing company from a forbidden one", async () => {
    const [forbidden, unknown] = ["hana", "nobody"].map((id) => refusalOf(["japan"], ask("getCompany", { id })));
    expect(await forbidden).toBe(await unknown);
  });

  it("may not send registration numbers, which name no country", async () => {
    const body = { companyIds: ["toyo"], identifiers: ["1"] };
    expect(await refusalOf(["japan"], ask("getFinancialsOfMany", { body }))).toBe(
      "403 FEED_SCOPE_MISSING Your role reads some countries only, and a registration number names none: ask by company id.",
    );
  });

  it.each([
    ["a name that stands twice", '{"companyIds":["toyo"],"companyIds":["hana"]}'],
    ["a name that stands twice in other letters", '{"companyIds":["toyo"],"companyids":["hana"]}'],
    ["a name that stands twice, once in escapes", '{"companyIds":["toyo"],"company\\u0049ds":["hana"]}'],
    ["another name", '{"companyIds":["toyo"],"country":"KOR"}'],
    ["nobody", '{"companyIds":[]}'],
    ["no list", '{"companyIds":"hana"}'],
    ["a number", '{"companyIds":[1]}'],
    ["a year that is none", '{"companyIds":["toyo"],"year":"2024"}'],
    ["no JSON", "companyIds=hana"],
    ["blanks", '{"companyIds": ["toyo"]}'],
    ["a prototype", '{"companyIds":["toyo"],"__proto__":{"identifiers":["1"]}}'],
  ])("may not send a body that a provider may read differently, with %s", async (_what, body) => {
    expect(await refusalOf(["japan"], ask("getFinancialsOfMany", { body }))).toBe(
      '400 FEED_REQUEST_INVALID The body must be JSON without blanks, of "companyIds" and "year" alone.',
    );
  });

  it("may not read rankings unless the country is Japan", async () => {
    expect(await refusalOf(["taiwan"], ask("rankIndustries"))).toBe(sentenceOf("rankings of TWN, HKG only"));
  });
});

describe("a person with roles", () => {
  it("may read no family that no role names", async () => {
    expect(await refusalOf(["statements"], ask("getTaxonomyTree"))).toBe(sentenceOf("no taxonomies"));
    expect(await refusalOf([], ask("getCompany", { id: "toyo" }))).toBe(sentenceOf("no companies"));
    expect(await refusalOf(["constructor"], ask("getCompany", { id: "toyo" }))).toBe(sentenceOf("no companies"));
  });

  it("may read the countries of each role, in that role's families", async () => {
    const both = ["japan", "korea"];
    expect(await refusalOf(both, ask("getFinancialsOfMany", { body: { companyIds: ["toyo", "hana"] } }))).toBe("read");
    expect(await refusalOf(both, ask("getTaxonomyCompany", { id: "hana" }))).toBe(sentenceOf("taxonomies of JPN only"));
  });

  it.each<[string, ReadRequest]>([
    ["a body of registration numbers", ask("getFinancialsOfMany", { body: { identifiers: ["1"] } })],
    ["all countries", ask("searchCompanies", { parameters: "?country=ALL" })],
    ["companies that nobody knows", ask("getCompany", { id: "nobody" })],
  ])("may send %s if all countries are allowed", async (_what, asked) => {
    expect(await refusalOf(["everything"], asked)).toBe("read");
    expect(await refusalOf(["statements", "everything"], asked)).toBe("read");
  });
});

describe("a firm without roles", () => {
  it.each([
    ["a signed-in person", { id: "a", roles: [] }, undefined],
    ["whoever a code of the terminal paired", undefined, ROLES],
  ])("lets %s read everything its client may", async (_who, person, roles) => {
    const nobody = () => Promise.reject(new Error("nobody is asked where a company is"));
    for (const operation of ["getTaxonomyTree", "getCompany", "rankCompanies", "getFinancialsOfMany"] as const) {
      await authorise(toEntitlements(person, roles), ask(operation, { id: "hana" }), nobody);
    }
  });
});

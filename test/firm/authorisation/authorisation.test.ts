import { describe, expect, it } from "@jest/globals";
import type { ReadRequest } from "../../../src/companion/feature";
import { FAMILIES, OPERATIONS } from "../../../src/contract/constants";
import { authorise } from "../../../src/firm/reads/authorisation";
import { type Role, toEntitlements } from "../../../src/firm/reads/entitlements";
import REQUESTS from "./requests.json";

const COUNTRIES: Readonly<Record<string, string>> = { toyo: "JPN", hana: "KOR", anzu: "JPN" };

const ROLES: Readonly<Record<string, Role>> = {
  everything: { families: FAMILIES, countries: "ALL" },
  japan: { families: FAMILIES, countries: ["JPN"] },
  korea: { families: ["companies", "financials"], countries: ["KOR"] },
  statements: { families: ["financials"], countries: "ALL" },
  taiwan: { families: FAMILIES, countries: ["TWN", "HKG"] },
};

const as = (...roles: string[]) => toEntitlements({ id: "a", roles }, ROLES);

type Operation = ReadRequest["operation"];
type About = { id?: string; parameters?: string; body?: unknown };

/** Builds a request as the relay has it after validation. */
function buildRequest(operation: Operation, about: About = {}): ReadRequest {
  const { method, path } = OPERATIONS[operation];
  const { id, parameters = "", body } = about;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const query = { method, path: path + parameters, body: text === undefined ? undefined : Buffer.from(text) };
  return { operation, ids: id === undefined ? {} : { companyId: id }, query };
}

const refusalOf = (roles: readonly string[], request: ReadRequest) =>
  authorise(as(...roles), request, async (ids) => ids.map((id) => COUNTRIES[id])).then(
    () => "read",
    ({ statusCode, code, message }) => `${statusCode} ${code} ${message}`,
  );

const sentenceOf = (what: string) => `403 FEED_SCOPE_MISSING Your role reads ${what}: ask your administrator for more.`;

describe("a person entitled to one country", () => {
  it.each(REQUESTS.read as unknown as [string, Operation, About][])("may read %s", async (_what, operation, about) => {
    expect(await refusalOf(["japan"], buildRequest(operation, about))).toBe("read");
  });

  const forbidden = REQUESTS.forbidden as unknown as [string, string, Operation, About][];
  it.each(forbidden)("may not read %s", async (_what, said, operation, about) => {
    expect(await refusalOf(["japan"], buildRequest(operation, about))).toBe(sentenceOf(said));
  });

  it("gets the same answer for a missing and a forbidden company", async () => {
    const [forbidden, unknown] = ["hana", "nobody"].map((id) =>
      refusalOf(["japan"], buildRequest("getCompany", { id })),
    );
    expect(await forbidden).toBe(await unknown);
  });

  it("may not send registration numbers, which name no country", async () => {
    const body = { companyIds: ["toyo"], identifiers: ["1"] };
    expect(await refusalOf(["japan"], buildRequest("getFinancialsOfMany", { body }))).toBe(
      "403 FEED_SCOPE_MISSING Your role reads some countries only, and a registration number names none: ask by company id.",
    );
  });

  const ambiguous = REQUESTS.ambiguousBodies as [string, string][];
  it.each(ambiguous)("may not send a body that a provider may read differently, with %s", async (_what, body) => {
    expect(await refusalOf(["japan"], buildRequest("getFinancialsOfMany", { body }))).toBe(
      '400 FEED_REQUEST_INVALID The body must be JSON without blanks, of "companyIds" and "year" alone.',
    );
  });

  it("may not read rankings unless the country is Japan", async () => {
    expect(await refusalOf(["taiwan"], buildRequest("rankIndustries"))).toBe(sentenceOf("rankings of TWN, HKG only"));
  });
});

describe("a person with roles", () => {
  it("may read no family that no role names", async () => {
    expect(await refusalOf(["statements"], buildRequest("getTaxonomyTree"))).toBe(sentenceOf("no taxonomies"));
    expect(await refusalOf([], buildRequest("getCompany", { id: "toyo" }))).toBe(sentenceOf("no companies"));
    expect(await refusalOf(["constructor"], buildRequest("getCompany", { id: "toyo" }))).toBe(
      sentenceOf("no companies"),
    );
  });

  it("may read the countries of each role, in that role's families", async () => {
    const both = ["japan", "korea"];
    expect(await refusalOf(both, buildRequest("getFinancialsOfMany", { body: { companyIds: ["toyo", "hana"] } }))).toBe(
      "read",
    );
    expect(await refusalOf(both, buildRequest("getTaxonomyCompany", { id: "hana" }))).toBe(
      sentenceOf("taxonomies of JPN only"),
    );
  });

  it.each<[string, ReadRequest]>([
    ["a body of registration numbers", buildRequest("getFinancialsOfMany", { body: { identifiers: ["1"] } })],
    ["all countries", buildRequest("searchCompanies", { parameters: "?country=ALL" })],
    ["companies that nobody knows", buildRequest("getCompany", { id: "nobody" })],
  ])("may send %s if all countries are allowed", async (_what, request) => {
    expect(await refusalOf(["everything"], request)).toBe("read");
    expect(await refusalOf(["statements", "everything"], request)).toBe("read");
  });
});

it.each([
  ["a signed-in person", { id: "a", roles: [] }, undefined],
  ["whoever a code of the terminal paired", undefined, ROLES],
])("a firm without roles lets %s read everything its client may", async (_who, person, roles) => {
  const nobody = () => Promise.reject(new Error("nobody is asked where a company is"));
  for (const operation of ["getTaxonomyTree", "getCompany", "rankCompanies", "getFinancialsOfMany"] as const) {
    await authorise(toEntitlements(person, roles), buildRequest(operation, { id: "hana" }), nobody);
  }
});

import { describe, expect, it } from "@jest/globals";
import { type Family, OPERATION_FAMILIES } from "../../../src/contract/constants";
import { type AsFirm, createCompanyCountries } from "../../../src/firm/reads/company-countries";
import { createMemoryAnswers } from "../../../src/firm/stores/memory";
import { createProvider } from "../../companion/test-configuration";
import CASES from "./company-countries.json";

type Operation = keyof typeof OPERATION_FAMILIES;

const PRIVATE = "/asia/private-markets/v1/companies";
const CLASSIFIED = "/asia/industry-taxonomies/v1/companies";

const COMPANIES: Readonly<Record<string, object>> = CASES.companies;

const toPage = (...data: object[]) => Buffer.from(JSON.stringify({ data }));

/** The firm's own reads of a provider with these companies, and the requested paths. */
function createFirm(answers = createMemoryAnswers(), provider = createProvider()) {
  const lookups: string[] = [];
  let status = 200;
  const counted: number[] = [];
  const read: AsFirm["read"] = async (_operation, { path }) => {
    lookups.push(path);
    const company = COMPANIES[path];
    const body = Buffer.from(JSON.stringify(company ?? {}));
    return { status: status === 200 && company === undefined ? 404 : status, headers: { "retry-after": "7" }, body };
  };
  const companyCountries = createCompanyCountries({ answers }, () => provider);
  const fail = (failure: number) => {
    status = failure;
  };
  const asFirm: AsFirm = { read, admit: (loads) => void (loads > 0 && counted.push(loads)) };
  const readable = new Set(["JPN", "CYM"]);
  const findIn = (family: Family, ...ids: string[]) => companyCountries.find(family, ids, asFirm, readable);
  return { lookups, counted, fail, findIn, find: findIn.bind(null, "financials"), learn: companyCountries.learn };
}

describe("a company's country", () => {
  it("comes from its registered address, else from its classification", async () => {
    const { find, lookups } = createFirm();
    expect(await find("toyo", "hana", "anzu")).toEqual(["JPN", "KOR", "JPN"]);
    expect(lookups.filter((path) => path.endsWith("/toyo"))).toEqual([`${PRIVATE}/toyo`]);
  });

  it("is unknown if neither has one; a malformed id causes no request", async () => {
    const { find, lookups } = createFirm();
    expect(await find("odd", "nobody")).toEqual([undefined, undefined]);
    lookups.length = 0;
    expect(await find("../tree", "", "a?b", "a/b")).toEqual([undefined, undefined, undefined, undefined]);
    expect(lookups).toEqual([]);
  });

  it("is requested once for all instances, and no other fact of the company is cached", async () => {
    const answers = createMemoryAnswers();
    const cached: string[] = [];
    const watched = {
      ...answers,
      store: (entries: Parameters<typeof answers.store>[0]) => {
        cached.push(...entries.map(({ body }) => body.toString()));
        return answers.store(entries);
      },
    };
    const [first, second] = [createFirm(watched), createFirm(watched)];
    expect(await first.find("toyo")).toEqual(["JPN"]);
    expect(await second.find("toyo")).toEqual(["JPN"]);
    expect([second.lookups, cached]).toEqual([[], ["JPN"]]);
  });

  it("comes from each family's own record, not from the last read or list", async () => {
    const { findIn, find, learn, lookups } = createFirm();
    await learn("listTaxonomyCompanies", toPage({ companyId: "toyo", countryCode: "CYM" }));
    expect(await find("toyo")).toEqual(["JPN"]);
    expect(await findIn("companies", "toyo")).toEqual(["JPN"]);
    await learn("searchCompanies", toPage({ id: "toyo", registeredAddress: { country: "KOR" } }));
    expect(await findIn("taxonomies", "toyo")).toEqual(["CYM"]);
    expect(await find("toyo")).toEqual(["KOR"]);
    expect(lookups).toEqual([`${PRIVATE}/toyo`]);
  });

  it("is not taken from another company's record", async () => {
    expect(await createFirm().find("other")).toEqual([undefined]);
  });

  it("is updated by the company's own record, so that a move is known at once", async () => {
    const { find, learn } = createFirm();
    await find("toyo");
    await learn("getCompany", Buffer.from('{"id":"toyo","registeredAddress":{"country":"KOR"}}'));
    expect(await find("toyo")).toEqual(["KOR"]);
  });

  it("counts the same requests for a known and an unknown company, and none the next time", async () => {
    const { find, counted } = createFirm();
    for (const id of ["toyo", "nobody", "nobody", "toyo"]) await find(id);
    expect(counted).toEqual([2, 2]);
  });

  it("takes the same requests for a company that may not be read and for none, each the first time", async () => {
    const { findIn, lookups } = createFirm();
    expect(await findIn("taxonomies", "hana", "nobody")).toEqual(["KOR", undefined]);
    for (const id of ["hana", "nobody"]) {
      expect(lookups.filter((path) => path.endsWith(`/${id}`))).toEqual([`${CLASSIFIED}/${id}`, `${PRIVATE}/${id}`]);
    }
  });

  it("is the same for an id in any letter case", async () => {
    const { find, learn, lookups } = createFirm();
    const id = "abcdef01-0000-4000-8000-000000000001";
    await learn("searchCompanies", toPage({ id, registeredAddress: { country: "JPN" } }));
    expect(await find(id.toUpperCase())).toEqual(["JPN"]);
    expect(lookups).toEqual([]);
  });

  it("is requested in small groups, and no more after a refusal", async () => {
    const { find, fail, lookups } = createFirm();
    fail(429);
    await expect(find(...Array.from({ length: 600 }, (_each, index) => `c${index}`))).rejects.toMatchObject({
      code: "FEED_RATE_LIMITED",
    });
    expect(lookups).toHaveLength(12);
  });

  it("is not shared with another provider or client", async () => {
    const answers = createMemoryAnswers();
    await createFirm(answers).find("toyo");
    const other = createFirm(answers, createProvider("https://other.example.com"));
    await other.find("toyo");
    expect(other.lookups).toEqual([`${PRIVATE}/toyo`]);
  });

  const learned = CASES.learned as unknown as [Operation, object[]][];
  it.each(learned)("is learned from %s, as far as it contains it", async (operation, data) => {
    const { findIn, lookups, learn } = createFirm();
    await learn(operation, Buffer.from(JSON.stringify({ data })));
    expect(await findIn(OPERATION_FAMILIES[operation], "a", "b")).toEqual(["JPN", undefined]);
    expect([...lookups].sort()).toEqual([`${CLASSIFIED}/b`, `${PRIVATE}/b`]);
  });

  it.each(CASES.notLearned as [Operation, string][])("is not learned from %s with %s", async (operation, text) => {
    const { find, learn } = createFirm();
    await learn(operation, Buffer.from(text));
    expect(await find("a")).toEqual([undefined]);
  });

  const passing = CASES.passing as unknown as [number, object][];
  it.each(passing)("is requested again after a %i, which says nothing of it", async (status, refusal) => {
    const { find, fail } = createFirm();
    fail(status);
    await expect(find("toyo")).rejects.toMatchObject(refusal);
    fail(200);
    expect(await find("toyo")).toEqual(["JPN"]);
  });
});

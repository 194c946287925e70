import { describe, expect, it } from "@jest/globals";
import { createHomes, type ReadAsFirm } from "../../../src/companion/homes";
import { createMemoryAnswers } from "../../../src/companion/stores/memory";
import { createProvider } from "../configured";

const PRIVATE = "/asia/private-markets/v1/companies";
const CLASSIFIED = "/asia/industry-taxonomies/v1/companies";

const COMPANIES: Readonly<Record<string, object>> = {
  [`${PRIVATE}/toyo`]: { id: "toyo", registeredAddress: { country: "JPN", line1: "1-1" }, telephoneNumber: "03" },
  [`${CLASSIFIED}/hana`]: { companyId: "hana", countryCode: "KOR", companyFormalName: "Hana" },
  [`${PRIVATE}/anzu`]: { id: "anzu", registeredAddress: null },
  [`${CLASSIFIED}/anzu`]: { companyId: "anzu", countryCode: "JPN" },
  [`${PRIVATE}/odd`]: { id: "odd", registeredAddress: { country: "Japan" } },
  [`${CLASSIFIED}/odd`]: { companyId: "odd", countryCode: ["JPN"] },
};

/** The firm's own reads of a provider with these companies, and what was asked for. */
function createFirm(answers = createMemoryAnswers(), provider = createProvider()) {
  const asked: string[] = [];
  let status = 200;
  const read: ReadAsFirm = async (_operation, { path }) => {
    asked.push(path);
    const company = COMPANIES[path];
    const body = Buffer.from(JSON.stringify(company ?? {}));
    return { status: status === 200 && company === undefined ? 404 : status, headers: { "retry-after": "7" }, body };
  };
  const homes = createHomes(answers, () => provider);
  const fail = (failure: number) => {
    status = failure;
  };
  return { asked, fail, find: (...ids: string[]) => homes.find(ids, read), learn: homes.learn };
}

describe("where a company is", () => {
  it("is told by its registered address, or else by its classification", async () => {
    const { find, asked } = createFirm();
    expect(await find("toyo", "hana", "anzu")).toEqual(["JPN", "KOR", "JPN"]);
    expect(asked.filter((path) => path.endsWith("/toyo"))).toEqual([`${PRIVATE}/toyo`]);
  });

  it("is unknown where neither tells a country, and of what is no id nobody is asked", async () => {
    const { find, asked } = createFirm();
    expect(await find("odd", "nobody")).toEqual([undefined, undefined]);
    asked.length = 0;
    expect(await find("../tree", "", "a?b", "a/b")).toEqual([undefined, undefined, undefined, undefined]);
    expect(asked).toEqual([]);
  });

  it("is asked for once, by whichever instance, and nothing else of the company is kept", async () => {
    const answers = createMemoryAnswers();
    const kept: string[] = [];
    const watched = {
      ...answers,
      keep: (entries: Parameters<typeof answers.keep>[0]) => {
        kept.push(...entries.map(({ body }) => body.toString()));
        return answers.keep(entries);
      },
    };
    const [first, second] = [createFirm(watched), createFirm(watched)];
    expect(await first.find("toyo")).toEqual(["JPN"]);
    expect(await second.find("toyo")).toEqual(["JPN"]);
    expect([second.asked, kept]).toEqual([[], ["JPN"]]);
  });

  it("is not taken from another provider's or client's companies", async () => {
    const answers = createMemoryAnswers();
    await createFirm(answers).find("toyo");
    const other = createFirm(answers, createProvider("https://other.example.com"));
    await other.find("toyo");
    expect(other.asked).toEqual([`${PRIVATE}/toyo`]);
  });

  it.each([
    ["searchCompanies", [{ id: "a", registeredAddress: { country: "JPN" } }, { id: "b" }, null, { id: 1 }]],
    [
      "listTaxonomyCompanies",
      [
        { companyId: "a", countryCode: "JPN" },
        { companyId: "b", countryCode: "jp" },
      ],
    ],
  ] as const)("is learned from %s, as far as that tells it", async (operation, data) => {
    const { find, asked, learn } = createFirm();
    await learn(operation, Buffer.from(JSON.stringify({ data })));
    expect(await find("a", "b")).toEqual(["JPN", undefined]);
    expect(asked).toEqual([`${PRIVATE}/b`, `${CLASSIFIED}/b`]);
  });

  it.each([
    ["getFinancialsOfMany", '{"data":[{"id":"a","registeredAddress":{"country":"JPN"}}]}'],
    ["searchCompanies", '[{"id":"a"}]'],
    ["searchCompanies", "<html>"],
  ] as const)("is not learned from %s with %s", async (operation, text) => {
    const { find, learn } = createFirm();
    await learn(operation, Buffer.from(text));
    expect(await find("a")).toEqual([undefined]);
  });

  it.each([
    [429, { statusCode: 429, code: "FEED_RATE_LIMITED", retryAfterSeconds: 7 }],
    [500, { statusCode: 502, code: "FEED_SERVER_FAILED" }],
    [401, { statusCode: 502, code: "FEED_SERVER_FAILED" }],
  ])("is asked for again after a %i, which tells nothing of it", async (status, refusal) => {
    const { find, fail } = createFirm();
    fail(status);
    await expect(find("toyo")).rejects.toMatchObject(refusal);
    fail(200);
    expect(await find("toyo")).toEqual(["JPN"]);
  });
});

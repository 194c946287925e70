import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Company } from "../../src/contract/types";
import { PRIVATE_MARKETS, type RunningSandbox, startSandbox } from "./running-sandbox";

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ companies: 400 });
});
afterAll(() => sandbox.close());

const search = async (query: string) => (await sandbox.read(`${PRIVATE_MARKETS}/companies?${query}`)).body;
const readIds = ({ data }: { data: Company[] }) => data.map(({ id }) => id);

describe("company search", () => {
  it("lists the companies of the country and no other; ALL is the sum of the countries", async () => {
    const japan = await search("country=JPN&page_size=400");
    expect(new Set(japan.data.map((company: Company) => company.registeredAddress!.country))).toEqual(new Set(["JPN"]));
    const codes = ["JPN", "SGP", "IDN", "THA", "VNM", "PHL"];
    const totals = await Promise.all(codes.map(async (code) => (await search(`country=${code}`)).total));
    expect(totals.every((total) => total > 0)).toBe(true);
    expect(totals.reduce((sum, total) => sum + total, 0)).toBe((await search("country=ALL")).total);
  });

  it("has pages of 25 without gap or overlap, and an empty page past the end", async () => {
    const first = await search("country=JPN");
    expect([first.page, first.pageSize, first.data.length]).toEqual([1, 25, 25]);
    const ids: string[] = [];
    for (let page = 1; ids.length < first.total; page += 1)
      ids.push(...readIds(await search(`country=JPN&page=${page}`)));
    expect(ids).toEqual(readIds(await search("country=JPN&page_size=400")));
    expect(new Set(ids).size).toBe(first.total);
    expect(await search("country=JPN&page=99")).toEqual({ data: [], page: 99, pageSize: 25, total: first.total });
  });

  it.each(["page=0", "page=-1", "page_size=0", "page_size=-25", "page=2147483648"])("refuses %s", async (query) => {
    const reply = await sandbox.read(`${PRIVATE_MARKETS}/companies?country=JPN&${query}`);
    expect(reply.status).toBe(400);
    expect(reply.body.error.details[0].field).toBe(query.split("=")[0]);
  });

  it("finds one company by registration number or id, in its own country only", async () => {
    const [company] = (await search("country=JPN&page=2")).data as Company[];
    for (const identifier of [company!.registrationNumber!, company!.id, company!.id.toUpperCase()]) {
      expect(await search(`country=JPN&identifier=${identifier}`)).toMatchObject({
        total: 1,
        data: [{ id: company!.id }],
      });
      expect(await search(`country=ALL&identifier=${identifier}`)).toMatchObject({ total: 1 });
      expect(await search(`country=SGP&identifier=${identifier}`)).toMatchObject({ total: 0, data: [] });
    }
    expect(await search("country=ALL&identifier=0000000000000")).toMatchObject({ total: 0, data: [] });
  });

  it.each(["companyName", "registrationNumber"] as const)("sorts by %s in both directions", async (field) => {
    const values = async (sort: string) =>
      (await search(`country=ALL&page_size=400&sort=${sort}`)).data.map((company: Company) => company[field]!);
    const ascending = await values(field);
    expect(ascending).toEqual([...ascending].sort());
    expect(await values(`-${field}`)).toEqual([...ascending].reverse());
  });

  it("refuses an unknown sort field, and names the known ones", async () => {
    const reply = await sandbox.read(`${PRIVATE_MARKETS}/companies?country=JPN&sort=revenue`);
    expect(reply.status).toBe(400);
    expect(reply.body.error.details[0]).toEqual({ field: "sort", issue: expect.stringContaining("companyName") });
  });
});

describe("a company by id", () => {
  it("equals the one of the search, for an id in any letter case", async () => {
    const [company] = (await search("country=THA")).data as Company[];
    for (const id of [company!.id, company!.id.toUpperCase()]) {
      expect((await sandbox.read(`${PRIVATE_MARKETS}/companies/${id}`)).body).toEqual(company);
    }
  });

  it("does not exist beyond the number of companies configured", async () => {
    const larger = await startSandbox({ companies: 401 });
    const { body } = await larger.read(`${PRIVATE_MARKETS}/companies?country=ALL&page=401&page_size=1`);
    await larger.close();
    const [extra] = body.data as Company[];
    expect((await sandbox.read(`${PRIVATE_MARKETS}/companies/${extra!.id}`)).status).toBe(404);
    expect(await search(`country=ALL&identifier=${extra!.registrationNumber}`)).toMatchObject({ total: 0 });
  });
});

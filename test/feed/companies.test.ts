import { afterEach, describe, expect, it } from "@jest/globals";
import { pickField } from "../../src/feed/fields";
import { awaitAnswer, type FeedOnSandbox, type FeedOnServer, startFeed, startFeedOn } from "../support/feed";
import CASES from "./companies.json";

describe("companies of a sandbox", () => {
  let running: FeedOnSandbox;
  afterEach(() => running.close());
  const search = (parts: object, wanted: number | "all" = 5) =>
    awaitAnswer(running.feed, running.feed.companies.querySearch({ country: "ALL", ...parts }, wanted));
  const queryOf = (index: number) => new URL(running.controls.requests[index]?.url ?? "", "http://x").searchParams;

  it("are searched by country, without parameters that were not given", async () => {
    running = await startFeed();
    const { rows } = await search({ country: "JPN" });
    expect(rows.map((row) => pickField(row, "registeredAddress.country"))).toEqual(Array(5).fill("JPN"));
    expect([...queryOf(1).keys()]).toEqual(["country", "page", "page_size"]);
  });

  it("are sorted by the user's exact text; a refusal shows the provider's message", async () => {
    running = await startFeed();
    const { rows } = await search({ sort: "-companyName" });
    const names = rows.map(({ companyName }) => String(companyName));
    expect([...names].sort((one, other) => (one < other ? 1 : -1))).toEqual(names);
    expect(queryOf(1).get("sort")).toBe("-companyName");
    await expect(search({ sort: "Shoe size ↓" })).rejects.toMatchObject({
      code: "FEED_REQUEST_INVALID",
      message: expect.stringContaining("sort must be one of"),
    });
    expect(queryOf(2).get("sort")).toBe("Shoe size ↓");
  });

  it("are found by registration number and carry it for comparison", async () => {
    running = await startFeed();
    const [first] = (await search({})).rows;
    const { rows } = await search({ identifier: first?.registrationNumber });
    expect(rows).toEqual([first]);
    expect((await search({ identifier: "0000" })).rows).toEqual([]);
  });

  it("are one query by id in any letter case", async () => {
    running = await startFeed();
    const id = String((await search({})).rows[0]?.id);
    const both = [id, id.toUpperCase()].map((each) => awaitAnswer(running.feed, running.feed.companies.query(each)));
    expect((await Promise.all(both)).map((row) => row.id)).toEqual([id, id]);
    expect(running.controls.count("getCompany")).toBe(1);
  });
});

describe("a company of a provider", () => {
  let running: FeedOnServer;
  afterEach(() => running.close());
  const start = async (json: unknown) => {
    running = await startFeedOn(({ path }) => (path.startsWith("/asia") ? { json } : undefined));
    return awaitAnswer(running.feed, running.feed.companies.query("a"));
  };

  it("can have null, missing and unknown fields", async () => {
    const row = await start({ id: "a", companyName: null, moonBase: { rooms: 3 } });
    expect(
      ["companyName", "websiteUrl", "registeredAddress.city", "moonBase.rooms"].map((name) => pickField(row, name)),
    ).toEqual([null, undefined, undefined, 3]);
  });

  it("has its values unchanged, with consolidated employees under the usual names", async () => {
    const numbers = { employeeCount: 5, numberOfOfficers: 1, employeeRange: "1-10" };
    const row = await start({
      id: "a",
      representatives: [{ role: "ASTRONAUT" }],
      industryClassifications: [{ standard: "LUNAR" }],
      employees: {
        employeeCountType: "GUESSED",
        nonConsolidated: null,
        consolidated: { ...numbers, employeeRange: 10 },
      },
    });
    expect(pickField(row, "employees.employeeCountType")).toBe("GUESSED");
    expect(pickField(row, "employees.consolidated.employeeCount")).toBe(5);
    expect(pickField(row, "employees.consolidated.employeeRange")).toBe(10);
    expect(pickField(row, "employees.nonConsolidated.employeeCount")).toBeUndefined();
    expect(pickField(row, "representatives")).toEqual([{ role: "ASTRONAUT" }]);
  });

  it("can have its id in another letter case", async () => {
    expect((await start({ id: "A" })).id).toBe("A");
  });

  it.each(CASES.malformed as [unknown][])("is malformed as %j", async (json) => {
    await expect(start(json)).rejects.toMatchObject({ code: "FEED_RESPONSE_MALFORMED" });
  });
});

import { afterEach, describe, expect, it, jest } from "@jest/globals";
import type { Feed } from "../../src/feed/feed";
import { pickField } from "../../src/feed/fields";
import type { Query } from "../../src/feed/query-cache";
import { awaitAnswer, type FeedOnSandbox, type FeedOnServer, startFeed, startFeedOn } from "../support/feed";
import type { Answering, Received } from "../support/http-server";
import CASES from "./queries.json";

const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };
const LIST = { country: "ALL", companyType: "ALL" };

let running: FeedOnSandbox | FeedOnServer;
afterEach(() => running.close());

/** Starts a provider with the test's answers to data requests. */
const startProvider = async (answer: (request: Received) => Answering) => {
  running = await startFeedOn((request) => (/^\/(asia|japan)/.test(request.path) ? answer(request) : undefined));
};
const load = <T>(toQuery: (feed: Feed) => Query<T>) => awaitAnswer(running.feed, toQuery(running.feed));

describe("a company of a provider", () => {
  const start = async (json: unknown) => {
    await startProvider(() => ({ json }));
    return load(({ companies }) => companies.query("a"));
  };

  it("can have null, missing and unknown fields", async () => {
    const row = await start({ id: "a", companyName: null, moonBase: { rooms: 3 } });
    const names = ["companyName", "websiteUrl", "registeredAddress.city", "moonBase.rooms"];
    expect(names.map((name) => pickField(row, name))).toEqual([null, undefined, undefined, 3]);
  });

  it("has its values unchanged, with consolidated employees under the usual names", async () => {
    const row = await start(CASES.odd);
    expect(pickField(row, "employees.employeeCountType")).toBe("GUESSED");
    expect(pickField(row, "employees.consolidated.employeeCount")).toBe(5);
    expect(pickField(row, "employees.consolidated.employeeRange")).toBe(10);
    expect(pickField(row, "employees.nonConsolidated.employeeCount")).toBeUndefined();
    expect(pickField(row, "representatives")).toEqual([{ role: "ASTRONAUT" }]);
  });

  it("can have its id in another letter case", async () => {
    expect((await start({ id: "A" })).id).toBe("A");
  });

  it.each(CASES.malformedCompanies as [unknown][])("is malformed as %j", async (json) => {
    await expect(start(json)).rejects.toMatchObject({ code: "FEED_RESPONSE_MALFORMED" });
  });
});

describe("a ranking", () => {
  it("keeps the provider's order over all pages", async () => {
    const views = [1, 9, null, 5, 7];
    const data = views.map((totalPageViews, at) => ({ companyName: `C${at}`, headquarters: "T", totalPageViews }));
    await startProvider(({ query }) => {
      const from = (Number(query.get("page")) - 1) * 2;
      return { json: { data: data.slice(from, from + 2), page: 1, pageSize: 2, total: data.length } };
    });
    expect((await load(({ rankings }) => rankings.queryCompanies(RANGE, "all"))).rows).toEqual(data);
  });
});

describe("the companies of a country", () => {
  it("are as many as wanted, each with all its rows", async () => {
    const rows = [false, true].map((isPrimaryIndustry) => ({ companyId: "c0", taxonomy: [{ isPrimaryIndustry }] }));
    await startProvider(() => ({ json: { data: [...rows, { companyId: "c1", taxonomy: "" }], total: 3 } }));
    const list = await load(({ taxonomies }) => taxonomies.queryUniverse(LIST, 2));
    expect(list.rows).toEqual([
      { companyId: "c0", taxonomy: [{ isPrimaryIndustry: false }, { isPrimaryIndustry: true }] },
      { companyId: "c1", taxonomy: "" },
    ]);
  });
});

describe("the body of a grouping endpoint", () => {
  const companies = Array.from({ length: 130 }, (_, index) => ({
    companyId: `c${index}`,
    score: index % 2 ? -1 : "high",
  }));
  const start = async (toBody: (request: Received) => unknown) => {
    await startProvider((request) => ({
      json: request.path.endsWith("/tree") ? [{ sectorId: "s" }] : toBody(request),
    }));
    return load(({ taxonomies }) => taxonomies.queryConstituentsOf("s", LIST, false, "all"));
  };
  const cut = ({ query }: Received, cap: number) => {
    const size = Math.min(Number(query.get("page_size") ?? 25), cap);
    const from = (Number(query.get("page")) - 1) * size;
    return companies.slice(from, from + size);
  };

  it.each([
    ["a page envelope", (request: Received) => ({ data: cut(request, 1_000), page: 1, pageSize: 1_000, total: 130 })],
    ["a bare array, whole", () => companies],
    ["a bare array, paged", (request: Received) => cut(request, 50)],
  ])("can be %s", async (_, toBody) => {
    expect((await start(toBody)).rows).toEqual(companies);
  });

  it("can be an empty bare array", async () => {
    expect(await start(() => [])).toEqual({ rows: [], expected: 0 });
  });

  it.each(CASES.malformedLists as [string, unknown][])("is malformed as %s", async (_, body) => {
    await expect(start(() => body)).rejects.toMatchObject({ code: "FEED_RESPONSE_MALFORMED" });
  });

  it("can have null in any field but the id, and scores of any type", async () => {
    const { rows } = await start(() => [{ companyId: "a", taxonomy: null, foundedYear: null, score: "high" }]);
    const values = ["taxonomy", "foundedYear", "website", "score"].map((name) => pickField(rows[0] ?? {}, name));
    expect(values).toEqual([null, null, undefined, "high"]);
  });
});

describe("a script that does not load", () => {
  const LISTS = "../../src/feed/pages/load";
  it.each<[string, string, (feed: Feed) => Query<{ rows: readonly unknown[] }>]>([
    ["a ranking", LISTS, ({ rankings }) => rankings.queryCompanies(RANGE, 3)],
    ["a search", LISTS, ({ companies }) => companies.querySearch({ country: "ALL" }, 3)],
    [
      "a list of classified companies",
      "../../src/feed/taxonomies/lists",
      ({ taxonomies }) => taxonomies.queryUniverse(LIST, 3),
    ],
    ["a name", "../../src/feed/names/build", ({ names }) => names.query("a", "ALL", 3)],
  ])("fails %s as a network failure, and is requested again by the next one", async (_, script, toQuery) => {
    running = await startFeed();
    jest.doMock(script, () => {
      throw new Error("Loading chunk lists failed.");
    });
    await expect(load(toQuery)).rejects.toMatchObject({
      code: "FEED_NETWORK_FAILED",
      cell: "#N/A",
      message: "a script of this add-in was not reached; check the network and that the companion runs, then refresh",
    });
    jest.dontMock(script);
    await running.feed.queryCache.refresh();
    expect((await load(toQuery)).rows).toHaveLength(3);
  });
});

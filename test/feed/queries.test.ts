import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { PAGE_TYPES } from "../../src/contract/parameter-values";
import type { Row } from "../../src/feed/decode";
import type { Feed } from "../../src/feed/feed";
import { pickField } from "../../src/feed/fields";
import type { Query } from "../../src/feed/query-cache";
import { awaitAnswer, type FeedOnSandbox, type FeedOnServer, startFeed, startFeedOn } from "../support/feed";
import type { Answering, Received } from "../support/http-server";
import CASES from "./queries.json";

const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };
const LIST = { country: "ALL", companyType: "ALL" };

let sandbox: FeedOnSandbox;
let provider: FeedOnServer;
let running: FeedOnSandbox | FeedOnServer;
afterEach(() => running.close());

const startSandbox = async (options?: Parameters<typeof startFeed>[0]) => {
  sandbox = await startFeed(options);
  running = sandbox;
};
/** Starts a provider with the test's answers to data requests. */
const startProvider = async (answer: (request: Received) => Answering) => {
  provider = await startFeedOn((request) => (/^\/(asia|japan)/.test(request.path) ? answer(request) : undefined));
  running = provider;
};
const load = <T>(toQuery: (feed: Feed) => Query<T>) => awaitAnswer(running.feed, toQuery(running.feed));
/** The query parameters of the requests so far, the token's among them. */
const sent = () => sandbox.controls.requests.map(({ url }) => new URL(url, "http://x").searchParams);

describe("companies of a sandbox", () => {
  const search = (parts: object) =>
    load(({ companies }) => companies.querySearch({ country: "ALL", ...parts }, 5)).then(({ rows }) => rows);

  it("are searched by country, without parameters that were not given", async () => {
    await startSandbox();
    const rows = await search({ country: "JPN" });
    expect(rows.map((row) => pickField(row, "registeredAddress.country"))).toEqual(Array(5).fill("JPN"));
    expect([...(sent()[1] ?? []).keys()]).toEqual(["country", "page", "page_size"]);
  });

  it("are sorted by the user's exact text; a refusal shows the provider's message", async () => {
    await startSandbox();
    const names = (await search({ sort: "-companyName" })).map(({ companyName }) => String(companyName));
    expect([...names].sort((one, other) => (one < other ? 1 : -1))).toEqual(names);
    await expect(search({ sort: "Shoe size ↓" })).rejects.toMatchObject({
      code: "FEED_REQUEST_INVALID",
      message: expect.stringContaining("sort must be one of"),
    });
    expect([1, 2].map((at) => sent()[at]?.get("sort"))).toEqual(["-companyName", "Shoe size ↓"]);
  });

  it("are found by registration number and carry it for comparison", async () => {
    await startSandbox();
    const [first] = await search({});
    expect(await search({ identifier: first?.registrationNumber })).toEqual([first]);
    expect(await search({ identifier: "0000" })).toEqual([]);
  });

  it("are one query by id in any letter case", async () => {
    await startSandbox();
    const id = String((await search({}))[0]?.id);
    const both = [id, id.toUpperCase()].map((each) => load(({ companies }) => companies.query(each)));
    expect((await Promise.all(both)).map((row) => row.id)).toEqual([id, id]);
    expect(sandbox.controls.count("getCompany")).toBe(1);
  });
});

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

describe("a ranking of a sandbox", () => {
  it("sends date-times exactly as written, and is complete", async () => {
    await startSandbox();
    await load(({ rankings }) => rankings.queryCompanies(RANGE, 10));
    const { start, end } = RANGE;
    const query = { start_datetime: start, end_datetime: end, page: "1", page_size: "10" };
    expect(Object.fromEntries(sent()[1] ?? [])).toEqual(query);
    const decade = { start: "2014-01-01T00:00:00", end: "2024-12-31T23:59:59" };
    await load(({ rankings }) => rankings.queryCompanies(decade, 1));
    expect(sandbox.controls.count("rankCompanies")).toBe(2);
  });

  it("of companies has its pages by type, and of industries its names", async () => {
    await startSandbox();
    const { rows } = await load(({ rankings }) => rankings.queryCompanyPages(RANGE, 3));
    expect(rows.map(({ pages }) => Object.keys(pages as object))).toEqual(Array(3).fill([...PAGE_TYPES]));
    const industries = await load(({ rankings }) => rankings.queryIndustries(RANGE, "all"));
    expect(industries.rows).toHaveLength(200);
  });

  it("of a refused range is #VALUE! with the provider's text and trace id", async () => {
    await startSandbox();
    const reversed = { start: RANGE.end, end: RANGE.start };
    await expect(load(({ rankings }) => rankings.queryCompanies(reversed, 10))).rejects.toMatchObject({
      code: "FEED_REQUEST_INVALID",
      cell: "#VALUE!",
      message: expect.stringContaining("must not be before start_datetime"),
      facts: { status: 400, traceId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    });
    const starts = sent()
      .slice(1)
      .map((query) => query.get("start_datetime"));
    expect(new Set(starts)).toEqual(new Set([reversed.start]));
  });
});

describe("a ranking of a provider", () => {
  const start = async (data: unknown[]) => {
    await startProvider(({ query }) => {
      const size = Math.min(10, Number(query.get("page_size")));
      const from = (Number(query.get("page")) - 1) * size;
      return { json: { data: data.slice(from, from + size), page: 1, pageSize: size, total: data.length } };
    });
    return load(({ rankings }) => rankings.queryCompanies(RANGE, "all"));
  };
  const row = (companyName: string, totalPageViews: unknown) => ({
    companyName,
    tickerSymbol: null,
    headquarters: "T",
    totalPageViews,
  });

  it("keeps the provider's order over all pages", async () => {
    const data = [row("C", 1), row("A", 9), row("B", null), row("D", 5), row("E", 7)];
    expect((await start(data)).rows).toEqual(data);
  });

  it("separates companies of one name by ticker and headquarters, and keeps identical ones", async () => {
    const data = [
      row("A", 3),
      { ...row("A", 2), tickerSymbol: "1" },
      { ...row("A", 1), headquarters: "U" },
      ...Array.from({ length: 10 }, (_, index) => row(`B${index}`, 1)),
      row("A", 3),
    ];
    expect((await start(data)).rows).toEqual(data);
  });
});

describe("taxonomies of a sandbox", () => {
  it("list the companies under any level, and their other classifications on request", async () => {
    await startSandbox();
    const [sector] = await load(({ taxonomies }) => taxonomies.queryTree());
    const [subSector] = (sector?.subSectors ?? []) as Row[];
    const [industry] = (subSector?.industries ?? []) as Row[];
    const nodes = [sector?.sectorId, subSector?.subSectorId, industry?.industryId].map(String);
    const loadNode = (node = "", withAllIndustries = false) =>
      load(({ taxonomies }) => taxonomies.queryConstituentsOf(node, LIST, withAllIndustries, "all"));
    const lists = await Promise.all(nodes.map((node) => loadNode(node)));
    const [inSector = 0, inSubSector = 0, inIndustry = 0] = lists.map(({ rows }) => rows.length);
    expect(inSector).toBeGreaterThan(inSubSector);
    expect(inSubSector).toBeGreaterThan(inIndustry);
    expect(
      sent()
        .slice(2)
        .every((query) => !query.has("show_all_industries")),
    ).toBe(true);
    const all = await loadNode(nodes[0], true);
    expect(sent().at(-1)?.get("show_all_industries")).toBe("true");
    const count = ({ rows }: { rows: readonly Row[] }) => rows.flatMap(({ taxonomy }) => taxonomy as Row[]).length;
    expect(count(all)).toBeGreaterThan(count(lists[0]!));
  });

  it("send country and company type as given, and show the answer for the scope", async () => {
    await startSandbox({ scopes: ["taxonomy:private:read"] });
    const list = { country: "JPN", companyType: "PUBLIC" };
    expect((await load(({ taxonomies }) => taxonomies.queryUniverse(list, 5))).rows).toHaveLength(5);
    const query = { country: "JPN", company_type: "PUBLIC", page: "1", page_size: "30" };
    expect(Object.fromEntries(sent()[1] ?? [])).toEqual(query);
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
    await startSandbox();
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

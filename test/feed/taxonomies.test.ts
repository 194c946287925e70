import { afterEach, describe, expect, it } from "@jest/globals";
import type { Row } from "../../src/feed/decode";
import { pickField } from "../../src/feed/fields";
import { awaitAnswer, type FeedOnSandbox, type FeedOnServer, startFeed, startFeedOn } from "../support/feed";
import type { Received } from "../support/http-server";
import CASES from "./taxonomies.json";

const LIST = { country: "ALL", companyType: "ALL" };

describe("taxonomies of a sandbox", () => {
  let running: FeedOnSandbox;
  afterEach(() => running.close());
  const queryOf = (index: number) => new URL(running.controls.requests[index]?.url ?? "", "http://x").searchParams;
  const taxonomies = () => running.feed.taxonomies;

  it("list the companies under any level, and their other classifications on request", async () => {
    running = await startFeed();
    const [sector] = await awaitAnswer(running.feed, taxonomies().queryTree());
    const [subSector] = (sector?.subSectors ?? []) as Row[];
    const [industry] = (subSector?.industries ?? []) as Row[];
    const nodes = [sector?.sectorId, subSector?.subSectorId, industry?.industryId].map(String);
    const lists = await Promise.all(
      nodes.map((node) => awaitAnswer(running.feed, taxonomies().queryConstituentsOf(node, LIST, false, "all"))),
    );
    const [inSector = 0, inSubSector = 0, inIndustry = 0] = lists.map(({ rows }) => rows.length);
    expect(inSector).toBeGreaterThan(inSubSector);
    expect(inSubSector).toBeGreaterThan(inIndustry);
    const sent = running.controls.requests.slice(2).map(({ url }) => new URL(url, "http://x").searchParams);
    expect(sent.every((query) => !query.has("show_all_industries"))).toBe(true);
    running.controls.requests.length = 0;
    const all = await awaitAnswer(running.feed, taxonomies().queryConstituentsOf(nodes[0]!, LIST, true, "all"));
    expect(queryOf(0).get("show_all_industries")).toBe("true");
    const count = ({ rows }: { rows: readonly Row[] }) => rows.flatMap(({ taxonomy }) => taxonomy as Row[]).length;
    expect(count(all)).toBeGreaterThan(count(lists[0]!));
  });

  it("send country and company type as given, and show the answer for the scope", async () => {
    running = await startFeed({ scopes: ["taxonomy:private:read"] });
    const list = { country: "JPN", companyType: "PUBLIC" };
    const { rows } = await awaitAnswer(running.feed, taxonomies().queryUniverse(list, 5));
    expect(rows).toHaveLength(5);
    expect(Object.fromEntries(queryOf(1))).toEqual({
      country: "JPN",
      company_type: "PUBLIC",
      page: "1",
      page_size: "30",
    });
  });
});

describe("the companies of a country", () => {
  let running: FeedOnServer;
  afterEach(() => running.close());

  it("are as many as wanted, each with all its rows", async () => {
    const rows = [false, true].map((isPrimaryIndustry) => ({ companyId: "c0", taxonomy: [{ isPrimaryIndustry }] }));
    running = await startFeedOn(({ path }) =>
      path.startsWith("/asia") ? { json: { data: [...rows, { companyId: "c1", taxonomy: "" }], total: 3 } } : undefined,
    );
    const list = await awaitAnswer(running.feed, running.feed.taxonomies.queryUniverse(LIST, 2));
    expect(list.rows).toEqual([
      { companyId: "c0", taxonomy: [{ isPrimaryIndustry: false }, { isPrimaryIndustry: true }] },
      { companyId: "c1", taxonomy: "" },
    ]);
  });
});

describe("the body of a grouping endpoint", () => {
  let running: FeedOnServer;
  afterEach(() => running.close());
  const companies = Array.from({ length: 130 }, (_, index) => ({
    companyId: `c${index}`,
    score: index % 2 ? -1 : "high",
  }));
  const start = async (toBody: (request: Received) => unknown) => {
    running = await startFeedOn((request) => {
      if (!request.path.startsWith("/asia")) return undefined;
      return { json: request.path.endsWith("/tree") ? [{ sectorId: "s" }] : toBody(request) };
    });
    return awaitAnswer(running.feed, running.feed.taxonomies.queryConstituentsOf("s", LIST, false, "all"));
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

  it.each(CASES.malformed as [string, unknown][])("is malformed as %s", async (_, body) => {
    await expect(start(() => body)).rejects.toMatchObject({ code: "FEED_RESPONSE_MALFORMED" });
  });

  it("can have null in any field but the id, and scores of any type", async () => {
    const { rows } = await start(() => [{ companyId: "a", taxonomy: null, foundedYear: null, score: "high" }]);
    expect(["taxonomy", "foundedYear", "website", "score"].map((name) => pickField(rows[0] ?? {}, name))).toEqual([
      null,
      null,
      undefined,
      "high",
    ]);
  });
});

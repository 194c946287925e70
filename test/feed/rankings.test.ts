import { afterEach, describe, expect, it } from "@jest/globals";
import { PAGE_TYPES } from "../../src/contract/parameter-values";
import { awaitAnswer, type FeedOnSandbox, type FeedOnServer, startFeed, startFeedOn } from "../support/feed";

const range = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };

describe("a ranking of a sandbox", () => {
  let running: FeedOnSandbox;
  afterEach(() => running.close());
  const queryOf = (index: number) => new URL(running.controls.requests[index]?.url ?? "", "http://x").searchParams;

  it("sends date-times exactly as written, and is complete", async () => {
    running = await startFeed();
    await awaitAnswer(running.feed, running.feed.rankings.queryCompanies(range, 10));
    expect(Object.fromEntries(queryOf(1))).toEqual({
      start_datetime: range.start,
      end_datetime: range.end,
      page: "1",
      page_size: "10",
    });
    const decade = { start: "2014-01-01T00:00:00", end: "2024-12-31T23:59:59" };
    await awaitAnswer(running.feed, running.feed.rankings.queryCompanies(decade, 1));
    expect(running.controls.count("rankCompanies")).toBe(2);
  });

  it("of companies has its pages by type, and of industries its names", async () => {
    running = await startFeed();
    const { rows } = await awaitAnswer(running.feed, running.feed.rankings.queryCompanyPages(range, 3));
    expect(rows.map(({ pages }) => Object.keys(pages as object))).toEqual(Array(3).fill([...PAGE_TYPES]));
    const industries = await awaitAnswer(running.feed, running.feed.rankings.queryIndustries(range, "all"));
    expect(industries.rows).toHaveLength(200);
  });

  it("of a refused range is #VALUE! with the provider's text and trace id", async () => {
    running = await startFeed();
    const reversed = { start: range.end, end: range.start };
    await expect(awaitAnswer(running.feed, running.feed.rankings.queryCompanies(reversed, 10))).rejects.toMatchObject({
      code: "FEED_REQUEST_INVALID",
      cell: "#VALUE!",
      message: expect.stringContaining("must not be before start_datetime"),
      facts: { status: 400, traceId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    });
    const sent = running.controls.requests.slice(1).map(({ url }) => new URL(url, "http://x").searchParams);
    expect(new Set(sent.map((query) => query.get("start_datetime")))).toEqual(new Set([reversed.start]));
  });
});

describe("a ranking of a provider", () => {
  let running: FeedOnServer;
  afterEach(() => running.close());
  const start = async (data: unknown[]) => {
    running = await startFeedOn(({ path, query }) => {
      if (!path.startsWith("/japan")) return undefined;
      const size = Math.min(10, Number(query.get("page_size")));
      const from = (Number(query.get("page")) - 1) * size;
      return { json: { data: data.slice(from, from + size), page: 1, pageSize: size, total: data.length } };
    });
    return awaitAnswer(running.feed, running.feed.rankings.queryCompanies(range, "all"));
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

import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { Financials } from "../../src/feed/decode";
import { createYearQueries, type YearQueries } from "../../src/feed/financials";
import type { Query } from "../../src/feed/query-cache";
import { drain } from "../support/clock";
import { awaitAnswer, type FeedOnSandbox, type FeedOnServer, listen, startFeed, startFeedOn } from "../support/feed";
import type { Answering, Received } from "../support/http-server";
import { until } from "../support/until";

describe("financials of a sandbox", () => {
  let running: FeedOnSandbox;
  afterEach(() => running.close());

  const start = async (count: number) => {
    running = await startFeed();
    const { rows } = await awaitAnswer(running.feed, running.feed.companies.querySearch({ country: "ALL" }, count));
    running.controls.reset();
    return rows.map(({ id, registrationNumber }) => ({ id: String(id), number: String(registrationNumber) }));
  };
  const operations = () => running.controls.requests.map(({ operationId }) => operationId);
  const queryOf = (...given: Parameters<FeedOnSandbox["feed"]["financials"]["query"]>) =>
    running.feed.financials.query(...given);
  const load = (...given: Parameters<typeof queryOf>) => awaitAnswer(running.feed, queryOf(...given));

  it("from before a refresh are refetched by the next query", async () => {
    const [{ id } = { id: "" }, other = { id: "" }] = await start(2);
    await load({ companyId: id });
    listen(running.feed, queryOf({ companyId: other.id }, { year: 2020 }));
    await running.clock.advance(2_000);
    await running.feed.queryCache.refresh();
    running.controls.requests.length = 0;
    const { answers } = listen(running.feed, queryOf({ companyId: id }, { year: 2018 }));
    await until(() => answers().length === 2);
    const [before = 0, after = 0] = answers().map(({ asOfMs }) => asOfMs);
    expect(after - before).toBeGreaterThanOrEqual(2_000);
    expect(operations()).toEqual(["getCompanyFinancials"]);
  });

  it("of several registration numbers are resolved one by one, since answers have ids alone", async () => {
    const companies = await start(5);
    const answers = companies.map(({ number }) => load({ registrationNumber: number }));
    expect((await Promise.all(answers)).map(({ companyId }) => companyId)).toEqual(companies.map(({ id }) => id));
    expect(running.controls.requests.map(({ body }) => body)).toEqual(
      companies.map(({ number }) => ({ identifiers: [number] })),
    );
  });

  it("of resolved numbers are refreshed in a batch", async () => {
    const companies = await start(5);
    const queries = companies.map(({ number }) => queryOf({ registrationNumber: number }));
    for (const query of queries) listen(running.feed, query);
    await Promise.all(queries.map((query) => awaitAnswer(running.feed, query)));
    await running.clock.advance(1_500);
    running.controls.requests.length = 0;
    await running.feed.queryCache.refresh();
    expect(operations()).toEqual(["getFinancialsOfMany"]);
  });

  it("get periods by one GET a company if POST omits them", async () => {
    const companies = await start(3);
    running.controls.postWithoutPeriods = true;
    const answers = companies.flatMap(({ id }) =>
      [2021, 2022].map((year) => load({ companyId: id }, { year, withPeriods: true })),
    );
    for (const { fields } of (await Promise.all(answers)).flatMap(({ years }) => years))
      expect(fields.financialPeriodEnd).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(operations()).toEqual(["getFinancialsOfMany", ...Array(3).fill("getCompanyFinancials")]);
  });

  it("need no GET if POST has the periods or no query needs them", async () => {
    const companies = await start(3);
    const loadAll = (withPeriods: boolean) =>
      Promise.all(companies.map(({ id }) => load({ companyId: id }, { withPeriods })));
    await loadAll(true);
    running.controls.postWithoutPeriods = true;
    await loadAll(false);
    expect(operations()).toEqual(["getFinancialsOfMany", "getFinancialsOfMany"]);
  });
});

describe("financials of a provider", () => {
  let running: FeedOnServer;
  afterEach(() => running.close());
  const FAMILY = "/asia/private-markets/v1/";
  const start = async (answer: (request: Received) => Answering | Promise<Answering>) => {
    running = await startFeedOn((request) => (request.path.startsWith(FAMILY) ? answer(request) : undefined));
  };
  const page = (data: unknown[], total = data.length) => ({ json: { data, page: 1, pageSize: 25, total } });

  it("of a number continue for the other cells when one is cleared", async () => {
    let release = (_: Answering) => {};
    await start(() => new Promise((resolve) => (release = resolve)));
    const of = (year: number | null) => running.feed.financials.query({ registrationNumber: "7" }, { year });
    const { stop } = listen(running.feed, of(null));
    const left = awaitAnswer(running.feed, of(2023));
    await until(() => running.requests().length === 1);
    stop();
    await running.clock.advance(3_000);
    release(page([{ companyId: "a", years: [{ year: 2022 }, { year: 2023 }] }]));
    expect((await left).companyId).toBe("a");
  });

  it("of a number are cancelled when the last cell is cleared", async () => {
    await start(() => ({ raw: () => {} }));
    const { financials } = running.feed;
    const cells = [2022, 2023].map((year) =>
      listen(running.feed, financials.query({ registrationNumber: "7" }, { year })),
    );
    await until(() => running.requests().length === 1);
    for (const { stop } of cells) stop();
    await running.clock.advance(1_500);
    await running.clock.advance(1_500);
    await until(() => running.requests()[0]?.isAborted() === true);
    await drain();
    expect([running.feed.queryCache.size(), running.clock.timers()]).toEqual([0, 0]);
  });
});

describe("the years of a company", () => {
  let yearQueries: YearQueries;
  let made: { key: readonly unknown[]; isClosed: (nowMs: number) => boolean }[];

  beforeEach(() => {
    made = [];
    yearQueries = createYearQueries(
      (companyId, year, isClosed): Query<Financials> => {
        const key = [companyId, year];
        made.push({ key, isClosed });
        return { key, load: () => Promise.reject(new Error("not asked here")) };
      },
      (year, nowMs) => year < nowMs,
    );
  });

  const keyOf = (companyId: string, year: number | null) => yearQueries.query(companyId, year).key;

  it("are one query for the first year and one for all others", () => {
    const keys = [2023, 2022, 2021, 2023, null].map((year) => keyOf("a", year));
    expect(keys).toEqual([2023, null, null, 2023, null].map((year) => ["a", year]));
    expect(keyOf("b", 2022)).toEqual(["b", 2022]);
    expect(made).toHaveLength(3);
  });

  it("return the same query to equal callers", () => {
    expect(yearQueries.query("a", 2023)).toBe(yearQueries.query("a", 2023));
    expect(yearQueries.query("a", 2022)).toBe(yearQueries.query("A", 2021));
  });

  it("are closed when each requested year is past, and never if all years were requested", () => {
    yearQueries.query("a", 2020);
    yearQueries.query("a", 2021);
    const isClosed = (nowMs: number) => made.map((each) => each.isClosed(nowMs));
    expect(isClosed(2020)).toEqual([false, false]);
    expect(isClosed(2021)).toEqual([true, false]);
    expect(isClosed(2022)).toEqual([true, true]);
    yearQueries.query("a", null);
    expect(isClosed(2022)).toEqual([true, false]);
  });
});

import { afterEach, describe, expect, it } from "@jest/globals";
import type { NoValueError } from "../../src/client/errors";
import type { Query, State } from "../../src/feed/query-cache";
import { awaitAnswer, type FeedOnSandbox, listen, settle, startFeed } from "../support/feed";
import { until } from "../support/until";

const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };
const CONFIRM = "FEED_CONFIRM_NEEDED";

let running: FeedOnSandbox;
/** Private companies of Japan. */
let companies: { id: string; registrationNumber: string }[];

afterEach(() => running.close());

async function start(most: number): Promise<void> {
  running = await startFeed();
  const { rows } = await load(running.feed.companies.querySearch({ country: "JPN" }, 40));
  companies = rows.map(({ id, registrationNumber }) => ({
    id: String(id),
    registrationNumber: String(registrationNumber),
  }));
  running.controls.reset();
  running.feed.budget.setLimit(most);
}

const queryRecord = (index: number) => running.feed.companies.query(companies[index]?.id ?? "");
const queryFigures = (index: number) => running.feed.financials.query({ companyId: companies[index]?.id ?? "" });
const load = <T>(query: Query<T>) => awaitAnswer(running.feed, query);
const loadAll = (count: number, toQuery: (index: number) => Query<unknown>, from = 0) =>
  settle(Array.from({ length: count }, (_, index) => load(toQuery(from + index))));
const listenTo = (query: Query<unknown>) => listen(running.feed, query).states;
const codeOf = (state: State<unknown> | undefined) =>
  state?.status === "pending" || state?.error === null ? null : (state?.error as NoValueError | undefined)?.code;

const isWhole = (state: State<unknown> | undefined) => state?.status === "answered";

describe("the request budget", () => {
  it("allows as many requests as its limit: 40 companies in a batch are two", async () => {
    await start(2);
    expect(await loadAll(40, queryFigures)).not.toContain(CONFIRM);
    expect(running.controls.count()).toBe(2);
  });

  it("sends nothing over the limit, reports the count, and allows the query kinds within it", async () => {
    await start(10);
    const [figures, records] = await Promise.all([loadAll(40, queryFigures), loadAll(30, queryRecord)]);
    expect(figures).not.toContain(CONFIRM);
    expect(new Set(records)).toEqual(new Set([CONFIRM]));
    expect([running.controls.count("getFinancialsOfMany"), running.controls.count("getCompany")]).toEqual([2, 0]);
    const [refusal, ...others] = running.feed.budget.unconfirmed();
    expect(others).toEqual([]);
    expect(refusal).toMatchObject({ requests: 30, isRefresh: false });
    expect(refusal?.error).toMatchObject({
      cell: "#N/A",
      message: "this takes about 30 requests; confirm in the FEED pane",
    });
  });

  it("counts requests under way, and starts at 0 when none is", async () => {
    await start(10);
    running.controls.latencyMs = 200;
    const first = loadAll(8, queryRecord);
    await until(() => running.controls.count() > 0);
    expect(new Set(await loadAll(8, queryRecord, 8))).toEqual(new Set([CONFIRM]));
    expect(await first).not.toContain(CONFIRM);
    running.controls.latencyMs = 0;
    expect(await loadAll(8, queryRecord, 16)).not.toContain(CONFIRM);
    expect(running.controls.count()).toBe(16);
  });

  it("allows a confirmed query once", async () => {
    await start(2);
    const observed = [0, 1, 2].map((index) => listenTo(queryRecord(index)));
    await until(() => observed.every((states) => codeOf(states.at(-1)) === CONFIRM));
    const keys = running.feed.budget.unconfirmed().flatMap((refusal) => refusal.keys);
    expect(running.feed.queryCache.checkRefresh({ keys })).toMatchObject({
      refetched: 0,
      failures: [{ code: CONFIRM }],
    });
    running.feed.budget.confirm(running.feed.budget.unconfirmed());
    expect(running.feed.budget.unconfirmed()).toEqual([]);
    expect(running.feed.queryCache.checkRefresh({ keys })).toBeNull();
    expect(await running.feed.queryCache.refresh({ keys })).toMatchObject({ refetched: 3, failures: [] });
    expect(running.controls.count()).toBe(3);
    expect(running.feed.queryCache.checkRefresh({ keys })).not.toBeNull();
    expect(running.controls.count()).toBe(3);
  });

  it("charges a query for the queries it needs", async () => {
    await start(2);
    const registrationNumber = companies[0]?.registrationNumber ?? "";
    await load(running.feed.taxonomies.query({ registrationNumber }));
    expect(running.controls.count()).toBe(2);
    running.feed.budget.setLimit(1);
    const other = companies[1]?.registrationNumber ?? "";
    const [refused] = await settle([load(running.feed.taxonomies.query({ registrationNumber: other }))]);
    expect([refused, running.controls.count()]).toEqual([CONFIRM, 2]);
  });

  it("stops a list after one page if it turns out too long, and discards that page", async () => {
    await start(5);
    running.controls.pageCap = 20;
    const query = running.feed.rankings.queryIndustries(RANGE, "all");
    const states = listenTo(query);
    await until(() => states.at(-1)?.status === "failed");
    expect(codeOf(states.at(-1))).toBe(CONFIRM);
    expect(running.controls.count()).toBe(1);
    const [refusal] = running.feed.budget.unconfirmed();
    expect(refusal?.requests).toBe(11); // the last page is full: another one shows the end
    running.feed.budget.confirm(running.feed.budget.unconfirmed());
    await running.feed.queryCache.refresh({ keys: [query.key] });
    const last = states.at(-1);
    expect(last?.status === "answered" && (last.answer.value as { rows: unknown[] }).rows).toHaveLength(200);
  });

  it("keeps the answer of a list that has grown beyond the limit", async () => {
    await start(5);
    const query = running.feed.rankings.queryIndustries(RANGE, "all");
    const states = listenTo(query);
    await until(() => isWhole(states.at(-1)));
    running.controls.pageCap = 20;
    await running.feed.queryCache.refresh({ keys: [query.key] });
    expect(states.at(-1)).toMatchObject({ status: "answered", error: { code: CONFIRM } });
  });

  it("counts a tree, a name index and a company once, for any number of users", async () => {
    await start(3);
    const country = { country: "JPN", companyType: "ALL" };
    const nodes = ["1", "2"].map((node) => running.feed.taxonomies.queryConstituentsOf(node, country, false, 5));
    expect(await settle(nodes.map((node) => load(node)))).not.toContain(CONFIRM);
    const names = Array.from({ length: 20 }, (_, index) => running.feed.names.query(`name ${index}`, "SGP", 5));
    expect(await settle(names.map((name) => load(name)))).not.toContain(CONFIRM);
    const years = Array.from({ length: 30 }, (_, index) =>
      running.feed.financials.query({ companyId: companies[0]?.id ?? "" }, { year: 1990 + index }),
    );
    expect(await settle(years.map((year) => load(year)))).not.toContain(CONFIRM);
  });

  it("does not count a load that was cancelled before", async () => {
    await start(3);
    const observed = [0, 1].map((index) => listenTo(queryRecord(index)));
    running.feed.queryCache.reset();
    await until(() =>
      observed.every((states) => states.at(-1)?.status !== undefined && states.at(-1)?.status !== "pending"),
    );
    expect(observed.map((states) => states.at(-1)?.status)).toEqual(["answered", "answered"]);
  });
});

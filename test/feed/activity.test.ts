import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { drain } from "../support/clock";
import { type FeedOnServer, listen, startFeedOn, startLoading } from "../support/feed";
import type { Answering } from "../support/http-server";
import { until } from "../support/until";

const PATH = "/asia/private-markets/v1";
const ONE = "11111111-1111-4111-8111-111111111111";
const OTHER = "22222222-2222-4222-8222-222222222222";

describe("a feed's activity", () => {
  let running: FeedOnServer;
  /** What the provider answers, by path. */
  let answers: Record<string, Answering>;
  beforeEach(async () => {
    answers = {};
    running = await startFeedOn(({ path }) => answers[path]);
  });
  afterEach(() => running.close());

  const company = (id: string) => running.feed.companies.query(id);
  const watch = (id: string) => listen(running.feed, company(id)).stop;
  const answerWith = (id: string, answer: Answering) => {
    answers[`${PATH}/companies/${id}`] = answer;
  };
  const read = () => {
    const { activity } = running.feed;
    return [activity.pending(), activity.stale(), activity.oldestAsOfMs(), activity.requests()];
  };

  it("is empty before the first query", () => {
    expect(read()).toEqual([0, 0, null, 0]);
    expect(running.feed.activity.currencies()).toEqual([]);
  });

  it("counts live queries, not subscribers, until each has an answer or a failure", async () => {
    answerWith(ONE, { json: { id: ONE } });
    answerWith(OTHER, { status: 404, json: {} });
    for (const id of [ONE, ONE, OTHER]) watch(id);
    expect(read()).toEqual([2, 0, null, 0]);
    const { activity, queryCache: watching } = running.feed;
    await until(() => activity.pending() === 0);
    expect(watching.peek(company(OTHER))).toMatchObject({ status: "failed" });
    expect(read()).toEqual([0, 0, running.clock.nowMs(), 2]);
  });

  it("counts a list as pending until its last page is here", async () => {
    await running.close();
    let release = () => {};
    let isHeld = false;
    const held = new Promise<void>((resolve) => (release = resolve));
    running = await startFeedOn(async ({ path, query }) => {
      if (!path.startsWith("/asia/industry-taxonomies")) return undefined;
      const page = Number(query.get("page"));
      if (page === 2) {
        isHeld = true;
        await held;
      }
      const data = page === 1 ? [{ companyId: ONE }, { companyId: OTHER }] : [{ companyId: "c" }];
      return { json: { data, page, pageSize: 2, total: 3 } };
    });
    const { activity, taxonomies, queryCache: watching } = running.feed;
    watching.observe(taxonomies.queryUniverse({ country: "JPN", companyType: "ALL" }, "all"), () => {});
    await until(() => isHeld);
    expect([activity.pending(), activity.oldestAsOfMs()]).toEqual([1, null]);
    release();
    await until(() => activity.pending() === 0);
  });

  it("counts queries that a failed refresh left unchanged, until a refresh succeeds", async () => {
    const { feed, clock } = running;
    for (const id of [ONE, OTHER]) answerWith(id, { json: { id } });
    for (const id of [ONE, OTHER]) watch(id);
    await until(() => feed.activity.pending() === 0);
    const beforeMs = clock.nowMs();
    await clock.advance(60_000);
    answerWith(ONE, { status: 403, json: {} });
    await feed.queryCache.refresh();
    await drain();
    expect(read().slice(0, 3)).toEqual([0, 1, beforeMs]);
    answerWith(ONE, { json: { id: ONE } });
    await feed.queryCache.refresh();
    await drain();
    expect([feed.activity.stale(), feed.activity.oldestAsOfMs()]).toEqual([0, clock.nowMs()]);
  });

  it("excludes queries without a subscriber, and those that only another query needs", async () => {
    const { feed } = running;
    answerWith(ONE, { json: { id: ONE } });
    const stops = [watch(ONE), watch(ONE)];
    const waiting = feed.queryCache.wait(company(OTHER), startLoading()).catch(() => "failed");
    await until(() => feed.activity.pending() === 0);
    await waiting;
    expect(feed.activity.oldestAsOfMs()).not.toBeNull();
    stops[0]?.();
    expect(feed.activity.oldestAsOfMs()).not.toBeNull();
    stops[1]?.();
    expect([feed.activity.oldestAsOfMs(), feed.queryCache.size()]).toEqual([null, expect.any(Number)]);
  });

  it("names each currency of the live financials once", async () => {
    const { feed } = running;
    const years = (...currencies: unknown[]) => currencies.map((currency, index) => ({ year: 2020 + index, currency }));
    const data = [
      { companyId: ONE, years: years("JPY", "JPY", null) },
      { companyId: OTHER, years: years("USD", 5, undefined) },
    ];
    answers[`${PATH}/financials`] = { json: { data, page: 1, pageSize: 25, total: 2 } };
    const [cell] = [ONE, OTHER].map((companyId) => listen(feed, feed.financials.query({ companyId })));
    await until(() => feed.activity.pending() === 0);
    expect(feed.activity.currencies()).toEqual(["JPY", "USD"]);
    cell?.stop();
    expect(feed.activity.currencies()).toEqual(["USD"]);
  });

  it("notifies of every change until the subscriber leaves", async () => {
    const { feed } = running;
    answerWith(ONE, { json: { id: ONE } });
    const events: unknown[][] = [];
    const stop = feed.activity.onChange(() => events.push(read()));
    const leave = watch(ONE);
    await until(() => feed.activity.pending() === 0);
    leave();
    const asOfMs = events.at(-2)?.[2];
    expect(events).toContainEqual([1, 0, null, 0]);
    expect(events).toContainEqual([1, 0, null, 1]);
    expect(events.slice(-2)).toEqual([
      [0, 0, asOfMs, 1],
      [0, 0, null, 1],
    ]);
    stop();
    const before = events.length;
    watch(ONE);
    expect(events).toHaveLength(before);
  });
});

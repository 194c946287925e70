import { afterEach, describe, expect, it } from "@jest/globals";
import type { Query, Refreshed } from "../../src/feed/query-cache";
import { type FeedOnServer, startFeedOn } from "../support/feed";
import type { Answering } from "../support/http-server";
import { until } from "../support/until";

const COMPANY = { id: "a", registrationNumber: "1" };

let running: FeedOnServer;
afterEach(() => running.close());

/** Starts a companion, or a provider without one, with the test's answers. */
async function start(answer: (path: string, count: number) => Answering = () => ({ json: COMPANY }), isRelayed = true) {
  const toAnswer = ({ path }: { path: string }) =>
    /^\/(asia|japan)\//.test(path) ? answer(path, running.requests().length) : undefined;
  running = await startFeedOn(toAnswer, {}, undefined, isRelayed);
}

/** Subscribes to a query until it is answered or has failed. */
async function watch(query: Query<unknown>): Promise<void> {
  let isSettled = false;
  running.feed.queryCache.observe(query, ({ status }) => {
    isSettled = status !== "pending";
  });
  await until(() => isSettled);
}

const wanted = () => running.requests().map(({ headers }) => headers["cache-control"]);
const refresh = (options: Parameters<FeedOnServer["feed"]["queryCache"]["refresh"]>[0] = {}): Promise<Refreshed> =>
  running.feed.queryCache.refresh(options);
const companies = () => running.feed.companies;

/** The header that fetch itself adds to a revalidation. */
const ANY = "max-age=0";

describe("a manual refresh", () => {
  it("requires fresh answers of the companion; first reads accept any", async () => {
    await start();
    await watch(companies().query("a"));
    await refresh();
    await watch(companies().query("b"));
    expect(wanted()).toEqual([ANY, "no-cache", ANY]);
  });

  it("requires fresh answers for failed, batched and composed queries", async () => {
    await start(() => ({ status: 404, json: {} }));
    const { financials } = running.feed;
    const queries = [
      companies().query("a"),
      companies().queryOf({ registrationNumber: "1" }),
      financials.query({ companyId: "a" }, { year: 2023 }),
    ];
    await Promise.all(queries.map(watch));
    const before = wanted().length;
    expect(new Set(wanted())).toEqual(new Set([ANY]));
    await refresh();
    expect(wanted().length).toBeGreaterThan(before + 2);
    expect(new Set(wanted().slice(before))).toEqual(new Set(["no-cache"]));
  });

  it("still requires them when a query that failed in it is refetched later", async () => {
    await start((_path, count) => (count === 2 ? { status: 403, json: {} } : { json: COMPANY }));
    await watch(companies().query("a"));
    expect((await refresh()).failures).toHaveLength(1);
    running.feed.queryCache.retryFailed(() => true);
    await until(() => running.requests().length === 3);
    expect(wanted()).toEqual([ANY, "no-cache", "no-cache"]);
  });

  it("reports which answers are the firm's older ones, and when newer ones are possible", async () => {
    const held = { age: "60", "feed-refresh-in": "840" };
    await start((path, count) => ({
      json: { id: path.split("/").at(-1) },
      headers: count > 2 && path.endsWith("a") ? held : { age: "0", "feed-refresh-in": "0" },
    }));
    await Promise.all([watch(companies().query("a")), watch(companies().query("b"))]);
    const refreshed = await refresh();
    expect([refreshed.refetched, refreshed.held?.count]).toEqual([2, 1]);
    const { asOfMs = 0, newerAtMs = 0 } = refreshed.held ?? {};
    expect(newerAtMs - asOfMs).toBe(900_000);
    expect(running.clock.nowMs() - asOfMs).toBeLessThan(61_000);
  });
});

describe("a scheduled refresh", () => {
  it("requires answers no older than its max age, by query", async () => {
    await start();
    await watch(companies().query("a"));
    await refresh({ toMaxAgeMs: ({ persistence }) => (persistence?.family === "companies" ? 300_999 : 0) });
    expect(wanted()).toEqual([ANY, "max-age=300"]);
  });
});

describe("a provider reached without a companion", () => {
  it("gets no header that would need a preflight", async () => {
    await start(undefined, false);
    await watch(companies().query("a"));
    await refresh();
    expect(wanted()).toEqual(["no-cache", "no-cache"]); // fetch's own for no-store
    expect(running.requests().map(({ headers }) => headers.pragma)).toEqual(["no-cache", "no-cache"]);
  });
});

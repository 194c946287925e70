import { afterEach, describe, expect, it } from "@jest/globals";
import type { Query } from "../../src/feed/query-cache";
import { type FeedOnServer, listen, startFeedOn } from "../support/feed";
import type { Answering, Received } from "../support/http-server";
import { until } from "../support/until";

const HOUR_MS = 3_600_000;
const COMPANY = { id: "a", registrationNumber: "1" };
const FINANCIALS = { companyId: "a", years: [{ year: 2023 }, { year: 2022 }] };
const MANY = { total: 1, data: [FINANCIALS] };

let running: FeedOnServer;
afterEach(() => running.close());

/** Starts a companion, or a provider without one, with the test's answers to the nth request, from 1. */
async function start(answer: (request: Received, nth: number) => Answering, isRelayed = true) {
  let nth = 0;
  const toAnswer = (request: Received) => (/^\/(asia|japan)\//.test(request.path) ? answer(request, ++nth) : undefined);
  running = await startFeedOn(toAnswer, {}, undefined, isRelayed);
}

/** An answer whose age is reported in hours. */
const toAged = (json: unknown, hours: number | string): Answering => ({
  json,
  headers: { age: typeof hours === "number" ? String(hours * 3600) : hours },
});

/** The age of the answer in hours. */
async function loadAge(query: Query<unknown>): Promise<number> {
  const { answers, stop } = listen(running.feed, query);
  await until(() => answers().length > 0);
  stop();
  return Math.round((running.clock.nowMs() - (answers()[0]?.asOfMs ?? 0)) / HOUR_MS);
}

/** Subscribes to a query until it is answered or has failed. */
async function watch(query: Query<unknown>): Promise<void> {
  const { states } = listen(running.feed, query);
  await until(() => (states.at(-1)?.status ?? "pending") !== "pending");
}

const companies = () => running.feed.companies;
const financials = () => running.feed.financials;
const refresh = (options: Parameters<FeedOnServer["feed"]["queryCache"]["refresh"]>[0] = {}) =>
  running.feed.queryCache.refresh(options);
const wanted = () => running.requests().map(({ headers }) => headers["cache-control"]);
/** The header that fetch itself adds to a revalidation. */
const ANY = "max-age=0";

describe("an answer from the companion's cache", () => {
  it("has the age that the companion reports", async () => {
    await start(() => toAged(COMPANY, 3));
    expect(await loadAge(companies().query("a"))).toBe(3);
  });

  it("has that age in a batch, and so have its other years", async () => {
    const other = { companyId: "b", years: [{ year: 2023 }] };
    await start(() => toAged({ total: 2, data: [FINANCIALS, other] }, 5));
    const queries = ["a", "b"].map((companyId, index) => financials().query({ companyId }, { year: 2023 - index }));
    expect(await Promise.all(queries.map(loadAge))).toEqual([5, 5]);
    expect(await loadAge(financials().query({ companyId: "a" }, { year: 2022 }))).toBe(5);
    expect(running.requests()).toHaveLength(1);
  });

  it("gives a list of several pages the age of the oldest page", async () => {
    const rows = (page: number) => Array.from({ length: 20 }, (_, index) => ({ id: `${page}-${index}` }));
    await start(({ query }) => {
      const page = Number(query.get("page"));
      return toAged({ total: 60, data: rows(page) }, [1, 4, 2][page - 1] ?? 0);
    });
    expect(await loadAge(companies().querySearch({ country: "JPN" }, 60))).toBe(4);
  });

  it("passes its age on to queries that need it", async () => {
    await start(({ path }) => (path.endsWith("/financials") ? toAged(MANY, 6) : toAged(COMPANY, 2)));
    expect(await loadAge(financials().query({ registrationNumber: "1" }, { year: 2023 }))).toBe(6);
    expect(await loadAge(companies().query("a"))).toBe(2);
  });

  it("has the newer answer's age after a refresh", async () => {
    await start((_, nth) => toAged(COMPANY, [3, 1][nth - 1] ?? 0));
    const query = companies().query("a");
    listen(running.feed, query);
    expect(await loadAge(query)).toBe(3);
    await refresh();
    expect(await loadAge(query)).toBe(1);
  });
});

describe("an answer counts as fresh", () => {
  it.each(["", "0", "soon", "-7200", "NaN"])("if the companion reports the age %p", async (hours) => {
    await start(() => toAged(COMPANY, hours));
    expect(await loadAge(companies().query("a"))).toBe(0);
  });

  it("if the age comes from the provider or a proxy", async () => {
    await start(() => toAged(COMPANY, 3), false);
    expect(await loadAge(companies().query("a"))).toBe(0);
  });
});

describe("a manual refresh", () => {
  it("requires fresh answers of the companion; first reads accept any", async () => {
    await start(() => ({ json: COMPANY }));
    await watch(companies().query("a"));
    await refresh();
    await watch(companies().query("b"));
    expect(wanted()).toEqual([ANY, "no-cache", ANY]);
  });

  it("requires fresh answers for failed, batched and composed queries", async () => {
    await start(() => ({ status: 404, json: {} }));
    const queries = [
      companies().query("a"),
      companies().queryOf({ registrationNumber: "1" }),
      financials().query({ companyId: "a" }, { year: 2023 }),
    ];
    await Promise.all(queries.map(watch));
    const before = wanted().length;
    expect(new Set(wanted())).toEqual(new Set([ANY]));
    await refresh();
    expect(wanted().length).toBeGreaterThan(before + 2);
    expect(new Set(wanted().slice(before))).toEqual(new Set(["no-cache"]));
  });

  it("still requires them when a query that failed in it is refetched later", async () => {
    await start((_, nth) => (nth === 2 ? { status: 403, json: {} } : { json: COMPANY }));
    await watch(companies().query("a"));
    expect((await refresh()).failures).toHaveLength(1);
    running.feed.queryCache.retryFailed(() => true);
    await until(() => running.requests().length === 3);
    expect(wanted()).toEqual([ANY, "no-cache", "no-cache"]);
  });

  it("reports which answers are the firm's older ones, and when newer ones are possible", async () => {
    const held = { age: "60", "feed-refresh-in": "840" };
    await start(({ path }, nth) => ({
      json: { id: path.split("/").at(-1) },
      headers: nth > 2 && path.endsWith("a") ? held : { age: "0", "feed-refresh-in": "0" },
    }));
    await Promise.all([watch(companies().query("a")), watch(companies().query("b"))]);
    const refreshed = await refresh();
    expect([refreshed.refetched, refreshed.held?.count]).toEqual([2, 1]);
    const { asOfMs = 0, newerAtMs = 0 } = refreshed.held ?? {};
    expect(newerAtMs - asOfMs).toBe(900_000);
    expect(running.clock.nowMs() - asOfMs).toBeLessThan(61_000);
  });
});

it("a scheduled refresh requires answers no older than its max age, by query", async () => {
  await start(() => ({ json: COMPANY }));
  await watch(companies().query("a"));
  await refresh({ toMaxAgeMs: ({ persistence }) => (persistence?.family === "companies" ? 300_999 : 0) });
  expect(wanted()).toEqual([ANY, "max-age=300"]);
});

it("a provider reached without a companion gets no header that would need a preflight", async () => {
  await start(() => ({ json: COMPANY }), false);
  await watch(companies().query("a"));
  await refresh();
  expect(wanted()).toEqual(["no-cache", "no-cache"]); // fetch's own for no-store
  expect(running.requests().map(({ headers }) => headers.pragma)).toEqual(["no-cache", "no-cache"]);
});

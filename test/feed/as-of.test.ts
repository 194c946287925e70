import { afterEach, describe, expect, it } from "@jest/globals";
import type { Query } from "../../src/feed/query-cache";
import { type FeedOnServer, startFeedOn } from "../support/feed";
import type { Answering, Received } from "../support/http-server";
import { until } from "../support/until";

const HOUR_MS = 3_600_000;
const COMPANY = { id: "a", registrationNumber: "1" };
const FINANCIALS = { companyId: "a", years: [{ year: 2023 }, { year: 2022 }] };
const MANY = { total: 1, data: [FINANCIALS] };

let running: FeedOnServer;
afterEach(() => running.close());

/** Starts a companion that reports an age for each answer, in hours. */
async function start(answer: (request: Received) => { json: unknown; hours: number | string }, isRelayed = true) {
  const toAnswer = (request: Received): Answering | undefined => {
    if (!/^\/(asia|japan)\//.test(request.path)) return undefined;
    const { json, hours } = answer(request);
    return { json, headers: { age: typeof hours === "number" ? String(hours * 3600) : hours } };
  };
  running = await startFeedOn(toAnswer, {}, undefined, isRelayed);
}

/** The age of the answer in hours. */
async function loadAge(query: Query<unknown>): Promise<number> {
  const { feed, clock } = running;
  let asOfMs: number | undefined;
  const stop = feed.queryCache.observe(query, (state) => {
    if (state.status === "answered" && state.answer.isComplete) asOfMs = state.answer.asOfMs;
  });
  await until(() => asOfMs !== undefined);
  stop();
  return Math.round((clock.nowMs() - (asOfMs ?? 0)) / HOUR_MS);
}

const companies = () => running.feed.companies;
const financials = () => running.feed.financials;

describe("an answer from the companion's cache", () => {
  it("has the age that the companion reports", async () => {
    await start(() => ({ json: COMPANY, hours: 3 }));
    expect(await loadAge(companies().query("a"))).toBe(3);
  });

  it("has that age in a batch, and so have its other years", async () => {
    const other = { companyId: "b", years: [{ year: 2023 }] };
    await start(() => ({ json: { total: 2, data: [FINANCIALS, other] }, hours: 5 }));
    const queries = ["a", "b"].map((companyId, index) => financials().query({ companyId }, { year: 2023 - index }));
    expect(await Promise.all(queries.map(loadAge))).toEqual([5, 5]);
    expect(await loadAge(financials().query({ companyId: "a" }, { year: 2022 }))).toBe(5);
    expect(running.requests()).toHaveLength(1);
  });

  it("gives a list of several pages the age of the oldest page", async () => {
    const rows = (page: number) => Array.from({ length: 20 }, (_, index) => ({ id: `${page}-${index}` }));
    await start(({ query }) => {
      const page = Number(query.get("page"));
      return { json: { total: 60, data: rows(page) }, hours: [1, 4, 2][page - 1] ?? 0 };
    });
    expect(await loadAge(companies().querySearch({ country: "JPN" }, 60))).toBe(4);
  });

  it("passes its age on to queries that need it", async () => {
    await start(({ path }) => (path.endsWith("/financials") ? { json: MANY, hours: 6 } : { json: COMPANY, hours: 2 }));
    expect(await loadAge(financials().query({ registrationNumber: "1" }, { year: 2023 }))).toBe(6);
    expect(await loadAge(companies().query("a"))).toBe(2);
  });

  it("has the newer answer's age after a refresh", async () => {
    const hours = [3, 1];
    await start(() => ({ json: COMPANY, hours: hours.shift() ?? 0 }));
    const query = companies().query("a");
    const stop = running.feed.queryCache.observe(query, () => {});
    expect(await loadAge(query)).toBe(3);
    await running.feed.queryCache.refresh();
    expect(await loadAge(query)).toBe(1);
    stop();
  });
});

describe("an answer counts as fresh", () => {
  it.each(["", "0", "soon", "-7200", "NaN"])("if the companion reports the age %p", async (hours) => {
    await start(() => ({ json: COMPANY, hours }));
    expect(await loadAge(companies().query("a"))).toBe(0);
  });

  it("if the age comes from the provider or a proxy", async () => {
    await start(() => ({ json: COMPANY, hours: 3 }), false);
    expect(await loadAge(companies().query("a"))).toBe(0);
  });
});

import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Query } from "../../src/feed/query-cache";
import { drain } from "../support/clock";
import { startCompanion } from "../support/companion";
import type { Answering, Received } from "../support/http-server";
import { startPlainProvider } from "../support/plain-provider";
import { until } from "../support/until";
import { createCall, HOUR_MS, keepPage } from "./scripted-session";

const startSmall = () => startCompanion({ companies: 60 });

/** The paths of the data requests that the page has sent: a request on its way counts, too. */
const paths: string[] = [];
const send: typeof fetch = (input, init) => {
  const { pathname } = new URL(String(input));
  if (!/\/companion\/(?!relay\/)|\/token$/.test(pathname)) paths.push(pathname);
  return fetch(input, init);
};
const sentTo = (part: string) => paths.filter((path) => path.includes(part)).length;

describe("recovery from a pause", () => {
  const page = keepPage(startSmall, { leavesNoTimer: true });
  beforeEach(async () => {
    page.open({ startMs: Date.now(), fetch: send });
    await page.session.connect();
    page.server.controls.reset();
    paths.length = 0;
  });

  const sent = () => sentTo("/ranking/");
  const breakRankings = async (): Promise<readonly [Query<unknown>, Query<unknown>]> => {
    page.server.controls.answers.rankCompanies = { status: 503, times: 6 };
    const both = [page.toRanking(5), page.toRanking(6)] as const;
    for (const query of both) await page.show("failed", query);
    expect(both.map(page.stateOf)).toMatchObject(Array(2).fill({ error: { code: "FEED_SERVER_FAILED" } }));
    return both;
  };

  it("refetches a failed query once when the provider's pause ends, and nothing else", async () => {
    const failing = page.toRanking(5);
    await page.show("answered", page.session.feed.taxonomies.queryTree());
    page.server.controls.answers.rankCompanies = { status: 429, times: 1, retryAfter: 120 };
    await page.show("failed", failing);
    expect(page.stateOf(failing)).toMatchObject({ error: { code: "FEED_RATE_LIMITED" } });
    await page.clock.advance(119_000);
    expect(sent()).toBe(1);
    await page.clock.advance(1_000);
    await page.untilAll("answered", failing);
    await page.clock.advance(600_000);
    expect([sent(), page.server.controls.count("getTaxonomyTree")]).toEqual([2, 1]);
  });

  it("refetches after the pause even if the computer's clock is set back", async () => {
    const failing = page.toRanking(5);
    page.server.controls.answers.rankCompanies = { status: 429, times: 1, retryAfter: 120 };
    await page.show("failed", failing);
    page.backMs = 30 * 24 * HOUR_MS;
    await page.clock.advance(120_000);
    expect(page.session.pauses.list()).toMatchObject([{ untilMs: page.clock.nowMs() - page.backMs + 120_000 }]);
    await page.clock.advance(120_000);
    await page.untilAll("answered", failing);
    expect(sent()).toBe(2);
  });

  it("refetches when a manual refresh of another query of the family succeeds", async () => {
    const both = await breakRankings();
    const third = page.toRanking(7);
    await page.show("failed", third);
    expect(sent()).toBe(6);
    page.session.calls.add(createCall(third));
    expect(await page.session.refresh(page.session.calls.list())).toMatchObject({ refetched: 1, failures: [] });
    await page.untilAll("answered", ...both, third);
    expect(sent()).toBe(9);
  });

  it("refetches at once when a person asks to try now", async () => {
    const both = await breakRankings();
    page.session.pauses.tryNow();
    await page.untilAll("answered", ...both);
    expect([sent(), page.session.pauses.list()]).toEqual([8, []]);
  });

  it("starts with queries not sent yet, so that a failing query does not block them", async () => {
    await breakRankings();
    const good = page.toRanking(7);
    await page.show("failed", good);
    const { controls } = page.server;
    controls.reset();
    paths.length = 0;
    await page.clock.advance(2_000);
    await page.untilAll("answered", good);
    await until(() => sent() === 3);
    expect(controls.requests.find(({ operationId }) => operationId === "rankCompanies")?.url).toContain("=7");
  });

  it("waits for the network when it is offline", async () => {
    const both = await breakRankings();
    page.setOnline(false);
    await page.clock.advance(60_000);
    expect(sent()).toBe(6);
    page.setOnline(true);
    await page.untilAll("answered", ...both);
    expect(sent()).toBe(8);
  });

  it("waits for the connection when it is disconnected", async () => {
    const both = await breakRankings();
    page.session.disconnect();
    expect(page.clock.timers()).toBe(0);
    await page.clock.advance(60_000);
    await page.session.connect();
    await page.untilAll("answered", ...both);
    expect(sent()).toBe(8);
  });
});

describe("the token endpoint", () => {
  const page = keepPage(startSmall, { leavesNoTimer: true });
  beforeEach(() => {
    page.server.controls.reset();
    page.open({ startMs: Date.now() });
  });

  const exchanged = () => page.server.controls.count("createToken");
  const refuse = (answer: { status: number; times: number; retryAfter?: number }) => {
    page.server.controls.answers.createToken = answer;
  };
  const fail = async (...tops: number[]): Promise<Query<unknown>[]> => {
    const queries = tops.map(page.toRanking);
    await page.show("failed", ...queries);
    return queries;
  };

  it("receives one request when it demands a pause, for any number of cells, and one after it", async () => {
    const { controls } = page.server;
    refuse({ status: 429, times: 1, retryAfter: 3_600 });
    await page.session.connect();
    expect(page.session.state()).toMatchObject({ status: "failed", error: { code: "FEED_RATE_LIMITED" } });
    const signed = controls.requests.length;
    const queries = [...(await fail(5)), ...(await fail(6, 7)), ...(await fail(8))];
    expect(page.stateOf(page.toRanking(8))).toMatchObject({ error: { code: "FEED_RATE_LIMITED" } });
    expect([exchanged(), controls.requests.length]).toEqual([1, signed]);
    expect(page.session.pauses.list()).toMatchObject([{ family: "credentials", code: "FEED_RATE_LIMITED" }]);
    await page.clock.advance(3_590_000);
    expect(exchanged()).toBe(1);
    await page.clock.advance(10_000);
    await page.untilAll("answered", ...queries);
    expect([exchanged(), page.session.state().status, page.session.pauses.list()]).toEqual([2, "connected", []]);
  });

  it("is retried automatically after a failure, and every cell gets its value", async () => {
    refuse({ status: 503, times: 3 });
    const queries = await fail(5, 6);
    expect(queries.map(page.stateOf)).toMatchObject(Array(2).fill({ error: { code: "FEED_SERVER_FAILED" } }));
    expect([exchanged(), page.session.pauses.list()]).toMatchObject([3, [{ family: "credentials" }]]);
    await page.clock.advance(2_000);
    await page.untilAll("answered", ...queries);
    await until(() => page.session.state().status === "connected");
    expect(exchanged()).toBe(4);
  });

  it("is retried at once when a person connects, except during a pause it demanded", async () => {
    refuse({ status: 503, times: 3 });
    await page.session.connect();
    expect(exchanged()).toBe(3);
    await page.session.connect();
    expect([page.session.state().status, exchanged()]).toEqual(["connected", 4]);
    refuse({ status: 429, times: 1, retryAfter: 600 });
    await page.session.connect();
    await page.session.connect();
    expect([page.session.state().status, exchanged()]).toEqual(["failed", 5]);
  });
});

describe("after an outage", () => {
  const FAILED: Answering = { status: 503, json: {} };
  /** Half of a query's deadline, and the moment before it is sent. */
  const HALF_MS = 15_010;
  const SILENT: Answering = { raw: () => {} };

  const page = keepPage(startPlainProvider, { leavesNoTimer: true });
  beforeEach(async () => {
    page.open({ fetch: send });
    await page.session.connect();
    paths.length = 0;
  });

  const toCompany = (number: number) =>
    page.session.feed.companies.query(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`);
  const toWell = ({ path }: Received): Answering =>
    path.includes("/ranking/")
      ? { json: { data: [], page: 1, pageSize: 100, total: 0 } }
      : { json: { id: path.split("/").at(-1) } };
  const sent = () => paths.length;
  /** Lets a silent query send its request, then another beside it, and fail. */
  const failSilently = async (before: number, ...queries: Query<unknown>[]) => {
    await until(() => sent() === before + 1);
    await page.clock.advance(HALF_MS);
    await until(() => sent() === before + 2);
    await page.clock.advance(HALF_MS);
    await page.untilAll("failed", ...queries);
  };

  it("a family with too few failures for a pause recovers by one request a query", async () => {
    page.server.answer = () => FAILED;
    const queries = [page.toRanking(5), ...[1, 2, 3, 4].map(toCompany)];
    await page.show("failed", ...queries);
    expect(page.session.feed.families.list().map(({ family }) => family)).toEqual(["companies"]);
    page.server.answer = toWell;
    paths.length = 0;
    await page.clock.advance(4_000);
    await page.untilAll("answered", ...queries);
    await page.clock.advance(HOUR_MS);
    expect([sentTo("/ranking/"), sentTo("/companies/"), page.session.pauses.list()]).toEqual([1, 4, []]);
  });

  it("one query probes at growing intervals; the others follow once it is answered", async () => {
    page.server.answer = () => SILENT;
    const all = [5, 6, 7, 8].map(toCompany);
    page.listen(...all);
    await until(() => sent() === 4);
    await page.clock.advance(2 * HALF_MS);
    await page.untilAll("failed", ...all);
    expect(page.session.feed.families.list()).toEqual([]);
    paths.length = 0;
    expect(page.session.pauses.list()).toMatchObject([{ family: "companies", code: "FEED_TIMED_OUT" }]);
    await page.clock.advance(2_900);
    expect(sent()).toBe(0);
    await page.clock.advance(100);
    await until(() => sent() === 1);
    expect(all.filter((query) => page.stateOf(query).status === "pending")).toHaveLength(1);
    await failSilently(0, ...all);
    const before = sent();
    page.server.answer = toWell;
    await page.clock.advance(5_900);
    expect(sent()).toBe(before);
    await page.clock.advance(100);
    await page.untilAll("answered", ...all);
    expect(sent()).toBe(before + 4);
  });

  it("failed queries are refetched when the provider answers any query of their family", async () => {
    page.server.answer = () => SILENT;
    page.listen(toCompany(5));
    for (const probes of [0, 1, 2]) {
      await failSilently(2 * probes, toCompany(5));
      if (probes < 2) await page.clock.advance(3_000 * 2 ** probes);
    }
    page.server.answer = toWell;
    paths.length = 0;
    await page.show("answered", toCompany(6));
    await page.untilAll("answered", toCompany(5));
    expect(sent()).toBe(2);
  });

  it.each<[what: string, answering: Answering]>([
    ["a 404 answer", { status: 404, json: {} }],
    ["a 403 answer", { status: 403, json: {} }],
    ["a 400 answer", { status: 400, json: {} }],
    ["an answer without a company", { json: [] }],
  ])("a query is not refetched after %s", async (_what, answering) => {
    page.server.answer = (request) => (request.path.endsWith("5") ? answering : toWell(request));
    await page.show("failed", toCompany(5));
    await page.show("answered", toCompany(6));
    await page.clock.advance(HOUR_MS);
    expect([sent(), page.session.pauses.list()]).toEqual([2, []]);
  });

  it("a query that fails while others succeed is refetched once", async () => {
    page.server.answer = (request) => (request.path.endsWith("5") ? FAILED : toWell(request));
    await page.show("failed", toCompany(5));
    await page.show("answered", toCompany(6));
    expect(sent()).toBe(4);
    await page.clock.advance(4_000);
    await until(() => sent() === 7);
    await page.untilAll("failed", toCompany(5));
    await page.show("answered", toCompany(7));
    await page.clock.advance(HOUR_MS);
    expect([sent(), page.session.pauses.list()]).toEqual([8, []]);
  });

  it("queries recover from each later outage", async () => {
    const query = page.toRanking(5);
    const hasFailed = () => (page.stateOf(query) as { error?: unknown }).error !== null;
    for (let outage = 0; outage < 3; outage++) {
      page.server.answer = () => FAILED;
      page.listen(query);
      await page.session.refresh();
      await until(hasFailed);
      page.server.answer = toWell;
      await page.clock.advance(4_000);
      await until(() => !hasFailed());
      expect(page.stateOf(query).status).toBe("answered");
    }
  });

  it.each<[what: string, answering: Answering]>([
    ["a failure", FAILED],
    ["a demand for a pause", { status: 429, headers: { "retry-after": "120" }, json: {} }],
  ])("no request is sent for cells deleted after %s, and no timer is left", async (_what, answering) => {
    page.server.answer = () => answering;
    const stop = page.listen(page.toRanking(5));
    await page.untilAll("failed", page.toRanking(5));
    expect(page.clock.timers()).toBe(1);
    stop();
    await page.clock.advance(1_500); // a query outlives its cells by this long
    expect(page.clock.timers()).toBe(0);
  });

  it("queries that failed without a token recover with the token endpoint", async () => {
    page.server.answer = toWell;
    page.session.feed.token.forget();
    let isSilent = true;
    const { ports } = page.session;
    const { fetch: sendOn } = ports;
    ports.fetch = (input, init) =>
      isSilent && String(input).endsWith("/token")
        ? new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)))
        : sendOn(input, init);
    page.listen(toCompany(5));
    await drain();
    await page.clock.advance(20_000);
    await page.untilAll("failed", toCompany(5));
    isSilent = false;
    await page.clock.advance(4_000);
    await page.untilAll("answered", toCompany(5));
    expect(sent()).toBe(1);
  });
});

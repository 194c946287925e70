import { afterEach, describe, expect, it } from "@jest/globals";
import { RequestError } from "../../../src/client/errors";
import { createRequestLog } from "../../../src/client/http/request-log";
import type { Answer, Query } from "../../../src/feed/query-cache";
import { drain } from "../../support/clock";
import { awaitAnswer, type FeedOnServer, listen, startFeedOn } from "../../support/feed";
import type { Answering, Received } from "../../support/http-server";
import { until } from "../../support/until";

const COMPANIES = "/asia/private-markets/v1/companies";
const FINANCIALS = "/asia/private-markets/v1/financials";
const ONE = "11111111-1111-4111-8111-111111111111";
const OTHER = "22222222-2222-4222-8222-222222222222";

const financialsOf = (companyId: string) => ({ companyId, years: [{ year: 2023, currency: "JPY", statements: [] }] });

/** Answers each read of the API completely. */
function answerAll({ path, body }: Received): Answering | undefined {
  if (path === FINANCIALS) {
    const { companyIds } = body as { companyIds: string[] };
    return { json: { data: companyIds.map(financialsOf), page: 1, pageSize: 25, total: companyIds.length } };
  }
  return path.startsWith(`${COMPANIES}/`) ? { json: { id: path.slice(COMPANIES.length + 1) } } : undefined;
}

describe("the request log", () => {
  let running: FeedOnServer;
  afterEach(() => running?.close());

  const start = async (answer: Parameters<typeof startFeedOn>[0] = answerAll) => {
    running = await startFeedOn(answer);
    return running.feed;
  };
  const list = () => running.feed.activity.log();
  const data = () => list().filter(({ kind }) => kind === "data");
  const readAnswer = <T>(query: Query<T>) => {
    const state = running.feed.queryCache.peek(query);
    if (state.status !== "answered") throw new Error(state.status);
    return state.answer as Answer<T>;
  };

  it("has each request with operation, status, time and bytes, and credential requests apart", async () => {
    const feed = await start();
    await awaitAnswer(feed, feed.companies.query(ONE));
    expect(list().map(({ kind, operation, status, outcome }) => [kind, operation, status, outcome])).toEqual([
      ["credentials", "/companion/assertion", 200, "answered"],
      ["credentials", "createToken", 200, "answered"],
      ["data", "getCompany", 200, "answered"],
    ]);
    const [only] = data();
    expect(only?.bytes).toBe(JSON.stringify({ id: ONE }).length);
    expect(only?.tookMs).toBeGreaterThanOrEqual(0);
    expect(only?.sentAtMs).toBeLessThanOrEqual(running.clock.nowMs());
  });

  it("records the companion's id of a request, and no text in its place", () => {
    const log = createRequestLog(() => 0);
    for (const id of ["7f3a9c1e-12", "<b>anything</b>", null]) {
      const open = log.recorderOf("data").begin("getCompany");
      open.answer(200, id);
      open.end();
    }
    expect(log.list().map(({ requestId }) => requestId)).toEqual(["7f3a9c1e-12", null, null]);
  });

  it("records how a refused request ended, with the trace id for support", async () => {
    const feed = await start(({ path }) =>
      path.startsWith(COMPANIES)
        ? { status: 429, headers: { "retry-after": "120" }, json: { error: { code: "SLOW", traceId: "t-1" } } }
        : undefined,
    );
    await awaitAnswer(feed, feed.companies.query(ONE)).catch(() => {});
    expect(data().at(-1)).toMatchObject({ status: 429, outcome: "FEED_RATE_LIMITED", traceId: "t-1" });
  });

  it("records a request without subscribers as left", async () => {
    const feed = await start(({ path }) => (path.startsWith(COMPANIES) ? new Promise(() => {}) : undefined));
    const { stop } = listen(feed, feed.companies.query(ONE));
    await until(() => data().length === 1);
    expect(data()[0]).toMatchObject({ outcome: null, tookMs: null });
    stop();
    await running.clock.advance(2_000);
    await until(() => data()[0]?.outcome !== null);
    expect(data()[0]).toMatchObject({ outcome: "left", status: null });
  });

  it("names the requests behind an answer: the batch's chunk, or the request that seeded it", async () => {
    const feed = await start();
    const years = [2023, 2022]; // two years, so that all years come
    const wanted = [ONE, OTHER].map((companyId, at) =>
      feed.financials.query({ companyId }, { year: years[at] ?? null }),
    );
    await Promise.allSettled(wanted.map((query) => awaitAnswer(feed, query)));
    const [request] = data();
    expect(data()).toHaveLength(1);
    const seeded = [ONE, OTHER].map((companyId) => feed.financials.query({ companyId }));
    expect([...wanted, ...seeded].map((query) => readAnswer(query).requests)).toEqual(
      Array.from({ length: 4 }, () => [request?.number]),
    );
  });

  it("names all pages of a list with each attempt, and the parts of a composite query", async () => {
    let tries = 0;
    const feed = await start(({ path, query }) => {
      if (path !== "/asia/industry-taxonomies/v1/companies") return undefined;
      if (++tries === 2) return { status: 503, json: {} };
      const page = Number(query.get("page"));
      const rows = page > 2 ? [] : [{ companyId: `c${page}a` }, { companyId: `c${page}b` }];
      return { json: { data: rows, page, pageSize: 2, total: 4 } };
    });
    const query = feed.taxonomies.queryUniverse({ country: "JPN", companyType: "ALL" }, "all");
    await awaitAnswer(feed, query as Query<unknown>);
    expect(readAnswer(query).requests).toEqual(data().map(({ number }) => number));
    expect(data().length).toBeGreaterThanOrEqual(3);
  });

  it("names the failed refresh's requests beside an answer, and a failure's own requests", async () => {
    const refused = new Set<string>();
    const feed = await start((request) =>
      [...refused].some((id) => request.path.endsWith(id)) ? { status: 403, json: {} } : answerAll(request),
    );
    refused.add(OTHER);
    const queries = [ONE, OTHER].map((id) => feed.companies.query(id));
    for (const query of queries) listen(feed, query);
    await until(() => feed.activity.pending() === 0);
    const numberOf = (at: number) => data()[at]?.number;
    const behind = () => queries.map((query) => feed.queryCache.find(query as Query<unknown>)?.requests());
    expect(behind()).toEqual([[numberOf(0)], [numberOf(1)]]);
    refused.add(ONE);
    await feed.queryCache.refresh();
    await drain();
    expect(behind()).toEqual([[numberOf(0), numberOf(2)], [numberOf(3)]]);
  });

  it("keeps the last 200, counts all, and notifies of each change", () => {
    let notifications = 0;
    const log = createRequestLog(
      () => 0,
      () => notifications++,
    );
    const requests = Array.from({ length: 250 }, (_, index) => log.recorderOf("data").begin(`operation ${index}`));
    requests[0]?.end(new RequestError("FEED_TIMED_OUT", "x")); // no longer in the log
    requests[249]?.end();
    expect([log.list().length, log.list()[0]?.number, log.list().at(-1)?.outcome]).toEqual([200, 51, "answered"]);
    expect([log.count("data"), log.count("credentials"), notifications]).toEqual([250, 0, 251]);
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Query } from "../../src/feed/query-cache";
import { createSession, type Session } from "../../src/session/session";
import { type Clock, createClock, drain } from "../support/clock";
import type { Answering, Received } from "../support/http-server";
import { type PlainProvider, startPlainProvider } from "../support/plain-provider";
import { until } from "../support/until";

const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };
const FAILED: Answering = { status: 503, json: {} };
/** Half of a query's deadline, and the moment before it is sent. */
const HALF_MS = 15_010;
const SILENT: Answering = { raw: () => {} };

let provider: PlainProvider;
let session: Session;
let clock: Clock;

beforeAll(async () => {
  provider = await startPlainProvider();
});
beforeEach(async () => {
  provider.reads.length = 0;
  clock = createClock({ hurryMs: 1_000 }); // retries pass by themselves, a probe does not
  session = createSession({ ports: clock.ports, companionUrl: provider.origin });
  await session.connect();
});
afterEach(async () => {
  session.feed.queryCache.close();
  await drain();
  expect(clock.timers()).toBe(0);
  session.disconnect();
});
afterAll(() => provider.close());

const toRanking = (top: number) => session.feed.rankings.queryCompanies(RANGE, top);
const toCompany = (number: number) => {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  return session.feed.companies.query(id);
};
const stateOf = (query: Query<unknown>) => session.feed.queryCache.peek(query);
const isRanking = ({ path }: Received) => path.includes("/ranking/");
const toWell = (request: Received): Answering =>
  isRanking(request)
    ? { json: { data: [], page: 1, pageSize: 100, total: 0 } }
    : { json: { id: request.path.split("/").at(-1) } };
const sentTo = (part: string) => provider.reads.filter(({ path }) => path.includes(part)).length;
const listen = (...queries: Query<unknown>[]) =>
  queries.map((query) => session.feed.queryCache.observe(query, () => {}));
const untilAll = (status: string, ...queries: Query<unknown>[]) =>
  until(() => queries.every((query) => stateOf(query).status === status));
const show = async (status: string, ...queries: Query<unknown>[]) => {
  listen(...queries);
  await untilAll(status, ...queries);
};

describe("after an outage", () => {
  it("a family with too few failures for a pause recovers by one request a query", async () => {
    provider.answer = () => FAILED;
    const [rankings, companies] = [[toRanking(5)], [1, 2, 3, 4].map(toCompany)];
    await show("failed", ...rankings, ...companies);
    expect(session.feed.families.list().map(({ family }) => family)).toEqual(["companies"]);
    provider.answer = toWell;
    provider.reads.length = 0;
    await clock.advance(4_000);
    await untilAll("answered", ...rankings, ...companies);
    await clock.advance(3_600_000);
    expect([sentTo("/ranking/"), sentTo("/companies/")]).toEqual([1, 4]);
    expect(session.pauses.list()).toEqual([]);
  });

  it("one query probes at growing intervals; the others follow once it is answered", async () => {
    provider.answer = () => SILENT;
    const all = [5, 6, 7, 8].map(toCompany);
    listen(...all);
    await until(() => provider.reads.length === 4);
    await clock.advance(2 * HALF_MS);
    await untilAll("failed", ...all);
    expect(session.feed.families.list()).toEqual([]);
    provider.reads.length = 0;
    expect(session.pauses.list()).toMatchObject([{ family: "companies", code: "FEED_TIMED_OUT" }]);
    await clock.advance(2_900);
    expect(provider.reads).toHaveLength(0);
    await clock.advance(100);
    await until(() => provider.reads.length === 1);
    expect(all.filter((query) => stateOf(query).status === "pending")).toHaveLength(1);
    await clock.advance(HALF_MS);
    await until(() => provider.reads.length === 2); // one hedging request beside the probe
    await clock.advance(HALF_MS);
    await untilAll("failed", ...all);
    const sent = provider.reads.length;
    provider.answer = toWell;
    await clock.advance(5_900);
    expect(provider.reads).toHaveLength(sent);
    await clock.advance(100);
    await untilAll("answered", ...all);
    expect(provider.reads).toHaveLength(sent + 4);
  });

  it("failed queries are refetched when the provider answers any query of their family", async () => {
    provider.answer = () => SILENT;
    const [first] = listen(toCompany(5));
    for (const probes of [0, 1, 2]) {
      await until(() => provider.reads.length === 2 * probes + 1);
      await clock.advance(HALF_MS);
      await until(() => provider.reads.length === 2 * probes + 2);
      await clock.advance(HALF_MS);
      await untilAll("failed", toCompany(5));
      if (probes < 2) await clock.advance(3_000 * 2 ** probes);
    }
    provider.answer = toWell;
    provider.reads.length = 0;
    await show("answered", toCompany(6));
    await untilAll("answered", toCompany(5));
    expect(provider.reads).toHaveLength(2);
    first?.();
  });

  it.each<[what: string, answering: Answering]>([
    ["a 404 answer", { status: 404, json: {} }],
    ["a 403 answer", { status: 403, json: {} }],
    ["a 400 answer", { status: 400, json: {} }],
    ["an answer without a company", { json: [] }],
  ])("a query is not refetched after %s", async (_what, answering) => {
    provider.answer = (request) => (request.path.endsWith("5") ? answering : toWell(request));
    await show("failed", toCompany(5));
    await show("answered", toCompany(6));
    await clock.advance(3_600_000);
    expect([provider.reads.length, session.pauses.list()]).toEqual([2, []]);
  });

  it("a query that fails while others succeed is refetched once", async () => {
    provider.answer = (request) => (request.path.endsWith("5") ? FAILED : toWell(request));
    await show("failed", toCompany(5));
    await show("answered", toCompany(6));
    expect(provider.reads).toHaveLength(4);
    await clock.advance(4_000);
    await until(() => provider.reads.length === 7);
    await untilAll("failed", toCompany(5));
    await show("answered", toCompany(7));
    await clock.advance(3_600_000);
    expect([provider.reads.length, session.pauses.list()]).toEqual([8, []]);
  });

  it("queries recover from each later outage", async () => {
    const query = toRanking(5);
    for (let outage = 0; outage < 3; outage++) {
      provider.answer = () => FAILED;
      listen(query);
      await session.refresh();
      await until(() => (stateOf(query) as { error?: unknown }).error !== null);
      provider.answer = toWell;
      await clock.advance(4_000);
      await until(() => (stateOf(query) as { error?: unknown }).error === null);
      expect(stateOf(query).status).toBe("answered");
    }
  });

  it("no request is sent for deleted cells, and no timer is left", async () => {
    provider.answer = () => FAILED;
    const [stop] = listen(toRanking(5));
    await untilAll("failed", toRanking(5));
    expect(clock.timers()).toBe(1);
    stop?.();
    await clock.advance(1_500); // a query outlives its cells by this long
    expect(clock.timers()).toBe(0);
  });

  it("queries that failed without a token recover with the token endpoint", async () => {
    provider.answer = toWell;
    session.feed.token.forget();
    let isSilent = true;
    const { fetch: send } = clock.ports;
    clock.ports.fetch = (input, init) =>
      isSilent && String(input).endsWith("/token")
        ? new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)))
        : send(input, init);
    listen(toCompany(5));
    await drain();
    await clock.advance(20_000);
    await untilAll("failed", toCompany(5));
    isSilent = false;
    await clock.advance(4_000);
    await untilAll("answered", toCompany(5));
    expect(provider.reads).toHaveLength(1);
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Query } from "../../src/feed/query-cache";
import { createSession, type Session } from "../../src/session/session";
import { type Clock, createClock, drain } from "../support/clock";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { until } from "../support/until";

const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };

let companion: RunningCompanion;
let session: Session;
let clock: Clock;
/** How far the computer's clock was set back. */
let backMs: number;
let isThere: boolean;
let look: () => void;

beforeAll(async () => {
  companion = await startCompanion({ companies: 60 });
});
beforeEach(async () => {
  isThere = true;
  const network = { isThere: () => isThere, watch: (listener: () => void) => (look = listener) };
  clock = createClock({ hurryMs: 1_000, network, startMs: Date.now() }); // retries pass by themselves, a pause does not
  backMs = 0;
  const ports = { ...clock.ports, nowMs: () => clock.nowMs() - backMs };
  session = createSession({ ports, companionUrl: companion.origin });
  await session.connect();
  companion.controls.reset();
});
afterEach(async () => {
  session.feed.queryCache.close();
  await drain();
  expect(clock.timers()).toBe(0);
  session.disconnect();
});
afterAll(() => companion.close());

const toRanking = (top: number) => session.feed.rankings.queryCompanies(RANGE, top);
const listen = (query: Query<unknown>) => session.feed.queryCache.observe(query, () => {});
const stateOf = (query: Query<unknown>) => session.feed.queryCache.peek(query);
const untilEnded = (...queries: Query<unknown>[]) =>
  until(() => queries.every((query) => stateOf(query).status !== "pending"));
const untilAnswered = (...queries: Query<unknown>[]) =>
  until(() => queries.every((query) => stateOf(query).status === "answered"));
const sent = () => companion.controls.count("rankCompanies");
const refuse = (status: number, times: number, retryAfter?: number) => {
  companion.controls.answers.rankCompanies = { status, times, ...(retryAfter !== undefined && { retryAfter }) };
};

async function breakRankings(): Promise<readonly [Query<unknown>, Query<unknown>]> {
  refuse(503, 6);
  const both = [toRanking(5), toRanking(6)] as const;
  for (const query of both) {
    listen(query);
    await untilEnded(query);
  }
  expect(both.map((query) => stateOf(query))).toMatchObject(
    Array(2).fill({ status: "failed", error: { code: "FEED_SERVER_FAILED" } }),
  );
  return both;
}

describe("recovery from a pause", () => {
  it("refetches a failed query once when the provider's pause ends, and nothing else", async () => {
    const [failing, answered] = [toRanking(5), session.feed.taxonomies.queryTree()];
    listen(answered);
    await untilAnswered(answered);
    refuse(429, 1, 120);
    listen(failing);
    await untilEnded(failing);
    expect(stateOf(failing)).toMatchObject({ status: "failed", error: { code: "FEED_RATE_LIMITED" } });
    await clock.advance(119_000);
    expect(sent()).toBe(1);
    await clock.advance(1_000);
    await untilAnswered(failing);
    await clock.advance(600_000);
    expect([sent(), companion.controls.count("getTaxonomyTree")]).toEqual([2, 1]);
  });

  it("refetches after the pause even if the computer's clock is set back", async () => {
    const failing = toRanking(5);
    refuse(429, 1, 120);
    listen(failing);
    await untilEnded(failing);
    backMs = 30 * 86_400_000;
    await clock.advance(120_000);
    expect(session.pauses.list()).toMatchObject([{ untilMs: clock.nowMs() - backMs + 120_000 }]);
    await clock.advance(120_000);
    await untilAnswered(failing);
    expect(sent()).toBe(2);
  });

  it("leaves no timer when no cell waits", async () => {
    refuse(429, 1, 120);
    const stop = listen(toRanking(5));
    await untilEnded(toRanking(5));
    expect(clock.timers()).toBe(1);
    stop();
    await clock.advance(1_500); // a query outlives its cells by this long
    expect(clock.timers()).toBe(0);
  });

  it("refetches when a manual refresh of another query of the family succeeds", async () => {
    const [first, second] = await breakRankings();
    const third = toRanking(7);
    listen(third);
    await untilEnded(third);
    expect(sent()).toBe(6);
    session.calls.add({
      name: "RANKING",
      given: {},
      address: "Sheet1!A1",
      queries: [third],
      error: null,
      shown: null,
      findOrigin: () => ({ error: null, places: [] }),
      reread() {},
    });
    expect(await session.refresh(session.calls.list())).toMatchObject({ refetched: 1, failures: [] });
    await untilAnswered(first, second, third);
    expect(sent()).toBe(9);
  });

  it("refetches at once when a person asks to try now", async () => {
    const both = await breakRankings();
    session.pauses.tryNow();
    await untilAnswered(...both);
    expect([sent(), session.pauses.list()]).toEqual([8, []]);
  });

  it("starts with queries not sent yet, so that a failing query does not block them", async () => {
    await breakRankings();
    const good = toRanking(7);
    listen(good);
    await untilEnded(good);
    companion.controls.reset();
    await clock.advance(2_000);
    await untilAnswered(good);
    await until(() => sent() === 3);
    expect(companion.controls.requests.find(({ operationId }) => operationId === "rankCompanies")?.url).toContain("=7");
  });

  it("waits for the network when it is offline", async () => {
    const both = await breakRankings();
    isThere = false;
    look();
    await clock.advance(60_000);
    expect(sent()).toBe(6);
    isThere = true;
    look();
    await untilAnswered(...both);
    expect(sent()).toBe(8);
  });

  it("waits for the connection when it is disconnected", async () => {
    const both = await breakRankings();
    session.disconnect();
    expect(clock.timers()).toBe(0);
    await clock.advance(60_000);
    await session.connect();
    await untilAnswered(...both);
    expect(sent()).toBe(8);
  });
});

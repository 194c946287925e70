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

beforeAll(async () => {
  companion = await startCompanion({ companies: 60 });
});
beforeEach(() => {
  clock = createClock({ hurryMs: 1_000, startMs: Date.now() }); // retries pass by themselves, a pause does not
  session = createSession({ ports: clock.ports, companionUrl: companion.origin });
});
afterEach(async () => {
  session.feed.queryCache.close();
  session.disconnect();
  await drain();
  expect(clock.timers()).toBe(0);
  companion.controls.reset();
});
afterAll(() => companion.close());

const toRanking = (top: number) => session.feed.rankings.queryCompanies(RANGE, top);
const stateOf = (query: Query<unknown>) => session.feed.queryCache.peek(query);
const exchanged = () => companion.controls.count("createToken");
const refuse = (status: number, times: number, retryAfter?: number) => {
  companion.controls.answers.createToken = { status, times, ...(retryAfter !== undefined && { retryAfter }) };
};

/** Subscribes to some rankings until each has a value or a failure. */
async function show(...tops: number[]): Promise<Query<unknown>[]> {
  const queries = tops.map(toRanking);
  for (const query of queries) session.feed.queryCache.observe(query, () => {});
  await until(() => queries.every((query) => stateOf(query).status !== "pending"));
  return queries;
}
const untilAnswered = (...queries: Query<unknown>[]) =>
  until(() => queries.every((query) => stateOf(query).status === "answered"));

describe("the token endpoint", () => {
  it("receives one request when it demands a pause, for any number of cells, and one after it", async () => {
    refuse(429, 1, 3_600);
    await session.connect();
    expect(session.state()).toMatchObject({ status: "failed", error: { code: "FEED_RATE_LIMITED" } });
    const signed = companion.controls.requests.length;
    const queries = [...(await show(5)), ...(await show(6, 7)), ...(await show(8))];
    expect(stateOf(toRanking(8))).toMatchObject({ status: "failed", error: { code: "FEED_RATE_LIMITED" } });
    expect([exchanged(), companion.controls.requests.length]).toEqual([1, signed]);
    expect(session.pauses.list()).toMatchObject([{ family: "credentials", code: "FEED_RATE_LIMITED" }]);
    await clock.advance(3_590_000);
    expect(exchanged()).toBe(1);
    await clock.advance(10_000);
    await untilAnswered(...queries);
    expect([exchanged(), session.state().status, session.pauses.list()]).toEqual([2, "connected", []]);
  });

  it("is retried automatically after a failure, and every cell gets its value", async () => {
    refuse(503, 3);
    const queries = await show(5, 6);
    expect(queries.map((query) => stateOf(query))).toMatchObject(
      Array(2).fill({ status: "failed", error: { code: "FEED_SERVER_FAILED" } }),
    );
    expect([exchanged(), session.pauses.list()]).toMatchObject([3, [{ family: "credentials" }]]);
    await clock.advance(2_000);
    await untilAnswered(...queries);
    await until(() => session.state().status === "connected");
    expect(exchanged()).toBe(4);
  });

  it("is retried at once when a person connects, except during a pause it demanded", async () => {
    refuse(503, 3);
    await session.connect();
    expect(exchanged()).toBe(3);
    await session.connect();
    expect([session.state().status, exchanged()]).toEqual(["connected", 4]);
    refuse(429, 1, 600);
    await session.connect();
    await session.connect();
    expect([session.state().status, exchanged()]).toEqual(["failed", 5]);
  });
});

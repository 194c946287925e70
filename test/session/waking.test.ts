import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { createSession, type Session } from "../../src/session/session";
import { toPolicies } from "../../src/session/settings";
import { type Clock, createClock } from "../support/clock";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { awaitAnswer } from "../support/feed";
import { until } from "../support/until";

const HOUR_MS = 3_600_000;
const JANUARY = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };

let companion: RunningCompanion;
let session: Session;
let clock: Clock;
let isOnline: boolean;
let receive: () => void;

beforeAll(async () => {
  companion = await startCompanion({ companies: 50 });
});
beforeEach(async () => {
  isOnline = true;
  clock = createClock({
    hurryMs: 1_000,
    startMs: Date.now(),
    network: {
      isThere: () => isOnline,
      watch: (listener) => {
        receive = listener;
      },
    },
    fetch: (...parameters) => (isOnline ? fetch(...parameters) : Promise.reject(new TypeError("no network"))),
  });
  session = createSession({ ports: clock.ports, companionUrl: companion.origin });
  session.adopt({ refresh: toPolicies("every-5") });
  await show();
  companion.controls.reset();
});
afterEach(() => {
  session.disconnect();
  session.feed.queryCache.close();
});
afterAll(() => companion.close());

/** Shows two companies' figures and a ranking, as cells do, until each has a value. */
async function show(): Promise<void> {
  const { feed } = session;
  const { rows } = await awaitAnswer(feed, feed.companies.querySearch({ country: "JPN" }, 2));
  const figures = rows.map(({ id }) => feed.financials.query({ companyId: String(id) }));
  const shown = [...figures, feed.rankings.queryCompanies(JANUARY, 5)].map(
    (query) =>
      new Promise<void>((resolve) => {
        feed.queryCache.observe<unknown>(query, ({ status }) => status === "answered" && resolve());
      }),
  );
  await Promise.all(shown);
}

const listRequests = () => companion.controls.requests.map(({ operationId }) => operationId);
const nextInSeconds = () => ((session.schedule.nextAtMs() ?? Number.NaN) - clock.nowMs()) / 1000;
const isRefreshed = () => session.refreshing.state().last !== null && session.refreshing.state().running === null;

/** Lets the delay pass, and the following refresh end. */
async function refresh(): Promise<void> {
  await clock.advance(10_500);
  await until(isRefreshed);
}

describe("a page whose machine slept", () => {
  it("announces its refresh, then exchanges one token and refreshes everything once", async () => {
    await clock.sleep(8 * HOUR_MS);
    expect([listRequests(), nextInSeconds()]).toEqual([[], expect.closeTo(10.5, 0)]);
    await refresh();
    const [first, ...rest] = listRequests();
    expect(first).toBe("createToken");
    expect(rest.sort()).toEqual(["getFinancialsOfMany", "rankCompanies"]);
    expect(session.feed.activity.stale()).toBe(0);
  });

  it("waits for the network, then does the same", async () => {
    isOnline = false;
    receive();
    await clock.sleep(8 * HOUR_MS);
    expect([listRequests(), session.schedule.nextAtMs()]).toEqual([[], null]);
    isOnline = true;
    receive();
    await clock.advance(0);
    expect([listRequests(), nextInSeconds()]).toEqual([[], expect.closeTo(10.5, 0)]);
    await refresh();
    expect(listRequests().filter((each) => each === "createToken")).toHaveLength(1);
    expect(listRequests()[0]).toBe("createToken");
    expect(listRequests()).toHaveLength(3);
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import type { Ports } from "../../src/client/ports";
import type { Query } from "../../src/feed/query-cache";
import { createSession, type Session } from "../../src/session/session";
import { type Settings, toPolicies } from "../../src/session/settings";
import { untilPersisted } from "../feed/persisted-cache-storage";
import { createClock, drain } from "../support/clock";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { awaitAnswer } from "../support/feed";
import { createStorage } from "../support/storage";
import { until } from "../support/until";

const surroundings = globalThis as { indexedDB?: unknown };
const HOUR_MS = 3_600_000;
const JANUARY = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };

let companion: RunningCompanion;
let ids: string[];
let session: Session;
let storage: Ports["storage"];
let isOnline: boolean;
let receive: () => void;

beforeAll(async () => {
  companion = await startCompanion({ companies: 50 });
  [storage, isOnline] = [createStorage(), true];
  open(0);
  const search = session.feed.companies.querySearch({ country: "JPN" }, 2);
  ids = (await awaitAnswer(session.feed, search)).rows.map(({ id }) => String(id));
  close();
});
beforeEach(() => {
  surroundings.indexedDB = new IDBFactory();
  storage = createStorage();
  isOnline = true;
});
afterEach(() => close());
afterAll(async () => {
  await companion.close();
  delete surroundings.indexedDB;
});

function close(): void {
  session.disconnect();
  session.feed.queryCache.close();
}

/** Opens a page after a time. */
function open(laterMs: number): void {
  companion.controls.requests.length = 0;
  const watch = (listener: () => void) => {
    receive = listener;
  };
  const clock = createClock({
    hurryMs: 1_000,
    startMs: Date.now() + laterMs,
    storage,
    network: { isThere: () => isOnline, watch },
    fetch: (...parameters) => (isOnline ? fetch(...parameters) : Promise.reject(new TypeError("no network"))),
  });
  session = createSession({ ports: clock.ports, companionUrl: companion.origin });
}

/** Shows two companies' figures and a ranking, as cells do, until each has a value. */
async function show(): Promise<void> {
  const { feed } = session;
  const queries: Query<unknown>[] = [
    ...ids.map((companyId) => feed.financials.query({ companyId }) as Query<unknown>),
    feed.rankings.queryCompanies(JANUARY, 5) as Query<unknown>,
  ];
  const answered = new Set<Query<unknown>>();
  for (const query of queries) {
    feed.queryCache.observe(query, ({ status }) => status === "answered" && answered.add(query));
  }
  await until(() => answered.size === queries.length);
}

const listRequests = () =>
  companion.controls.requests.map(({ operationId }) => operationId).filter((each) => each !== "createToken");

/** Opens the workbook for the first time, and again later. */
async function reopen(laterMs: number, persisted: Partial<Settings> | null = {}): Promise<void> {
  open(0);
  await session.connect();
  await show();
  await untilPersisted(3);
  close();
  open(laterMs);
  if (persisted !== null) session.adopt(persisted);
  await show();
  await until(() => session.state().status === "connected");
  await settle();
}

/** Automatic requests start within a moment, which the clock passes. */
async function settle(): Promise<void> {
  await drain();
  await until(() => session.refreshing.state().running === null);
  await drain();
}

describe("a reopened workbook", () => {
  it.each([
    ["an hour", HOUR_MS],
    ["23 hours", 23 * HOUR_MS],
  ])("sends no request after %s, when no answer is too old", async (_, laterMs) => {
    await reopen(laterMs);
    expect(listRequests()).toEqual([]);
  });

  it("refetches all outdated figures in one request, and no period that is over", async () => {
    await reopen(25 * HOUR_MS);
    expect(listRequests()).toEqual(["getFinancialsOfMany"]);
    expect(session.refreshing.state().last).toMatchObject({ refetched: 2, failures: [] });
  });

  it.each<[string, number, Settings["refresh"], string[]]>([
    ["nothing under the manual policy", 100, toPolicies("manual"), []],
    [
      "only the families without the manual policy",
      100,
      { ...toPolicies("open"), financials: "manual" },
      ["rankCompanies"],
    ],
    ["nothing younger than the chosen age", 2, { ...toPolicies("open-30d"), rankings: "open" }, []],
    ["for all that is older than was chosen", 2, toPolicies("open-1h"), ["getFinancialsOfMany", "rankCompanies"]],
    ["for all that is asked every few minutes", 2, toPolicies("every-60"), ["getFinancialsOfMany", "rankCompanies"]],
  ])("refetches %s", async (_, days, refresh, refetched) => {
    await reopen(days * 24 * HOUR_MS, { refresh });
    expect(listRequests().sort()).toEqual(refetched);
  });

  it("sends no request before the workbook's settings are known", async () => {
    await reopen(48 * HOUR_MS, null);
    expect(listRequests()).toEqual([]);
    session.adopt({});
    await settle();
    expect(listRequests()).toEqual(["getFinancialsOfMany"]);
  });

  it("sends no further request if everything was refreshed meanwhile", async () => {
    await reopen(48 * HOUR_MS, null);
    await session.refresh();
    const before = listRequests();
    session.adopt({});
    await settle();
    expect([before.length, listRequests().length]).toEqual([2, 2]);
  });

  it("shows cached answers offline and refetches when the network returns", async () => {
    await reopen(0);
    close();
    isOnline = false;
    open(48 * HOUR_MS);
    session.adopt({});
    await show();
    await until(() => session.state().status === "failed");
    await settle();
    expect(companion.controls.requests).toEqual([]);
    isOnline = true;
    receive();
    await until(() => session.state().status === "connected");
    await settle();
    expect(listRequests()).toEqual(["getFinancialsOfMany"]);
  });
});

describe("the age of an answer", () => {
  const ageOf = (hours: number, companyId = "a") => {
    const query = session.feed.financials.query({ companyId });
    return session.isStale(query, session.ports.nowMs() - hours * HOUR_MS);
  };

  it("is too high by the workbook's settings, by a daily limit for manual refresh, and if negative", () => {
    open(0);
    expect([ageOf(23), ageOf(25), ageOf(-1)]).toEqual([false, true, true]);
    session.change({ refresh: toPolicies("open-1h") });
    expect([ageOf(0.9), ageOf(1.1)]).toEqual([false, true]);
    session.change({ refresh: toPolicies("manual") });
    expect([ageOf(23), ageOf(25)]).toEqual([false, true]);
  });

  it("may be longer for a past period", () => {
    open(0);
    const isOld = (end: string, hours: number) =>
      session.isStale(
        session.feed.rankings.queryCompanies({ ...JANUARY, end }, 5),
        session.ports.nowMs() - hours * HOUR_MS,
      );
    const today = new Date(session.ports.nowMs()).toISOString().slice(0, 19);
    expect([isOld(today, 0.2), isOld(today, 0.3), isOld(JANUARY.end, 89 * 24), isOld(JANUARY.end, 91 * 24)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });
});

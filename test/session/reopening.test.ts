import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Query } from "../../src/feed/query-cache";
import type { LastRefresh } from "../../src/session/refreshing";
import { type Settings, toPolicies } from "../../src/session/settings";
import { keepFreshStorage, untilPersisted } from "../feed/persisted-cache-storage";
import { startCompanion } from "../support/companion";
import { awaitAnswer } from "../support/feed";
import { until } from "../support/until";
import { HOUR_MS, JANUARY, keepPage } from "./scripted-session";

const page = keepPage(() => startCompanion({ companies: 50 }));
keepFreshStorage();
let ids: string[];
beforeAll(async () => {
  open(0);
  const search = page.session.feed.companies.querySearch({ country: "JPN" }, 2);
  ids = (await awaitAnswer(page.session.feed, search)).rows.map(({ id }) => String(id));
  await page.close();
});

function open(laterMs: number): void {
  page.server.controls.reset();
  page.open({ startMs: Date.now() + laterMs, fetch: page.fetchOnline });
}

/** Shows two companies' figures and a ranking, as cells do, until each has a value. */
function show(): Promise<void> {
  const figures = ids.map((companyId): Query<unknown> => page.session.feed.financials.query({ companyId }));
  return page.show("answered", ...figures, page.toRanking(5));
}

const listRequests = () => page.server.controls.requests.map(({ operationId }) => operationId);
/** The data requests, without the one of {@link expectNoRefetch}. */
const listReads = () => listRequests().filter((each) => !["createToken", "getTaxonomyTree"].includes(each));
const lastRefresh = () => page.session.refreshing.state().last;
const untilRefetched = () => until(() => lastRefresh() !== null);

/** Passes the moment in which an automatic refetch begins; a later read ends after what was sent in it. */
async function expectNoRefetch(last: LastRefresh | null = null): Promise<void> {
  await page.clock.advance(1_000);
  await page.show("answered", page.session.feed.taxonomies.queryTree());
  expect(page.session.refreshing.state()).toEqual({ running: null, last });
}

describe("a reopened workbook", () => {
  /** Opens the workbook for the first time, and again later. */
  const reopen = async (
    laterMs: number,
    persisted: Partial<Settings> | null = {},
    end: () => Promise<void> = expectNoRefetch,
  ): Promise<void> => {
    open(0);
    await page.session.connect();
    await show();
    await untilPersisted(3);
    await page.close();
    open(laterMs);
    if (persisted !== null) page.session.adopt(persisted);
    await show();
    await until(() => page.session.state().status === "connected");
    await end();
  };

  it("refetches all outdated figures in one request, and no period that is over", async () => {
    await reopen(25 * HOUR_MS, {}, untilRefetched);
    expect(listReads()).toEqual(["getFinancialsOfMany"]);
    expect(page.session.refreshing.state().last).toMatchObject({ refetched: 2, failures: [] });
  });

  const BOTH = ["getFinancialsOfMany", "rankCompanies"];
  const OPEN = toPolicies("open");
  it.each<[string, hours: number, Settings["refresh"], string[]]>([
    ["nothing an hour later, when no answer is too old", 1, OPEN, []],
    ["nothing 23 hours later, when no answer is too old", 23, OPEN, []],
    ["nothing under the manual policy", 2_400, toPolicies("manual"), []],
    ["only the families without the manual policy", 2_400, { ...OPEN, financials: "manual" }, ["rankCompanies"]],
    ["nothing younger than the chosen age", 48, { ...toPolicies("open-30d"), rankings: "open" }, []],
    ["for all that is older than was chosen", 48, toPolicies("open-1h"), BOTH],
    ["for all that is asked every few minutes", 48, toPolicies("every-60"), BOTH],
  ])("refetches %s", async (_, hours, refresh, refetched) => {
    await reopen(hours * HOUR_MS, { refresh }, refetched.length > 0 ? untilRefetched : expectNoRefetch);
    expect(listReads().sort()).toEqual(refetched);
  });

  it("sends no request before the workbook's settings are known", async () => {
    await reopen(48 * HOUR_MS, null);
    expect(listReads()).toEqual([]);
    page.session.adopt({});
    await untilRefetched();
    expect(listReads()).toEqual(["getFinancialsOfMany"]);
  });

  it("sends no further request if everything was refreshed meanwhile", async () => {
    await reopen(48 * HOUR_MS, null);
    await page.session.refresh();
    const before = listReads();
    const last = lastRefresh();
    page.session.adopt({});
    await expectNoRefetch(last);
    expect([before.length, listReads().length]).toEqual([2, 2]);
  });

  it("shows cached answers offline and refetches when the network returns", async () => {
    await reopen(0);
    await page.close();
    page.isOnline = false;
    open(48 * HOUR_MS);
    page.session.adopt({});
    await show();
    await until(() => page.session.state().status === "failed");
    await page.clock.advance(1_000);
    expect([page.server.controls.requests, lastRefresh()]).toEqual([[], null]);
    page.setOnline(true);
    await untilRefetched();
    expect(listReads()).toEqual(["getFinancialsOfMany"]);
  });
});

describe("the age of an answer", () => {
  const isOld = (query: Query<unknown>, hours: number) =>
    page.session.isStale(query, page.session.ports.nowMs() - hours * HOUR_MS);
  beforeEach(() => open(0));

  it("is too high by the workbook's settings, by a daily limit for manual refresh, and if negative", () => {
    const figures = page.session.feed.financials.query({ companyId: "a" });
    const areOld = (...hours: number[]) => hours.map((each) => isOld(figures, each));
    expect(areOld(23, 25, -1)).toEqual([false, true, true]);
    page.session.change({ refresh: toPolicies("open-1h") });
    expect(areOld(0.9, 1.1)).toEqual([false, true]);
    page.session.change({ refresh: toPolicies("manual") });
    expect(areOld(23, 25)).toEqual([false, true]);
  });

  it("may be longer for a past period", () => {
    const today = new Date(page.session.ports.nowMs()).toISOString().slice(0, 19);
    const areOld = (end: string, ...hours: number[]) =>
      hours.map((each) => isOld(page.session.feed.rankings.queryCompanies({ ...JANUARY, end }, 5), each));
    expect(areOld(today, 0.2, 0.3)).toEqual([false, true]);
    expect(areOld(JANUARY.end, 89 * 24, 91 * 24)).toEqual([false, true]);
  });
});

describe("a page whose machine slept", () => {
  beforeEach(async () => {
    open(0);
    page.session.adopt({ refresh: toPolicies("every-5") });
    await show();
    page.server.controls.reset();
  });

  const nextInSeconds = () => ((page.session.schedule.nextAtMs() ?? Number.NaN) - page.clock.nowMs()) / 1000;
  /** Lets the delay pass, and the following refresh end. */
  const refresh = async (): Promise<void> => {
    expect([listRequests(), nextInSeconds()]).toEqual([[], expect.closeTo(10.5, 0)]);
    await page.clock.advance(10_500);
    const { refreshing } = page.session;
    await until(() => refreshing.state().last !== null && refreshing.state().running === null);
    const [first, ...rest] = listRequests();
    expect([first, rest.sort()]).toEqual(["createToken", ["getFinancialsOfMany", "rankCompanies"]]);
  };

  it("announces its refresh, then exchanges one token and refreshes everything once", async () => {
    await page.clock.sleep(8 * HOUR_MS);
    await refresh();
    expect(page.session.feed.activity.stale()).toBe(0);
  });

  it("waits for the network, then does the same", async () => {
    page.setOnline(false);
    await page.clock.sleep(8 * HOUR_MS);
    expect([listRequests(), page.session.schedule.nextAtMs()]).toEqual([[], null]);
    page.setOnline(true);
    await page.clock.advance(0);
    await refresh();
  });
});

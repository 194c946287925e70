import { afterEach, describe, expect, it } from "@jest/globals";
import { OPERATION_FAMILIES } from "../../../src/contract/constants";
import { awaitAnswer, type FeedOnServer, settle, startFeedOn, TOKEN_PATH } from "../../support/feed";
import type { Answering, Received } from "../../support/http-server";
import { until } from "../../support/until";

const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };
const COMPANIES = "/asia/private-markets/v1/companies/";
const FAILED: Answering = { status: 503, json: {} };
const toId = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const toLimited = (retryAfter: string): Answering => ({
  status: 429,
  headers: { "retry-after": retryAfter },
  json: {},
});
const toCompany = ({ path }: Received): Answering => ({ json: { id: path.slice(COMPANIES.length) } });

let running: FeedOnServer;
let isOpen = false;

/** @param answer The answer to requests for companies; rankings are answered at once. */
async function start(answer: (request: Received) => Answering | Promise<Answering>): Promise<void> {
  isOpen = true;
  running = await startFeedOn((request) => {
    if (request.path.startsWith(COMPANIES)) return answer(request);
    return request.path.includes("/ranking/") ? { json: { data: [], page: 1, total: 0 } } : undefined;
  });
}
afterEach(async () => {
  if (isOpen) await running.close();
  isOpen = false;
});

const loadCompany = (number: number) => awaitAnswer(running.feed, running.feed.companies.query(toId(number)));
const loadRanking = () => awaitAnswer(running.feed, running.feed.rankings.queryCompanies(RANGE, 5));
const sent = () => running.requests().filter(({ path }) => path.startsWith(COMPANIES)).length;
/** More than the sixth failure takes, which pauses the family. */
const breakCompanies = () => settle([1, 2, 3, 4, 5, 6, 7, 8].map(loadCompany));
const list = () => running.feed.families.list();

describe("a family", () => {
  it("contains the operations of one server of the provider", () => {
    const operations = Object.entries(OPERATION_FAMILIES);
    const listOf = (family: string) => operations.filter(([, each]) => each === family).map(([operation]) => operation);
    expect(["financials", "rankings", "taxonomies"].map((family) => [family, ...listOf(family)])).toEqual([
      ["financials", "getCompanyFinancials", "getFinancialsOfMany"],
      ["rankings", "rankCompanies", "rankCompanyPages", "rankIndustries"],
      [
        "taxonomies",
        "listTaxonomyCompanies",
        "getTaxonomyCompany",
        "listIndustryCompanies",
        "listSubSectorCompanies",
        "listSectorCompanies",
        "getTaxonomyTree",
      ],
    ]);
    expect(listOf("companies")).toEqual(
      expect.arrayContaining(["searchCompanies", "getCompany", "listCompaniesWalkThrough"]),
    );
  });
});

describe("a family with a demanded pause", () => {
  it("lets one probe through after it, then the others, and holds no slot meanwhile", async () => {
    const held: (() => void)[] = [];
    await start((request) =>
      sent() === 1 ? toLimited("7") : new Promise((resolve) => held.push(() => resolve(toCompany(request)))),
    );
    const first = loadCompany(1);
    await until(() => list().length > 0);
    const others = [2, 3, 4, 5, 6, 7, 8].map(loadCompany);
    await loadRanking();
    expect(list()).toEqual([{ family: "companies", untilMs: expect.any(Number), code: "FEED_RATE_LIMITED" }]);
    await running.clock.advance(6_900);
    expect(sent()).toBe(1);
    await running.clock.advance(100);
    await until(() => sent() === 2);
    await loadRanking();
    expect([sent(), list().length]).toEqual([2, 1]);
    held[0]?.();
    await until(() => held.length === 6);
    let isOver = false;
    void Promise.all([first, ...others]).then(() => {
      isOver = true;
    });
    await until(() => {
      for (const release of held.splice(0)) release();
      return isOver;
    });
    expect([sent(), list()]).toEqual([9, []]);
  });

  it("gives each waiting request its 30 seconds from the end of the pause", async () => {
    await start((request) => {
      if (sent() <= 2) return toLimited("20");
      return new Promise((resolve) => void running.clock.ports.after(14_000, () => resolve(toCompany(request))));
    });
    const both = settle([loadCompany(1), loadCompany(2)]);
    await until(() => sent() === 2 && list().length > 0);
    const later = settle([loadCompany(3)]);
    await running.clock.advance(20_000);
    await until(() => sent() === 3);
    await running.clock.advance(14_000);
    await until(() => sent() === 5);
    await running.clock.advance(14_000);
    expect([...(await both), ...(await later)]).toEqual([1, 2, 3].map((number) => ({ id: toId(number) })));
  });

  it("does not extend the deadline of a read when the token endpoint demands a longer pause", async () => {
    let exchanges = 0;
    isOpen = true;
    running = await startFeedOn((request) => {
      if (request.path === TOKEN_PATH && ++exchanges <= 2) return toLimited("16");
      return request.path.startsWith(COMPANIES) ? toCompany(request) : undefined;
    });
    const failed = loadCompany(1).catch((error) => error);
    await until(() => list().length > 0);
    await running.clock.advance(16_000);
    await until(() => exchanges === 2);
    await running.clock.advance(3_000);
    expect(await failed).toMatchObject({ code: "FEED_RATE_LIMITED" });
    expect(running.feed.families.findCause(await failed)).toMatchObject({ family: "credentials" });
  });

  it("fails requests that cannot wait that long at once, with the duration, and sends nothing", async () => {
    await start(() => toLimited("3600"));
    expect(await settle([loadCompany(1)])).toEqual(["FEED_RATE_LIMITED"]);
    await running.clock.advance(90_000);
    const failure = await loadCompany(2).catch((error) => error);
    expect(failure).toMatchObject({
      code: "FEED_RATE_LIMITED",
      message: "too many requests; it is requested again by itself in 59 minutes",
    });
    expect(running.feed.families.findCause(failure)).toEqual({ family: "companies", wasSent: false });
    expect(sent()).toBe(1);
    running.feed.families.tryNow();
    expect(await settle([loadCompany(3)])).toEqual(["FEED_RATE_LIMITED"]);
    expect(sent()).toBe(1);
  });

  it("pauses for a failure with Retry-After too", async () => {
    await start(() => ({ ...toLimited("60"), status: 503 }));
    expect(await settle([loadCompany(1)])).toEqual(["FEED_SERVER_FAILED"]);
    expect(list()).toEqual([{ family: "companies", untilMs: expect.any(Number), code: "FEED_SERVER_FAILED" }]);
    await running.clock.advance(10_000);
    expect(await loadCompany(2).catch((error) => error)).toMatchObject({
      code: "FEED_SERVER_FAILED",
      message: "the provider failed with 503; it is requested again by itself in 50 seconds",
    });
    running.feed.families.tryNow();
    await settle([loadCompany(3)]);
    expect(sent()).toBe(2);
  });

  it("pauses no longer if the computer's clock is set back by a month", async () => {
    await start((request) => (sent() === 1 ? toLimited("120") : toCompany(request)));
    const { ports } = running.clock;
    const { nowMs } = ports;
    await settle([loadCompany(1)]);
    ports.nowMs = () => nowMs() - 30 * 86_400_000;
    expect(list()).toMatchObject([{ untilMs: ports.nowMs() + 120_000 }]);
    await running.clock.advance(120_000);
    await loadCompany(2);
    expect([sent(), list()]).toEqual([2, []]);
  });

  it("releases a request without subscribers, and its timers", async () => {
    await start(() => toLimited("20"));
    const stops = [1, 2].map((number) =>
      running.feed.queryCache.observe(running.feed.companies.query(toId(number)), () => {}),
    );
    await until(() => list().length > 0);
    for (const stop of stops) stop();
    await running.clock.advance(1_500); // a query outlives its cells by this long
    expect(running.clock.timers()).toBe(0);
    const before = sent();
    await running.clock.advance(60_000);
    expect(sent()).toBe(before);
  });
});

describe("a family that keeps failing", () => {
  it("gets no more requests once it is open, not even those queued before", async () => {
    await start(() => FAILED);
    expect(new Set(await breakCompanies())).toEqual(new Set(["FEED_SERVER_FAILED"]));
    const before = sent();
    expect(before).toBeLessThanOrEqual(10); // at the sixth failure four others are pending
    expect(await settle([11, 12, 13, 14].map(loadCompany))).toEqual(Array(4).fill("FEED_SERVER_FAILED"));
    expect(sent()).toBe(before);
    await loadRanking();
  });

  it("fails unsent requests with the cause, whatever the status was", async () => {
    await start(() => ({ text: "<p>Sign in</p>" }));
    await breakCompanies();
    const before = sent();
    const error = await loadCompany(20).catch((reason) => reason);
    expect(error).toMatchObject({ code: "FEED_NETWORK_FAILED", message: expect.stringContaining("no JSON") });
    expect(sent()).toBe(before);
  });

  it("gets one probe after a pause, and resumes when that is answered", async () => {
    let answer: (request: Received) => Answering = () => FAILED;
    await start((request) => answer(request));
    await breakCompanies();
    const before = sent();
    await running.clock.advance(2_000);
    expect(await settle([11, 12, 13].map(loadCompany))).toEqual(Array(3).fill("FEED_SERVER_FAILED"));
    expect(sent()).toBe(before + 1);
    await running.clock.advance(2_000);
    expect(await settle([loadCompany(14)])).toEqual(["FEED_SERVER_FAILED"]);
    expect(sent()).toBe(before + 1);
    answer = toCompany;
    await running.clock.advance(2_000);
    await Promise.all([15, 16, 17].map(loadCompany));
    expect([sent(), list()]).toEqual([before + 4, []]);
  });

  it("is probed at once when a person asks", async () => {
    await start((request) => (sent() <= 10 ? FAILED : toCompany(request)));
    await breakCompanies();
    running.feed.families.tryNow();
    for (let number = 20; sent() < 10; number++) {
      await settle([loadCompany(number)]);
      running.feed.families.tryNow();
    }
    await loadCompany(40);
    expect(list()).toEqual([]);
  });

  it("is probed by the next request if its probe is cancelled", async () => {
    let isSilent = false;
    await start((request) => {
      if (!isSilent) return FAILED;
      isSilent = false;
      return request.isAborted() ? FAILED : { raw: () => {} };
    });
    await breakCompanies();
    await running.clock.advance(2_000);
    isSilent = true;
    const before = sent();
    const stop = running.feed.queryCache.observe(running.feed.companies.query(toId(30)), () => {});
    await until(() => sent() === before + 1);
    const next = settle([loadCompany(31)]);
    stop();
    await running.clock.advance(1_500);
    expect(await next).toEqual(["FEED_SERVER_FAILED"]);
    expect(sent()).toBe(before + 2);
  });

  it("is forgotten when the client changes", async () => {
    await start((request) => (sent() <= 10 ? FAILED : toCompany(request)));
    await breakCompanies();
    expect(list()).toHaveLength(1);
    running.feed.reset();
    expect(list()).toEqual([]);
  });
});

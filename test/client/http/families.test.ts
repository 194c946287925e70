import { afterEach, describe, expect, it } from "@jest/globals";
import { OPERATION_FAMILIES } from "../../../src/contract/constants";
import { drain } from "../../support/clock";
import { awaitAnswer, type FeedOnServer, listen, settle, startFeedOn, TOKEN_PATH } from "../../support/feed";
import type { Answering, Received } from "../../support/http-server";
import { until } from "../../support/until";
import { answerFinancials, FINANCIALS, loadMany } from "../auth/token-reads";
import OPERATIONS from "./families.json";

const RANGE = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };
const COMPANIES = "/asia/private-markets/v1/companies/";
const FAILED: Answering = { status: 503, json: {} };
const SILENT: Answering = { raw: () => {} };
const toId = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const toLimited = (retryAfter: string): Answering => ({
  status: 429,
  headers: { "retry-after": retryAfter },
  json: {},
});
const toCompany = ({ path }: Received): Answering => ({ json: { id: path.slice(COMPANIES.length) } });

let running: FeedOnServer;
afterEach(() => running?.close());

/** @param answer The answer to the nth request for companies, from 1; rankings are answered at once. */
async function start(answer: (request: Received, nth: number) => Answering | Promise<Answering>): Promise<void> {
  let nth = 0;
  running = await startFeedOn((request) => {
    if (request.path.startsWith(COMPANIES)) return answer(request, ++nth);
    return request.path.includes("/ranking/") ? { json: { data: [], page: 1, total: 0 } } : undefined;
  });
}

const loadCompany = (number: number) => awaitAnswer(running.feed, running.feed.companies.query(toId(number)));
const loadAll = (...numbers: number[]) => settle(numbers.map(loadCompany));
const companyOf = (number: number) => ({ id: toId(number) });
const loadRanking = () => awaitAnswer(running.feed, running.feed.rankings.queryCompanies(RANGE, 5));
const sent = () => running.requests().filter(({ path }) => path.startsWith(COMPANIES)).length;
/** More than the sixth failure takes, which pauses the family. */
const breakCompanies = () => loadAll(1, 2, 3, 4, 5, 6, 7, 8);
const list = () => running.feed.families.list();
/** Answers a time after the request came. */
const answerAfter = (ms: number, answering: Answering) =>
  new Promise<Answering>((resolve) => void running.clock.ports.after(ms, () => resolve(answering)));

it("a family contains the operations of one server of the provider", () => {
  const listOf = (family: string) =>
    Object.entries(OPERATION_FAMILIES).flatMap(([operation, each]) => (each === family ? [operation] : []));
  expect(Object.keys(OPERATIONS).map((family) => [family, listOf(family)])).toEqual(Object.entries(OPERATIONS));
  expect(listOf("companies")).toEqual(
    expect.arrayContaining(["searchCompanies", "getCompany", "listCompaniesWalkThrough"]),
  );
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
    await start((request, nth) => (nth <= 2 ? toLimited("20") : answerAfter(14_000, toCompany(request))));
    const both = loadAll(1, 2);
    await until(() => sent() === 2 && list().length > 0);
    const later = loadAll(3);
    await running.clock.advance(20_000);
    await until(() => sent() === 3);
    await running.clock.advance(14_000);
    await until(() => sent() === 5);
    await running.clock.advance(14_000);
    expect([...(await both), ...(await later)]).toEqual([1, 2, 3].map((number) => ({ id: toId(number) })));
  });

  it("does not extend the deadline of a read when the token endpoint demands a longer pause", async () => {
    let exchanges = 0;
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
    expect(await loadAll(1)).toEqual(["FEED_RATE_LIMITED"]);
    await running.clock.advance(90_000);
    const failure = await loadCompany(2).catch((error) => error);
    expect(failure).toMatchObject({
      code: "FEED_RATE_LIMITED",
      message: "too many requests; it is requested again by itself in 59 minutes",
    });
    expect(running.feed.families.findCause(failure)).toEqual({ family: "companies", wasSent: false });
    expect(sent()).toBe(1);
    running.feed.families.tryNow();
    expect(await loadAll(3)).toEqual(["FEED_RATE_LIMITED"]);
    expect(sent()).toBe(1);
  });

  it("releases a request without subscribers, and its timers", async () => {
    await start(() => toLimited("20"));
    const cells = [1, 2].map((number) => listen(running.feed, running.feed.companies.query(toId(number))));
    await until(() => list().length > 0);
    for (const { stop } of cells) stop();
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
    expect(await loadAll(11, 12, 13, 14)).toEqual(Array(4).fill("FEED_SERVER_FAILED"));
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
    expect(await loadAll(11, 12, 13)).toEqual(Array(3).fill("FEED_SERVER_FAILED"));
    expect(sent()).toBe(before + 1);
    await running.clock.advance(2_000);
    expect(await loadAll(14)).toEqual(["FEED_SERVER_FAILED"]);
    expect(sent()).toBe(before + 1);
    answer = toCompany;
    await running.clock.advance(2_000);
    await Promise.all([15, 16, 17].map(loadCompany));
    expect([sent(), list()]).toEqual([before + 4, []]);
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
    const { stop } = listen(running.feed, running.feed.companies.query(toId(30)));
    await until(() => sent() === before + 1);
    const next = loadAll(31);
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

const pass = async (ms: number) => {
  await drain();
  await running.clock.advance(ms);
};
/** Passes the time after which one of so many unanswered requests is hedged. */
const passToHedge = async (unanswered = 1) => {
  await until(() => sent() === unanswered);
  await pass(15_000);
  await until(() => sent() === unanswered + 1);
};

describe("a slow answer", () => {
  it.each([16, 20, 29])("after %d seconds is the value, and the hedging request is cancelled", async (seconds) => {
    await start((request) => answerAfter(seconds * 1_000, toCompany(request)));
    const answer = loadCompany(1);
    await passToHedge();
    await pass(seconds * 1_000 - 15_000);
    expect(await answer).toEqual(companyOf(1));
    await until(() => running.requests()[1]?.isAborted() === true);
    expect([sent(), running.feed.activity.requests(), list()]).toEqual([2, 2, []]);
    expect(running.feed.activity.log().map(({ outcome }) => outcome)).toEqual(
      expect.arrayContaining(["answered", "left"]),
    );
  });

  it("that never comes is replaced by the hedging request's", async () => {
    await start((request, nth) => (nth === 1 ? SILENT : toCompany(request)));
    const answer = loadCompany(1);
    await passToHedge();
    expect(await answer).toEqual(companyOf(1));
    await until(() => running.requests()[0]?.isAborted() === true);
    expect(sent()).toBe(2);
  });

  it.each([503, 429])("is awaited if the hedging request gets a %d", async (status) => {
    await start((request, nth) => (nth === 2 ? { status, json: {} } : answerAfter(25_000, toCompany(request))));
    const answer = loadCompany(1);
    await passToHedge();
    await pass(10_000);
    expect(await answer).toEqual(companyOf(1));
    expect([sent(), list()]).toEqual([2, []]);
  });

  it("ends with a refusal of either request", async () => {
    await start((request, nth) => (nth === 2 ? { status: 404, json: {} } : answerAfter(25_000, toCompany(request))));
    const failed = loadAll(1);
    await passToHedge();
    expect(await failed).toEqual(["FEED_NOT_FOUND"]);
  });

  it("is hedged once at most, and not shortly before its deadline", async () => {
    await start((_request, nth) => (nth === 1 ? answerAfter(28_000, FAILED) : SILENT));
    const failed = loadAll(1, 2);
    await passToHedge(2); // the slot of the hedging requests is taken until the end
    await pass(15_000);
    expect(await failed).toEqual(["FEED_TIMED_OUT", "FEED_TIMED_OUT"]);
    expect(sent()).toBe(3);
  });

  it("counts once for the family, for any outcome of both requests", async () => {
    await start(() => SILENT);
    const failed = loadAll(1, 2, 3, 4, 5);
    await passToHedge(5);
    await pass(15_000);
    expect(await failed).toEqual(Array(5).fill("FEED_TIMED_OUT"));
    expect(list()).toEqual([]);
    const sixth = loadAll(6);
    await until(() => sent() === 7);
    await pass(30_000);
    expect(await sixth).toEqual(["FEED_TIMED_OUT"]);
    expect(list()).toHaveLength(1);
  });
});

describe("a provider that is slow for everybody", () => {
  it("gets one request in ten more, not twice as many", async () => {
    await start((request) => answerAfter(20_000, toCompany(request)));
    const numbers = Array.from({ length: 40 }, (_, index) => index);
    let isOver = false;
    const answers = Promise.all(numbers.map(loadCompany)).finally(() => {
      isOver = true;
    });
    await until(async () => {
      await pass(1_000);
      return isOver;
    });
    expect(await answers).toEqual(numbers.map(companyOf));
    expect(sent()).toBeGreaterThan(40);
    expect(sent()).toBeLessThanOrEqual(40 + 5 + 4);
  });

  it("answers all queries although its first five requests hang", async () => {
    await start((request, nth) => (nth <= 5 ? SILENT : toCompany(request)));
    const answers = Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(loadCompany));
    await until(() => sent() === 5);
    await pass(15_000);
    expect(await answers).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map(companyOf));
    expect(sent()).toBe(13);
  });

  it("gets a single probe after a pause", async () => {
    let isSilent = false;
    await start(() => (isSilent ? SILENT : FAILED));
    await loadAll(1, 2, 3);
    expect(list()).toHaveLength(1);
    await running.clock.advance(2_000);
    isSilent = true;
    const before = sent();
    const failed = loadAll(4);
    await until(() => sent() === before + 1);
    await pass(30_000);
    expect([await failed, sent()]).toEqual([["FEED_TIMED_OUT"], before + 1]);
  });
});

it("a slow token exchange is hedged with an assertion of its own, and yields one token for all", async () => {
  const exchanges: unknown[] = [];
  running = await startFeedOn((request) => {
    if (request.path.startsWith(COMPANIES)) return toCompany(request);
    if (request.path !== TOKEN_PATH) return undefined;
    exchanges.push(new URLSearchParams(String(request.body)).get("client_assertion"));
    return exchanges.length === 1 ? SILENT : undefined;
  });
  const answers = Promise.all([1, 2, 3].map(loadCompany));
  await until(() => exchanges.length === 1);
  await pass(10_000);
  expect(await answers).toEqual([1, 2, 3].map(companyOf));
  expect([exchanges.length, new Set(exchanges).size]).toEqual([2, 2]);
});

const AT_ONCE = 5;
const ANSWER_MS = 6_000;

it("many companies of a slow provider all get their values in the usual number of requests, though the last wait 42 seconds", async () => {
  running = await startFeedOn((request) =>
    request.path === FINANCIALS ? answerAfter(ANSWER_MS, answerFinancials(request)) : undefined,
  );
  const cells = Array.from({ length: 1_000 }, (_, index) =>
    listen(running.feed, running.feed.financials.query({ companyId: `c${index}` })),
  );
  for (let sent = AT_ONCE; sent <= 40; sent += AT_ONCE) {
    await until(() => running.requests().length === sent);
    await running.clock.advance(ANSWER_MS);
  }
  await until(() => cells.every(({ answers }) => answers().length > 0));
  expect([running.requests().length, running.clock.timers()]).toEqual([40, 0]);
});

it("many companies of a provider that stops answering all fail in bounded time, the later ones without a request", async () => {
  running = await startFeedOn(({ path }) => (path === FINANCIALS ? { raw: () => {} } : undefined));
  const codes = settle(loadMany(running, 500));
  await until(() => running.requests().length === AT_ONCE);
  await running.clock.advance(60_000);
  expect(new Set(await codes)).toEqual(new Set(["FEED_TIMED_OUT"]));
  expect(running.requests().length).toBeLessThanOrEqual(2 * (AT_ONCE + 1)); // with one hedging request beside the five each time
});

import { afterEach, describe, expect, it } from "@jest/globals";
import { drain } from "../../support/clock";
import { awaitAnswer, type FeedOnServer, settle, startFeedOn, TOKEN_PATH } from "../../support/feed";
import type { Answering, Received } from "../../support/http-server";
import { until } from "../../support/until";

const COMPANIES = "/asia/private-markets/v1/companies/";
const SILENT: Answering = { raw: () => {} };
const FAILED: Answering = { status: 503, json: {} };
const toId = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const toCompany = ({ path }: Received): Answering => ({ json: { id: path.slice(COMPANIES.length) } });

let running: FeedOnServer;
afterEach(() => running.close());

/** @param answer The answer to the nth request for companies, from 1. */
async function start(answer: (request: Received, nth: number) => Answering | Promise<Answering>): Promise<void> {
  let nth = 0;
  running = await startFeedOn((request) => (request.path.startsWith(COMPANIES) ? answer(request, ++nth) : undefined));
}

const sent = () => running.requests().length;
const loadCompany = (number: number) => awaitAnswer(running.feed, running.feed.companies.query(toId(number)));
const companyOf = (number: number) => ({ id: toId(number) });

/** Answers a time after the request came. */
const answerAfter = (ms: number, answering: Answering) =>
  new Promise<Answering>((resolve) => void running.clock.ports.after(ms, () => resolve(answering)));

const pass = async (ms: number) => {
  await drain();
  await running.clock.advance(ms);
};

describe("a slow answer", () => {
  it.each([16, 20, 29])("after %d seconds is the value, and the hedging request is cancelled", async (seconds) => {
    await start((request) => answerAfter(seconds * 1_000, toCompany(request)));
    const answer = loadCompany(1);
    await until(() => sent() === 1);
    await pass(15_000);
    await until(() => sent() === 2);
    await pass(seconds * 1_000 - 15_000);
    expect(await answer).toEqual(companyOf(1));
    await until(() => running.requests()[1]?.isAborted() === true);
    expect([sent(), running.feed.activity.requests(), running.feed.families.list()]).toEqual([2, 2, []]);
    expect(running.feed.activity.log().map(({ outcome }) => outcome)).toEqual(
      expect.arrayContaining(["answered", "left"]),
    );
  });

  it("that never comes is replaced by the hedging request's", async () => {
    await start((request, nth) => (nth === 1 ? SILENT : toCompany(request)));
    const answer = loadCompany(1);
    await until(() => sent() === 1);
    await pass(15_000);
    expect(await answer).toEqual(companyOf(1));
    await until(() => running.requests()[0]?.isAborted() === true);
    expect(sent()).toBe(2);
  });

  it.each([503, 429])("is awaited if the hedging request gets a %d", async (status) => {
    await start((request, nth) => (nth === 2 ? { status, json: {} } : answerAfter(25_000, toCompany(request))));
    const answer = loadCompany(1);
    await until(() => sent() === 1);
    await pass(15_000);
    await until(() => sent() === 2);
    await pass(10_000);
    expect(await answer).toEqual(companyOf(1));
    expect([sent(), running.feed.families.list()]).toEqual([2, []]);
  });

  it("ends with a refusal of either request", async () => {
    await start((request, nth) => (nth === 2 ? { status: 404, json: {} } : answerAfter(25_000, toCompany(request))));
    const failed = settle([loadCompany(1)]);
    await until(() => sent() === 1);
    await pass(15_000);
    expect(await failed).toEqual(["FEED_NOT_FOUND"]);
  });

  it("is hedged once at most, and not shortly before its deadline", async () => {
    await start((_request, nth) => (nth === 1 ? answerAfter(28_000, FAILED) : SILENT));
    const failed = settle([loadCompany(1), loadCompany(2)]);
    await until(() => sent() === 2);
    await pass(15_000);
    await until(() => sent() === 3); // the slot of the hedging requests is taken until the end
    await pass(15_000);
    expect(await failed).toEqual(["FEED_TIMED_OUT", "FEED_TIMED_OUT"]);
    expect(sent()).toBe(3);
  });

  it("counts once for the family, for any outcome of both requests", async () => {
    await start(() => SILENT);
    const failed = settle([1, 2, 3, 4, 5].map(loadCompany));
    await until(() => sent() === 5);
    await pass(15_000);
    await until(() => sent() === 6);
    await pass(15_000);
    expect(await failed).toEqual(Array(5).fill("FEED_TIMED_OUT"));
    expect(running.feed.families.list()).toEqual([]);
    const sixth = settle([loadCompany(6)]);
    await until(() => sent() === 7);
    await pass(30_000);
    expect(await sixth).toEqual(["FEED_TIMED_OUT"]);
    expect(running.feed.families.list()).toHaveLength(1);
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
      await pass(500);
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
    await settle([1, 2, 3].map(loadCompany));
    expect(running.feed.families.list()).toHaveLength(1);
    await running.clock.advance(2_000);
    isSilent = true;
    const before = sent();
    const failed = settle([loadCompany(4)]);
    await until(() => sent() === before + 1);
    await pass(30_000);
    expect([await failed, sent()]).toEqual([["FEED_TIMED_OUT"], before + 1]);
  });
});

describe("a slow token exchange", () => {
  it("is hedged with an assertion of its own, and yields one token for all", async () => {
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
});

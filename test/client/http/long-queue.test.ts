import { afterEach, describe, expect, it } from "@jest/globals";
import { type FeedOnServer, listen, settle, startFeedOn } from "../../support/feed";
import { until } from "../../support/until";
import { answerFinancials, FINANCIALS, loadMany } from "../auth/token-reads";

const AT_ONCE = 5;
const ANSWER_MS = 6_000;

let running: FeedOnServer;
afterEach(() => running.close());

/** A provider with a latency. */
const startSlow = async () => {
  running = await startFeedOn((request) => {
    if (request.path !== FINANCIALS) return undefined;
    return new Promise((resolve) => {
      running.clock.ports.after(ANSWER_MS, () => resolve(answerFinancials(request)));
    });
  });
};

const passAnswers = async (times: number) => {
  for (let time = 0; time < times; time++) {
    const sent = running.requests().length;
    await running.clock.advance(ANSWER_MS);
    await until(() => running.requests().length >= sent + AT_ONCE);
  }
};

/** Subscribes for good, and passes the time until each has its value. */
const showAll = async (count: number) => {
  const cells = Array.from({ length: count }, (_, index) =>
    listen(running.feed, running.feed.financials.query({ companyId: `c${index}` })),
  );
  await until(() => running.requests().length === AT_ONCE);
  await passAnswers(count / 25 / AT_ONCE - 1);
  await running.clock.advance(ANSWER_MS);
  await until(() => cells.every(({ answers }) => answers().length > 0));
};

describe("many companies of a slow provider", () => {
  it("all get their values in the usual number of requests, though the last wait 42 seconds", async () => {
    await startSlow();
    await showAll(1_000);
    expect([running.requests().length, running.clock.timers()]).toEqual([40, 0]);
  });
});

describe("many companies of a provider that stops answering", () => {
  it("all fail in bounded time, the later ones without a request", async () => {
    running = await startFeedOn(({ path }) => (path === FINANCIALS ? { raw: () => {} } : undefined));
    const codes = settle(loadMany(running, 500));
    await until(() => running.requests().length === AT_ONCE);
    await running.clock.advance(60_000);
    expect(new Set(await codes)).toEqual(new Set(["FEED_TIMED_OUT"]));
    expect(running.requests().length).toBeLessThanOrEqual(2 * (AT_ONCE + 1)); // with one hedging request beside the five each time
  });
});

import { afterEach, describe, expect, it } from "@jest/globals";
import { RequestError } from "../../../src/client/errors";
import type { Call, LoadOptions, Provider } from "../../../src/client/provider";
import { type Connecting, createBatch } from "../../../src/feed/financials/batch";
import { createClock, drain } from "../../support/clock";
import {
  awaitAnswer,
  type FeedOnSandbox,
  type FeedOnServer,
  settle,
  startFeed,
  startFeedOn,
  startLoading,
} from "../../support/feed";
import type { Answering, Received } from "../../support/http-server";
import { until } from "../../support/until";

const idsOf = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`);
/** By then the queries of one task have been sent. */
const FLUSH_MS = 0;

/** An in-process provider whose answers the test releases. */
function createHeldProvider() {
  const calls: {
    call: Call;
    signal: AbortSignal;
    answer: (first?: number) => void;
    refuse: (error: unknown) => void;
  }[] = [];
  const provider: Provider = {
    load: (call: Call, { signal = new AbortController().signal }: LoadOptions = {}) =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        const answer = () => {
          const ids = (call.body as { companyIds?: string[] })?.companyIds ?? [call.path?.companyId ?? ""];
          const data = ids.map((companyId) => ({ companyId, years: [{ year: 2023 }, { year: 2022 }] }));
          const isOne = call.operation === "getCompanyFinancials";
          resolve({ body: isOne ? data[0] : { data, total: data.length } });
        };
        calls.push({ call, signal, answer, refuse: reject });
      }),
  };
  return { provider, calls };
}

function start(connection: Connecting = async () => ({})) {
  const clock = createClock();
  const { provider, calls } = createHeldProvider();
  return { clock, calls, batch: createBatch(clock.ports, provider, connection) };
}

describe("a batch", () => {
  it.each<[string, Connecting, number[]]>([
    ["a provider", async () => ({}), [25, 25, 10]],
    ["a companion that takes requests apart", async () => ({ companiesAtOnce: 50 }), [50, 10]],
    ["nobody, as it is not connected", () => Promise.reject(new Error("not connected")), [25, 25, 10]],
  ])("has as many companies as the connection allows: of %s", async (_, connection, sizes) => {
    const { clock, calls, batch } = start(connection);
    const answers = idsOf(60).map((companyId) => batch.load({ companyId, year: null, ...startLoading() }));
    await clock.advance(FLUSH_MS);
    expect(calls.map(({ call }) => (call.body as { companyIds: string[] }).companyIds.length)).toEqual(sizes);
    for (const { answer } of calls) answer();
    await Promise.all(answers);
    expect(batch.companiesAtOnce()).toBe(Math.max(...sizes));
  });

  it("sends a year only if every query wants that one; an all-years answer is marked", async () => {
    const { clock, calls, batch } = start();
    const answers = [2022, 2023].map((year) => batch.load({ companyId: "a", year, ...startLoading() }));
    const other = batch.load({ companyId: "b", year: 2023, ...startLoading() });
    await clock.advance(FLUSH_MS);
    expect(calls.map(({ call }) => call.body)).toEqual([{ companyIds: ["a", "b"] }]);
    calls[0]?.answer();
    expect((await Promise.all([...answers, other])).map(({ year }) => year)).toEqual([null, null, null]);
  });

  it("requests a company once, whatever the letter case", async () => {
    const { clock, calls, batch } = start();
    const answers = ["AB", "ab", "Ab", "x"].map((companyId) =>
      batch.load({ companyId, year: null, ...startLoading() }),
    );
    await clock.advance(FLUSH_MS);
    expect(calls.map(({ call }) => call.body)).toEqual([{ companyIds: ["AB", "x"] }]);
    calls[0]?.answer();
    expect((await Promise.all(answers)).map(({ financials }) => financials.companyId)).toEqual(["AB", "AB", "AB", "x"]);
  });

  it("costs nothing for queries cancelled before it is sent", async () => {
    const { clock, calls, batch } = start();
    const gone = new AbortController();
    const left = batch.load({ companyId: "a", year: 2022, ...startLoading(gone.signal) }).catch((error) => error);
    const stayed = batch.load({ companyId: "b", year: 2023, ...startLoading() });
    gone.abort("gone");
    await clock.advance(FLUSH_MS);
    expect(calls.map(({ call }) => call)).toEqual([
      { operation: "getCompanyFinancials", path: { companyId: "b" }, query: { year: 2023 } },
    ]);
    calls[0]?.answer();
    expect([await left, (await stayed).financials.companyId]).toEqual(["gone", "b"]);
    const nobody = new AbortController();
    const last = batch.load({ companyId: "c", year: 2022, ...startLoading(nobody.signal) }).catch((error) => error);
    nobody.abort("gone");
    await clock.advance(FLUSH_MS);
    expect([await last, calls.length, clock.timers()]).toEqual(["gone", 1, 0]);
  });

  it("is cancelled when its last query is, not when one of several is", async () => {
    const { clock, calls, batch } = start();
    const [one, other] = [new AbortController(), new AbortController()];
    const answers = [one, other].map(({ signal }, index) =>
      batch.load({ companyId: `c${index}`, year: null, ...startLoading(signal) }),
    );
    const settled = Promise.allSettled(answers);
    await clock.advance(FLUSH_MS);
    one.abort("one");
    await drain();
    expect(calls[0]?.signal.aborted).toBe(false);
    other.abort("other");
    await settled;
    expect([calls[0]?.signal.aborted, clock.timers()]).toEqual([true, 0]);
  });

  it("does not wait for a slow chunk", async () => {
    const { clock, calls, batch } = start();
    const answers = idsOf(60).map((companyId) => batch.load({ companyId, year: null, ...startLoading() }));
    await clock.advance(FLUSH_MS);
    expect(calls).toHaveLength(3);
    calls[1]?.answer();
    calls[2]?.answer();
    expect(await Promise.all(answers.slice(25))).toHaveLength(35);
    calls[0]?.refuse(new RequestError("FEED_SERVER_FAILED", "x"));
    expect(new Set(await settle(answers.slice(0, 25)))).toEqual(new Set(["FEED_SERVER_FAILED"]));
  });

  it("takes 20,000 queries without visiting each for every chunk", async () => {
    const { clock, calls, batch } = start();
    let read = 0;
    const answers = idsOf(20_000).map((companyId) => {
      const request = {
        year: null,
        ...startLoading(),
        get companyId() {
          read++;
          return companyId;
        },
      };
      return batch.load(request);
    });
    await clock.advance(FLUSH_MS);
    expect(calls).toHaveLength(800);
    for (const { answer } of calls) answer();
    await Promise.all(answers);
    expect(read).toBeLessThan(10 * answers.length);
  });
});

describe("a batch over HTTP", () => {
  let sandbox: FeedOnSandbox | undefined;
  let server: FeedOnServer | undefined;
  afterEach(async () => {
    await sandbox?.close();
    await server?.close();
    [sandbox, server] = [undefined, undefined];
  });

  const startWithIds = async (count: number) => {
    sandbox = await startFeed();
    const { rows } = await awaitAnswer(sandbox.feed, sandbox.feed.companies.querySearch({ country: "ALL" }, count));
    sandbox.controls.reset();
    return { ...sandbox, ids: rows.map(({ id }) => String(id)) };
  };
  const bodiesOf = ({ controls }: FeedOnSandbox) =>
    controls.requests.map(({ body }) => body as { companyIds: string[]; year?: number });

  it("of 100 companies and 10 years is four requests for all years", async () => {
    const running = await startWithIds(100);
    const answers = running.ids.flatMap((companyId) =>
      Array.from({ length: 10 }, (_, index) =>
        awaitAnswer(running.feed, running.feed.financials.query({ companyId }, { year: 2014 + index })),
      ),
    );
    const all = await Promise.all(answers);
    expect(all.map(({ companyId }) => companyId)).toEqual(running.ids.flatMap((id) => Array(10).fill(id)));
    expect(running.controls.requests.map(({ operationId }) => operationId)).toEqual(
      Array(4).fill("getFinancialsOfMany"),
    );
    expect(bodiesOf(running).map(({ companyIds, year }) => [companyIds.length, year])).toEqual(
      Array(4).fill([25, undefined]),
    );
  });

  it.each([
    ["the first seven, with a total of seven", { postFirst: 7 }],
    ["pages of ten, with the true total", { pageCap: 10 }],
    ["pages of ten, with a total of ten", { pageCap: 10, pageCapLie: true }],
  ] as const)("has every company if POST answers with %s", async (_, controls) => {
    const running = await startWithIds(100);
    Object.assign(running.controls, controls);
    const answers = running.ids.map((companyId) =>
      awaitAnswer(running.feed, running.feed.financials.query({ companyId })),
    );
    const all = await Promise.all(answers);
    expect(all.map(({ companyId, years }) => [companyId, years.length > 0])).toEqual(
      running.ids.map((id) => [id, true]),
    );
    expect(running.controls.count()).toBeLessThanOrEqual(20);
  });

  it.each([
    ["unknown", "00000000-0000-4000-8000-000000000000", "FEED_NOT_FOUND"],
    ["malformed", "no id", "FEED_REQUEST_INVALID"],
  ])("with one id in 100 that is %s has 99 values", async (_, bad, code) => {
    const running = await startWithIds(99);
    const ids = [...running.ids.slice(0, 40), bad, ...running.ids.slice(40)];
    const outcomes = await settle(
      ids.map((companyId) =>
        awaitAnswer(running.feed, running.feed.financials.query({ companyId })).then(
          (financials) => financials.companyId,
        ),
      ),
    );
    expect(outcomes.filter((each, index) => each === ids[index])).toHaveLength(99);
    expect(outcomes[40]).toBe(code);
  });

  it("keeps the other values if one company never gets an answer", async () => {
    const silent: Answering = { raw: () => {} };
    server = await startFeedOn(({ path, body }: Received) => {
      if (path.endsWith("/financials/companies/c3")) return silent;
      if (!path.startsWith("/asia")) return undefined;
      const ids = (body as { companyIds: string[] }).companyIds.filter((id) => id !== "c3");
      return { json: { data: ids.map((companyId) => ({ companyId, years: [] })), total: ids.length } };
    });
    const { feed, clock } = server;
    const answers = settle(
      idsOf(10).map((companyId) => awaitAnswer(feed, feed.financials.query({ companyId })).then(() => "value")),
    );
    await until(() => server?.requests().length === 2);
    await drain();
    await clock.advance(15_000);
    await clock.advance(1_000);
    await clock.advance(15_000);
    expect(await answers).toEqual(idsOf(10).map((id) => (id === "c3" ? "FEED_TIMED_OUT" : "value")));
  });
});

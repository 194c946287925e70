import { afterEach, describe, expect, it } from "@jest/globals";
import { RequestError } from "../../../src/client/errors";
import type { Call, LoadOptions, Provider } from "../../../src/client/provider";
import { type Connecting, createBatch } from "../../../src/feed/financials/batch";
import { createClock, drain } from "../../support/clock";
import { awaitAnswer, type FeedOnServer, settle, startFeedOn, startLoading } from "../../support/feed";
import type { Answering, Received } from "../../support/http-server";
import { until } from "../../support/until";

const idsOf = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`);
/** By then the queries of one task have been sent. */
const FLUSH_MS = 0;

/** An in-process provider whose answers the test releases. */
function createHeldProvider() {
  const calls: { call: Call; signal: AbortSignal; answer: () => void; refuse: (error: unknown) => void }[] = [];
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
  const batch = createBatch(clock.ports, provider, connection);
  const load = (companyId: string, year: number | null = null, signal?: AbortSignal) =>
    batch.load({ companyId, year, ...startLoading(signal) });
  return { clock, calls, batch, load, flush: () => clock.advance(FLUSH_MS) };
}

describe("a batch", () => {
  it.each<[string, Connecting, number[]]>([
    ["a provider", async () => ({}), [25, 25, 10]],
    ["a companion that takes requests apart", async () => ({ companiesAtOnce: 50 }), [50, 10]],
    ["nobody, as it is not connected", () => Promise.reject(new Error("not connected")), [25, 25, 10]],
  ])("has as many companies as the connection allows: of %s", async (_, connection, sizes) => {
    const { calls, batch, load, flush } = start(connection);
    const answers = idsOf(60).map((companyId) => load(companyId));
    await flush();
    expect(calls.map(({ call }) => (call.body as { companyIds: string[] }).companyIds.length)).toEqual(sizes);
    for (const { answer } of calls) answer();
    await Promise.all(answers);
    expect(batch.companiesAtOnce()).toBe(Math.max(...sizes));
  });

  it("sends a year only if every query wants that one; an all-years answer is marked", async () => {
    const { calls, load, flush } = start();
    const answers = [2022, 2023].map((year) => load("a", year));
    const other = load("b", 2023);
    await flush();
    expect(calls.map(({ call }) => call.body)).toEqual([{ companyIds: ["a", "b"] }]);
    calls[0]?.answer();
    expect((await Promise.all([...answers, other])).map(({ year }) => year)).toEqual([null, null, null]);
  });

  it("requests a company once, whatever the letter case", async () => {
    const { calls, load, flush } = start();
    const answers = ["AB", "ab", "Ab", "x"].map((companyId) => load(companyId));
    await flush();
    expect(calls.map(({ call }) => call.body)).toEqual([{ companyIds: ["AB", "x"] }]);
    calls[0]?.answer();
    expect((await Promise.all(answers)).map(({ financials }) => financials.companyId)).toEqual(["AB", "AB", "AB", "x"]);
  });

  it("costs nothing for queries cancelled before it is sent", async () => {
    const { clock, calls, load, flush } = start();
    const gone = new AbortController();
    const left = load("a", 2022, gone.signal).catch((error) => error);
    const stayed = load("b", 2023);
    gone.abort("gone");
    await flush();
    expect(calls.map(({ call }) => call)).toEqual([
      { operation: "getCompanyFinancials", path: { companyId: "b" }, query: { year: 2023 } },
    ]);
    calls[0]?.answer();
    expect([await left, (await stayed).financials.companyId]).toEqual(["gone", "b"]);
    const nobody = new AbortController();
    const last = load("c", 2022, nobody.signal).catch((error) => error);
    nobody.abort("gone");
    await flush();
    expect([await last, calls.length, clock.timers()]).toEqual(["gone", 1, 0]);
  });

  it("is cancelled when its last query is, not when one of several is", async () => {
    const { clock, calls, load, flush } = start();
    const [one, other] = [new AbortController(), new AbortController()];
    const answers = [one, other].map(({ signal }, index) => load(`c${index}`, null, signal));
    const settled = Promise.allSettled(answers);
    await flush();
    one.abort("one");
    await drain();
    expect(calls[0]?.signal.aborted).toBe(false);
    other.abort("other");
    await settled;
    expect([calls[0]?.signal.aborted, clock.timers()]).toEqual([true, 0]);
  });

  it("does not wait for a slow chunk", async () => {
    const { calls, load, flush } = start();
    const answers = idsOf(60).map((companyId) => load(companyId));
    await flush();
    expect(calls).toHaveLength(3);
    calls[1]?.answer();
    calls[2]?.answer();
    expect(await Promise.all(answers.slice(25))).toHaveLength(35);
    calls[0]?.refuse(new RequestError("FEED_SERVER_FAILED", "x"));
    expect(new Set(await settle(answers.slice(0, 25)))).toEqual(new Set(["FEED_SERVER_FAILED"]));
  });

  it("takes 20,000 queries without visiting each for every chunk", async () => {
    const { calls, batch, flush } = start();
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
    await flush();
    expect(calls).toHaveLength(800);
    for (const { answer } of calls) answer();
    await Promise.all(answers);
    expect(read).toBeLessThan(10 * answers.length);
  });
});

describe("a batch over HTTP", () => {
  let running: FeedOnServer;
  afterEach(() => running.close());

  const load = (companyId: string) => awaitAnswer(running.feed, running.feed.financials.query({ companyId }));
  /** The id of each company that has figures, the code of each failure. */
  const settleIds = (ids: readonly string[]) =>
    settle<string>(ids.map((id) => load(id).then(({ companyId }) => companyId)));

  /** Starts a provider that lacks a company in a batch, or fails for the batch, and answers its own request so. */
  const startBroken = async (broken: string, alone: Answering, inBatch?: Answering) => {
    running = await startFeedOn(({ path, body }: Received) => {
      if (path.endsWith(`/financials/companies/${broken}`)) return alone;
      if (!path.startsWith("/asia")) return undefined;
      const { companyIds = [path.split("/").at(-1)] } = Object(body) as { companyIds?: unknown[] };
      if (inBatch !== undefined && companyIds.includes(broken)) return inBatch;
      const rows = companyIds.map((companyId) => ({ companyId, years: [{ year: 2023 }, { year: 2022 }] }));
      const data = rows.filter(({ companyId }) => companyId !== broken);
      return { json: body ? { data, page: 1, pageSize: 25, total: data.length } : rows[0] };
    });
    return running;
  };

  it("keeps the other values if one company never gets an answer", async () => {
    const { clock, requests } = await startBroken("c3", { raw: () => {} });
    const answers = settleIds(idsOf(10));
    await until(() => requests().length === 2);
    await drain();
    for (const ms of [15_000, 1_000, 15_000]) await clock.advance(ms);
    expect(await answers).toEqual(idsOf(10).map((id) => (id === "c3" ? "FEED_TIMED_OUT" : id)));
  });

  it("keeps the other values if one company always fails with 500, alone and in a batch", async () => {
    const failed: Answering = { status: 500, json: {} };
    const { clock } = await startBroken("c7", failed, failed);
    let isOver = false;
    const answers = settleIds(idsOf(25)).finally(() => {
      isOver = true;
    });
    await until(async () => {
      await clock.advance(500);
      return isOver;
    });
    expect(await answers).toEqual(idsOf(25).map((id) => (id === "c7" ? "FEED_SERVER_FAILED" : id)));
  });
});

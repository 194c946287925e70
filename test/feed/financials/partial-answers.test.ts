import { describe, expect, it } from "@jest/globals";
import { NO_LESSONS, type Outcomes } from "../../../src/client/batch/planner";
import { RequestError } from "../../../src/client/errors";
import type { Provider } from "../../../src/client/provider";
import type { Financials } from "../../../src/feed/decode";
import { createBatch, loadChunk } from "../../../src/feed/financials/batch";
import { QuerySources } from "../../../src/feed/query-cache/sources";
import { createClock } from "../../support/clock";
import { startLoading } from "../../support/feed";

const idsOf = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `c${from + index}`);
const toChunk = (provider: Provider) => ({ provider, memory: { lessons: NO_LESSONS }, year: null, options: {} });
const toElement = (companyId: string) => ({ companyId, years: [{ year: 2023 }] });

/** A companion that knows some companies, and gives the others only to whoever requests them alone. */
function createCompanion(known: readonly string[], others: Promise<unknown> = Promise.resolve()) {
  const requests: string[][] = [];
  const provider: Provider = {
    async load({ body, path }) {
      const ids = (body as { companyIds: string[] } | undefined)?.companyIds ?? [path!.companyId!];
      requests.push([...ids]);
      const cached = ids.filter((id) => known.includes(id));
      const isPartial = cached.length > 0 && cached.length < ids.length;
      if (cached.length < ids.length && !isPartial) await others;
      const data = (isPartial ? cached : ids).map(toElement);
      if (body === undefined) return { body: data[0] };
      return { body: { data, page: 1, pageSize: data.length, total: ids.length }, isPartial };
    },
  };
  return { provider, requests };
}

describe("a companion's answer with the companies that it knows", () => {
  it.each([1, 3, 24])("has the others of 25 requested once, together, where it knows %i", async (count) => {
    const { provider, requests } = createCompanion(idsOf(count));
    const chunk = toChunk(provider);
    for (let time = 0; time < 3; time++) await loadChunk(chunk, idsOf(25));
    expect(requests.slice(0, 2)).toEqual([idsOf(25), idsOf(25 - count, count)]);
    expect(requests).toHaveLength(6);
  });

  it("teaches nothing about the provider, however often it comes", async () => {
    const { provider } = createCompanion(idsOf(1));
    const chunk = toChunk(provider);
    for (let time = 0; time < 3; time++) await loadChunk(chunk, idsOf(25));
    expect(chunk.memory.lessons.companiesAtOnce).toBe(25);
  });

  it("gives its companies to their callers before the others come", async () => {
    let come = () => {};
    const others = new Promise<void>((resolve) => {
      come = resolve;
    });
    const { provider } = createCompanion(idsOf(2), others);
    const soon = (_delayMs: number, callback: () => void) => {
      queueMicrotask(callback);
      return () => {};
    };
    const batch = createBatch({ after: soon }, provider, async () => ({ companiesAtOnce: 25 }));
    const sources = new QuerySources();
    const loading = { signal: new AbortController().signal, sources };
    const load = (companyId: string) => batch.load({ companyId, year: null, ...loading });
    const [first, second, last] = idsOf(3).map(load);
    const shown = await Promise.all([first, second]);
    expect(shown.map((each) => each?.financials.companyId)).toEqual(idsOf(2));
    come();
    expect((await last)?.financials.companyId).toBe("c2");
  });

  it("is complete once all have come", async () => {
    const { provider } = createCompanion(idsOf(2));
    const chunk = toChunk(provider);
    const outcomes: Outcomes<Financials> = await loadChunk(chunk, idsOf(5));
    expect([...outcomes.keys()].sort()).toEqual(idsOf(5));
  });
});

describe("a chunk of companies", () => {
  it.each([
    [1, 25, ["getCompanyFinancials", "getFinancialsOfMany"]],
    [2, 1, ["getCompanyFinancials", "getCompanyFinancials", "getFinancialsOfMany"]],
  ])("with %d that come in pieces is read without them from then on", async (pieces, atOnce, operations) => {
    const requests: string[] = [];
    const provider: Provider = {
      async load({ operation, path, body }) {
        requests.push(operation);
        const years = [{ year: 2022 }, { year: 2023 }];
        if (operation !== "getFinancialsOfMany") return { body: { companyId: path?.companyId, years } };
        const { companyIds } = body as { companyIds: string[] };
        const data = companyIds.flatMap((companyId, index) =>
          index < pieces ? years.map((year) => ({ companyId, years: [year] })) : [{ companyId, years }],
        );
        return {
          body: { data: companyIds.length === 5 ? data : companyIds.map((companyId) => ({ companyId, years })) },
        };
      },
    };
    const chunk = toChunk(provider);
    await loadChunk(chunk, idsOf(5));
    expect(chunk.memory.lessons.companiesAtOnce).toBe(atOnce);
    requests.length = 0;
    expect((await loadChunk(chunk, idsOf(5))).size).toBe(5);
    expect(requests.sort()).toEqual(operations);
  });
});

/** By then a burst has ended, whatever its calls. */
const WINDOW_MS = 8;

describe("the lessons a batch learned about a provider", () => {
  it("save requests until they are forgotten for another client", async () => {
    const clock = createClock();
    const calls: string[] = [];
    const provider: Provider = {
      async load({ operation }) {
        calls.push(operation);
        if (operation === "getFinancialsOfMany") return { body: { data: [], total: 0 } };
        throw new RequestError("FEED_NOT_FOUND", "unknown");
      },
    };
    const batch = createBatch(clock.ports, provider, async () => ({}));
    const count = async () => {
      calls.length = 0;
      const results = Promise.allSettled(
        idsOf(3).map((companyId) => batch.load({ companyId, year: null, ...startLoading() })),
      );
      await clock.advance(WINDOW_MS);
      await results;
      return calls.length;
    };
    const counts = [await count(), await count()];
    batch.forget();
    expect([...counts, await count()]).toEqual([4, 1, 4]);
  });

  it.each([
    ["exclude answers under way when they were forgotten", true, 25],
    ["include every answer if they were not forgotten", false, 2],
  ])("%s", async (_, isForgotten, companiesAtOnce) => {
    const clock = createClock();
    const element = (companyId: string) => ({ companyId, years: [{ year: 2022 }, { year: 2023 }] });
    const answerLast: (() => void)[] = [];
    const provider: Provider = {
      load({ path, body }) {
        if (path !== undefined) {
          const reply = { body: element(String(path.companyId)) };
          return new Promise((resolve) => answerLast.push(() => resolve(reply)));
        }
        const { companyIds } = body as { companyIds: string[] };
        return Promise.resolve({ body: { data: companyIds.slice(0, 2).map(element), total: 3 } });
      },
    };
    const batch = createBatch(clock.ports, provider, async () => ({}));
    const answers: Promise<unknown>[] = [];
    // A truncation is believed after two chunks.
    for (const ids of [idsOf(3), idsOf(6).slice(3)]) {
      answers.push(...ids.map((companyId) => batch.load({ companyId, year: null, ...startLoading() })));
      await clock.advance(WINDOW_MS);
    }
    if (isForgotten) batch.forget();
    for (const answer of answerLast) answer();
    await Promise.all(answers);
    expect([answerLast.length, batch.companiesAtOnce()]).toEqual([2, companiesAtOnce]);
  });
});

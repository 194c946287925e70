import { describe, expect, it } from "@jest/globals";
import { NO_LESSONS, type Outcomes } from "../../../src/client/batch/planner";
import type { Provider } from "../../../src/client/provider";
import type { Financials } from "../../../src/feed/decode";
import { createBatch, loadChunk } from "../../../src/feed/financials/batch";
import { QuerySources } from "../../../src/feed/query-cache/sources";

const idsOf = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `c${from + index}`);
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
    const memory = { lessons: NO_LESSONS };
    for (let time = 0; time < 3; time++) await loadChunk({ provider, memory, year: null, options: {} }, idsOf(25));
    expect(requests.slice(0, 2)).toEqual([idsOf(25), idsOf(25 - count, count)]);
    expect(requests).toHaveLength(6);
  });

  it("teaches nothing about the provider, however often it comes", async () => {
    const { provider } = createCompanion(idsOf(1));
    const memory = { lessons: NO_LESSONS };
    for (let time = 0; time < 3; time++) await loadChunk({ provider, memory, year: null, options: {} }, idsOf(25));
    expect(memory.lessons.companiesAtOnce).toBe(25);
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
    const chunk = { provider, memory: { lessons: NO_LESSONS }, year: null, options: {} };
    const outcomes: Outcomes<Financials> = await loadChunk(chunk, idsOf(5));
    expect([...outcomes.keys()].sort()).toEqual(idsOf(5));
  });
});

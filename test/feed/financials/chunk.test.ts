import { describe, expect, it } from "@jest/globals";
import { NO_LESSONS } from "../../../src/client/batch/planner";
import { DecodeError, FeedError, RequestError } from "../../../src/client/errors";
import { toCompanyKey } from "../../../src/client/ids";
import type { Call, Provider } from "../../../src/client/provider";
import { createBatch, loadChunk } from "../../../src/feed/financials/batch";
import { createClock } from "../../support/clock";
import { startLoading } from "../../support/feed";

const YEARS = [2021, 2022, 2023];

/** How POST /financials answers; default as in the API document. */
interface Quirks {
  /** The most elements of an answer. */
  first?: number;
  /** The total of an answer; default the true one. */
  total?: (real: number, served: number) => number | null;
  /** Elements are companies, or years of a company. */
  byYear?: boolean;
  /** An unknown id makes it refuse everything. */
  refuses?: "FEED_REQUEST_INVALID" | "FEED_NOT_FOUND";
}

function createProvider(known: ReadonlySet<string>, manner: Quirks = {}) {
  const { first = Number.POSITIVE_INFINITY, total = (real) => real, byYear, refuses } = manner;
  const requests: Call[] = [];
  const yearsOf = (year: unknown) =>
    YEARS.filter((each) => year === undefined || each === year).map((each) => ({ year: each }));
  const answerMany = ({ companyIds, year }: { companyIds: string[]; year?: number }) => {
    const found = companyIds.map(toCompanyKey).filter((id) => known.has(id));
    if (refuses !== undefined && found.length < companyIds.length) throw new RequestError(refuses, "one is unknown");
    const companies = found.map((companyId) => ({ companyId, years: yearsOf(year) }));
    const all = byYear
      ? companies.flatMap(({ companyId, years }) => years.map((each) => ({ companyId, years: [each] })))
      : companies;
    const data = all.slice(0, first);
    return { data, page: 1, pageSize: 25, total: total(all.length, data.length) };
  };
  const provider: Provider = {
    async load(call) {
      requests.push(call);
      if (call.operation === "getFinancialsOfMany") return { body: answerMany(call.body as { companyIds: string[] }) };
      const companyId = call.path?.companyId ?? "";
      if (!known.has(toCompanyKey(companyId))) throw new RequestError("FEED_NOT_FOUND", "unknown");
      return { body: { companyId, years: yearsOf(call.query?.year) } };
    },
  };
  return { provider, requests };
}

const toChunk = (provider: Provider, year: number | null = null) => ({
  provider,
  memory: { lessons: NO_LESSONS },
  year,
  options: {},
});
const idsOf = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `c${from + index}`);
/** The companies of a call, of one or of many. */
const requestedIn = ({ body, path }: Call): string[] =>
  (body as { companyIds: string[] } | undefined)?.companyIds ?? [path?.companyId ?? ""];
const WHOLE = [{ year: 2022 }, { year: 2023 }];

async function load(manner: Quirks, ids: string[], unknown: string[] = [], year: number | null = null, times = 1) {
  const known = new Set(ids.map(toCompanyKey).filter((id) => !unknown.includes(id)));
  const { provider, requests } = createProvider(known, manner);
  const chunk = toChunk(provider, year);
  for (let time = 1; time < times; time++) await loadChunk(chunk, ids);
  const outcomes = await loadChunk(chunk, ids);
  const shown = ids.map((id) => {
    const outcome = outcomes.get(toCompanyKey(id));
    return outcome instanceof FeedError ? outcome.code : outcome?.years.map((each) => each.year).sort();
  });
  return { shown, requests, capacity: chunk.memory.lessons.companiesAtOnce };
}

describe("a chunk of companies", () => {
  it("is one POST with documented fields alone, and a year only if one is wanted", async () => {
    const all = await load({}, idsOf(25));
    expect(all.requests).toEqual([{ operation: "getFinancialsOfMany", body: { companyIds: idsOf(25) } }]);
    expect(all.shown).toEqual(Array(25).fill(YEARS));
    const one = await load({}, idsOf(25), [], 2022);
    expect(one.requests).toEqual([{ operation: "getFinancialsOfMany", body: { companyIds: idsOf(25), year: 2022 } }]);
  });

  it.each([
    ["true", (real: number) => real],
    ["lying", (_: number, served: number) => served],
    ["absent", () => null],
  ] as const)("cut to its first seven is completed in sevens (%s total)", async (_, total) => {
    const { requests, shown, capacity } = await load({ first: 7, total }, idsOf(25));
    expect(shown).toEqual(Array(25).fill(YEARS));
    expect(requests.map((call) => requestedIn(call).length)).toEqual([25, 7, 7, 4]);
    expect([capacity, (await load({ first: 7, total }, idsOf(25), [], null, 2)).capacity]).toEqual([25, 7]);
  });

  it("with one unknown id has a value for all others", async () => {
    const { requests, shown, capacity } = await load({}, idsOf(25), ["c3"]);
    expect([shown[3], shown.filter((each) => each === "FEED_NOT_FOUND").length]).toEqual(["FEED_NOT_FOUND", 1]);
    expect([requests.length, capacity]).toEqual([2, 25]);
  });

  const REFUSALS = ["FEED_REQUEST_INVALID", "FEED_NOT_FOUND"] as const;
  it.each(REFUSALS)("refused for one id (%s) is halved down to that id", async (refuses) => {
    const { requests, shown } = await load({ refuses }, idsOf(25), ["c3"]);
    expect(shown).toEqual(idsOf(25).map((_, index) => (index === 3 ? "FEED_NOT_FOUND" : YEARS)));
    expect(requests.length).toBeLessThanOrEqual(11);
  });

  it("does not take a total of requested ids for a cut", async () => {
    const { capacity } = await load({ total: (real) => real + 1 }, idsOf(2), ["c1"]);
    expect(capacity).toBe(25);
  });

  it("the provider lacks is fetched one by one, and later left out", async () => {
    const { provider, requests } = createProvider(new Set(["c0"]));
    const chunk = toChunk(provider);
    const counts: number[] = [];
    for (let round = 0; round < 2; round++) {
      const outcomes = await loadChunk(chunk, idsOf(25));
      expect([...outcomes.values()].filter((each) => each instanceof FeedError)).toHaveLength(24);
      counts.push(requests.length);
    }
    expect(counts[1]! - counts[0]!).toBe(1);
  });

  it("with single-year and unknown companies does not split the following chunks", async () => {
    const provider: Provider = {
      async load(call) {
        const row = { companyId: "c0", years: [{ year: 2024 }] };
        if (call.operation === "getFinancialsOfMany") return { body: { data: [row], pageSize: 25, total: 1 } };
        if (call.path?.companyId === "c0") return { body: row };
        throw new RequestError("FEED_NOT_FOUND", "unknown");
      },
    };
    const chunk = toChunk(provider);
    const outcomes = await loadChunk(chunk, idsOf(2));
    expect([outcomes.get("c0") instanceof FeedError, chunk.memory.lessons.companiesAtOnce]).toEqual([false, 25]);
  });

  it.each([
    ["one is forbidden", ["c3"], 12],
    ["every other one is forbidden", idsOf(25).filter((_, index) => index % 2 === 0), 49],
    ["none of them may be read", idsOf(25), 49],
  ])("refused for a missing scope fails no readable company (%s)", async (_, barred, most) => {
    const { provider, requests } = createProvider(new Set(idsOf(25)));
    const guarded: Provider = {
      load(call) {
        const reply = provider.load(call);
        if (!requestedIn(call).some((id) => barred.includes(id))) return reply;
        return Promise.reject(new RequestError("FEED_SCOPE_MISSING", "no"));
      },
    };
    const chunk = toChunk(guarded);
    const outcomes = await loadChunk(chunk, idsOf(25));
    const refused = [...outcomes].filter(([, outcome]) => outcome instanceof FeedError).map(([id]) => id);
    expect(refused.sort()).toEqual([...barred].sort());
    expect(requests.length).toBeLessThanOrEqual(most);
    const before = requests.length;
    if (barred.length === 25) await loadChunk(chunk, idsOf(25)); // refused for each of them alone, the refusal is believed
    expect(requests.length - before).toBeLessThanOrEqual(3);
  });

  it("rejects another company's answer", async () => {
    const provider: Provider = { load: async () => ({ body: { companyId: "other", years: [] } }) };
    const chunk = toChunk(provider);
    expect((await loadChunk(chunk, ["c0"])).get("c0")).toBeInstanceOf(DecodeError);
  });

  it("with an element for each year is read one by one, and so are later chunks", async () => {
    const { shown, requests, capacity } = await load({ byYear: true }, idsOf(8));
    expect([shown, requests.length, capacity]).toEqual([Array(8).fill(YEARS), 9, 1]);
  });

  it("passes on other errors, such as an abort", async () => {
    const provider: Provider = { load: async () => Promise.reject("gone") };
    await expect(loadChunk(toChunk(provider), idsOf(3))).rejects.toBe("gone");
  });

  it("with an unreadable element fails for that company alone", async () => {
    const rows = [
      { companyId: "c0", years: [{ year: 2023 }] },
      { companyId: "c1", years: [{ year: null }] },
      { companyId: null, years: [] },
      { companyId: "stranger", years: [] },
    ];
    const requests: Call[] = [];
    const provider: Provider = {
      async load(call) {
        requests.push(call);
        if (call.operation === "getFinancialsOfMany") return { body: { data: rows, total: 4 } };
        return { body: { companyId: "c2", years: [{ year: 2020 }] } };
      },
    };
    const outcomes = await loadChunk(toChunk(provider, 2023), idsOf(3));
    expect(outcomes.get("c0")).toMatchObject({ years: [{ year: 2023 }] });
    expect(outcomes.get("c1")).toBeInstanceOf(DecodeError);
    expect(outcomes.get("c2")).toMatchObject({ years: [{ year: 2020 }] });
    expect(requests).toHaveLength(2);
    expect([...outcomes.keys()]).toEqual(["c0", "c1", "c2"]);
  });
});

const toElement = (companyId: string) => ({ companyId, years: [{ year: 2023 }] });

/** A companion that knows some companies, and gives the others only to whoever requests them alone. */
function createCompanion(known: readonly string[], others: Promise<unknown> = Promise.resolve()) {
  const requests: string[][] = [];
  const provider: Provider = {
    async load(call) {
      const ids = requestedIn(call);
      requests.push([...ids]);
      const cached = ids.filter((id) => known.includes(id));
      const isPartial = cached.length > 0 && cached.length < ids.length;
      if (cached.length < ids.length && !isPartial) await others;
      const data = (isPartial ? cached : ids).map(toElement);
      if (call.body === undefined) return { body: data[0] };
      return { body: { data, page: 1, pageSize: data.length, total: ids.length }, isPartial };
    },
  };
  return { provider, requests };
}

describe("a companion's answer with the companies that it knows", () => {
  it.each([1, 3, 24])("has the others of 25 requested once, together, where it knows %i", async (count) => {
    const { provider, requests } = createCompanion(idsOf(count));
    const chunk = toChunk(provider);
    for (let time = 0; time < 3; time++)
      expect([...(await loadChunk(chunk, idsOf(25))).keys()].sort()).toEqual(idsOf(25).sort());
    expect(requests.slice(0, 2)).toEqual([idsOf(25), idsOf(25 - count, count)]);
    expect(requests).toHaveLength(6);
    expect(chunk.memory.lessons.companiesAtOnce).toBe(25); // it teaches nothing about the provider
  });

  it("gives its companies to their callers before the others come", async () => {
    let come = () => {};
    const others = new Promise<void>((resolve) => (come = resolve));
    const { provider } = createCompanion(idsOf(2), others);
    const soon = (_delayMs: number, callback: () => void) => {
      queueMicrotask(callback);
      return () => {};
    };
    const batch = createBatch({ after: soon }, provider, async () => ({ companiesAtOnce: 25 }));
    const [first, second, last] = idsOf(3).map((id) => batch.load({ companyId: id, year: null, ...startLoading() }));
    const shown = await Promise.all([first, second]);
    expect(shown.map((each) => each?.financials.companyId)).toEqual(idsOf(2));
    come();
    expect((await last)?.financials.companyId).toBe("c2");
  });
});

it.each([
  [1, 25, ["getCompanyFinancials", "getFinancialsOfMany"]],
  [2, 1, ["getCompanyFinancials", "getCompanyFinancials", "getFinancialsOfMany"]],
])("a chunk with companies in pieces is read without these %d from then on", async (pieces, atOnce, operations) => {
  const requests: string[] = [];
  const provider: Provider = {
    async load(call) {
      requests.push(call.operation);
      const companyIds = requestedIn(call);
      if (call.body === undefined) return { body: { companyId: companyIds[0], years: WHOLE } };
      const isCut = (at: number) => companyIds.length === 5 && at < pieces;
      const data = companyIds.flatMap((companyId, at) =>
        (isCut(at) ? WHOLE.map((year) => [year]) : [WHOLE]).map((years) => ({ companyId, years })),
      );
      return { body: { data } };
    },
  };
  const chunk = toChunk(provider);
  await loadChunk(chunk, idsOf(5));
  expect(chunk.memory.lessons.companiesAtOnce).toBe(atOnce);
  requests.length = 0;
  expect((await loadChunk(chunk, idsOf(5))).size).toBe(5);
  expect(requests.sort()).toEqual(operations);
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
    const element = (companyId: string) => ({ companyId, years: WHOLE });
    const answerLast: (() => void)[] = [];
    const provider: Provider = {
      async load(call) {
        const elements = requestedIn(call).map(element);
        if (call.path === undefined) return { body: { data: elements.slice(0, 2), total: 3 } };
        return new Promise((resolve) => answerLast.push(() => resolve({ body: elements[0] })));
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

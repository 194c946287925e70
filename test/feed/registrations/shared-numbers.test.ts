import { afterEach, describe, expect, it } from "@jest/globals";
import { awaitAnswer, settle } from "../../support/feed";
import { until } from "../../support/until";
import { keepFreshStorage, readPersisted } from "../persisted-cache-storage";
import { COMPANIES, type FeedOnCountries, isPost, isSearch, startCountries, type TwoCountries } from "./two-countries";

const DAY_MS = 24 * 60 * 60_000;
const AMBIGUOUS = Array(3).fill("FEED_AMBIGUOUS");
keepFreshStorage();
const opened: FeedOnCountries[] = [];
let running: FeedOnCountries;
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

/** Opens a page at the provider: memory is empty, persisted data remains. */
async function open(given: Partial<TwoCountries> = {}, startMs?: number): Promise<void> {
  running = await startCountries(given, { owner: "client", startMs });
  opened.push(running);
}

/** Builds a country's index, and finds something in it. */
async function build(country: string): Promise<void> {
  await running.feed.nameIndexes.build(country);
  await awaitAnswer(running.feed, running.feed.names.query("s", country, "all"));
}

const toQueries = (registrationNumber: string) => {
  const { financials, companies, taxonomies } = running.feed;
  const ref = { registrationNumber };
  return [financials.query(ref, { year: 2023 }), companies.queryOf(ref), taxonomies.query(ref)] as const;
};

/** The results of figures, records and classifications for a number: a company's id, or an error code. */
const show = (registrationNumber: string) => {
  const [figures, record, classification] = toQueries(registrationNumber);
  return settle<unknown>([
    awaitAnswer(running.feed, figures).then(({ companyId }) => companyId),
    awaitAnswer(running.feed, record).then(({ id }) => id),
    awaitAnswer(running.feed, classification).then(({ companyId }) => companyId),
  ]);
};

/** Subscribes to the formulas of a number as cells do; gives their current results. */
function watch(registrationNumber: string) {
  const shown: unknown[] = [];
  const stops = toQueries(registrationNumber).map((query, place) =>
    running.feed.queryCache.observe<unknown>(query, (state) => {
      if (state.status === "failed") shown[place] = (state.error as { code: string }).code;
      if (state.status !== "answered") return;
      const { companyId, id } = state.answer.value as { companyId?: string; id?: string };
      shown[place] = companyId ?? id;
    }),
  );
  return { shown, isFilled: () => Object.keys(shown).length === 3, stop: () => stops.map((stop) => stop()) };
}

/** Waits until the persisted evidence of numbers names these companies. */
const untilPersisted = (...companyIds: string[]) =>
  until(async () => {
    const rows = [...(await readPersisted()).answers].filter(([key]) => key.includes("registration"));
    return companyIds.every((companyId) => rows.some(([, { text }]) => text?.includes(companyId)));
  });

const share = (number: string) => COMPANIES.map((company) => ({ ...company, number }));

describe("a number that two countries share", () => {
  it.each(["JPN", "SGP"])("is ambiguous even if this computer has the index of %s alone", async (country) => {
    await open();
    await build(country);
    expect(await show("0107")).toEqual(AMBIGUOUS);
    expect(await show("0200")).toEqual(["matsu", "matsu", "matsu"]);
  });

  it("gives the same after each reload, whichever index exists then", async () => {
    await open();
    const first = await show("0107");
    for (const country of ["JPN", "SGP"]) {
      await open();
      await build(country);
      expect(await show("0107")).toEqual(first);
    }
    expect(first).toEqual(AMBIGUOUS);
  });

  it("gives the same whichever formula came first", async () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
    ]) {
      await open();
      for (const place of order)
        await settle<unknown>([awaitAnswer<unknown>(running.feed, toQueries("0107")[place as 0])]);
      expect(await show("0107")).toEqual(AMBIGUOUS);
    }
  });

  it.each([
    ["figures", 0],
    ["records", 1],
  ])("lists the companies in the error of %s, each with its country", async (_, place) => {
    await open();
    await expect(awaitAnswer<unknown>(running.feed, toQueries("0107")[place as 0])).rejects.toMatchObject({
      message:
        '"0107" names 2 companies: "sakura" (Sakura Foods, JPN, Osaka); "orchid" (Orchid Foods, SGP, Singapore); put one of the quoted ids in place of the number',
    });
  });

  it("is ambiguous for records if one of the two has no financials", async () => {
    await open({ companies: COMPANIES.map((each) => (each.id === "orchid" ? { ...each, revenue: null } : each)) });
    expect((await show("0107")).slice(1)).toEqual(["FEED_AMBIGUOUS", "FEED_AMBIGUOUS"]);
  });

  it("is ambiguous for financials once records say so, until they no longer do", async () => {
    const withoutFigures = COMPANIES.map((each) => (each.id === "orchid" ? { ...each, revenue: null } : each));
    await open({ companies: withoutFigures });
    const cells = watch("0107");
    await until(cells.isFilled);
    await running.feed.queryCache.refresh();
    expect(cells.shown).toEqual(AMBIGUOUS);
    cells.stop();
    await open({ companies: withoutFigures });
    expect(await show("0107")).toEqual(AMBIGUOUS);
    running.provider.companies = withoutFigures.filter(({ id }) => id !== "orchid");
    await running.clock.advance(2_000);
    expect((await show("0107"))[0]).toBe("sakura");
  });

  it("is found on any page of the search", async () => {
    const others = Array.from({ length: 6 }, (_, index) => ({
      ...COMPANIES[2]!,
      id: `other-${index}`,
      number: `${index}`,
      otherId: "0107",
    }));
    const [sakura, orchid] = COMPANIES;
    await open({ companies: [sakura!, ...others, orchid!], cap: 3 });
    expect(await show("0107")).toEqual(AMBIGUOUS);
    await open({ companies: [sakura!, ...others], cap: 3 });
    expect(await settle<unknown>([awaitAnswer(running.feed, toQueries("0200")[1])])).toEqual(["FEED_NOT_FOUND"]);
  });
});

describe("a number that named a company", () => {
  it("shows the same after a reload, without a request", async () => {
    await open();
    expect(await show("0200")).toEqual(["matsu", "matsu", "matsu"]);
    await open();
    await until(async () => {
      const before = running.listLookups().length;
      await show("0200");
      return running.listLookups().length === before;
    });
    expect(await show("0200")).toEqual(["matsu", "matsu", "matsu"]);
  });

  it("gives figures as old as the persisted company", async () => {
    await open();
    await show("0200");
    await untilPersisted("matsu");
    const firstMs = running.clock.nowMs();
    await open({}, firstMs + DAY_MS / 2);
    const ages: number[] = [];
    const later = running.feed.financials.query({ registrationNumber: "0200" }, { year: 2022 });
    const stop = running.feed.queryCache.observe(later, (state) => {
      if (state.status === "answered") ages.push(state.answer.asOfMs);
    });
    await until(() => ages.length > 0);
    stop();
    expect(ages[0]).toBeLessThanOrEqual(firstMs);
    expect(running.listLookups()).toEqual([]);
  });

  it("is an error in the cell once two companies have it, at the refresh and after a reload", async () => {
    await open({ companies: share("7").slice(0, 1) });
    const cells = watch("7");
    await until(cells.isFilled);
    expect(cells.shown).toEqual(["sakura", "sakura", "sakura"]);
    running.provider.companies = share("7").slice(0, 2);
    await running.clock.advance(DAY_MS);
    await running.feed.queryCache.refresh();
    expect(cells.shown).toEqual(AMBIGUOUS);
    const { companies } = running.provider;
    cells.stop();
    await open({ companies }, running.clock.nowMs());
    expect(await show("7")).toEqual(AMBIGUOUS);
  });

  it("is an error in the cell once it names another company, and after a reload", async () => {
    await open({ companies: share("7").slice(0, 1) });
    const cells = watch("7");
    await until(cells.isFilled);
    running.provider.companies = share("7").slice(1, 2);
    await running.clock.advance(DAY_MS);
    await running.feed.queryCache.refresh();
    expect(cells.shown).toEqual(AMBIGUOUS);
    const { companies } = running.provider;
    cells.stop();
    await open({ companies }, running.clock.nowMs());
    await expect(awaitAnswer(running.feed, toQueries("7")[1])).rejects.toMatchObject({
      message: expect.stringMatching(
        /^"7" does not always name the same company: "sakura" \(\d{4}-\d\d-\d\d\), "orchid" \(\d{4}-\d\d-\d\d\); put one of/,
      ),
    });
    expect(await show("7")).toEqual(AMBIGUOUS);
    running.provider.companies = share("7").slice(0, 1);
    for (let round = 0; round < 2; round++) {
      await running.clock.advance(2_000);
      await show("7"); // each route must withdraw its evidence
    }
    expect(await show("7")).toEqual(["sakura", "sakura", "sakura"]);
  });

  it("keeps its last answer if the provider fails to resolve it", async () => {
    await open({ companies: share("7").slice(0, 1) });
    const cells = watch("7");
    await until(cells.isFilled);
    running.provider.instead = (request) =>
      isPost(request) || isSearch(request) ? { status: 500, json: {} } : undefined;
    await running.clock.advance(DAY_MS);
    await running.feed.queryCache.refresh();
    expect(cells.shown).toEqual(["sakura", "sakura", "sakura"]);
    cells.stop();
  });

  it("is resolved again a day later and not before, for any refresh", async () => {
    await open();
    const cells = watch("0200");
    await until(cells.isFilled);
    await running.clock.advance(DAY_MS / 2);
    const before = running.listLookups().length;
    await running.feed.queryCache.refresh();
    const isResolving = (each: string) => /^(POST|search)/.test(each);
    expect(running.listLookups().slice(before).filter(isResolving)).toEqual([]);
    await running.clock.advance(DAY_MS / 2);
    await running.feed.queryCache.refresh();
    expect(running.listLookups().slice(before).filter(isResolving).sort()).toEqual(["POST 0200", "search ALL 0200"]);
    cells.stop();
  });

  it("that names different companies by financials and by search gives neither", async () => {
    const [sakura, orchid] = share("7");
    await open({
      companies: [sakura!, orchid!],
      instead: (request) =>
        isSearch(request) ? { json: { data: [{ id: "orchid", registrationNumber: "7" }], total: 1 } } : undefined,
    });
    running.provider.companies = [sakura!, { ...orchid!, revenue: null }];
    const shown = await show("7");
    expect(shown).toContain("FEED_AMBIGUOUS");
    await untilPersisted("sakura", "orchid");
    await open({ ...running.provider });
    expect(await show("7")).toEqual(AMBIGUOUS);
  });
});

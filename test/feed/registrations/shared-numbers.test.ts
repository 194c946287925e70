import { afterEach, describe, expect, it } from "@jest/globals";
import type { Query, State } from "../../../src/feed/query-cache";
import { awaitAnswer, listen, settle } from "../../support/feed";
import type { Answering, Received } from "../../support/http-server";
import { until } from "../../support/until";
import { keepFreshStorage, readPersisted } from "../persisted-cache-storage";
import { COMPANIES, type FeedOnCountries, isPost, isSearch, startCountries, type TwoCountries } from "./two-countries";

const DAY_MS = 24 * 60 * 60_000;
const AMBIGUOUS = Array(3).fill("FEED_AMBIGUOUS");
const MATSU = ["matsu", "matsu", "matsu"];
keepFreshStorage();
const opened: FeedOnCountries[] = [];
let running: FeedOnCountries;
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

/** Opens a page at the provider: memory is empty, persisted data remains. */
async function open(given: Partial<TwoCountries> = {}, startMs?: number): Promise<void> {
  running = await startCountries(given, startMs);
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

/** Shows the formulas of a number as cells do, until the test ends; gives their current results. */
async function watch(registrationNumber: string): Promise<() => unknown[]> {
  const cells = toQueries(registrationNumber).map((query) => listen<unknown>(running.feed, query));
  const toShown = (state: State<unknown> | undefined) => {
    if (state?.status === "failed") return (state.error as { code: string }).code;
    if (state?.status !== "answered") return undefined;
    const { companyId, id } = state.answer.value as { companyId?: string; id?: string };
    return companyId ?? id;
  };
  const shown = () => cells.map(({ states }) => toShown(states.at(-1)));
  await until(() => !shown().includes(undefined));
  return shown;
}

/** Waits until the persisted evidence of numbers names these companies. */
const untilPersisted = (...companyIds: string[]) =>
  until(async () => {
    const rows = [...(await readPersisted()).answers].filter(([key]) => key.includes("registration"));
    return companyIds.every((companyId) => rows.some(([, { text }]) => text?.includes(companyId)));
  });

const share = (number: string) => COMPANIES.map((company) => ({ ...company, number }));

describe("a number that two countries share", () => {
  const withoutFigures = COMPANIES.map((each) => (each.id === "orchid" ? { ...each, revenue: null } : each));

  it.each(["JPN", "SGP"])("is ambiguous even if this computer has the index of %s alone", async (country) => {
    await open();
    await build(country);
    expect(await show("0107")).toEqual(AMBIGUOUS);
    expect(await show("0200")).toEqual(MATSU);
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
    for (const isReversed of [false, true]) {
      await open();
      const queries: Query<unknown>[] = [...toQueries("0107")];
      for (const query of isReversed ? queries.reverse() : queries) await settle([awaitAnswer(running.feed, query)]);
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
    await open({ companies: withoutFigures });
    expect((await show("0107")).slice(1)).toEqual(["FEED_AMBIGUOUS", "FEED_AMBIGUOUS"]);
  });

  it("is ambiguous for financials once records say so, until they no longer do", async () => {
    await open({ companies: withoutFigures });
    const shown = await watch("0107");
    await running.feed.queryCache.refresh();
    expect(shown()).toEqual(AMBIGUOUS);
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
  const FAILED: Answering = { status: 500, json: {} };
  /** Refreshes cells a day later, when the provider has changed, and reopens the page. */
  const refreshTo = async (changed: Partial<TwoCountries>, expected: readonly string[]) => {
    await open({ companies: share("7").slice(0, 1) });
    const shown = await watch("7");
    expect(shown()).toEqual(["sakura", "sakura", "sakura"]);
    Object.assign(running.provider, changed);
    await running.clock.advance(DAY_MS);
    await running.feed.queryCache.refresh();
    expect(shown()).toEqual(expected);
    await open({ ...running.provider }, running.clock.nowMs());
  };

  it("shows the same after a reload, without a request", async () => {
    await open();
    expect(await show("0200")).toEqual(MATSU);
    const parts = ["financials", "getCompany", "getTaxonomyCompany"];
    await until(async () => {
      const { answers } = await readPersisted();
      const keys = [...answers.keys()].filter((key) => key.includes("matsu"));
      const evidence = answers.get('client\n["registration","0200"]')?.text;
      return parts.every((part) => keys.some((key) => key.includes(`"${part}"`))) && evidence?.includes("search");
    });
    await open({}, running.clock.nowMs());
    expect(await show("0200")).toEqual(MATSU);
    expect(running.listLookups()).toEqual([]);
  });

  it("gives figures as old as the persisted company", async () => {
    await open();
    await show("0200");
    await untilPersisted("matsu");
    const firstMs = running.clock.nowMs();
    await open({}, firstMs + DAY_MS / 2);
    const later = running.feed.financials.query({ registrationNumber: "0200" }, { year: 2022 });
    const { answers } = listen(running.feed, later);
    await until(() => answers().length > 0);
    expect(answers()[0]?.asOfMs).toBeLessThanOrEqual(firstMs);
    expect(running.listLookups()).toEqual([]);
  });

  it("is an error in the cell once two companies have it, at the refresh and after a reload", async () => {
    await refreshTo({ companies: share("7").slice(0, 2) }, AMBIGUOUS);
    expect(await show("7")).toEqual(AMBIGUOUS);
  });

  it("is an error in the cell once it names another company, and after a reload", async () => {
    await refreshTo({ companies: share("7").slice(1, 2) }, AMBIGUOUS);
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
    const instead = (request: Received) => (isPost(request) || isSearch(request) ? FAILED : undefined);
    await refreshTo({ instead }, ["sakura", "sakura", "sakura"]);
  });

  it("is resolved again a day later and not before, for any refresh", async () => {
    await open();
    await watch("0200");
    await running.clock.advance(DAY_MS / 2);
    const before = running.listLookups().length;
    await running.feed.queryCache.refresh();
    const isResolving = (each: string) => /^(POST|search)/.test(each);
    expect(running.listLookups().slice(before).filter(isResolving)).toEqual([]);
    await running.clock.advance(DAY_MS / 2);
    await running.feed.queryCache.refresh();
    expect(running.listLookups().slice(before).filter(isResolving).sort()).toEqual(["POST 0200", "search ALL 0200"]);
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

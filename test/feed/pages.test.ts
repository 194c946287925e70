import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { Page, Row } from "../../src/feed/decode";
import { createPageLimit, type ListReading, type PagesOptions } from "../../src/feed/pages";
import { awaitAnswer, type FeedOnSandbox, listen, startFeed } from "../support/feed";
import CASES from "./pages/lists.json";
import { createProvider, idsOf, type PagingBehaviour, read, refuse, rowsOf } from "./pages/odd-paging";

const MALFORMED = { code: "FEED_RESPONSE_MALFORMED" };

/** A provider with one answer to every request. */
const always = (page: Omit<Page, "rows">, rows: Row[]) => ({ loadPage: async () => ({ rows, ...page }) });
const BARE = { pageSize: null, total: null };

describe("a list paged as documented", () => {
  it("is requested in pages of a thousand, in order, and says how many rows have come", async () => {
    const provider = createProvider(rowsOf(2_500));
    const counts: [number, number][] = [];
    const list = await read(provider, { advance: ({ rows, expected }) => counts.push([rows.length, expected]) });
    expect(list).toEqual({ rows: rowsOf(2_500), expected: 2_500 });
    expect(counts).toEqual([1_000, 2_000].map((count) => [count, 2_500]));
    expect(provider.requests).toEqual([1, 2, 3].map((page) => [page, 1000]));
  });

  it.each([
    [650, "all", [1, 5, 7]],
    [400, "all", [1, 5]], // the fifth shows that the fourth, which is full, was the last
    [650, 400, [1, 4]],
    [150, "all", [1, 2]],
  ] as const)(
    "of %d rows, %s wanted, is requested in four pages at a time once its first says how many there are",
    async (count, wanted, turns) => {
      const asked: number[] = [];
      const { loadPage } = createProvider(rowsOf(count), { cap: 100 });
      const waiting: (() => void)[] = [];
      const slow: PagesOptions["loadPage"] = async (page, size) => {
        asked.push(page);
        await new Promise<void>((resolve) => waiting.push(resolve));
        return loadPage(page, size);
      };
      const list = read({ loadPage: slow }, { wanted });
      const seen: number[] = [];
      for (let turn = 0; turn < 20 && seen.at(-1) !== turns.at(-1); turn++) {
        await new Promise((resolve) => setImmediate(resolve));
        seen.push(asked.length);
        for (const go of waiting.splice(0)) go();
      }
      expect(seen).toEqual(turns);
      for (const go of waiting.splice(0)) go();
      expect((await list).rows).toEqual(rowsOf(wanted === "all" ? count : wanted));
    },
  );

  it("costs one request if it fits a page, and requests only the rows needed", async () => {
    const short = createProvider(rowsOf(33));
    await read(short);
    expect(short.requests).toEqual([[1, 1000]]);
    const top = createProvider(rowsOf(4_000));
    const list = await read(top, { wanted: 10 });
    expect([list.rows.length, list.expected, top.requests]).toEqual([10, 10, [[1, 10]]]);
  });

  it("can be empty", async () => {
    expect(await read(createProvider([]))).toEqual({ rows: [], expected: 0 });
  });

  it("is read again where a page without a total comes empty amid others, and fails where it does each time", async () => {
    const bare = { cap: 100, total: "none" } as const;
    const once = createProvider(rowsOf(740), { ...bare, listAt: (request, list) => (request === 2 ? [] : list) });
    expect((await read(once)).rows).toEqual(rowsOf(740));
    const ended = createProvider(rowsOf(200), {
      ...bare,
      failAt: (request) => (request === 4 ? refuse("400") : undefined),
    });
    expect((await read(ended)).rows).toEqual(rowsOf(200));
    const { loadPage } = createProvider(rowsOf(740), bare);
    const lost = { rows: [], pageSize: 100, total: null };
    const always = {
      loadPage: async (page: number, size: number | undefined) => (page === 2 ? lost : loadPage(page, size)),
    };
    await expect(read(always)).rejects.toMatchObject(MALFORMED);
  });

  it("is checked by one more request after a full last page, since a total can be cut", async () => {
    const cut = createProvider(rowsOf(3_500), { total: -1_500 });
    expect((await read(cut)).rows).toHaveLength(3_500);
    const exact = createProvider(rowsOf(2_000), { pastEnd: "400" });
    expect((await read(exact)).rows).toHaveLength(2_000);
    expect(exact.requests).toHaveLength(3);
  });
});

describe("a list of a provider with odd pages", () => {
  const COMPLETE = CASES.complete as [string, number, PagingBehaviour][];
  it.each(COMPLETE)("is read to its end if it %s", async (_, count, behaviour) => {
    expect((await read(createProvider(rowsOf(count), behaviour))).rows).toEqual(rowsOf(count));
  });

  const another = { id: "r2", totalPageViews: 7 };
  it.each<[string, number[], PagingBehaviour, string, number]>([
    ...(CASES.refused as [string, number[], PagingBehaviour, string, number][]),
    ["never settles", [250], { cap: 100, listAt: (at, list) => [...rowsOf(at, 1_000), ...list] }, "", 10],
    ["contains an id twice, with other values", [5], { listAt: (_, list) => [...list, another] }, "", 3],
  ])("is an error if it %s", async (_, counts, behaviour, message, requests) => {
    const provider = createProvider(
      counts.flatMap((count) => rowsOf(count)),
      behaviour,
    );
    await expect(read(provider)).rejects.toMatchObject({ ...MALFORMED, message: expect.stringContaining(message) });
    expect(provider.requests).toHaveLength(requests);
  });

  it("does not end with a refused page while rows are missing", async () => {
    const loadPage = async (page: number): Promise<Page> => {
      if (page > 1) throw refuse("400");
      return { rows: rowsOf(100), pageSize: 100, total: 300 };
    };
    await expect(read({ loadPage })).rejects.toMatchObject({ code: "FEED_REQUEST_INVALID" });
  });

  it.each([
    ["with a total", undefined],
    ["without a total", "none"],
  ] as const)("ends with an earlier page that repeats, which adds no row, %s", async (_, total) => {
    const provider = createProvider(rowsOf(2_000), { pastEnd: "firstPage", total });
    expect(await read(provider)).toEqual({ rows: rowsOf(2_000), expected: 2_000 });
    expect(provider.requests).toHaveLength(3);
  });

  it("ends with an earlier page that repeats if more rows are wanted than exist", async () => {
    const provider = createProvider(rowsOf(75), { cap: 25, pastEnd: "firstPage" });
    expect(await read(provider, { wanted: 100 })).toEqual({ rows: rowsOf(75), expected: 75 });
    expect(provider.requests).toHaveLength(4);
  });

  it.each([
    ["always the first, where the total proves the rows", "first", 0],
    ["one less, as who counts from 0", "before", "none"],
    ["nothing", "none", "none"],
  ] as const)("may report another page number than requested: %s", async (_, named, total) => {
    const provider = createProvider(rowsOf(250), { cap: 100, named, total });
    expect((await read(provider)).rows).toEqual(rowsOf(250));
    expect(provider.requests.filter(([page]) => page === 1)).toHaveLength(1);
  });
});

const shifted = (list: Row[]) => [{ id: "new" }, ...list];

it.each<[string, (list: Row[]) => Row[]]>([
  ["a row came", shifted],
  ["only its total changed", (list) => list.slice(1)],
])("a list that shifts while it is read is read once more: %s", async (_, change) => {
  const provider = createProvider(rowsOf(250), {
    cap: 100,
    listAt: (request, list) => (request < 2 ? list : change(list)),
  });
  expect((await read(provider)).rows).toEqual(change(rowsOf(250)));
});

it("an endless list stops at as many rows as a sheet has", async () => {
  let pages = 0;
  const loadPage = async (page: number): Promise<Page> => {
    pages++;
    return { rows: rowsOf(600_000, page * 600_000), pageSize: null, total: null };
  };
  await expect(read({ loadPage })).rejects.toMatchObject({ code: "FEED_RESULT_TOO_LARGE" });
  expect(pages).toBe(2);
});

describe("a list that comes whole for every page number", () => {
  it.each([
    ["a bare list", BARE, 300],
    ["a bare list of more rows than were asked for", BARE, 1_500],
    ["an envelope of its own size", { pageSize: 300, total: null }, 300],
    ["an envelope of more rows than were asked for", { pageSize: 1_500, total: null }, 1_500],
  ])("is complete: %s", async (_, page, count) => {
    expect((await read(always(page, rowsOf(count)))).rows).toHaveLength(count);
  });

  it.each([
    ["the default page size", BARE, 25],
    ["the page size that it says", { pageSize: 100, total: null }, 100],
    ["the page size that was asked for", BARE, 1_000],
  ])("cannot be told from a cut one at %s", async (_, page, count) => {
    const provider = always(page, rowsOf(count));
    await expect(read(provider)).rejects.toThrow(
      `the provider gives the same ${count} rows for every page and does not say whether they are all; ask for the first ${count} at most, or report it to the provider`,
    );
    expect((await read(provider, { wanted: count })).rows).toHaveLength(count);
  });

  it("is incomplete if the provider announced more, for any number of wanted rows", async () => {
    const provider = createProvider(rowsOf(250), { cap: 60, ignoresPage: true });
    await expect(read(provider, { wanted: 100 })).rejects.toThrow(
      "the provider announced 250 rows and gives the same 60 for every page; ask for the first 60 at most",
    );
  });

  it("is complete with more rows than requested, not with as many", async () => {
    expect((await read(always(BARE, rowsOf(500)), { limit: { pageSize: 100 } })).rows).toHaveLength(500);
    const capped = { pageSize: 70 };
    await expect(read(always(BARE, rowsOf(70)), { limit: capped })).rejects.toThrow("the same 70 rows");
  });
});

describe("a provider that removes rows from its pages", () => {
  const isPersisted = (position: number) => position % 20 !== 0;
  const persisted = rowsOf(2_500).filter((_, position) => isPersisted(position));

  it.each([
    ["with a total", undefined],
    ["without a total", "none"],
  ] as const)("is read in pages of the size it reports, even if they are nearly empty, %s", async (_, total) => {
    const limit = createPageLimit();
    const provider = createProvider(rowsOf(2_500), { isPersisted, total });
    const list = await read(provider, { limit });
    expect(idsOf(list)).toEqual(persisted.map(({ id }) => id));
    expect(limit.pageSize).toBe(1000);
    provider.requests.length = 0;
    expect((await read(provider, { limit })).rows).toEqual(persisted);
    expect(provider.requests.slice(0, 3)).toEqual([1, 2, 3].map((page) => [page, 1000]));
    const few = await read(createProvider(rowsOf(2_500), { isPersisted, total }), { wanted: 30 });
    expect(few.rows).toEqual(persisted.slice(0, 30));
    const empty = createProvider(rowsOf(5_000), { isPersisted: (position) => position % 400 === 399, total });
    expect((await read(empty)).rows).toHaveLength(12);
  });

  it("can answer past the end with a first page that is not its largest", async () => {
    const provider = createProvider(rowsOf(2_000), {
      isPersisted: (position) => position >= 1_000 || isPersisted(position),
      pastEnd: "firstPage",
      total: "none",
    });
    expect((await read(provider)).rows).toHaveLength(1_950);
  });

  it("is rejected if an id comes twice", async () => {
    const list = rowsOf(2_500).map((row, index) => (index === 1_501 ? { id: "r3" } : row));
    const rejected = expect(read(createProvider(list, { isPersisted }))).rejects;
    await rejected.toThrow("have some rows twice and others not at all");
  });

  it("differs from a list that shifted at a capped page", async () => {
    // Counts pages by the requested size though it gives fewer rows: larger pages would omit rows.
    let request = 0;
    const loadPage = async (page: number, requestedSize = 25): Promise<Page> => {
      const list = ++request === 2 ? [{ id: "new" }, ...rowsOf(300)] : rowsOf(300);
      const from = (page - 1) * requestedSize;
      return { rows: list.slice(from, from + Math.min(requestedSize, 50)), pageSize: requestedSize, total: null };
    };
    expect(idsOf(await read({ loadPage }))).toEqual(rowsOf(300).map(({ id }) => id));
  });
});

describe("a provider's page size", () => {
  interface SizedRead {
    count: number;
    manner: PagingBehaviour;
    wanted?: number;
    /** The sizes that are requested. */
    sizes: (number | null)[];
    /** The code of the error; default the list. */
    fails?: string;
  }

  const SIZES = CASES.sizes as [string, SizedRead[], number | null][];
  it.each(SIZES)("is requested in turn: %s", async (_, reads, pageSize) => {
    const limit = createPageLimit();
    for (const { count, manner, wanted = "all", sizes, fails } of reads) {
      const provider = createProvider(rowsOf(count), manner);
      const list = await read(provider, { limit, wanted }).catch(({ code }) => code);
      const rows = rowsOf(wanted === "all" ? count : wanted);
      expect(fails === undefined ? list.rows : list).toEqual(fails ?? rows);
      expect(provider.requests.map(([, size]) => size ?? null)).toEqual(sizes);
    }
    expect(limit.pageSize ?? null).toBe(pageSize);
  });

  it("is not blamed for another refusal", async () => {
    const limit = createPageLimit();
    const loadPage = async () => Promise.reject(refuse("400"));
    await expect(read({ loadPage }, { limit })).rejects.toMatchObject({ code: "FEED_REQUEST_INVALID" });
    expect(limit.pageSize).toBe(1000);
  });

  it("is not learned from a list without some of its rows", async () => {
    const limit = createPageLimit();
    const sifting = createProvider(rowsOf(2_500), { isPersisted: (position) => position % 7 !== 0 });
    expect((await read(sifting, { wanted: 5, limit })).rows).toHaveLength(5);
    expect(limit.pageSize).toBe(1000);
  });
});

describe("a page of another reading", () => {
  const pages = (isOfAnother: (isFresh: boolean) => boolean) => {
    const readings: ListReading[] = [];
    const provider = createProvider(rowsOf(250), { cap: 100 });
    const loadPage: PagesOptions["loadPage"] = async (page, pageSize, reading) => {
      readings.push(reading);
      const loaded = await provider.loadPage(page, pageSize);
      return page === 2 && isOfAnother(reading.isFresh) ? { ...loaded, isOfAnotherReading: true } : loaded;
    };
    return { readings, loadPage };
  };

  it("makes its list be read again, fresh, as one reading", async () => {
    const provider = pages((isFresh) => !isFresh);
    expect((await read(provider)).rows).toEqual(rowsOf(250));
    expect(provider.readings.map(({ isFresh }) => isFresh)).toEqual([false, false, false, true, true, true]);
    expect(new Set(provider.readings).size).toBe(2);
  });

  it("is an error if it happens again", async () => {
    await expect(read(pages(() => true))).rejects.toMatchObject(MALFORMED);
  });
});

describe("a list over HTTP", () => {
  let running: FeedOnSandbox;
  /** How the provider pages. */
  let manner: Partial<FeedOnSandbox["controls"]>;
  beforeEach(async () => {
    manner = {};
    running = await startFeed();
  });
  afterEach(() => running.close());

  const toRange = (first: number, last = first) => ({
    start: `2024-01-${String(first).padStart(2, "0")}T00:00:00`,
    end: `2024-01-${String(last).padStart(2, "0")}T23:59:59`,
  });
  const list = {
    companies: (sort: string) => running.feed.companies.querySearch({ country: "ALL", sort }, "all"),
    ranking: (day: number) => running.feed.rankings.queryIndustries(toRange(day), "all"),
  };
  const restart = () => {
    running.controls.reset();
    Object.assign(running.controls, manner);
  };
  /** Reads lists for the first time, and gives the requested page sizes. */
  const readSizes = async (...queries: ReturnType<typeof list.companies>[]) => {
    restart();
    for (const query of queries) await awaitAnswer(running.feed, query);
    const dataRequests = running.controls.requests.filter(({ operationId }) => operationId !== "createToken");
    return dataRequests.map(({ url }) => Number(new URL(url, "http://sandbox").searchParams.get("page_size")));
  };

  it("is answered once by all its rows, after their progress", async () => {
    const query = running.feed.rankings.queryCompanies(toRange(1, 31), "all");
    const { states } = listen(running.feed, query);
    expect((await awaitAnswer(running.feed, query)).rows).toHaveLength(4_000);
    const counts = states.map((state) => (state.status === "pending" ? state.progress?.rows.length : state.status));
    expect(counts).toEqual([1_000, 2_000, 3_000, 4_000, "answered"]);
    expect(running.controls.count("rankCompanies")).toBe(5);
  });

  it("is probed for its page size once for each kind of list, for later readers and the name index too", async () => {
    manner = { pageSizeRefusedAbove: 100 };
    expect(await readSizes(list.companies("companyName"), list.companies("-companyName"))).toEqual([
      1000,
      ...Array(8).fill(100),
    ]);
    expect(await readSizes(list.ranking(1), list.ranking(2))).toEqual([1000, ...Array(6).fill(100)]);
    expect(await readSizes(list.companies("registrationNumber"))).toEqual(Array(4).fill(100));
    await readSizes(running.feed.taxonomies.queryUniverse({ country: "SGP", companyType: "ALL" }, "all"));
    restart();
    await running.feed.nameIndexes.build("SGP");
    expect(running.controls.requests.filter(({ status }) => status === 400)).toEqual([]);
    expect(running.feed.nameIndexes.state("SGP").facts).not.toBe(null);
  });

  it("is probed for its page size again for another client's provider", async () => {
    manner = { pageSizeRefusedAbove: 100 };
    await readSizes(list.companies("companyName"));
    running.feed.reset();
    manner = {};
    expect((await readSizes(list.companies("-companyName")))[0]).toBe(1000);
  });
});

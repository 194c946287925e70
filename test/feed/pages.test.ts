import { afterEach, describe, expect, it } from "@jest/globals";
import type { Page, Row } from "../../src/feed/decode";
import type { List, ListReading, PagesOptions } from "../../src/feed/pages";
import { awaitAnswer, type FeedOnSandbox, startFeed } from "../support/feed";
import { createProvider, idsOf, read, refuse, rowsOf } from "./pages/odd-paging";

describe("a list paged as documented", () => {
  it("is requested in pages of a thousand, in order, and grows as they arrive", async () => {
    const provider = createProvider(rowsOf(2_500));
    const grown: [number, number][] = [];
    const list = await read(provider, { grow: ({ rows, expected }) => grown.push([rows.length, expected]) });
    expect(list).toEqual({ rows: rowsOf(2_500), expected: 2_500 });
    expect(grown).toEqual([
      [1_000, 2_500],
      [2_000, 2_500],
    ]);
    expect(provider.requests).toEqual([
      [1, 1000],
      [2, 1000],
      [3, 1000],
    ]);
  });

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

  it("is checked by one more request after a full last page, since a total can be cut", async () => {
    const cut = createProvider(rowsOf(3_500), { total: (real) => Math.min(real, 2_000) });
    expect((await read(cut)).rows).toHaveLength(3_500);
    const exact = createProvider(rowsOf(2_000), { pastEnd: "400" });
    expect((await read(exact)).rows).toHaveLength(2_000);
    expect(exact.requests).toHaveLength(3);
  });
});

describe("a list with an unreliable total", () => {
  it.each([
    ["absent", () => null],
    ["a count of the page", (_: number, served: number) => served],
    ["too small", (real: number) => real - 60],
  ] as const)("is read to its end if the total is %s", async (_, total) => {
    const list = await read(createProvider(rowsOf(250), { cap: 100, total }));
    expect(idsOf(list)).toEqual(rowsOf(250).map(({ id }) => id));
  });

  it("is complete if a capped page has neither total nor page size", async () => {
    const list = await read(createProvider(rowsOf(250), { cap: 100, echo: "none", total: () => null }));
    expect(list).toEqual({ rows: rowsOf(250), expected: 250 });
  });

  it("is an error if it twice has fewer rows than announced", async () => {
    const provider = createProvider(rowsOf(250), { total: (real) => real + 1 });
    await expect(read(provider)).rejects.toMatchObject({
      code: "FEED_RESPONSE_MALFORMED",
      message:
        "the provider announced 251 rows and its pages hold only 250; ask for the first 250 at most, or report it to the provider",
    });
    expect(provider.requests.filter(([page]) => page === 1)).toHaveLength(2);
  });
});

describe("the answer past the end", () => {
  it.each(["404", "400", "lastPage", "firstPage", "lastRows", undefined] as const)("can be %p", async (pastEnd) => {
    const full = createProvider(rowsOf(200), { cap: 100, pastEnd });
    expect((await read(full)).rows).toEqual(rowsOf(200));
    const unannounced = createProvider(rowsOf(230), { cap: 100, pastEnd, total: () => null });
    expect((await read(unannounced)).rows).toEqual(rowsOf(230));
  });

  it("is not the end while rows are missing", async () => {
    const loadPage = async (page: number): Promise<Page> => {
      if (page > 1) throw refuse("400");
      return { rows: rowsOf(100), pageSize: 100, total: 300 };
    };
    await expect(read({ loadPage })).rejects.toMatchObject({ code: "FEED_REQUEST_INVALID" });
  });
});

describe("a provider that ignores the page number", () => {
  it("is detected without a loop", async () => {
    const provider = createProvider(rowsOf(250), { cap: 100, ignoresPage: true });
    await expect(read(provider)).rejects.toMatchObject({ code: "FEED_RESPONSE_MALFORMED" });
    expect(provider.requests).toHaveLength(4);
  });

  it("is accepted if everything came at once", async () => {
    const whole = createProvider(rowsOf(30), { ignoresPage: true, total: () => null, echo: "none" });
    expect((await read(whole)).rows).toEqual(rowsOf(30));
  });

  it("is rejected if it repeats a full page without a total", async () => {
    const provider = createProvider(rowsOf(250), { cap: 100, ignoresPage: true, total: () => null });
    await expect(read(provider)).rejects.toMatchObject({ code: "FEED_RESPONSE_MALFORMED" });
  });
});

describe("a list that shifts while it is read", () => {
  const shifted = (list: Row[]) => [{ id: "new" }, ...list];

  it("is read once more", async () => {
    const provider = createProvider(rowsOf(250), {
      cap: 100,
      listAt: (request, list) => (request < 2 ? list : shifted(list)),
    });
    expect((await read(provider)).rows).toEqual(shifted(rowsOf(250)));
  });

  it("is read once more if only its total changed", async () => {
    const provider = createProvider(rowsOf(250), {
      cap: 100,
      listAt: (request, list) => (request < 2 ? list : list.slice(1)),
    });
    expect((await read(provider)).rows).toEqual(rowsOf(249, 1));
  });

  it("is an error if it never settles", async () => {
    const provider = createProvider(rowsOf(250), {
      cap: 100,
      listAt: (request, list) => [...rowsOf(request, 1_000), ...list],
    });
    await expect(read(provider)).rejects.toMatchObject({ code: "FEED_RESPONSE_MALFORMED" });
  });

  it("is an error like a list that contains an id twice", async () => {
    const list = [...rowsOf(150), ...rowsOf(100)];
    await expect(read(createProvider(list, { cap: 100 }))).rejects.toMatchObject({ code: "FEED_RESPONSE_MALFORMED" });
  });
});

describe("an endless list", () => {
  it("stops at as many rows as a sheet has", async () => {
    let pages = 0;
    const loadPage = async (page: number): Promise<Page> => {
      pages++;
      return { rows: rowsOf(600_000, page * 600_000), pageSize: null, total: null };
    };
    await expect(read({ loadPage })).rejects.toMatchObject({ code: "FEED_RESULT_TOO_LARGE" });
    expect(pages).toBe(2);
  });
});

describe("a list over HTTP", () => {
  let running: FeedOnSandbox;
  afterEach(() => running.close());
  const range = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };

  it("spills all rows, the first page before the others", async () => {
    running = await startFeed();
    const shown: number[] = [];
    const query = running.feed.rankings.queryCompanies(range, "all");
    const stop = running.feed.queryCache.observe(query, (state) => {
      if (state.status === "answered") shown.push((state.answer.value as List).rows.length);
    });
    const list = await awaitAnswer(running.feed, query);
    stop();
    expect(list.rows).toHaveLength(4_000);
    expect(shown).toEqual([1_000, 2_000, 3_000, 4_000, 4_000].slice(0, shown.length));
    expect(shown[0]).toBe(1_000);
    expect(running.controls.count("rankCompanies")).toBe(5);
  });

  it.each([
    ["a refused page_size", { pageSizeRefusedAbove: 100 }],
    ["a capped page_size", { pageCap: 70 }],
    ["a total that lies", { pageCap: 70, pageCapLie: true }],
    ["a total that is too small", { totalOffset: -5 }],
  ] as const)("is complete despite %s", async (_, controls) => {
    running = await startFeed();
    Object.assign(running.controls, controls);
    const { rows } = await awaitAnswer(running.feed, running.feed.companies.querySearch({ country: "ALL" }, "all"));
    expect(new Set(rows.map(({ id }) => id)).size).toBe(300);
    const few = await awaitAnswer(running.feed, running.feed.companies.querySearch({ country: "ALL" }, 60));
    expect(few.rows).toEqual(rows.slice(0, 60));
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
    expect(provider.readings.map(({ isFresh }) => isFresh)).toEqual([false, false, true, true, true]);
    expect(new Set(provider.readings).size).toBe(2);
  });

  it("is an error if it happens again", async () => {
    await expect(read(pages(() => true))).rejects.toMatchObject({ code: "FEED_RESPONSE_MALFORMED" });
  });
});

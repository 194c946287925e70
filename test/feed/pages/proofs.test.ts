import { describe, expect, it } from "@jest/globals";
import type { Page, Row } from "../../../src/feed/decode";
import { createPageLimit } from "../../../src/feed/pages";
import { createProvider, idsOf, type Manner, read, rowsOf } from "./odd-lists";

/** A provider with one answer to everything. */
const always = (page: Omit<Page, "rows">, rows: Row[]) => ({ loadPage: async () => ({ rows, ...page }) });
const BARE = { pageSize: null, total: null };

describe("an earlier page that comes again", () => {
  it.each([
    ["with a total", (real: number) => real],
    ["without a total", () => null],
  ])("is the end and adds no row, %s", async (_, total) => {
    const provider = createProvider(rowsOf(2_000), { pastEnd: "firstPage", total });
    expect(await read(provider)).toEqual({ rows: rowsOf(2_000), expected: 2_000 });
    expect(provider.requests).toHaveLength(3);
  });

  it("is the end where more rows are wanted than there are", async () => {
    const provider = createProvider(rowsOf(75), { cap: 25, pastEnd: "firstPage" });
    expect(await read(provider, { wanted: 100 })).toEqual({ rows: rowsOf(75), expected: 75 });
    expect(provider.requests).toHaveLength(4);
  });

  it("is an error where rows are missing yet", async () => {
    const provider = createProvider(rowsOf(200), { cap: 100, pastEnd: "firstPage", total: () => 300 });
    await expect(read(provider)).rejects.toThrow("announced 300 rows and its pages hold only 200");
  });
});

describe("a first page of a round number that says to be all", () => {
  const served = (_: number, count: number) => count;

  it.each([
    [10, "asked"],
    [20, "asked"],
    [10, "none"],
    [30, "none"],
  ] as const)("is not believed at %d rows (echo %p)", async (cap, echo) => {
    const list = await read(createProvider(rowsOf(57), { cap, echo, total: served }));
    expect(list.rows).toEqual(rowsOf(57));
  });

  it("costs one request more, but none where the provider gave a larger page before", async () => {
    const limit = createPageLimit();
    const provider = createProvider(rowsOf(20));
    await read(provider, { limit });
    expect(provider.requests).toHaveLength(2);
    const few = createProvider(rowsOf(5));
    await read(few);
    expect(few.requests).toHaveLength(1);
    await read(createProvider(rowsOf(33)), { limit });
    await read(provider, { limit });
    expect(provider.requests).toHaveLength(3);
  });
});

describe("a list that comes whole whatever page is asked for", () => {
  it.each([
    ["a bare list", BARE, 300],
    ["a bare list of more rows than were asked for", BARE, 1_500],
    ["an envelope of its own size", { pageSize: 300, total: null }, 300],
    ["an envelope of more rows than were asked for", { pageSize: 1_500, total: null }, 1_500],
  ])("is whole: %s", async (_, page, count) => {
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

  it("is a part where the provider announced more, whatever was wanted", async () => {
    const provider = createProvider(rowsOf(250), { cap: 60, ignoresPage: true });
    await expect(read(provider, { wanted: 100 })).rejects.toThrow(
      "the provider announced 250 rows and gives the same 60 for every page; ask for the first 60 at most",
    );
  });
});

describe("more rows than were asked for", () => {
  const limit = () => ({ pageSize: 100 });

  it("are no page, of whatever length", async () => {
    expect((await read(always(BARE, rowsOf(500)), { limit: limit() })).rows).toHaveLength(500);
  });

  it("are not exactly as many", async () => {
    const capped = { pageSize: 70 };
    await expect(read(always(BARE, rowsOf(70)), { limit: capped })).rejects.toThrow("the same 70 rows");
  });
});

describe("a provider that takes rows out of its pages", () => {
  const isKept = (position: number) => position % 20 !== 0;
  const kept = rowsOf(2_500).filter((_, position) => isKept(position));

  it.each([
    ["with a total", (real: number) => real],
    ["without a total", () => null],
  ])("is read in pages of the size that it says, %s", async (_, total) => {
    const limit = createPageLimit();
    const provider = createProvider(rowsOf(2_500), { isKept, total });
    const list = await read(provider, { limit });
    expect(idsOf(list)).toEqual(kept.map(({ id }) => id));
    expect(limit.pageSize).toBe(1000);
    provider.requests.length = 0;
    expect((await read(provider, { limit })).rows).toEqual(kept);
    expect(provider.requests.slice(0, 3)).toEqual([
      [1, 1000],
      [2, 1000],
      [3, 1000],
    ]);
    expect((await read(createProvider(rowsOf(2_500), { isKept, total }), { wanted: 30 })).rows).toEqual(
      kept.slice(0, 30),
    );
  });

  it.each([
    ["with a total", (real: number) => real],
    ["without a total", () => null],
  ])("is read where hardly a row is left of a page, %s", async (_, total) => {
    const provider = createProvider(rowsOf(5_000), { isKept: (position) => position % 400 === 399, total });
    expect((await read(provider)).rows).toHaveLength(12);
  });

  it("may answer past the end with a first page that is not its largest", async () => {
    const provider = createProvider(rowsOf(2_000), {
      isKept: (position) => position >= 1_000 || isKept(position),
      pastEnd: "firstPage",
      total: () => null,
    });
    expect((await read(provider)).rows).toHaveLength(1_950);
  });

  it("is not believed where an id comes twice", async () => {
    const list = rowsOf(2_500).map((row, index) => (index === 1_501 ? { id: "r3" } : row));
    await expect(read(createProvider(list, { isKept }))).rejects.toThrow("have some rows twice and others not at all");
  });

  it("is not taken for one whose list shifted at a capped page", async () => {
    // Counts pages by the size asked for, though it gives fewer rows: larger pages would leave rows out.
    let request = 0;
    const loadPage = async (page: number, asked = 25): Promise<Page> => {
      const list = ++request === 2 ? [{ id: "new" }, ...rowsOf(300)] : rowsOf(300);
      const from = (page - 1) * asked;
      return { rows: list.slice(from, from + Math.min(asked, 50)), pageSize: asked, total: null };
    };
    expect(idsOf(await read({ loadPage }))).toEqual(rowsOf(300).map(({ id }) => id));
  });
});

describe("rows that nothing tells apart", () => {
  const toCompany = (at: number): Row => ({ companyName: `Company ${at}`, headquarters: "Tokyo", totalPageViews: 0 });
  const companies = rowsOf(230).map((_, at) => toCompany(at === 150 ? 3 : at));

  it("are two in one page", async () => {
    const provider = createProvider(companies);
    expect((await read(provider)).rows).toEqual(companies);
    expect(provider.requests).toEqual([
      [1, 1000],
      [2, 230],
    ]);
  });

  it("are two in different pages, where pages of another size have the same rows", async () => {
    const provider = createProvider(companies, { cap: 100 });
    expect((await read(provider)).rows).toEqual(companies);
    expect(provider.requests.map(([, size]) => size)).toEqual([1000, 100, 100, 90, 90, 90]);
  });

  it("are not believed where the order moves between the readings", async () => {
    const listAt = (request: number, list: Row[]) => [
      ...list.slice(0, 10),
      ...list.slice(10, 20 + request).reverse(),
      ...list.slice(20 + request),
    ];
    const provider = createProvider(companies, { cap: 100, listAt: (at, list) => listAt(Math.ceil(at / 3), list) });
    await expect(read(provider)).rejects.toThrow("have rows twice that nothing tells apart; refresh later");
    expect(provider.requests).toHaveLength(9);
  });

  it("are not believed where pages cannot be of another size: one of them may be missing", async () => {
    const provider = createProvider(companies, { ownSize: 100 });
    await expect(read(provider)).rejects.toThrow("have rows twice that nothing tells apart; refresh later");
  });
});

describe("an id that comes twice", () => {
  it("in one page is never believed, though the total counts it", async () => {
    const provider = createProvider([...rowsOf(5), ...rowsOf(3)]);
    await expect(read(provider)).rejects.toThrow(
      "the provider's pages have some rows twice and others not at all; refresh later, or give a smaller top",
    );
    expect(provider.requests).toHaveLength(3);
  });

  it("has its list read again, and believed once it came once", async () => {
    const listAt = (request: number, list: Row[]) => (request === 1 ? [...list, ...list] : list);
    expect((await read(createProvider(rowsOf(6), { total: () => 6, listAt }))).rows).toEqual(rowsOf(6));
  });

  it("with other figures is the same row", async () => {
    const list = [...rowsOf(5), { id: "r2", totalPageViews: 7 }];
    await expect(read(createProvider(list))).rejects.toMatchObject({ code: "FEED_RESPONSE_MALFORMED" });
  });

  it("in another row's stead at each reading is an error", async () => {
    // Before each second page others cross its boundary: some come twice, some never, and the count is right.
    let crossed = 0;
    const provider = createProvider(rowsOf(230), {
      cap: 100,
      listAt: (request, list) => {
        crossed = provider.requests[request - 1]?.[0] === 2 ? crossed + 1 : crossed;
        const rows = provider.requests[request - 1]?.[0] === 1 ? 0 : crossed;
        return [...list.slice(100, 100 + rows), ...list.slice(0, 100), ...list.slice(100 + rows)];
      },
    });
    await expect(read(provider)).rejects.toThrow("have some rows twice and others not at all");
  });
});

describe("a page that calls itself another than was asked for", () => {
  it.each<[what: string, named: (page: number) => number | null, total: (real: number) => number | null]>([
    ["always the first, where the total proves the rows", () => 1, (real) => real],
    ["one less, as who counts from 0", (page) => page - 1, () => null],
    ["nothing", () => null, () => null],
  ])("is fine: %s", async (_, named, total) => {
    const provider = createProvider(rowsOf(250), { cap: 100, named, total });
    expect((await read(provider)).rows).toEqual(rowsOf(250));
    expect(provider.requests.filter(([page]) => page === 1)).toHaveLength(1);
  });

  it("is an error where nothing proves the rows", async () => {
    const provider = createProvider(rowsOf(250), { cap: 100, named: () => 1, total: () => null });
    await expect(read(provider)).rejects.toThrow("answers with other pages than were asked for; report it");
  });
});

describe("a last page that is filled up with the rows before it", () => {
  const filled = (count: number, size: number) => async (page: number) => {
    const from = Math.min((page - 1) * size, Math.max(0, count - size));
    return { rows: rowsOf(Math.min(size, count), from), pageSize: size, total: count };
  };

  it("adds those that are missing, where the total counts each row once", async () => {
    expect(await read({ loadPage: filled(230, 100) })).toEqual({ rows: rowsOf(230), expected: 230 });
  });

  it("may begin with the whole page before it", async () => {
    const loadPage = async (page: number) => ({ rows: rowsOf(page === 1 ? 6 : 7), pageSize: 6, total: 7 });
    expect(await read({ loadPage })).toEqual({ rows: rowsOf(7), expected: 7 });
  });

  it("is not believed with other figures in the rows that came before", async () => {
    const loadPage = async (page: number) => ({
      rows: rowsOf(page === 1 ? 6 : 7).map((row) => ({ ...row, totalPageViews: page })),
      pageSize: 6,
      total: 7,
    });
    await expect(read({ loadPage })).rejects.toMatchObject({ code: "FEED_RESPONSE_MALFORMED" });
  });
});

describe("another way for a list that was not proved whole", () => {
  const rows = rowsOf(1_501);
  /** Orders the rows on both sides of such places otherwise for a page that starts there, the same each time. */
  const createSwapping = (step: number, manner: Manner) => {
    const provider = createProvider(rows, {
      ...manner,
      listAt: (request, list) => {
        const [page = 1, asked = 25] = provider.requests[request - 1] ?? [];
        const from = (page - 1) * Math.min(asked, manner.cap ?? asked);
        if (from === 0 || from % step > 0 || from >= list.length) return list;
        return [...list.slice(0, from - 1), list[from] as Row, list[from - 1] as Row, ...list.slice(from + 1)];
      },
    });
    return provider;
  };

  it("is one page that holds it all, with room for a few rows more", async () => {
    const provider = createSwapping(1000, {});
    expect((await read(provider)).rows).toEqual(rows);
    expect(provider.requests).toEqual([
      [1, 1000],
      [2, 1000],
      [1, 1601],
    ]);
  });

  it("is smaller pages where that is refused, and the size is not held for refused from then on", async () => {
    const limit = createPageLimit();
    const provider = createSwapping(1000, { refusedAbove: 1000 });
    expect((await read(provider, { limit })).rows).toEqual(rows);
    expect(provider.requests).toEqual([
      [1, 1000],
      [2, 1000],
      [1, 1601],
      [1, 900],
      [2, 900],
    ]);
    expect(limit.pageSize).toBe(1000);
  });

  it("is smaller pages where pages are known to be capped", async () => {
    const limit = createPageLimit();
    await read(createProvider(rowsOf(250), { cap: 100 }), { limit });
    const provider = createSwapping(10, { cap: 100 });
    await expect(read(provider, { limit })).rejects.toMatchObject({ code: "FEED_RESPONSE_MALFORMED" });
    expect(provider.requests.filter(([page]) => page === 1)).toEqual([
      [1, 100],
      [1, 90],
      [1, 80],
    ]);
  });
});

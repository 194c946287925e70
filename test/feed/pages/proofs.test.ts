import { describe, expect, it } from "@jest/globals";
import type { Page, Row } from "../../../src/feed/decode";
import { createPageLimit } from "../../../src/feed/pages";
import { createProvider, idsOf, read, rowsOf } from "./odd-paging";

/** A provider with one answer to every request. */
const always = (page: Omit<Page, "rows">, rows: Row[]) => ({ loadPage: async () => ({ rows, ...page }) });
const BARE = { pageSize: null, total: null };

describe("an earlier page that repeats", () => {
  it.each([
    ["with a total", (real: number) => real],
    ["without a total", () => null],
  ])("is the end and adds no row, %s", async (_, total) => {
    const provider = createProvider(rowsOf(2_000), { pastEnd: "firstPage", total });
    expect(await read(provider)).toEqual({ rows: rowsOf(2_000), expected: 2_000 });
    expect(provider.requests).toHaveLength(3);
  });

  it("is the end if more rows are wanted than exist", async () => {
    const provider = createProvider(rowsOf(75), { cap: 25, pastEnd: "firstPage" });
    expect(await read(provider, { wanted: 100 })).toEqual({ rows: rowsOf(75), expected: 75 });
    expect(provider.requests).toHaveLength(4);
  });

  it("is an error while rows are missing", async () => {
    const provider = createProvider(rowsOf(200), { cap: 100, pastEnd: "firstPage", total: () => 300 });
    await expect(read(provider)).rejects.toThrow("announced 300 rows and its pages hold only 200");
  });
});

describe("a round first page that claims to be all", () => {
  const served = (_: number, count: number) => count;

  it.each([
    [10, "asked"],
    [20, "asked"],
    [10, "none"],
    [30, "none"],
  ] as const)("is checked at %d rows (echo %p)", async (cap, echo) => {
    const list = await read(createProvider(rowsOf(57), { cap, echo, total: served }));
    expect(list.rows).toEqual(rowsOf(57));
  });

  it("costs one more request, unless the provider gave a larger page before", async () => {
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
});

describe("more rows than requested", () => {
  const limit = () => ({ pageSize: 100 });

  it("are the whole list, whatever their number", async () => {
    expect((await read(always(BARE, rowsOf(500)), { limit: limit() })).rows).toHaveLength(500);
  });

  it("does not include an equal number", async () => {
    const capped = { pageSize: 70 };
    await expect(read(always(BARE, rowsOf(70)), { limit: capped })).rejects.toThrow("the same 70 rows");
  });
});

describe("a provider that removes rows from its pages", () => {
  const isPersisted = (position: number) => position % 20 !== 0;
  const persisted = rowsOf(2_500).filter((_, position) => isPersisted(position));

  it.each([
    ["with a total", (real: number) => real],
    ["without a total", () => null],
  ])("is read in pages of the size it reports, %s", async (_, total) => {
    const limit = createPageLimit();
    const provider = createProvider(rowsOf(2_500), { isPersisted, total });
    const list = await read(provider, { limit });
    expect(idsOf(list)).toEqual(persisted.map(({ id }) => id));
    expect(limit.pageSize).toBe(1000);
    provider.requests.length = 0;
    expect((await read(provider, { limit })).rows).toEqual(persisted);
    expect(provider.requests.slice(0, 3)).toEqual([
      [1, 1000],
      [2, 1000],
      [3, 1000],
    ]);
    expect((await read(createProvider(rowsOf(2_500), { isPersisted, total }), { wanted: 30 })).rows).toEqual(
      persisted.slice(0, 30),
    );
  });

  it.each([
    ["with a total", (real: number) => real],
    ["without a total", () => null],
  ])("is read even if pages are nearly empty, %s", async (_, total) => {
    const provider = createProvider(rowsOf(5_000), { isPersisted: (position) => position % 400 === 399, total });
    expect((await read(provider)).rows).toHaveLength(12);
  });

  it("can answer past the end with a first page that is not its largest", async () => {
    const provider = createProvider(rowsOf(2_000), {
      isPersisted: (position) => position >= 1_000 || isPersisted(position),
      pastEnd: "firstPage",
      total: () => null,
    });
    expect((await read(provider)).rows).toHaveLength(1_950);
  });

  it("is rejected if an id comes twice", async () => {
    const list = rowsOf(2_500).map((row, index) => (index === 1_501 ? { id: "r3" } : row));
    await expect(read(createProvider(list, { isPersisted }))).rejects.toThrow(
      "have some rows twice and others not at all",
    );
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

describe("a page that reports another number than requested", () => {
  it.each<[what: string, named: (page: number) => number | null, total: (real: number) => number | null]>([
    ["always the first, where the total proves the rows", () => 1, (real) => real],
    ["one less, as who counts from 0", (page) => page - 1, () => null],
    ["nothing", () => null, () => null],
  ])("is accepted: %s", async (_, named, total) => {
    const provider = createProvider(rowsOf(250), { cap: 100, named, total });
    expect((await read(provider)).rows).toEqual(rowsOf(250));
    expect(provider.requests.filter(([page]) => page === 1)).toHaveLength(1);
  });

  it("is an error if nothing proves the rows", async () => {
    const provider = createProvider(rowsOf(250), { cap: 100, named: () => 1, total: () => null });
    await expect(read(provider)).rejects.toThrow("answers with other pages than requested; report it");
  });
});

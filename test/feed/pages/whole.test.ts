import { describe, expect, it } from "@jest/globals";
import type { Row } from "../../../src/feed/decode";
import { createPageLimit } from "../../../src/feed/pages";
import { identifyRow } from "../../../src/feed/pages/accumulator";
import CASES from "./identity.json";
import { createProvider, type PagingBehaviour, read, rowsOf } from "./odd-paging";

describe("identical rows without an id", () => {
  const toCompany = (at: number): Row => ({ companyName: `Company ${at}`, headquarters: "Tokyo", totalPageViews: 0 });
  const companies = rowsOf(230).map((_, at) => toCompany(at === 150 ? 3 : at));

  it("count as two in one page", async () => {
    const provider = createProvider(companies);
    expect((await read(provider)).rows).toEqual(companies);
    expect(provider.requests).toEqual([1000, 230].map((size, at) => [at + 1, size]));
  });

  it("count as two in different pages, if pages of another size have the same rows", async () => {
    const provider = createProvider(companies, { cap: 100 });
    expect((await read(provider)).rows).toEqual(companies);
    expect(provider.requests.map(([, size]) => size)).toEqual([1000, 100, 100, 90, 90, 90]);
  });

  it("are rejected if the order changes between readings", async () => {
    const listAt = (request: number, list: Row[]) => [
      ...list.slice(0, 10),
      ...list.slice(10, 20 + request).reverse(),
      ...list.slice(20 + request),
    ];
    const provider = createProvider(companies, { cap: 100, listAt: (at, list) => listAt(Math.ceil(at / 3), list) });
    await expect(read(provider)).rejects.toThrow("have rows twice that nothing tells apart; refresh later");
    expect(provider.requests).toHaveLength(9);
  });

  it("are rejected if no other page size is possible, since a row may be missing", async () => {
    const provider = createProvider(companies, { ownSize: 100 });
    await expect(read(provider)).rejects.toThrow("have rows twice that nothing tells apart; refresh later");
  });
});

describe("an id that comes twice", () => {
  it("makes its list be read again, and is accepted once it comes once", async () => {
    let requests = 0;
    const loadPage = async (page: number) => {
      const rows = page === 1 ? rowsOf(6) : [];
      return { rows: ++requests === 1 ? [...rows, ...rows] : rows, pageSize: 1_000, total: 6 };
    };
    expect((await read({ loadPage })).rows).toEqual(rowsOf(6));
  });

  it.each<[string, (row: Row) => Row]>([
    [
      "with its classifications in another order",
      (row) => ({ ...row, taxonomy: [{ industryId: 2 }, { industryId: 1 }] }),
    ],
    ["in other letters", ({ companyId, ...row }) => ({ ...row, companyId: String(companyId).toUpperCase() })],
  ])("%s, in place of another company, is the same row", async (_, toOther) => {
    const taxonomy = [{ industryId: 1 }, { industryId: 2 }];
    const list = rowsOf(230).map(({ id }) => ({ companyId: id, taxonomy }) as Row);
    const doubled = list.map((row, at) => (at === 100 ? toOther(list[99]!) : row));
    await expect(read(createProvider(doubled, { cap: 100 }))).rejects.toThrow("have some rows twice and others not");
  });

  it("in place of another row at each reading is an error", async () => {
    // Before each second page others cross its boundary: some repeat, some never come, and the count is right.
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

describe("a last page filled up with earlier rows", () => {
  const filled = (count: number, size: number) => async (page: number) => {
    const from = Math.min((page - 1) * size, Math.max(0, count - size));
    return { rows: rowsOf(Math.min(size, count), from), pageSize: size, total: count };
  };

  it("adds the missing rows, if the total counts each row once", async () => {
    expect(await read({ loadPage: filled(230, 100) })).toEqual({ rows: rowsOf(230), expected: 230 });
  });

  it("can start with the whole page before it", async () => {
    const loadPage = async (page: number) => ({ rows: rowsOf(page === 1 ? 6 : 7), pageSize: 6, total: 7 });
    expect(await read({ loadPage })).toEqual({ rows: rowsOf(7), expected: 7 });
  });

  it("is rejected with other values in the earlier rows", async () => {
    const loadPage = async (page: number) => ({
      rows: rowsOf(page === 1 ? 6 : 7).map((row) => ({ ...row, totalPageViews: page })),
      pageSize: 6,
      total: 7,
    });
    await expect(read({ loadPage })).rejects.toMatchObject({ code: "FEED_RESPONSE_MALFORMED" });
  });
});

describe("another way to read an unproved list", () => {
  const rows = rowsOf(1_501);
  /** Swaps the rows on both sides of such positions for a page that starts there, the same each time. */
  const createSwapping = (step: number, manner: PagingBehaviour) => {
    const provider = createProvider(rows, {
      ...manner,
      listAt: (request, list) => {
        const [page = 1, requestedSize = 25] = provider.requests[request - 1] ?? [];
        const from = (page - 1) * Math.min(requestedSize, manner.cap ?? requestedSize);
        if (from === 0 || from % step > 0 || from >= list.length) return list;
        return [...list.slice(0, from - 1), list[from] as Row, list[from - 1] as Row, ...list.slice(from + 1)];
      },
    });
    return provider;
  };

  it("is one page that holds it all with a few rows to spare", async () => {
    const provider = createSwapping(1000, {});
    expect((await read(provider)).rows).toEqual(rows);
    expect(provider.requests.join(" ")).toBe("1,1000 2,1000 1,1601");
  });

  it("is smaller pages if that is refused, and the size is not blamed later", async () => {
    const limit = createPageLimit();
    const provider = createSwapping(1000, { refusedAbove: 1000 });
    expect((await read(provider, { limit })).rows).toEqual(rows);
    expect(provider.requests.join(" ")).toBe("1,1000 2,1000 1,1601 1,900 2,900");
    expect(limit.pageSize).toBe(1000);
  });

  it("is smaller pages if pages are known to be capped", async () => {
    const limit = createPageLimit();
    await read(createProvider(rowsOf(250), { cap: 100 }), { limit });
    const provider = createSwapping(10, { cap: 100 });
    await expect(read(provider, { limit })).rejects.toMatchObject({ code: "FEED_RESPONSE_MALFORMED" });
    expect(provider.requests.filter(([page]) => page === 1).map(([, size]) => size)).toEqual([100, 90, 80]);
  });
});

const isSame = (one: object, other: object) => identifyRow({ ...one }).key === identifyRow({ ...other }).key;

describe("a row of a list", () => {
  it.each(CASES.identified as [string, object, object, object][])("is identified: %s", (_, row, same, other) => {
    expect(identifyRow({ ...row }).isId).toBe(true);
    expect(isSame(row, { ...row, ...same })).toBe(true);
    expect(isSame(row, { ...row, ...other })).toBe(false);
  });

  it("without an id is identified by name and headquarters, or by every field", () => {
    const ranked = { companyName: "A", headquarters: "Tokyo", tickerSymbol: null, totalPageViews: 1 };
    expect(identifyRow(ranked).isId).toBe(false);
    expect(isSame(ranked, { ...ranked, totalPageViews: 2 })).toBe(true);
    expect(isSame(ranked, { ...ranked, headquarters: "Osaka" })).toBe(false);
    expect(isSame({ name: "A", count: 1 }, { name: "A", count: 2 })).toBe(false);
  });
});

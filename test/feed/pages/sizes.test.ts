import { describe, expect, it } from "@jest/globals";
import { createPageLimit } from "../../../src/feed/pages";
import { createProvider, read, refuse, rowsOf } from "./odd-paging";

describe("a provider's page size", () => {
  it.each([undefined, "asked", "none"] as const)(
    "that is capped is detected and remembered (echo %p)",
    async (echo) => {
      const limit = createPageLimit();
      const provider = createProvider(rowsOf(250), { cap: 100, echo });
      expect((await read(provider, { limit })).rows).toEqual(rowsOf(250));
      expect(provider.requests.slice(0, 3)).toEqual([
        [1, 1000],
        [2, 100],
        [3, 100],
      ]);
      expect(limit.pageSize).toBe(100);
    },
  );

  it("that is capped silently, each page reporting itself as all, is detected", async () => {
    const provider = createProvider(rowsOf(250), { cap: 100, echo: "asked", total: (_, served) => served });
    expect((await read(provider)).rows).toEqual(rowsOf(250));
  });

  it("that is refused is retried at 100, which is used from then on", async () => {
    const limit = createPageLimit();
    const provider = createProvider(rowsOf(63), { refusedAbove: 100 });
    expect((await read(provider, { limit })).rows).toEqual(rowsOf(63));
    await read(provider, { limit });
    expect(provider.requests.map(([, size]) => size)).toEqual([1000, 100, 100]);
  });

  it("that is refused at 100 too is omitted from then on", async () => {
    const limit = createPageLimit();
    const provider = createProvider(rowsOf(60), { refusedAbove: 50 });
    expect((await read(provider, { limit })).rows).toEqual(rowsOf(60));
    await read(provider, { limit });
    expect(provider.requests.map(([, size]) => size)).toEqual([1000, 100, ...Array(6).fill(undefined)]);
  });

  it("is not blamed for another refusal", async () => {
    const limit = createPageLimit();
    const loadPage = async () => Promise.reject(refuse("400"));
    await expect(read({ loadPage }, { limit })).rejects.toMatchObject({ code: "FEED_REQUEST_INVALID" });
    expect(limit.pageSize).toBe(1000);
  });

  it("is not taken for small because a list is short", async () => {
    const limit = createPageLimit();
    await read(createProvider(rowsOf(3), { echo: "rows" }), { limit });
    await read(createProvider(rowsOf(3), { total: () => null }), { limit });
    await read(createProvider(rowsOf(3), { total: (real) => real + 5 }), { limit }).catch(() => undefined);
    expect(limit.pageSize).toBe(1000);
  });

  it("is not learned from a list of few wanted rows", async () => {
    const limit = createPageLimit();
    const sifting = createProvider(rowsOf(2_500), { isPersisted: (position) => position % 7 !== 0 });
    expect((await read(sifting, { wanted: 5, limit })).rows).toHaveLength(5);
    expect((await read(createProvider(rowsOf(250), { cap: 100 }), { wanted: 150, limit })).rows).toHaveLength(150);
    expect(limit.pageSize).toBe(1000);
  });

  it.each(["404", "500"] as const)("answered with %s is retried at 100", async (refusal) => {
    const limit = createPageLimit();
    const provider = createProvider(rowsOf(63), { refusedAbove: 100, refusal });
    expect((await read(provider, { limit })).rows).toEqual(rowsOf(63));
    expect([provider.requests.map(([, size]) => size), limit.pageSize]).toEqual([[1000, 100], 100]);
  });

  it.each([
    ["404", 2],
    ["500", 2],
    ["503", 1],
  ] as const)("is not blamed for %s for long", async (refusal, requests) => {
    const provider = createProvider(rowsOf(63), { refusedAbove: 0, refusal });
    await expect(read(provider)).rejects.toMatchObject({ message: "no" });
    expect(provider.requests).toHaveLength(requests);
  });

  it("that was answered once is not blamed for later refusals", async () => {
    const limit = createPageLimit();
    await read(createProvider(rowsOf(3)), { limit });
    for (const refusal of ["400", "404", "500"] as const) {
      const provider = createProvider([], { refusedAbove: 0, refusal });
      await expect(read(provider, { limit })).rejects.toMatchObject({ message: "no" });
      expect(provider.requests).toEqual([[1, 1000]]);
    }
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { createMovingLists, type Moving, type MovingLists } from "./moving-lists";
import { createTestBed, type Page, type TestBed } from "./test-bed";

let testBed: TestBed;
let page: Page;
let lists: MovingLists;

beforeAll(async () => {
  testBed = await createTestBed({ companies: 10 });
});
beforeEach(async () => {
  lists = createMovingLists();
  testBed.faultProxy.reset();
  testBed.faultProxy.answer = (request) => lists.answer(request);
  page = await testBed.open();
});
afterEach(() => page.close());
afterAll(() => testBed.close());

const RANGE = ["2024-01-01", "2024-01-31"] as const;

/** The formulas of a list, with a field that identifies its rows. */
const FORMULAS: Readonly<Record<string, (top: number | "all") => unknown[]>> = {
  RANKING: (top) => [...RANGE, top, "companyName", null, false],
  "RANKING.PAGES": (top) => [...RANGE, null, top, "companyName", false],
  "RANKING.INDUSTRIES": (top) => [...RANGE, top, "industryName", null, false],
  COMPANIES: (top) => ["JPN", null, top, "companyName", null, false],
  UNIVERSE: (top) => ["JPN", "ALL", top, "companyEnglishName", false],
  CONSTITUENTS: (top) => ["industry:I", "JPN", "ALL", top, "companyEnglishName", null, false],
  "COMPANY.FIND": (top) => ["Company", "JPN", top, "companyName", false],
};

const NAMES = Object.keys(FORMULAS);

/** The final rows of a formula's list. */
async function show(name: string, moving: Partial<Moving>, top: number | "all" = "all"): Promise<unknown[]> {
  Object.assign(lists.moving, moving);
  const cell = page.formulas.type(name, ...(FORMULAS[name]?.(top) ?? []));
  await page.rest();
  const rows = (cell.shown.at(-1) ?? []).flat();
  return name === "COMPANY.FIND" ? rows.sort(byNumber) : rows;
}

const readNumber = (text: unknown) => Number(String(text).replace(/\D/g, ""));
const byNumber = (one: unknown, other: unknown) => readNumber(one) - readNumber(other);

const listNames = (name: string, count = 1_500) =>
  Array.from({ length: count }, (_, at) => `${name === "RANKING.INDUSTRIES" ? "Industry" : "Company"} ${at + 1}`);

describe("a ranking whose total drifts by one while it is read", () => {
  it("is complete if one page holds it, and flagged if none does", async () => {
    expect(await show("RANKING", { manner: "drifts" })).toEqual(listNames("RANKING"));
    page.close();
    page = await testBed.open();
    expect(await show("RANKING", { manner: "drifts", count: 300, cap: 100 })).toEqual([
      expect.stringMatching(/^#N\/A .*the provider's list changed each time it was read; refresh later/),
    ]);
  });
});

describe("the first hundred of a list", () => {
  it("are flagged if a row vanishes during the reading, which only the total shows", async () => {
    const rows = await show("RANKING", { manner: "leaves", count: 300, cap: 25 }, 100);
    expect(rows).toEqual([expect.stringMatching(/^#N\/A .*the provider's list changed each time it was read/)]);
  });

  it("are flagged if a page omits a row, which no total shows", async () => {
    const rows = await show("RANKING", { manner: "omits", count: 300, cap: 25 }, 100);
    expect(rows).toEqual([
      "#N/A FEED_RESPONSE_MALFORMED: the provider's pages leave rows out; refresh later, or give a smaller top",
    ]);
  });

  it("are shown if the list is stable, without an extra request", async () => {
    expect(await show("RANKING", { manner: "rests", count: 300, cap: 25 }, 100)).toEqual(listNames("RANKING", 100));
    expect(lists.requests).toBe(4);
  });
});

describe("a list whose rows swap places between two pages", () => {
  it.each(NAMES)("is complete in %s, since one page holds it", async (name) => {
    expect(await show(name, { manner: "swaps" })).toEqual(listNames(name));
  });

  it.each(NAMES)("is flagged in %s if no page holds it", async (name) => {
    const rows = await show(name, { manner: "swaps", count: 300, cap: 100 });
    expect(rows).toEqual([
      expect.stringMatching(/^#N\/A .*the provider's pages have some rows twice and others not at all/),
    ]);
  });

  it("is flagged or complete if they swap at each request", async () => {
    const rows = await show("RANKING", { manner: "shuffles", count: 300, cap: 100 });
    expect(rows.length === 1 || new Set(rows).size === 300).toBe(true);
  });
});

describe("a list whose pages omit or repeat rows", () => {
  it.each(["omits", "doubles"] as const)(
    "is complete if one page holds it, and flagged if none does: it %s",
    async (manner) => {
      expect(await show("RANKING", { manner })).toEqual(listNames("RANKING"));
      page.close();
      page = await testBed.open();
      expect(await show("RANKING", { manner, cap: 100 })).toEqual([
        expect.stringContaining("#N/A FEED_RESPONSE_MALFORMED"),
      ]);
    },
  );
});

describe("a stable list", () => {
  it.each(["RANKING", "COMPANY.FIND"])("costs %s no extra request", async (name) => {
    expect(await show(name, { manner: "rests" })).toEqual(listNames(name));
    expect(lists.requests).toBe(name === "COMPANY.FIND" ? 4 : 2);
  });
});

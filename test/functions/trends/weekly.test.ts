import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { untilPersisted } from "../../feed/persisted-cache-storage";
import { company, createTrendBed, numbers, type TrendBed } from "./provider";

const surroundings = globalThis as { indexedDB?: unknown };
const DAY_MS = 86_400_000;
/** A Wednesday in Tokyo. */
const NOW_MS = Date.UTC(2024, 5, 5, 3);

const COMPANIES = numbers(4_000).map((number) => company(number));

let bed: TrendBed;
beforeAll(async () => {
  bed = await createTrendBed();
  for (let day = Date.UTC(2024, 0, 1); day < NOW_MS + 30 * DAY_MS; day += DAY_MS) {
    const shown = new Date(day).toISOString().slice(0, 10);
    bed.rankings[shown] = COMPANIES.map((row) => ({ ...row, headquarters: shown }));
  }
});
afterEach(() => {
  delete surroundings.indexedDB;
});
afterAll(() => bed.close());

/** Shows twelve weeks of all companies, and gives the number of requests. */
async function countRequests(startMs: number): Promise<number> {
  await bed.open(startMs);
  const shown = await bed.show("RANKING.TREND", [["all"]], "-12w");
  expect([shown.length, shown[1]?.slice(2)]).toEqual([4_001, Array(12).fill(1)]);
  return bed.reads().length;
}

describe("a workbook with twelve weeks of 4,000 companies", () => {
  it("takes 60 requests once, and 5 for each further week, since ended weeks are kept", async () => {
    surroundings.indexedDB = new IDBFactory();
    expect(await countRequests(NOW_MS)).toBe(60);
    await untilPersisted(12);
    for (const weeks of [1, 2]) {
      expect(await countRequests(NOW_MS + weeks * 7 * DAY_MS)).toBe(5);
      await untilPersisted(12 + weeks);
    }
  }, 60_000);
});

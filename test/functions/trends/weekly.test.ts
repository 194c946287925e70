import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { untilPersisted } from "../../feed/persisted-cache-storage";
import { company, createTrendBed, numbers, type TrendBed } from "./provider";

const surroundings = globalThis as { indexedDB?: unknown };
const DAY_MS = 86_400_000;
/** A Wednesday in Tokyo. */
const NOW_MS = Date.UTC(2024, 5, 5, 3);

/** Five requests a week, as for 4,000 companies: four pages, and one that shows the end. */
const COMPANIES = numbers(40).map((number) => company(number));
const CAP = 10;

let bed: TrendBed;
beforeAll(async () => {
  bed = Object.assign(await createTrendBed(), { cap: CAP });
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
  expect([shown.length, shown[1]?.slice(2)]).toEqual([41, Array(12).fill(1)]);
  return bed.reads().length;
}

describe("a workbook with twelve weeks of all companies", () => {
  it("takes 60 requests once, and 5 for each further week, since ended weeks are kept", async () => {
    surroundings.indexedDB = new IDBFactory();
    expect(await countRequests(NOW_MS)).toBe(60);
    await untilPersisted(12);
    for (const weeks of [1, 2]) {
      expect(await countRequests(NOW_MS + weeks * 7 * DAY_MS)).toBe(5);
      await untilPersisted(12 + weeks);
    }
  });
});

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { PAGE_TYPES } from "../../src/contract/parameter-values";
import type { CompanyPageRanking, CompanyRanking, IndustryRanking } from "../../src/contract/types";
import { createPageViews, HOURS, type HourRange, toHourRange, type ViewCount } from "../../src/sandbox/data/page-views";
import { RANKED_COMPANIES } from "../../src/sandbox/data/universe";
import RANGES from "./ranges.json";
import { NOW_MS, RANKINGS, type RunningSandbox, startSandbox } from "./running-sandbox";

const HOUR_MS = 3_600_000;

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ companies: 10 });
});
afterAll(() => sandbox.close());

async function rank<Row>(path: string, start: string, end: string, more = "&page_size=4000") {
  const query = `start_datetime=${start}&end_datetime=${end}${more}`;
  return (await sandbox.read(`${RANKINGS}/${path}?${query}`)).body as { data: Row[]; pageSize: number; total: number };
}

/** Runs a part of a test at another time, with a token of that time. */
async function runAt<Result>(nowMs: number, run: () => Promise<Result>): Promise<Result> {
  const moveTo = (ms: number) => {
    sandbox.clock.nowMs = ms;
    sandbox.controls.dropTokens();
  };
  moveTo(nowMs);
  return run().finally(() => moveTo(NOW_MS));
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
const readViews = (rows: { totalPageViews: number }[]) => rows.map(({ totalPageViews }) => totalPageViews);

describe("the page-view model", () => {
  const pageViews = createPageViews(1);
  const companies = [0, 1, 17, 1_234, RANKED_COMPANIES - 1];
  const sumHours = (from: number, to: number, count: (range: HourRange) => ViewCount): ViewCount => {
    const single = Array.from({ length: to - from }, (_, nth) => count({ from: from + nth, to: from + nth + 1 }));
    expect(single.every(({ views, uniqueViews }) => views >= uniqueViews && uniqueViews >= 0)).toBe(true);
    return {
      views: sum(single.map(({ views }) => views)),
      uniqueViews: sum(single.map(({ uniqueViews }) => uniqueViews)),
    };
  };

  it("counts a range as the sum of its hours", () => {
    for (const company of companies) {
      for (const page of PAGE_TYPES.keys()) {
        const count = (range: HourRange) => pageViews.countPage(company, page, range);
        expect(count({ from: 5_000, to: 5_096 })).toEqual(sumHours(5_000, 5_096, count));
      }
    }
  });

  it("has non-negative whole numbers, with no more unique views than views", () => {
    for (const company of companies) {
      for (let from = 0; from < HOURS; from += 97) {
        const { views, uniqueViews } = pageViews.countCompany(company, { from, to: Math.min(from + 97, HOURS) });
        const isWhole = Number.isInteger(views) && Number.isInteger(uniqueViews);
        expect(isWhole && uniqueViews >= 0 && uniqueViews <= views).toBe(true);
      }
    }
  });

  it("repeats its two years with more views each time, by a share of each company's own", () => {
    const week = { from: 3_000, to: 3_168 };
    const count = (company: number, cycles: number) =>
      pageViews.countCompany(company, { from: week.from + cycles * HOURS, to: week.to + cycles * HOURS }).views;
    const shares = companies.map((company) => [1, 2, 40].map((cycles) => count(company, cycles) / count(company, 0)));
    for (const [second, third, last] of shares) {
      expect(second! > 1 && third! > second! && last! > third!).toBe(true);
    }
    expect(new Set(shares.map(([second]) => second!.toFixed(1))).size).toBeGreaterThan(1);
  });

  it("counts a range across the end of its two years as the sum of its hours", () => {
    for (const company of companies) {
      for (const seam of [HOURS, 2 * HOURS]) {
        const count = (range: HourRange) => pageViews.countCompany(company, range);
        expect(count({ from: seam - 24, to: seam + 24 })).toEqual(sumHours(seam - 24, seam + 24, count));
      }
    }
  });

  it("has fixed figures for its first two years", () => {
    const months = [
      { from: 0, to: 744 },
      { from: HOURS - 744, to: HOURS },
      { from: 0, to: HOURS },
    ];
    expect(months.map((range) => pageViews.countCompany(17, range))).toEqual([
      { views: 78, uniqueViews: 44 },
      { views: 186, uniqueViews: 121 },
      { views: 3_637, uniqueViews: 2_409 },
    ]);
  });

  const RECORDED = RANGES.hours as [string, string, string, number, number][];
  it.each(RECORDED)(
    "includes hours from %s to %s, of 2023 to Japan's hour at %s: its newest week is whole",
    (start, end, now, from, to) => {
      const [startMs, endMs, nowMs] = [start, end, now].map((text) => Date.parse(`${text}Z`));
      expect(toHourRange(startMs!, endMs!, nowMs!)).toEqual({ from, to });
    },
  );
});

/** The page views of the first companies in a range. */
const total = async (start: string, end: string) =>
  sum(readViews((await rank<CompanyRanking>("companies", start, end, "&page_size=400")).data));

describe("the ranking of companies", () => {
  let january: { data: CompanyRanking[]; total: number };
  beforeAll(async () => {
    january = await rank<CompanyRanking>("companies", "2024-01-01T00:00:00", "2024-01-31T23:59:59");
  });

  it("is ordered by page views, then by name, and holds all 4,000 companies", async () => {
    const { data, total } = january;
    expect([data.length, total]).toEqual([4_000, 4_000]);
    const isBefore = (one: CompanyRanking, other: CompanyRanking) =>
      one.totalPageViews === other.totalPageViews
        ? one.companyName <= other.companyName
        : one.totalPageViews > other.totalPageViews;
    expect(data.slice(1).filter((row, nth) => !isBefore(data[nth]!, row))).toEqual([]);
  });

  it("has pages of 25 without gap or overlap", async () => {
    const range = ["2024-01-01T00:00:00", "2024-01-31T23:59:59"] as const;
    const pages = [];
    for (const page of [1, 2, 3]) pages.push(await rank<CompanyRanking>("companies", ...range, `&page=${page}`));
    expect(pages.map(({ pageSize }) => pageSize)).toEqual([25, 25, 25]);
    expect(pages.flatMap(({ data }) => data)).toEqual(january.data.slice(0, 75));
  });

  it("has a few companies without ticker, engagement, or its bounds", async () => {
    const { data } = january;
    const shares = [
      data.filter(({ tickerSymbol }) => tickerSymbol === null),
      data.filter(({ engagementTime }) => engagementTime === null),
      data.filter(({ engagementTime }) => engagementTime?.min === null),
      data.filter(({ engagementTime }) => engagementTime?.max === null),
    ].map(({ length }) => length / data.length);
    for (const share of shares) expect(share > 0 && share < 0.15).toBe(true);
    const times = data.flatMap(({ engagementTime }) => engagementTime ?? []);
    expect(times.filter(({ avg, min, max }) => (min ?? avg) > avg || (max ?? avg) < avg)).toEqual([]);
  });

  it.each([
    ["2022-01-01T00:00:00", "2022-12-31T23:59:59"],
    ["2024-11-20T19:00:00", "2024-11-30T23:59:59"],
  ])("is empty without recorded hours: from %s to %s", async (start, end) => {
    for (const path of ["companies", "company-pages", "industries"]) {
      const { data, total } = await rank(path, start, end, "");
      expect([data, total]).toEqual([[], 0]);
    }
  });

  it("is that of a week later once the data have moved on by a week", async () => {
    const later = await startSandbox({ companies: 10, weeks: () => 1 });
    const read = async ({ read }: RunningSandbox, start: string, end: string) =>
      (await read(`${RANKINGS}/companies?start_datetime=${start}&end_datetime=${end}`)).body.data;
    const moved = await read(later, "2024-11-04T00:00:00", "2024-11-10T23:59:59");
    expect(moved).toEqual(await read(sandbox, "2024-11-11T00:00:00", "2024-11-17T23:59:59"));
    expect(moved).not.toEqual(await read(sandbox, "2024-11-04T00:00:00", "2024-11-10T23:59:59"));
    const newest = await read(later, "2024-11-20T00:00:00", "2024-11-20T18:59:59");
    expect(newest).toHaveLength(25);
    await later.close();
  });

  it("ends with the current hour of Japan, which advances with the clock", async () => {
    const day = ["2024-11-20T00:00:00", "2024-11-20T23:59:59"] as const;
    const soFar = await total(...day);
    expect(soFar).toBe(await total(day[0], "2024-11-20T18:00:00"));
    expect(await runAt(NOW_MS + HOUR_MS, () => total(...day))).toBeGreaterThan(soFar);
  });
});

it("the ranking with page types equals the ranking of companies, each total being the sum of 18 page types, null for none", async () => {
  const range = ["2024-03-01T00:00:00", "2024-03-02T23:59:59"] as const;
  const plain = await rank<CompanyRanking>("companies", ...range, "&page_size=400");
  const { data } = await rank<CompanyPageRanking>("company-pages", ...range, "&page_size=400");
  expect(data.map(({ pages: _, ...row }) => row)).toEqual(plain.data);
  let nulls = 0;
  for (const { pages, totalPageViews, totalUniquePageViews } of data) {
    expect(Object.keys(pages)).toEqual([...PAGE_TYPES]);
    const read = Object.values(pages).filter((stats) => stats !== null);
    nulls += 18 - read.length;
    expect(read.every((stats) => stats.totalPageViews > 0)).toBe(true);
    expect(sum(readViews(read))).toBe(totalPageViews);
    expect(sum(read.map((stats) => stats.totalUniquePageViews))).toBe(totalUniquePageViews);
  }
  expect(nulls).toBeGreaterThan(0);
});

it("the ranking of industries distributes all page views of companies, 1,000 to a page", async () => {
  const range = ["2024-03-01T00:00:00", "2024-03-31T23:59:59"] as const;
  const { data, pageSize, total } = await rank<IndustryRanking>("industries", ...range, "");
  expect([data.length, pageSize, total]).toEqual([200, 1_000, 200]);
  expect(readViews(data)).toEqual(readViews(data).sort((left, right) => right - left));
  const companies = await rank<CompanyRanking>("companies", ...range);
  expect(sum(readViews(data))).toBe(sum(readViews(companies.data)));
});

it.each(RANGES.refused as [string, string, string[]][])("refuses a range from %s to %s", async (start, end, fields) => {
  for (const path of ["companies", "company-pages", "industries"]) {
    const reply = await sandbox.read(`${RANKINGS}/${path}?start_datetime=${start}&end_datetime=${end}`);
    expect(reply.status).toBe(400);
    expect(reply.body.error.details.map(({ field }: { field: string }) => field)).toEqual(fields);
  }
});

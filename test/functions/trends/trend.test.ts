import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { untilPersisted } from "../../feed/persisted-cache-storage";
import { drain } from "../../support/clock";
import { until } from "../../support/until";
import { company, createTrendBed, numbers, type TrendBed } from "./provider";
import { rankRows } from "./rank-rows";

const surroundings = globalThis as { indexedDB?: unknown };
delete surroundings.indexedDB; // the block that needs it puts it in its place

const MONTHS = "2024-01,2024-02";
const [JANUARY, FEBRUARY] = ["2024-01-01", "2024-02-01"];
const DAY_MS = 86_400_000;
const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);
/** Five requests a ranking in pages of ten, as for 4,000 companies: four pages, and one that shows the end. */
const FORTY = numbers(40).map((number) => company(number));
const CAP = 10;

let bed: TrendBed;
beforeAll(async () => {
  bed = await createTrendBed();
});
beforeEach(async () => {
  Object.assign(bed, { rankings: {}, statuses: {}, gate: null, cap: Number.POSITIVE_INFINITY });
  await bed.open();
});
afterAll(() => bed.close());

const show = (...parameters: unknown[]) => bed.show("RANKING.TREND", ...parameters);
/** Without headers. */
const showRows = (names: unknown, periods: unknown = MONTHS, measure: unknown = null, ranking: unknown = null) =>
  show(names, periods, measure, ranking, false);

describe("the first of a ranking", () => {
  const others = numbers(400).filter((number) => ![3, 150, 2, 1].includes(number));
  beforeEach(() => {
    bed.rankings = {
      [JANUARY]: numbers(400).map((number) => company(number)),
      [FEBRUARY]: [3, 150, 2, 1, ...others].map((number) => company(number)),
    };
  });

  it("takes as many rows as the top where that is more, and shows each company's rank of the whole ranking when named", async () => {
    const top = await showRows("top 150");
    expect(top).toHaveLength(150);
    expect(top[1]?.slice(2)).toEqual([150, 2]);
    expect(bed.reads()).toEqual([`companies ${JANUARY} 1/150`, `companies ${FEBRUARY} 1/150`]);
    expect(await showRows("1150")).toEqual([["Company 150", "1150", 150, 2]]);
  });

  it("shows no former rank of a ticker that two rows share now, since another company may have had it", async () => {
    bed.rankings[JANUARY] = [company(1, 90, { companyName: "Xeno" }), company(2, 80, { companyName: "Yarrow" })];
    bed.rankings[FEBRUARY] = [company(1, 90, { companyName: "Yarrow" }), company(1, 80, { companyName: "Xeno" })];
    const uncertain = expect.stringMatching(/^#VALUE! FEED_AMBIGUOUS: "(?:Xeno|Yarrow)" is not certain in 2024-01: /);
    expect(await showRows("all")).toEqual([
      ["Yarrow", "1001", uncertain, 1],
      ["Xeno", "1001", uncertain, 2],
    ]);
  });
});

it.each<[text: string, rows: (string | number)[]]>([
  ["Day, Berry & Howard", ["1002"]],
  ["Day, Berry & Howard, K.K.", ["1002"]],
  ["Tsukikage, Tokyo", ["1003"]],
  ["Tsukikage Tokyo, Inc.", ["1003"]],
  ["1001, Day, Berry & Howard LLP", ["1001", "1004", ""]],
  ["Day,Company 1", ["1004", "1001"]],
  ["Howard, Company 1", ["", "1001"]],
  ["1002,1003", ["1002", "1003"]],
  [`${"Day,".repeat(90)}Nobody`, [...Array(90).fill("1004"), ""]],
])("takes %p as one name where it is one in the rankings, else as a list", async (text, codes) => {
  bed.rankings[JANUARY] = ["Company 1", "Day, Berry & Howard", "Tsukikage Tokyo", "Day"].map((companyName, at) =>
    company(at + 1, 90 - at, { companyName }),
  );
  const rows = await showRows(text, "2024-01");
  expect(rows.map(([, code]) => code)).toEqual(codes);
});

it("named companies show nothing before each ranking is read to its end, since a part would show false absences", async () => {
  for (const day of [JANUARY, FEBRUARY]) bed.rankings[day] = numbers(1_001).map((number) => company(number));
  let release = () => {};
  bed.gate = new Promise((resolve) => {
    release = resolve;
  });
  const cell = bed.page.formulas.type("RANKING.TREND", "2001", MONTHS, null, null, false);
  await until(() => bed.reads().filter((read) => read.includes(" 2/")).length === 2);
  for (let count = 0; count < 10; count++) await drain();
  expect(cell.shown).toEqual([]);
  release();
  await bed.page.rest();
  expect(cell.shown).toEqual([[["Company 1001", "2001", 1_001, 1_001]]]);
});

describe("a trend of 52 weeks with five requests a week", () => {
  const WEEKS_A_YEAR = 52;
  const YEAR = "2023-W01:2023-W52";
  const confirm = (requests: number) =>
    expect.stringContaining(
      `#N/A FEED_CONFIRM_NEEDED: this takes about ${requests} requests; confirm in the FEED pane`,
    );
  beforeEach(() => {
    bed.cap = CAP;
    for (let week = 0; week < WEEKS_A_YEAR; week++) bed.rankings[toDay(Date.UTC(2023, 0, 2 + 7 * week))] = FORTY;
  });

  it("is told before: its first ranking shows that 255 more requests are to come, and none of them is sent", async () => {
    expect(await show([["all"]], YEAR)).toEqual([[confirm(255)]]);
    expect(bed.reads()).toHaveLength(5);
    const { budget } = bed.page.formulas.session.feed;
    expect(budget.unconfirmed().map(({ requests, keys }) => [requests, keys.length])).toEqual([[255, 51]]);
  });

  it("shows all of it once a person confirms it, and asks for nothing twice", async () => {
    const cell = bed.page.formulas.type("RANKING.TREND", [["all"]], YEAR, null, null, false);
    await bed.page.rest();
    const { confirmation } = bed.page.formulas.session;
    expect(confirmation.waiting()).toEqual({ reason: "requests", requests: 255, isDeclined: false });
    confirmation.confirm();
    await bed.page.rest();
    expect(cell.shown.at(-1)?.[0]?.slice(2)).toEqual(Array(WEEKS_A_YEAR).fill(1));
    expect(new Set(bed.reads()).size).toBe(260);
    expect(bed.reads()).toHaveLength(260);
  });

  it("sends no request where the length of these rankings is known", async () => {
    await show([["all"]], "2023-W01");
    expect(await show([["all"]], YEAR)).toEqual([[confirm(255)]]);
    expect(bed.reads()).toHaveLength(5);
  });

  it("is not told where the limit allows it", async () => {
    const shown = await show([["all"]], "2023-W01:2023-W40", null, null, false);
    expect(shown).toHaveLength(40);
    expect(bed.reads()).toHaveLength(200);
  });

  it("reads the others where the first fails", async () => {
    bed.statuses["2023-01-02"] = 403;
    const shown = await show("1001", "2023-W01:2023-W03", null, null, false);
    expect(shown).toEqual([["Company 1", "1001", expect.stringMatching(/^#N\/A FEED_SCOPE_MISSING/), 1, 1]]);
  });

  it("is told before also where only its first rows are wanted of a page type, which ranks all rows", async () => {
    expect(await show([["top 5"]], YEAR, null, "NEWS")).toEqual([[confirm(255)]]);
    expect(bed.reads()).toHaveLength(5);
  });
});

describe("a workbook with twelve weeks of all companies", () => {
  /** A Wednesday in Tokyo. */
  const NOW_MS = Date.UTC(2024, 5, 5, 3);
  beforeEach(() => {
    surroundings.indexedDB = new IDBFactory();
    bed.cap = CAP;
    for (let day = Date.UTC(2024, 0, 1); day < NOW_MS + 30 * DAY_MS; day += DAY_MS) {
      bed.rankings[toDay(day)] = FORTY.map((row) => ({ ...row, headquarters: toDay(day) }));
    }
  });
  afterEach(() => {
    delete surroundings.indexedDB;
  });
  /** Shows twelve weeks of all companies, and gives the number of requests. */
  const countRequests = async (startMs: number): Promise<number> => {
    await bed.open(startMs);
    const shown = await show([["all"]], "-12w");
    expect([shown.length, shown[1]?.slice(2)]).toEqual([41, Array(12).fill(1)]);
    return bed.reads().length;
  };

  it("takes 60 requests once, and 5 for each further week, since ended weeks are kept", async () => {
    expect(await countRequests(NOW_MS)).toBe(60);
    await untilPersisted(12);
    for (const weeks of [1, 2]) {
      expect(await countRequests(NOW_MS + weeks * 7 * DAY_MS)).toBe(5);
      await untilPersisted(12 + weeks);
    }
  });
});

it("companies of a ranking without a ticker stay two where line breaks of their names would make them one", () => {
  const row = (companyName: string, headquarters: string) => ({ companyName, tickerSymbol: null, headquarters });
  const { alike, byKey } = rankRows([row("Sakura\nFoods", "Osaka"), row("Sakura", "Foods\nOsaka")], true);
  expect(byKey.size).toBe(2);
  expect(alike.size).toBe(0);
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { type RunningCompanion, startCompanion } from "../../support/companion";
import { createDirectReading, type Read } from "../../support/direct-reading";
import { type FormulaCell, type Formulas, loadFormulas, type Shown } from "../../support/formula-cells";
import { countDiffering, type RankedRow, toMoverRows, toTrendCell } from "./truth";

/** The Mondays of twelve weeks. */
const MONDAYS = Array.from({ length: 12 }, (_, at) =>
  new Date(Date.UTC(2024, 0, 1 + 7 * at)).toISOString().slice(0, 10),
);
const WEEKS = "2024-W01:2024-W12";
const NAMES = MONDAYS.map((_, at) => `2024-W${String(at + 1).padStart(2, "0")}`);

let companion: RunningCompanion;
let read: Read;
/** All rows of each week. */
let weeks: RankedRow[][];
let formulas: Formulas;

beforeAll(async () => {
  companion = await startCompanion({ companies: 50 });
  read = await createDirectReading(companion.origin);
  weeks = [];
  for (const monday of MONDAYS) weeks.push(await readRows("companies", monday));
}, 60_000);
beforeEach(async () => {
  companion.controls.reset();
  formulas = await loadFormulas(companion.origin);
});
afterEach(() => formulas.close());
afterAll(() => companion.close());

async function readRows<T = RankedRow>(resource: string, monday: string): Promise<T[]> {
  const sunday = new Date(Date.parse(monday) + 6 * 86_400_000).toISOString().slice(0, 10);
  const query = `start_datetime=${monday}T00:00:00&end_datetime=${sunday}T23:59:59&page_size=5000`;
  return (await read<{ data: T[] }>(`/japan/ranking/v1/${resource}?${query}`)).data;
}

const last = () => weeks.at(-1) as RankedRow[];
const show = (name: string, ...parameters: unknown[]): Promise<Shown> => formulas.type(name, ...parameters).next();
const body = ([, ...rows]: Shown) => rows.map((row) => row.slice(2));

describe("FEED.RANKING.TREND of 4,000 companies in twelve weeks", () => {
  it("has no cell that differs from the provider's rows, in 60 requests", async () => {
    const shown = await show("RANKING.TREND", [["all"]], [[WEEKS]]);
    expect(shown[0]).toEqual(["Company", "Ticker", ...NAMES]);
    expect(shown.slice(1).map(([, ticker]) => ticker)).toEqual(last().map(({ tickerSymbol }) => tickerSymbol ?? ""));
    const expected = last().map((company) => weeks.map((rows) => toTrendCell(company, rows, [company.companyName])));
    expect(expected).toHaveLength(4_000);
    expect(last().filter(({ tickerSymbol }) => tickerSymbol === null).length).toBeGreaterThan(10);
    expect(countDiffering(body(shown), expected)).toBe(0);
    expect(companion.controls.count("rankCompanies")).toBe(60);
  }, 60_000);

  it("takes no further request for other formulas of those weeks", async () => {
    await show("RANKING.TREND", [["all"]], [[WEEKS]]);
    const cells: FormulaCell[] = [
      formulas.type("RANKING.TREND", [[last()[7]?.companyName]], [[WEEKS]], "totalPageViews"),
      formulas.type("RANKING.MOVERS", "2024-W12", null, "all"),
    ];
    for (const cell of cells) await cell.next();
    expect(companion.controls.count("rankCompanies")).toBe(60);
  }, 60_000);
});

describe("FEED.RANKING.MOVERS of 4,000 companies", () => {
  const FIELDS = [
    [
      "rank",
      "previous.rank",
      "change.rank",
      "tickerSymbol",
      "totalPageViews",
      "previous.totalPageViews",
      "growth.totalPageViews",
      "status",
    ],
  ];

  it("has no cell that differs from the provider's rows, the largest moves first", async () => {
    const shown = await show("RANKING.MOVERS", "2024-W12", null, "all", null, null, FIELDS, false);
    const byRank = (one: readonly unknown[], other: readonly unknown[]) => Number(one[0]) - Number(other[0]);
    const expected = toMoverRows(last(), weeks.at(-2) as RankedRow[]);
    expect(countDiffering([...shown].sort(byRank), expected.sort(byRank))).toBe(0);
    const sizes = shown.map(([, , change]) => Math.abs(Number(change)));
    expect(sizes).toEqual([...sizes].sort((one, other) => other - one));
    expect(sizes[0]).toBeGreaterThan(100);
  });
});

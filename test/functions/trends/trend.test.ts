import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { drain } from "../../support/clock";
import { until } from "../../support/until";
import { company, createTrendBed, numbers, type TrendBed } from "./provider";

const MONTHS = "2024-01,2024-02";
const [JANUARY, FEBRUARY] = ["2024-01-01", "2024-02-01"];

let bed: TrendBed;
beforeAll(async () => {
  bed = await createTrendBed();
});
beforeEach(async () => {
  Object.assign(bed, { rankings: {}, statuses: {}, gate: null });
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

  it("takes one request per period, and no whole ranking", async () => {
    expect(await show([["top 3"]], MONTHS)).toEqual([
      ["Company", "Ticker", "2024-01", "2024-02"],
      ["Company 3", "1003", 3, 1],
      [
        "Company 150",
        "1150",
        expect.stringMatching(/^#N\/A FEED_NO_VALUE: it is not among the first 100 of 2024-01; /),
        2,
      ],
      ["Company 2", "1002", 2, 3],
    ]);
    expect(bed.reads()).toEqual([`companies ${JANUARY} 1/100`, `companies ${FEBRUARY} 1/100`]);
  });

  it("takes as many rows as the top where that is more, and shows each company's rank of the whole ranking when named", async () => {
    const top = await showRows("top 150");
    expect(top).toHaveLength(150);
    expect(top[1]?.slice(2)).toEqual([150, 2]);
    expect(bed.reads()).toEqual([`companies ${JANUARY} 1/150`, `companies ${FEBRUARY} 1/150`]);
    expect(await showRows("1150")).toEqual([["Company 150", "1150", 150, 2]]);
  });

  it("joins no row without a ticker, which only the whole ranking tells from others", async () => {
    for (const day of [JANUARY, FEBRUARY])
      bed.rankings[day] = numbers(200).map((number) => company(number, 10_000 - number, { tickerSymbol: null }));
    expect(await showRows("top 1")).toEqual([
      [
        "Company 1",
        "",
        expect.stringMatching(
          /^#VALUE! FEED_AMBIGUOUS: "Company 1" has no ticker, so that only the whole ranking of 2024-01/,
        ),
        1,
      ],
    ]);
    expect(await showRows("Company 1")).toEqual([["Company 1", "", 1, 1]]);
  });

  it("gives each row of one ticker its own name, since which of them it was before is not certain", async () => {
    bed.rankings[FEBRUARY] = [company(3), company(7, 90, { companyName: "Branch" }), company(7, 80)];
    expect((await showRows("all")).map(([name, ticker, , rank]) => [name, ticker, rank])).toEqual([
      ["Company 3", "1003", 1],
      ["Branch", "1007", 2],
      ["Company 7", "1007", 3],
    ]);
    expect((await showRows("Company 7"))[0]?.[0]).toBe("Company 7");
  });

  it("is of the latest period, in whichever column that stands", async () => {
    const shown = await show([["top 1"]], "2024-02,2024-01");
    expect(shown).toEqual([
      ["Company", "Ticker", "2024-02", "2024-01"],
      ["Company 3", "1003", 1, 3],
    ]);
  });

  it("proves an absence where the rows are the whole ranking", async () => {
    bed.rankings[JANUARY] = numbers(99).map((number) => company(number));
    expect((await showRows("top 2"))[1]?.[2]).toMatch(/^#N\/A FEED_NO_VALUE: it is not in the ranking of 2024-01; /);
  });
});

describe("named companies", () => {
  it("show nothing before each ranking is read to its end, since a part would show false absences", async () => {
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
});

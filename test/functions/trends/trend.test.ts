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
  beforeEach(() => {
    bed.rankings = {
      [JANUARY]: numbers(4_000).map((number) => company(number)),
      [FEBRUARY]: [
        company(3),
        company(150),
        company(2),
        company(1),
        ...numbers(4_000)
          .slice(3, 149)
          .map((number) => company(number)),
        ...numbers(4_000)
          .slice(150)
          .map((number) => company(number)),
      ],
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
  beforeEach(() => {
    bed.rankings = {
      [JANUARY]: [company(1), company(2), company(3, 5, { companyName: "Aoba Foods K.K." })],
      [FEBRUARY]: [
        company(2, 900, { companyName: "Company Two" }),
        company(1, 800),
        company(4, 5, { companyName: "Aoba Foods Inc." }),
      ],
    };
  });

  it("are found by ticker, number, name or short name, each row by itself", async () => {
    const names = [["1001"], [1002], ["ｃｏｍｐａｎｙ　two"], [null], ["Nobody"], ["Aoba Foods"], ["Aoba Foods K.K."]];
    const shown = await showRows(names);
    expect(shown.map((row) => row.map((cell) => String(cell).split(";")[0]))).toEqual([
      ["Company 1", "1001", "1", "2"],
      ["Company Two", "1002", "2", "1"],
      ["Company Two", "1002", "2", "1"],
      ["", "", "", ""],
      ["Nobody", "", ...Array(2).fill('#N/A FEED_NO_VALUE: no company in these rankings is called "Nobody"')],
      [
        "Aoba Foods",
        "",
        ...Array(2).fill(
          '#VALUE! FEED_AMBIGUOUS: "Aoba Foods" fits 2 rows of these rankings: 1003 · Aoba Foods K.K. · Tokyo',
        ),
      ],
      ["Aoba Foods K.K.", "1003", "3", "#N/A FEED_NO_VALUE: it is not in the ranking of 2024-02"],
    ]);
  });

  it("have an empty column for a blank cell among the periods, which costs no request", async () => {
    expect(await show("1001", [["2024-01", null, "2024-02", null]], "totalPageViews")).toEqual([
      ["Company", "Ticker", "2024-01", "", "2024-02"],
      ["Company 1", "1001", 9_999, "", 800],
    ]);
    expect((await show("Nobody", [["2024-01", null]])).map((row) => row.length)).toEqual([3, 3]);
    expect(bed.reads()).toHaveLength(2);
  });

  it("are called as in the latest period, in whichever column that stands", async () => {
    expect(await showRows("1002", "2024-02,2024-01")).toEqual([["Company Two", "1002", 1, 2]]);
  });

  it("are read whole, since a name means one company only if no other row has it", async () => {
    await showRows("1001");
    expect(bed.reads()).toEqual([`companies ${JANUARY} 1/1000`, `companies ${FEBRUARY} 1/1000`]);
  });

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

  it("say that rankings have no registration numbers and no ids", async () => {
    const [[, , number] = [], [, , id] = []] = await showRows([
      ["1234567890123"],
      ["00000000-0000-4000-8000-00000000000a"],
    ]);
    for (const cell of [number, id])
      expect(cell).toMatch(/since rankings have no registration numbers and no company ids$/);
  });

  it("show a number of the rows in place of the rank", async () => {
    expect(await showRows("1001", MONTHS, "totalPageViews")).toEqual([["Company 1", "1001", 9_999, 800]]);
    expect(await showRows("1001", MONTHS, "Engagement avg (minutes)")).toEqual([["Company 1", "1001", "", ""]]);
    expect(await showRows("1001", MONTHS, "views")).toEqual([
      [expect.stringMatching(/^#VALUE! FEED_ARGUMENT_INVALID: measure must be "rank" or a measure/)],
    ]);
  });

  it("are joined with no row that has lost its ticker", async () => {
    bed.rankings[FEBRUARY] = [company(1, 800, { tickerSymbol: null })];
    expect(await showRows("1001")).toEqual([
      [
        "Company 1",
        "1001",
        1,
        expect.stringMatching(
          /^#VALUE! FEED_AMBIGUOUS: "Company 1" is not certain in 2024-02: Company 1 · Tokyo could be it/,
        ),
      ],
    ]);
  });
});

describe("a period that cannot be shown", () => {
  beforeEach(() => {
    bed.rankings = { [JANUARY]: [company(1)], [FEBRUARY]: [company(1)] };
  });

  it("has its own error in each row, and spoils no other period", async () => {
    bed.statuses[JANUARY] = 403;
    expect(await showRows([["1001"], ["Nobody"]])).toEqual([
      ["Company 1", "1001", expect.stringMatching(/^#N\/A FEED_SCOPE_MISSING: /), 1],
      [
        "Nobody",
        "",
        expect.stringMatching(/^#N\/A FEED_SCOPE_MISSING: /),
        expect.stringMatching(/^#N\/A FEED_NO_VALUE: /),
      ],
    ]);
    expect(await showRows("top 1")).toEqual([["Company 1", "1001", expect.stringMatching(/FEED_SCOPE_MISSING/), 1]]);
  });

  it("is an error of the formula where all fail, or where it is the one that gives the rows", async () => {
    bed.statuses = { [JANUARY]: 403, [FEBRUARY]: 403 };
    expect(await showRows("1001")).toEqual([[expect.stringMatching(/^#N\/A FEED_SCOPE_MISSING: /)]]);
    bed.statuses = {};
    bed.rankings[FEBRUARY] = [];
    await bed.open();
    expect(await showRows("top 1")).toEqual([
      [expect.stringMatching(/^#N\/A FEED_NO_VALUE: the provider ranks no company in 2024-02/)],
    ]);
  });
});

describe("another ranking", () => {
  it("of a page type ranks companies by its views: equal ones alike, unviewed ones last, unknown ones not", async () => {
    const toPages = (views: Record<number, number | null | undefined>) =>
      Object.entries(views).map(([number, each]) =>
        company(Number(number), 1, {
          pages:
            each === undefined
              ? {}
              : {
                  NEWS: each === null ? null : { totalPageViews: each, totalUniquePageViews: 1, engagementTime: null },
                },
        }),
      );
    bed.rankings = {
      [JANUARY]: toPages({ 1: 5, 2: 9, 3: 5, 4: null, 5: undefined }),
      [FEBRUARY]: toPages({ 1: 1, 2: 2, 3: 3, 4: 4, 5: 5 }),
    };
    const shown = await showRows("all", MONTHS, null, "news");
    expect(shown.map(([name, , ...ranks]) => [name, ...ranks.map((cell) => String(cell).split(":")[0])])).toEqual([
      ["Company 5", "#N/A FEED_NO_VALUE", "1"],
      ["Company 4", "4", "2"],
      ["Company 3", "2", "3"],
      ["Company 2", "1", "4"],
      ["Company 1", "2", "5"],
    ]);
    expect(await showRows("1004", MONTHS, "totalPageViews", "news")).toEqual([["Company 4", "1004", 0, 4]]);
    expect(bed.reads()).toEqual([`company-pages ${JANUARY} 1/1000`, `company-pages ${FEBRUARY} 1/1000`]);
  });

  it("of industries joins them by their id", async () => {
    const industry = (id: string, name: string) => ({
      industryId: id,
      industryName: name,
      subSectorName: "S",
      totalPageViews: 1,
    });
    bed.rankings = {
      [JANUARY]: [industry("I1", "Banks"), industry("I2", "Other"), industry("I3", "Other")],
      [FEBRUARY]: [industry("I3", "Other"), industry("I1", "Banks"), industry("I2", "Other")],
    };
    const shown = await show([["Banks"], ["i3"], ["Other"]], MONTHS, null, "industries");
    expect(shown.slice(0, 3)).toEqual([
      ["Industry", "Industry id", "2024-01", "2024-02"],
      ["Banks", "I1", 1, 2],
      ["Other", "I3", 3, 1],
    ]);
    expect(shown[3]?.[2]).toMatch(
      /^#VALUE! FEED_AMBIGUOUS: "Other" fits 2 rows of these rankings: I2 · Other · S; I3 · Other · S; /,
    );
  });

  it("is refused before a request where there is none of that name", async () => {
    expect(await showRows("top 1", MONTHS, null, "company")).toEqual([
      [
        expect.stringMatching(
          /^#VALUE! FEED_ARGUMENT_INVALID: ranking must be "companies", "industries" or a page type/,
        ),
      ],
    ]);
    expect(bed.reads()).toEqual([]);
  });
});

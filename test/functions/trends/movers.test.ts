import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { company, createTrendBed, type TrendBed } from "./provider";

const [FEBRUARY, MARCH] = ["2024-02-01", "2024-03-01"];

let bed: TrendBed;
beforeAll(async () => {
  bed = await createTrendBed();
});
beforeEach(async () => {
  bed.statuses = {};
  bed.rankings = {
    [FEBRUARY]: [company(1, 100), company(2, 80), company(3, 0), company(4, 0), company(6, 0)],
    [MARCH]: [company(5, 300), company(3, 90), company(1, 90), company(2, 88), company(4, 0)],
  };
  await bed.open();
});
afterAll(() => bed.close());

const show = (...parameters: unknown[]) => bed.show("RANKING.MOVERS", ...parameters);

describe("FEED.RANKING.MOVERS", () => {
  it("shows ranks, places gained, views and growth, what is new and what is gone, the largest moves first", async () => {
    expect(await show("2024-03")).toEqual([
      [
        "Rank",
        "Previous rank",
        "Places gained",
        "Company",
        "Ticker",
        "Page views",
        "Previous page views",
        "Page views: growth",
        "Status",
      ],
      [1, "", "", "Company 5", "1005", 300, "", "", "new"],
      [3, 1, -2, "Company 1", "1001", 90, 100, -0.1, ""],
      [4, 2, -2, "Company 2", "1002", 88, 80, 0.1, ""],
      [2, 3, 1, "Company 3", "1003", 90, 0, "", ""],
      [5, 4, -1, "Company 4", "1004", 0, 0, "", ""],
      ["", 5, "", "Company 6", "1006", "", 0, "", "gone"],
    ]);
    expect(bed.reads().sort()).toEqual([`companies ${FEBRUARY} 1/1000`, `companies ${MARCH} 1/1000`]);
  });

  it("compares with the period that is given, and shows no more rows than the top", async () => {
    bed.rankings["2023-03-01"] = [company(1, 45)];
    expect(
      await show("2024-03", "2023-03", 1, null, "totalPageViews", "companyName,change.totalPageViews", false),
    ).toEqual([["Company 5", ""]]);
    expect(bed.reads().some((read) => read.includes("2023-03-01"))).toBe(true);
  });

  it("orders by the change of a measure, whose fields it shows", async () => {
    const fields = "companyName,change.totalUniquePageViews,growth.totalUniquePageViews,previous.engagementTime.avg";
    const engaged = company(2, 88, { engagementTime: { avg: 3 } });
    bed.rankings[FEBRUARY] = [company(1, 100), company(2, 80, { engagementTime: { avg: 2 } })];
    bed.rankings[MARCH] = [company(1, 90), engaged];
    expect(await show("2024-03", null, null, null, "totalUniquePageViews", fields, false)).toEqual([
      ["Company 1", -5, -0.1, ""],
      ["Company 2", 4, 0.1, 2],
    ]);
    expect(await show("2024-03", null, null, null, null, "companyName,growth.engagementTime.avg", false)).toEqual([
      ["Company 1", ""],
      ["Company 2", 0.5],
    ]);
  });

  it("gives an error to each row that is not certainly the same, and puts it last", async () => {
    const nameless = (number: number) => company(number, 1, { tickerSymbol: null });
    bed.rankings[FEBRUARY] = [company(1), nameless(7), company(8)];
    bed.rankings[MARCH] = [company(1), nameless(7), nameless(8), nameless(9)];
    const shown = await show(
      "2024-03",
      null,
      null,
      null,
      null,
      "rank,previous.rank,companyName,totalPageViews,status",
      false,
    );
    const bare = shown.map((row) => row.map((cell) => String(cell).split(/[:;]/)[0]));
    const uncertain = "#VALUE! FEED_AMBIGUOUS";
    expect(bare).toEqual([
      ["1", "1", "Company 1", "9999", ""],
      ["2", "2", "Company 7", "1", ""],
      ["3", uncertain, "Company 8", "1", uncertain],
      ["4", uncertain, "Company 9", "1", uncertain],
      [uncertain, "3", "Company 8", uncertain, uncertain],
    ]);
    expect(shown[3]?.[1]).toMatch(
      /"Company 9" has no ticker, and it may have another name in 2024-02; compare both periods in FEED.RANKING$/,
    );
  });

  it("is an error where a period has no ranking, or fails", async () => {
    expect(await show("2023-03")).toEqual([
      [expect.stringMatching(/^#N\/A FEED_NO_VALUE: the provider ranks no company in 2023-03; give another period/)],
    ]);
    bed.statuses[FEBRUARY] = 403;
    expect(await show("2024-03")).toEqual([[expect.stringMatching(/^#N\/A FEED_SCOPE_MISSING: /)]]);
  });

  it("shows industries and page types, with the fields of those", async () => {
    const industry = (id: string, views: number) => ({
      industryId: id,
      industryName: `Industry ${id}`,
      totalPageViews: views,
      totalUniquePageViews: 1,
    });
    bed.rankings = {
      [FEBRUARY]: [industry("I1", 4), industry("I2", 2)],
      [MARCH]: [industry("I2", 3), industry("I1", 2)],
    };
    expect((await show("2024-03", null, null, "industries")).slice(0, 2)).toEqual([
      [
        "Rank",
        "Previous rank",
        "Places gained",
        "Industry",
        "Industry id",
        "Page views",
        "Previous page views",
        "Page views: growth",
        "Status",
      ],
      [1, 2, 1, "Industry I2", "I2", 3, 2, 0.5, ""],
    ]);
    const viewed = (number: number, views: number) =>
      company(number, 1, { pages: { NEWS: { totalPageViews: views, totalUniquePageViews: 1, engagementTime: null } } });
    bed.rankings = { [FEBRUARY]: [viewed(1, 10), viewed(2, 20)], [MARCH]: [viewed(1, 30), viewed(2, 30)] };
    expect(
      await show(
        "2024-03",
        null,
        null,
        "NEWS",
        null,
        "rank,previous.rank,companyName,totalPageViews,growth.totalPageViews",
        false,
      ),
    ).toEqual([
      [1, 2, "Company 1", 30, 2],
      [1, 1, "Company 2", 30, 0.5],
    ]);
  });
});

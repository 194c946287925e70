import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { company, createTrendBed, type TrendBed } from "./provider";

const MONTHS = "2024-01:2024-02";

let bed: TrendBed;

beforeAll(async () => {
  bed = await createTrendBed();
});
beforeEach(async () => {
  bed.rankings["2024-01-01"] = [company(3, 900), company(1, 800), company(9, 700)];
  bed.rankings["2024-02-01"] = [company(1, 500), company(2, 400)];
  await bed.open();
});
afterEach(() => bed.page.close());
afterAll(() => bed.close());

const show = (names: string, measure: string | null = null) =>
  bed.show("RANKING.TREND", [[names]], MONTHS, measure, null, false);

const ABSENT = expect.stringMatching(/^#N\/A FEED_NO_VALUE: it is not in the ranking of 2024-0/);

describe("the rows of a trend", () => {
  it.each(["top 0", "top -1", "top 1.5", "TOP 0.0"])(
    "are refused for %s, which is no name and no number",
    async (text) => {
      expect(await show(text)).toEqual([[expect.stringMatching(/^#VALUE! FEED_ARGUMENT_INVALID: names must be/)]]);
      expect(bed.reads()).toEqual([]);
    },
  );

  it("are for all those of the latest period alone", async () => {
    expect((await show("all")).map(([name]) => name)).toEqual(["Company 1", "Company 2"]);
  });

  it("are for any also those that only an earlier period has, below the others, so that a column is whole", async () => {
    expect(await show("any", "totalPageViews")).toEqual([
      ["Company 1", "1001", 800, 500],
      ["Company 2", "1002", ABSENT, 400],
      ["Company 3", "1003", 900, ABSENT],
      ["Company 9", "1009", 700, ABSENT],
    ]);
  });

  it("are for any no row twice that is not certainly the same", async () => {
    bed.rankings["2024-01-01"] = [company(1, 800), company(4, 300, { tickerSymbol: null })];
    const shown = await show("any");
    expect(shown.map(([name, ticker]) => `${name} ${ticker}`)).toEqual([
      "Company 1 1001",
      "Company 2 1002",
      "Company 4 ",
    ]);
    expect(shown[2]?.slice(2)).toEqual([2, ABSENT]);
  });
});

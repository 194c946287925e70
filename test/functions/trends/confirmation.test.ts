import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { company, createTrendBed, numbers, type TrendBed } from "./provider";

/** Five requests a ranking, as for 4,000 companies: four pages, and one that shows the end. */
const COMPANIES = numbers(40).map((number) => company(number));
const CAP = 10;
const WEEKS_A_YEAR = 52;
const YEAR = "2023-W01:2023-W52";

let bed: TrendBed;
beforeAll(async () => {
  bed = await createTrendBed();
  for (let week = 0; week < WEEKS_A_YEAR; week++) {
    const monday = new Date(Date.UTC(2023, 0, 2 + 7 * week)).toISOString().slice(0, 10);
    bed.rankings[monday] = COMPANIES;
  }
});
beforeEach(async () => {
  Object.assign(bed, { gate: null, statuses: {}, cap: CAP });
  await bed.open();
});
afterAll(() => bed.close());

const confirm = (requests: number) =>
  expect.stringContaining(`#N/A FEED_CONFIRM_NEEDED: this takes about ${requests} requests; confirm in the FEED pane`);

describe("a trend of 52 weeks with five requests a week", () => {
  it("is told before: its first ranking shows that 255 more requests are to come, and none of them is sent", async () => {
    expect(await bed.show("RANKING.TREND", [["all"]], YEAR)).toEqual([[confirm(255)]]);
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
    await bed.show("RANKING.TREND", [["all"]], "2023-W01");
    expect(await bed.show("RANKING.TREND", [["all"]], YEAR)).toEqual([[confirm(255)]]);
    expect(bed.reads()).toHaveLength(5);
  });

  it("is not told where the limit allows it", async () => {
    const shown = await bed.show("RANKING.TREND", [["all"]], "2023-W01:2023-W40", null, null, false);
    expect(shown).toHaveLength(40);
    expect(bed.reads()).toHaveLength(200);
  });

  it("reads the others where the first fails", async () => {
    bed.statuses["2023-01-02"] = 403;
    const shown = await bed.show("RANKING.TREND", "1001", "2023-W01:2023-W03", null, null, false);
    expect(shown).toEqual([["Company 1", "1001", expect.stringMatching(/^#N\/A FEED_SCOPE_MISSING/), 1, 1]]);
  });

  it("is told before also where only its first rows are wanted of a page type, which ranks all rows", async () => {
    expect(await bed.show("RANKING.TREND", [["top 5"]], YEAR, null, "NEWS")).toEqual([[confirm(255)]]);
    expect(bed.reads()).toHaveLength(5);
  });
});

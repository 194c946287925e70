import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { CompanyRanking, CompanyRankingPage } from "../../src/contract/types";
import { toCell } from "../../src/functions/cells";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { type Formulas, loadFormulas } from "../support/formula-cells";

const RANGE = ["2024-01-01", "2024-01-31"] as const;
const HEADER = [
  "Rank",
  "Company",
  "Ticker",
  "Headquarters",
  "Page views",
  "Unique page views",
  "Engagement avg (minutes)",
  "Engagement min (minutes)",
  "Engagement max (minutes)",
];

let companion: RunningCompanion;
let direct: CompanyRanking[];
let formulas: Formulas;

beforeAll(async () => {
  companion = await startCompanion();
  const read = await createDirectReading(companion.origin);
  const query = "start_datetime=2024-01-01T00:00:00&end_datetime=2024-01-31T23:59:59&page_size=5000";
  direct = (await read<CompanyRankingPage>(`/japan/ranking/v1/companies?${query}`)).data;
});
beforeEach(async () => {
  companion.controls.reset();
  formulas = await loadFormulas(companion.origin);
});
afterEach(() => formulas.close());
afterAll(() => companion.close());

const show = async (...parameters: unknown[]) => formulas.type("RANKING", ...parameters).next();
const showOne = async (...parameters: unknown[]) => (await show(...parameters))[0]?.[0];

describe("FEED.RANKING", () => {
  it("gives the first 100 under a header, ranked in the provider's order", async () => {
    const [header, ...rows] = await show(...RANGE);
    expect(header).toEqual(HEADER);
    expect(rows).toHaveLength(100);
    expect(rows).toEqual(
      direct
        .slice(0, 100)
        .map((row, index) => [
          index + 1,
          row.companyName,
          row.tickerSymbol ?? "",
          row.headquarters,
          row.totalPageViews,
          row.totalUniquePageViews,
          row.engagementTime?.avg ?? "",
          row.engagementTime?.min ?? "",
          row.engagementTime?.max ?? "",
        ]),
    );
    expect(companion.controls.count("rankCompanies")).toBe(1);
  });

  it("sends date-times as written, and requests only the rows needed", async () => {
    await show("2024-01-01T08:30", "2024-01-31T09:00:00", 7);
    const url = new URL(companion.controls.requests.at(-1)?.url as string, "http://localhost");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      start_datetime: "2024-01-01T08:30:00",
      end_datetime: "2024-01-31T09:00:00",
      page: "1",
      page_size: "7",
    });
  });

  it("grows page by page to 4,000 rows, and shows the first page before the last is requested", async () => {
    const cell = formulas.type("RANKING", ...RANGE, "all");
    const first = await cell.next();
    const requestsBefore = companion.controls.count("rankCompanies");
    const lengths = [first.length];
    while (lengths.at(-1) !== 4001) lengths.push((await cell.next()).length);
    expect(lengths).toEqual([1001, 2001, 3001, 4001]);
    expect(requestsBefore).toBeLessThan(4);
    expect(companion.controls.count("rankCompanies")).toBe(4);
    expect(cell.shown.at(-1)?.map((row) => row[1])).toEqual([
      "Company",
      ...direct.map((row) => toCell(row.companyName)),
    ]);
  });

  it("keeps the old table during a refresh, and when a later page fails", async () => {
    const cell = formulas.type("RANKING", ...RANGE, 1500);
    while ((await cell.next()).length < 1501);
    const shown = cell.shown.length;
    companion.controls.perturb = (value) => value * 2;
    await formulas.session.refresh();
    expect(cell.shown.slice(shown).map((rows) => rows.length)).toEqual([1501]);
    companion.controls.answers.rankCompanies = { status: 403, times: Number.POSITIVE_INFINITY };
    await formulas.session.refresh();
    expect(cell.shown).toHaveLength(shown + 1);
  });

  it("becomes an error when a later page fails on the first load", async () => {
    const cell = formulas.type("RANKING", ...RANGE, "all");
    await cell.next();
    companion.controls.answers.rankCompanies = { status: 403, times: Number.POSITIVE_INFINITY };
    let last = await cell.next();
    while (last.length > 1) last = await cell.next();
    expect(last[0]?.[0]).toMatch(/^#N\/A FEED_SCOPE_MISSING: /);
  });

  it("takes fields in their order as comma text or range, and omits the header on request", async () => {
    const fields = "totalPageViews, companyname ,engagementTime.avg";
    const [first] = direct;
    const expected = [first?.totalPageViews, first?.companyName, first?.engagementTime?.avg ?? ""];
    expect(await show(...RANGE, 1, [[fields]], null, false)).toEqual([expected]);
    expect(await show(...RANGE, 1, [["totalPageViews"], ["companyName"], ["engagementTime.avg"]], null, false)).toEqual(
      [expected],
    );
  });

  it("sorts all rows by another measure, keeps each rank, and shows nothing before all pages are here", async () => {
    const rows = await show(...RANGE, 3, [["rank,totalUniquePageViews"]], "totalUniquePageViews", false);
    const best = direct
      .map((row, index) => [index + 1, row.totalUniquePageViews])
      .sort((one, other) => (other[1] as number) - (one[1] as number))
      .slice(0, 3);
    expect(rows.map((row) => row[1])).toEqual(best.map((row) => row[1]));
    expect(rows).toEqual(rows.map(([rank]) => [rank, direct[(rank as number) - 1]?.totalUniquePageViews]));
  });

  it("shows a measure that is no number as an error in its cell, and sorts it as absent", async () => {
    companion.controls.bodyFaults.rankCompanies = "numberTexts";
    const [first] = direct;
    const misfit =
      '#N/A FEED_RESPONSE_MALFORMED: "Page views" is no number in the provider\'s answer; report it to the provider';
    const fields = [["rank", "companyName", "totalPageViews"]];
    const expected = [[1, toCell(first?.companyName), misfit]];
    expect(await show(...RANGE, 1, fields, null, false)).toEqual(expected);
    expect(await show(...RANGE, 1, fields, "totalPageViews", false)).toEqual(expected);
  });

  it("sends one query for any number of equal formulas, whatever their fields", async () => {
    const cells = [null, [["rank"]], [["companyName"]]].map((fields) => formulas.type("RANKING", ...RANGE, 10, fields));
    await Promise.all(cells.map((cell) => cell.next()));
    expect(companion.controls.count("rankCompanies")).toBe(1);
  });

  it("is refused after its first page if the table will be too large", async () => {
    companion.controls.pageCap = 100;
    const wide = Array.from({ length: 60 }, () => ["companyName"]);
    expect(await showOne(...RANGE, "all", wide)).toMatch(
      /^#VALUE! FEED_RESULT_TOO_LARGE: 4001 rows .*lower top or name fewer fields/,
    );
    await show("2024-02", null, 1);
    expect(companion.controls.count("rankCompanies")).toBeLessThan(direct.length / 100 / 2);
  });

  it.each([
    ["a reversed range", ["2024-01-31", "2024-01-01"], /start is after end/],
    ["a blank start", [0, "2024-01-31"], /start is missing/],
    ["no end", ["2024-01-01", 0], /end is missing/],
    ["a wrong top", [...RANGE, -5], /top must be a whole number/],
    ["a wrong header", [...RANGE, 5, null, null, "maybe"], /headers must be TRUE or FALSE/],
  ])("reports %s with its remedy, without a request", async (_, parameters, message) => {
    expect(await showOne(...parameters)).toMatch(/^#VALUE! FEED_ARGUMENT_INVALID: /);
    expect(await showOne(...parameters)).toMatch(message);
    expect(companion.controls.requests).toEqual([]);
  });

  it.each([
    [
      "an unknown field",
      [...RANGE, 5, [["totalPageView"]]],
      /no field "totalPageView"; the closest is "totalPageViews"/,
    ],
    [
      "an unknown measure",
      [...RANGE, 5, null, "clicks"],
      /by must be a measure such as "totalPageViews"; the closest to "clicks" is "/,
    ],
    ["a rank as measure", [...RANGE, 5, null, "rank"], /by must be a measure such as .*; the closest to "rank" is/],
    ["a measure that is text", [...RANGE, 5, null, "companyName"], /by must be a measure/],
  ])("names the remedy for %s", async (_, parameters, message) => {
    expect(await showOne(...parameters)).toMatch(message);
  });

  it.each([
    ["null", null],
    ["0", 0],
    ["empty text", ""],
  ])("treats %s as omitted for top, fields and by", async (_, blank) => {
    expect(await show(...RANGE, blank, [[blank]], blank)).toHaveLength(101);
  });

  it("reports that the range has no ranking", async () => {
    expect(await showOne("1999-01")).toBe(
      "#N/A FEED_NO_VALUE: the provider ranks no company from 1999-01-01 to 1999-01-31; give another range",
    );
  });

  it("passes on an error in an argument", async () => {
    const bad = new CustomFunctions.Error(CustomFunctions.ErrorCode.notAvailable);
    expect(await show(bad, "2024-01-31")).toEqual([["#N/A"]]);
    expect(await show(...RANGE, bad)).toEqual([["#N/A"]]);
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { IndustryRanking, IndustryRankingPage } from "../../src/contract/types";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { type Formulas, loadFormulas } from "../support/formula-cells";

const RANGE = ["2024-01-01", "2024-01-31"] as const;

let companion: RunningCompanion;
let direct: IndustryRanking[];
let formulas: Formulas;

beforeAll(async () => {
  companion = await startCompanion();
  const read = await createDirectReading(companion.origin);
  const query = "start_datetime=2024-01-01T00:00:00&end_datetime=2024-01-31T23:59:59";
  direct = (await read<IndustryRankingPage>(`/japan/ranking/v1/industries?${query}`)).data;
});
beforeEach(async () => {
  companion.controls.reset();
  formulas = await loadFormulas(companion.origin);
});
afterEach(() => formulas.close());
afterAll(() => companion.close());

const show = async (...parameters: unknown[]) => formulas.type("RANKING.INDUSTRIES", ...parameters).next();
const showOne = async (...parameters: unknown[]) => (await show(...parameters))[0]?.[0];
const sentQueries = () =>
  companion.controls.requests
    .filter(({ operationId }) => operationId === "rankIndustries")
    .map(({ url }) => Object.fromEntries(new URL(url, "http://x").searchParams));

describe("FEED.RANKING.INDUSTRIES", () => {
  it("gives all industries with sectors and views, ranked in the provider's order", async () => {
    const [header, ...rows] = await show(...RANGE);
    expect(header).toEqual([
      "Rank",
      "Industry id",
      "Industry",
      "Industry description",
      "Sector",
      "Sub-sector",
      "Page views",
      "Unique page views",
    ]);
    expect(rows).toHaveLength(200);
    expect(rows).toEqual(
      direct.map((row, index) => [
        index + 1,
        row.industryId,
        row.industryName,
        row.industryDescription,
        row.sectorName,
        row.subSectorName,
        row.totalPageViews,
        row.totalUniquePageViews,
      ]),
    );
  });

  it("requests only the rows needed, and shows the named fields", async () => {
    const expected = direct.slice(0, 3).map((row) => [row.industryName, row.totalPageViews]);
    expect(await show("2024-01", null, 3, [["industryName", "totalPageViews"]], null, false)).toEqual(expected);
    expect(sentQueries().at(-1)).toEqual({
      start_datetime: "2024-01-01T00:00:00",
      end_datetime: "2024-01-31T23:59:59",
      page: "1",
      page_size: "3",
    });
  });

  it("sorts all rows by another measure, keeps each row's rank, then takes the top", async () => {
    const rows = await show(...RANGE, 5, [["rank", "totalUniquePageViews"]], "Unique page views", false);
    const best = direct.map((row) => row.totalUniquePageViews).sort((one, other) => other - one);
    expect(rows.map(([, views]) => views)).toEqual(best.slice(0, 5));
    expect(rows).toEqual(rows.map(([rank]) => [rank, direct[(rank as number) - 1]?.totalUniquePageViews]));
    expect(sentQueries()).toContainEqual(expect.objectContaining({ page: "1", page_size: "1000" }));
  });

  it.each([
    ["a blank start", ["", "2024-01-31"], "start is missing"],
    ["no end", ["2024-01-01", null], "end is missing"],
    ["a wrong top", [...RANGE, 1.5], "top must be a whole number"],
    ["fields that are no text", [...RANGE, null, [[true]]], "fields must be text, not TRUE"],
    ["a measure that is no text", [...RANGE, null, null, true], "by must be text, not TRUE"],
    ["a wrong header", [...RANGE, null, null, null, "maybe"], "headers must be TRUE or FALSE"],
  ])("reports %s with its remedy, without a request", async (_, parameters, sentence) => {
    expect(await showOne(...parameters)).toContain(`#VALUE! FEED_ARGUMENT_INVALID: ${sentence}`);
    expect(companion.controls.requests).toEqual([]);
  });

  it.each([
    ["an unknown field", [...RANGE, 5, [["industry name s"]]], 'there is no field "industry name s"; the closest is'],
    [
      "an unknown measure",
      [...RANGE, 5, null, "engagementTime.avg"],
      'by must be a measure such as "totalPageViews"; the closest to "engagementTime.avg" is',
    ],
    ["a measure that is text", [...RANGE, 5, null, "sectorName"], "by must be a measure"],
  ])("names the remedy for %s", async (_, parameters, sentence) => {
    expect(await showOne(...parameters)).toContain(sentence);
  });

  it.each([
    ["null", null],
    ["0", 0],
    ["empty text", ""],
  ])("treats %s as omitted for end, top, fields and by", async (_, blank) => {
    expect(await show("2024-01", blank, blank, [[blank]], blank)).toHaveLength(201);
  });

  it("reports that the range has no ranking", async () => {
    expect(await showOne("1999-01")).toBe(
      "#N/A FEED_NO_VALUE: the provider ranks no industry from 1999-01-01 to 1999-01-31; give another range",
    );
  });

  it("passes on an error in any argument", async () => {
    const bad = new CustomFunctions.Error(CustomFunctions.ErrorCode.notAvailable);
    for (let index = 0; index < 6; index++) {
      const parameters: unknown[] = [...RANGE, 5, [["rank"]], "totalPageViews", true];
      parameters[index] = index === 3 ? [[bad]] : bad;
      expect(await show(...parameters)).toEqual([["#N/A"]]);
    }
  });
});

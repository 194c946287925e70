import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { PAGE_TYPES } from "../../src/contract/parameter-values";
import type { CompanyPageRanking, CompanyPageRankingPage } from "../../src/contract/types";
import { toCell } from "../../src/functions/cells";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { type Formulas, loadFormulas } from "../support/formula-cells";
import { startScriptedFormulas } from "../support/scripted-formulas";

const RANGE = ["2024-01-01", "2024-01-31"] as const;
const COMPANY = ["Rank", "Company", "Ticker", "Headquarters"];

let companion: RunningCompanion;
let direct: CompanyPageRanking[];
let formulas: Formulas;

beforeAll(async () => {
  companion = await startCompanion();
  const read = await createDirectReading(companion.origin);
  const query = "start_datetime=2024-01-01T00:00:00&end_datetime=2024-01-31T23:59:59&page_size=1200";
  direct = (await read<CompanyPageRankingPage>(`/japan/ranking/v1/company-pages?${query}`)).data;
});
beforeEach(async () => {
  companion.controls.reset();
  formulas = await loadFormulas(companion.origin);
});
afterEach(() => formulas.close());
afterAll(() => companion.close());

const show = async (...parameters: unknown[]) => formulas.type("RANKING.PAGES", ...parameters).next();
const showOne = async (...parameters: unknown[]) => (await show(...parameters))[0]?.[0];
const company = (row: CompanyPageRanking, index: number) => [
  index + 1,
  toCell(row.companyName),
  row.tickerSymbol ?? "",
  toCell(row.headquarters),
];

describe("FEED.RANKING.PAGES", () => {
  it("gives the first 100 with page views of all 18 types; an unread type is 0", async () => {
    const [header, ...rows] = await show(...RANGE);
    expect(header).toEqual([
      ...COMPANY,
      "All pages: page views",
      "Overview: page views",
      "Competitor overview: page views",
      "Segment comparison: page views",
      "News: page views",
      "M&A: page views",
      "Shareholders: page views",
      "Executives chart: page views",
      "Affiliates: page views",
      "Stock prices: page views",
      "Investor relations: page views",
      "Stats: page views",
      "Technology: page views",
      "Financial results: page views",
      "Segment: page views",
      "KPI charts: page views",
      "Estimates: page views",
      "Beta: page views",
      "Functionality: page views",
    ]);
    const expected = direct
      .slice(0, 100)
      .map((row, index) => [
        ...company(row, index),
        row.totalPageViews,
        ...PAGE_TYPES.map((type) => (row.pages[type] === null ? 0 : row.pages[type]?.totalPageViews)),
      ]);
    expect(rows).toEqual(expected);
    expect(expected.flat()).toContain(0);
    expect(companion.controls.count("rankCompanyPages")).toBe(1);
  });

  it("gives all statistics of the named page type; an unread type's engagement is empty", async () => {
    const [header, ...rows] = await show(...RANGE, "BETA", 1000);
    expect(header).toEqual([
      ...COMPANY,
      "Beta: page views",
      "Beta: unique page views",
      "Beta: engagement avg (minutes)",
      "Beta: engagement min (minutes)",
      "Beta: engagement max (minutes)",
    ]);
    const expected = direct.slice(0, 1000).map((row, index) => {
      const { BETA: beta } = row.pages;
      const { avg = "", min = "", max = "" } = beta?.engagementTime ?? {};
      return [
        ...company(row, index),
        beta?.totalPageViews ?? 0,
        beta?.totalUniquePageViews ?? 0,
        avg,
        min ?? "",
        max ?? "",
      ];
    });
    expect(rows).toEqual(expected);
    expect(expected.map((row) => row.slice(4))).toContainEqual([0, 0, "", "", ""]);
  });

  it.each([["stock prices"], ["Stock-Prices"], ["STOCK_PRICES"], [" stockprices "]])(
    "accepts %p for the page type STOCK_PRICES",
    async (pagetype) => {
      expect(await show(...RANGE, pagetype, 1, [["totalPageViews"]])).toEqual([
        ["Stock prices: page views"],
        [direct[0]?.pages.STOCK_PRICES?.totalPageViews],
      ]);
    },
  );

  it.each([
    ["M&A", "MA"],
    ["kpi charts", "KPI_CHARTS"],
  ] as const)("accepts the header's word %p for the page type %s", async (pagetype, key) => {
    const views = direct[0]?.pages[key]?.totalPageViews ?? 0;
    expect(await show(...RANGE, pagetype, 1, [["totalPageViews"]], false)).toEqual([[views]]);
  });

  it("reads a plain statistic as the page type's; totals and other types need their prefix", async () => {
    const fields = "companyName,totalUniquePageViews,allPages.totalUniquePageViews,pages.MA.totalUniquePageViews";
    const [first] = direct;
    const expected = [
      ["Company", "News: unique page views", "All pages: unique page views", "M&A: unique page views"],
      [
        toCell(first?.companyName),
        first?.pages.NEWS?.totalUniquePageViews,
        first?.totalUniquePageViews,
        first?.pages.MA?.totalUniquePageViews ?? 0,
      ],
    ];
    expect(await show(...RANGE, "news", 1, [[fields]])).toEqual(expected);
  });

  it("reads a plain statistic as the total without a page type", async () => {
    const fields = [
      ["totalPageViews", "allPages.totalPageViews", "engagementTime.avg", "pages.NEWS.engagementTime.avg"],
    ];
    const [first] = direct;
    const avg = first?.engagementTime?.avg ?? "";
    expect(await show(...RANGE, null, 1, fields)).toEqual([
      [
        "All pages: page views",
        "All pages: page views",
        "All pages: engagement avg (minutes)",
        "News: engagement avg (minutes)",
      ],
      [first?.totalPageViews, first?.totalPageViews, avg, first?.pages.NEWS?.engagementTime?.avg ?? ""],
    ]);
  });

  it('gives every field for "all"', async () => {
    const [header = []] = await show(...RANGE, null, 1, "all");
    expect(header).toHaveLength(4 + 5 + 18 * 5);
    expect(new Set(header).size).toBe(header.length);
  });

  it("sends one query for any number of page types and fields", async () => {
    const cells = [null, "NEWS", "M&A"].map((pagetype) => formulas.type("RANKING.PAGES", ...RANGE, pagetype, 10));
    await Promise.all(cells.map((cell) => cell.next()));
    expect(companion.controls.count("rankCompanyPages")).toBe(1);
  });

  it("shows its first page's rows, then all, with continuing ranks", async () => {
    const cell = formulas.type("RANKING.PAGES", ...RANGE, "NEWS", 1200, [["rank,companyName"]], false);
    const expected = direct.map((row, index) => company(row, index).slice(0, 2));
    expect(await cell.next()).toEqual(expected.slice(0, 1000));
    expect(await cell.next()).toEqual(expected);
  });

  it("is refused after its first page if the table will be too large, and names the remedies", async () => {
    expect(await showOne(...RANGE, null, "all", "all")).toMatch(
      /^#VALUE! FEED_RESULT_TOO_LARGE: 4001 rows .*; lower top, name fewer fields, or fields of one page type$/,
    );
  });

  it.each([
    ["a blank start", [0, "2024-01-31"], "start is missing"],
    ["no end", ["2024-01-01", ""], "end is missing"],
    [
      "a page type of no letters",
      [...RANGE, "???"],
      'pagetype must be a page type such as "NEWS", not "???"; the closest',
    ],
    ["a page type that is no text", [...RANGE, true], "pagetype must be text, not TRUE"],
    ["a wrong top", [...RANGE, null, -5], "top must be a whole number"],
    ["fields that are no text", [...RANGE, null, null, [[true]]], "fields must be text, not TRUE"],
    ["a wrong header", [...RANGE, null, null, null, "maybe"], "headers must be TRUE or FALSE"],
  ])("reports %s with its remedy, without a request", async (_, parameters, sentence) => {
    expect(await showOne(...parameters)).toContain(`#VALUE! FEED_ARGUMENT_INVALID: ${sentence}`);
    expect(companion.controls.requests).toEqual([]);
  });

  it.each([
    [
      "page type",
      [...RANGE, "newz", 1],
      'pagetype must be a page type such as "NEWS", not "NEWZ"; the closest is "NEWS"',
    ],
    ["field", [...RANGE, "NEWS", 1, [["totalPageView"]]], 'no field "totalPageView"; the closest is "totalPageViews"'],
    [
      "field of a type",
      [...RANGE, null, 1, [["pages.NEWZ.totalPageViews"]]],
      'no field "pages.NEWZ.totalPageViews"; the closest is "pages.NEWS.totalPageViews"',
    ],
    ["field over all pages", [...RANGE, null, 1, [["allPages.views"]]], 'there is no field "views"; the closest is '],
  ])("names the closest match of an unknown %s", async (_, parameters, sentence) => {
    const shown = await showOne(...parameters);
    expect(shown).toMatch(/^#VALUE! FEED_ARGUMENT_INVALID: /);
    expect(shown).toContain(sentence);
  });

  it.each([
    ["null", null],
    ["0", 0],
    ["empty text", ""],
  ])("treats %s as omitted for every argument but start", async (_, blank) => {
    const usual = await show(...RANGE);
    expect(await show("2024-01", blank, blank, blank, [[blank]])).toEqual(usual);
  });

  it.each([
    ["null", null],
    ["0", 0],
    ["empty text", ""],
  ])("treats %s as omitted for headers", async (_, blank) => {
    expect(await show(...RANGE, "NEWS", 1, null, blank)).toHaveLength(2);
    expect(await show(...RANGE, "NEWS", 1, null, false)).toHaveLength(1);
  });

  it("reports that the range has no ranking, for any page type", async () => {
    const sentence =
      "#N/A FEED_NO_VALUE: the provider ranks no company from 1999-01-01 to 1999-01-31; give another range";
    expect(await showOne("1999-01")).toBe(sentence);
    expect(await showOne("1999-01", null, "VIDEOS")).toBe(sentence);
  });

  it("passes on an error in any argument", async () => {
    const bad = new CustomFunctions.Error(CustomFunctions.ErrorCode.notAvailable);
    for (let index = 0; index < 6; index++) {
      const parameters: unknown[] = [...RANGE, "NEWS", 5, [["rank"]], true];
      parameters[index] = index === 4 ? [[bad]] : bad;
      expect(await show(...parameters)).toEqual([["#N/A"]]);
    }
  });
});

describe("FEED.RANKING.PAGES on odd answers", () => {
  const read = async (rows: Record<string, unknown>[], ...parameters: unknown[]) => {
    const scripted = await startScriptedFormulas(({ path }) =>
      path.endsWith("/company-pages") ? { json: { data: rows, page: 1, pageSize: 25, total: rows.length } } : undefined,
    );
    try {
      return await scripted.formulas.type("RANKING.PAGES", "2024-01", null, ...parameters).next();
    } finally {
      await scripted.close();
    }
  };
  const row = (companyName: string, pages: unknown) => ({ companyName, headquarters: "T", totalPageViews: 9, pages });
  const viewed = { totalPageViews: 5, totalUniquePageViews: 4, engagementTime: null };

  it("shows a null type as zero views, and a missing one as unknown", async () => {
    const rows = [
      row("A", { NEWS: null }),
      row("B", {}),
      row("C", null),
      { companyName: "D" },
      row("E", { NEWS: viewed }),
    ];
    const fields = [["companyName", "totalPageViews", "totalUniquePageViews", "engagementTime.avg"]];
    expect(await read(rows, "NEWS", null, fields, false)).toEqual([
      ["A", 0, 0, ""],
      ["B", "", "", ""],
      ["C", "", "", ""],
      ["D", "", "", ""],
      ["E", 5, 4, ""],
    ]);
    expect((await read(rows, null, null, [["pages.NEWS.totalPageViews"]], false)).flat()).toEqual([0, "", "", "", 5]);
  });

  it("accepts a page type beyond the 18 that the answer has, by key or words", async () => {
    const rows = [row("A", { NEWS: null }), row("B", { VIDEO_CALLS: viewed })];
    for (const pagetype of ["VIDEO_CALLS", "video calls", "Video-Calls"]) {
      expect(await read(rows, pagetype, null, [["companyName", "totalPageViews"]])).toEqual([
        ["Company", "Video calls: page views"],
        ["A", ""],
        ["B", 5],
      ]);
    }
    expect(await read(rows, "videocalls", null)).toEqual([
      [
        '#VALUE! FEED_ARGUMENT_INVALID: pagetype must be a page type such as "NEWS", not "VIDEOCALLS"; the closest is "VIDEO_CALLS"',
      ],
    ]);
  });
});

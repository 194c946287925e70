import { describe, expect, it } from "@jest/globals";
import type {
  CompanyPageRanking,
  CompanyPageRankingPage,
  CompanyRanking,
  CompanyRankingPage,
} from "../../src/contract/types";
import { toCell } from "../../src/functions/cells";
import { startScriptedFormulas } from "../support/scripted-formulas";
import { until } from "../support/until";
import { growTo, prepareSandbox } from "./sandbox-formulas";

const RANGE = ["2024-01-01", "2024-01-31"] as const;

const FORBIDDEN = { status: 403, times: Number.POSITIVE_INFINITY };

let direct: CompanyRanking[];
let first: CompanyPageRanking;
const sandbox = prepareSandbox(undefined, async ({ read }) => {
  const query = "start_datetime=2024-01-01T00:00:00&end_datetime=2024-01-31T23:59:59&page_size";
  direct = (await read<CompanyRankingPage>(`/japan/ranking/v1/companies?${query}=5000`)).data;
  const { data } = await read<CompanyPageRankingPage>(`/japan/ranking/v1/company-pages?${query}=1`);
  [first] = data as [CompanyPageRanking];
});

describe("FEED.RANKING", () => {
  const type = (...parameters: unknown[]) => sandbox.formulas.type("RANKING", ...RANGE, ...parameters);

  it("grows page by page to 4,000 rows, and shows the first page before the last is requested", async () => {
    const { controls } = sandbox.companion;
    const cell = type("all");
    await cell.next();
    expect(controls.count("rankCompanies")).toBeLessThan(4);
    expect(await growTo(cell, 4_001)).toEqual([1_001, 2_001, 3_001, 4_001]);
    expect(controls.count("rankCompanies")).toBe(4);
    expect(cell.shown.at(-1)?.map((row) => row[1])).toEqual([
      "Company",
      ...direct.map((row) => toCell(row.companyName)),
    ]);
  });

  it("keeps the old table during a refresh, and when a later page fails", async () => {
    const { companion, formulas } = sandbox;
    const cell = type(1_500);
    const { length: shown } = await growTo(cell, 1_501);
    companion.controls.perturb = (value) => value * 2;
    await formulas.session.refresh();
    expect(cell.shown.slice(shown).map((rows) => rows.length)).toEqual([1_501]);
    companion.controls.answers.rankCompanies = FORBIDDEN;
    await formulas.session.refresh();
    expect(cell.shown).toHaveLength(shown + 1);
  });

  it("becomes an error when a later page fails on the first load", async () => {
    const cell = type("all");
    await cell.next();
    sandbox.companion.controls.answers.rankCompanies = FORBIDDEN;
    await until(() => cell.shown.at(-1)?.length === 1);
    expect(cell.shown.at(-1)?.[0]?.[0]).toMatch(/^#N\/A FEED_SCOPE_MISSING: /);
  });

  it("sends one query for any number of equal formulas, whatever their fields", async () => {
    const cells = [null, [["rank"]], [["companyName"]]].map((fields) => type(10, fields));
    await Promise.all(cells.map((cell) => cell.next()));
    expect(sandbox.calls()).toEqual(["rankCompanies"]);
  });
});

const show = (...parameters: unknown[]) => sandbox.show("RANKING.PAGES", ...RANGE, ...parameters);

describe("FEED.RANKING.PAGES", () => {
  it.each([
    ["stock prices", "STOCK_PRICES", "Stock prices"],
    ["Stock-Prices", "STOCK_PRICES", "Stock prices"],
    ["STOCK_PRICES", "STOCK_PRICES", "Stock prices"],
    [" stockprices ", "STOCK_PRICES", "Stock prices"],
    ["M&A", "MA", "M&A"],
    ["kpi charts", "KPI_CHARTS", "KPI charts"],
  ] as const)("accepts %p for the page type %s", async (pagetype, key, header) => {
    const views = first.pages[key]?.totalPageViews ?? 0;
    expect(await show(pagetype, 1, [["totalPageViews"]])).toEqual([[`${header}: page views`], [views]]);
  });

  it("reads a plain statistic as the page type's; totals and other types need their prefix", async () => {
    const fields = "companyName,totalUniquePageViews,allPages.totalUniquePageViews,pages.MA.totalUniquePageViews";
    expect(await show("news", 1, [[fields]])).toEqual([
      ["Company", "News: unique page views", "All pages: unique page views", "M&A: unique page views"],
      [
        ...[toCell(first.companyName), first.pages.NEWS?.totalUniquePageViews, first.totalUniquePageViews],
        first.pages.MA?.totalUniquePageViews ?? 0,
      ],
    ]);
  });

  it("reads a plain statistic as the total without a page type", async () => {
    const names = ["totalPageViews", "allPages.totalPageViews", "engagementTime.avg", "pages.NEWS.engagementTime.avg"];
    const [total, average] = ["All pages: page views", "engagement avg (minutes)"];
    const avg = first.engagementTime?.avg ?? "";
    expect(await show(null, 1, [names])).toEqual([
      [total, total, `All pages: ${average}`, `News: ${average}`],
      [first.totalPageViews, first.totalPageViews, avg, first.pages.NEWS?.engagementTime?.avg ?? ""],
    ]);
  });

  it("sends one query for any number of page types and fields", async () => {
    await Promise.all([null, "NEWS", "M&A"].map((pagetype) => show(pagetype, 10)));
    expect(sandbox.calls()).toEqual(["rankCompanyPages"]);
  });

  it("is refused after its first page if the table will be too large, and names the remedies", async () => {
    expect(await show(null, "all", "all")).toEqual([
      [
        expect.stringMatching(
          /^#VALUE! FEED_RESULT_TOO_LARGE: 4001 rows .*; lower top, name fewer fields, or fields of one page type$/,
        ),
      ],
    ]);
  });

  it.each([
    ["page type", ["newz"], 'pagetype must be a page type such as "NEWS", not "NEWZ"; the closest is "NEWS"'],
    ["field", ["NEWS", 1, "totalPageView"], 'no field "totalPageView"; the closest is "totalPageViews"'],
    ["field of a type", [null, 1, "pages.NEWZ.totalPageViews"], 'the closest is "pages.NEWS.totalPageViews"'],
    ["field over all pages", [null, 1, "allPages.views"], 'there is no field "views"; the closest is '],
  ])("names the closest match of an unknown %s", async (_, parameters, sentence) => {
    const [[shown] = []] = await show(...parameters);
    expect(shown).toMatch(/^#VALUE! FEED_ARGUMENT_INVALID: /);
    expect(shown).toContain(sentence);
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

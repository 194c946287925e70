import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { SheetPlan } from "../../src/contract/workbook";
import { toComparisonPlan, toRoom } from "../../src/taskpane/sheets/comparison-plan";
import { listCompanies, readDraft, toFirstDrafts } from "../../src/taskpane/sheets/drafts";
import { toLetter, toTextArgument } from "../../src/taskpane/sheets/plan";
import { listFields, RANKED, type RankingWish, toRankingPlan } from "../../src/taskpane/sheets/ranking-plan";
import { toStatementPlan } from "../../src/taskpane/sheets/statement-plan";
import { toTexts } from "../../src/taskpane/texts";
import { sheetsTexts } from "../../src/taskpane/texts/sheets";

const TEXTS = sheetsTexts.en.sheet;
const wish: RankingWish = { ranked: "companies", pageType: "", start: "-7d", end: "", top: 25, fields: [] };
const all = (ranked: RankingWish["ranked"], pageType = "") => listFields(ranked, pageType).map(({ name }) => name);
const at = ({ cells }: SheetPlan, cell: string) => cells.find((each) => each.at === cell)?.content;
const COMPARISON = { companies: ["1234567890"], metrics: ["Revenue"], year: "FY0", unit: "" } as const;
const STATEMENT = { company: "1234567890", companyName: "", years: 5, unit: "m", basis: "" } as const;

/** A plan of each kind that there is. */
const PLANS: [string, SheetPlan][] = [
  ...RANKED.map((ranked): [string, SheetPlan] => [
    ranked,
    toRankingPlan({ ...wish, ranked, fields: all(ranked) }, TEXTS),
  ]),
  ["comparison", toComparisonPlan(COMPARISON, TEXTS)],
  ["statement", toStatementPlan(STATEMENT, TEXTS)],
];

describe("every plan", () => {
  it.each(PLANS)("of %s writes each cell once, and formulas as formulas only", (_, { cells }) => {
    expect(new Set(cells.map((cell) => cell.at)).size).toBe(cells.length);
    const texts = cells.filter(({ content }) => typeof content === "string");
    expect(texts.filter(({ content }) => String(content).startsWith("="))).toEqual([]);
    expect(cells.filter(({ content }) => content === null || content === "")).toEqual([]);
  });

  it.each(PLANS)("of %s begins where a person changes something, and says as of when it is", (_, plan) => {
    expect(plan.styles.some(({ range, style }) => style === "input" && range.startsWith(plan.selected))).toBe(true);
    const asOf = plan.cells.find(({ content }) => content === TEXTS.asOf)?.at.replace("A", "B") ?? "";
    expect(at(plan, asOf)).toEqual({ formula: '=FEED.STATUS("asof")' });
  });

  it.each(PLANS)("of %s is of a length that a formula's texts may have", (_, { cells }) => {
    const formulas = cells.flatMap(({ content }) => (typeof content === "object" && content ? [content.formula] : []));
    const texts = formulas.flatMap((formula) => formula.match(/"(?:[^"]|"")*"/g) ?? []);
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(257);
  });
});

describe("a ranking's plan", () => {
  it("names the fields in its formula only where some are left out", () => {
    expect(at(toRankingPlan({ ...wish, fields: all("companies") }, TEXTS), "A8")).toEqual({
      formula: "=FEED.RANKING(B3, B4, B5)",
    });
    expect(at(toRankingPlan({ ...wish, fields: ["companyName", "totalPageViews"] }, TEXTS), "A8")).toEqual({
      formula: '=FEED.RANKING(B3, B4, B5, "companyName,totalPageViews")',
    });
  });

  it("charts the first ten by the first measure there is, and nothing without one", () => {
    const charted = toRankingPlan({ ...wish, fields: ["companyName", "totalUniquePageViews"] }, TEXTS);
    expect(charted.chart).toMatchObject({
      categories: "A9:A18",
      values: "B9:B18",
      title: "Top ten: Unique page views",
    });
    expect(toRankingPlan({ ...wish, fields: ["rank", "companyName"] }, TEXTS).chart).toBeUndefined();
    expect(toRankingPlan({ ...wish, fields: ["totalPageViews"] }, TEXTS).chart).toBeUndefined();
  });

  it("puts the chart beside the table, and formats numbers far below the rows that are asked for", () => {
    const plan = toRankingPlan({ ...wish, fields: ["rank", "companyName", "engagementTime.avg"] }, TEXTS);
    expect(plan.chart?.at).toBe("E9:M28");
    expect(plan.formats).toContainEqual({ range: "C9:C5008", format: "#,##0.0" });
  });

  it("has both ends of a range of days, and the page type, in cells that the formula reads", () => {
    const days = { start: "2024-01-01", end: "2024-01-31", ranked: "pages", pageType: "NEWS" } as const;
    const plan = toRankingPlan({ ...wish, ...days, fields: all("pages", "NEWS") }, TEXTS);
    expect(["B3", "B4", "B5", "B6", "A9"].map((cell) => at(plan, cell))).toEqual([
      "2024-01-01",
      "2024-01-31",
      "NEWS",
      25,
      { formula: "=FEED.RANKING.PAGES(B3, B4, B5, B6)" },
    ]);
  });
});

describe("a comparison's plan", () => {
  it("leaves room for more companies, which formulas and statistics take in", () => {
    const companies = Array.from({ length: 60 }, (_, index) => String(1_000_000 + index));
    const plan = toComparisonPlan({ ...COMPARISON, companies, metrics: ["Revenue", "EBIT"] }, TEXTS);
    expect(toRoom(60)).toBe(80);
    expect(at(plan, "B10")).toEqual({ formula: '=FEED.COMPANY(A10:A89, "companyName")' });
    expect(at(plan, "C10")).toEqual({ formula: "=FEED.FINANCIAL(A10:A89, B3, C7:E7, , B4)" });
    expect(at(plan, "E8")).toEqual({
      formula: '=IF(ISNUMBER(FIND(",",$C$8)),NA(),IFERROR(MEDIAN(FILTER(E10:E89,ISNUMBER(E10:E89))),""))',
    });
    expect(at(plan, "A69")).toBe("1000059");
  });
});

describe("a statement's plan", () => {
  it("gives its chart a row of its own, beside as many years as there are", () => {
    const plan = toStatementPlan({ ...STATEMENT, years: 3 }, TEXTS);
    expect(at(plan, "B4")).toBe("FY-2:FY0");
    expect(at(plan, "G9")).toEqual({ formula: '=FEED.FINANCIAL(B3, B4, "Revenue", B6, B5)' });
    expect(plan.chart).toMatchObject({ categories: "B9:D9", values: "G9:I9" });
  });

  it("is named after the company where its name is known", () => {
    expect(toStatementPlan({ ...STATEMENT, companyName: "株式会社さくら食品" }, TEXTS).name).toBe("株式会社さくら食品");
    expect(toStatementPlan(STATEMENT, TEXTS).name).toBe("Statement");
  });
});

describe("what goes into a plan", () => {
  it("is every text whole, however long, in pieces that a formula takes", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 1_000 }), (text) => {
        const argument = toTextArgument(text);
        if (argument === null || argument.kind === "text")
          return expect(argument).toEqual({ kind: "text", value: text });
        const written = "text" in argument ? argument.text : "";
        const pieces = [...written.matchAll(/"((?:[^"]|"")*)"(?:&|$)/g)].map(([, piece = ""]) =>
          piece.replaceAll('""', '"'),
        );
        expect(pieces.join("")).toBe(text);
        expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(255);
      }),
    );
  });

  it("has letters for columns beyond Z", () => {
    expect([0, 25, 26, 51, 52, 701, 702].map(toLetter)).toEqual(["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]);
  });

  it.each([
    ["lines", "a1\n b2 \r\n\nc3"],
    ["commas of either language", "a1, b2、c3"],
    ["what is pasted from cells", "a1\tb2\nc3\ta1"],
  ])("is companies from %s", (_, written) => {
    expect(listCompanies(written)).toEqual(["a1", "b2", "c3"]);
  });

  it.each(["2023", "FY2023", "fy0", "FY-1", " FY 2023 "])("is the year %j", (year) => {
    const drafts = toFirstDrafts({ id: "1234567890", name: "" });
    const reading = readDraft("comparison", { ...drafts, comparison: { ...drafts.comparison, year } }, toTexts("en"));
    expect(reading).toHaveProperty("plan");
  });

  it.each(["", "FY4", "23", "2019:2023", "3023", "FY+1"])("is not the year %j", (year) => {
    const drafts = toFirstDrafts({ id: "1234567890", name: "" });
    const reading = readDraft("comparison", { ...drafts, comparison: { ...drafts.comparison, year } }, toTexts("en"));
    expect(reading).toEqual({ mistakes: { year: sheetsTexts.en.noYear } });
  });
});

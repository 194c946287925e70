import { describe, expect, it } from "@jest/globals";
import type { SheetPlan } from "../../src/contract/workbook";
import { toLetters } from "../../src/taskpane/addresses";
import { listPasted } from "../../src/taskpane/picker/company-writing";
import { toCapacity, toComparisonPlan } from "../../src/taskpane/sheets/comparison-plan";
import { readDraft, toFirstDrafts } from "../../src/taskpane/sheets/drafts";
import { rename, withHeadings } from "../../src/taskpane/sheets/plan";
import {
  listFields,
  listFirstFields,
  RANKED,
  type RankingOptions,
  toRankingPlan,
} from "../../src/taskpane/sheets/ranking-plan";
import { toStatementPlan } from "../../src/taskpane/sheets/statement-plan";
import { sheetWords } from "../../src/taskpane/sheets/words";
import { toTexts } from "../../src/taskpane/texts";
import { sheetsTexts } from "../../src/taskpane/texts/sheets";
import CASES from "./sheets-plans.json";

const TEXTS = sheetWords.en;
const options: RankingOptions = { ranked: "companies", pageType: "", start: "-7d", end: "", top: 25, fields: [] };
const all = (ranked: RankingOptions["ranked"], pageType = "") => listFields(ranked, pageType).map(({ name }) => name);
const at = ({ cells }: SheetPlan, cell: string) => cells.find((each) => each.at === cell)?.content;
const ONE_YEAR = { from: "FY0", to: "FY0", count: 1 };
const FIVE_YEARS = { from: "FY-4", to: "FY0", count: 5 };
const COMPARISON = { companies: ["1234567890"], metrics: ["Revenue"], years: ONE_YEAR, unit: "" } as const;
const STATEMENT = { company: "1234567890", companyName: "", years: 5, unit: "m", basis: "" } as const;

/** A plan of each kind, with the default draft. */
const PLANS: [string, SheetPlan][] = [
  ...RANKED.map((ranked): [string, SheetPlan] => [
    ranked,
    toRankingPlan({ ...options, ranked, fields: listFirstFields(ranked, "") }, TEXTS),
  ]),
  ["comparison", toComparisonPlan(COMPARISON, TEXTS)],
  [
    "comparison over years",
    toComparisonPlan({ ...COMPARISON, metrics: ["Revenue", "EBIT"], years: FIVE_YEARS }, TEXTS),
  ],
  ["statement", toStatementPlan(STATEMENT, TEXTS)],
];

const COLUMNS = Array.from({ length: 40 }, (_, index) => toLetters(index));
const listFormulas = ({ cells }: SheetPlan) =>
  cells.flatMap(({ content }) => (typeof content === "object" && content ? [content.formula] : []));
/** The character position of a column's left edge, by Excel's default widths. */
const toLeft = ({ widths }: SheetPlan, column: number) =>
  COLUMNS.slice(0, column).reduce((sum, each) => sum + (widths[each] ?? 9), 0);
const toLongest = (cells: SheetPlan["cells"]) =>
  Math.max(...cells.map(({ content }) => (typeof content === "string" ? content.length : 0)));

describe("every plan", () => {
  it.each(PLANS)("of %s writes each cell once, and formulas only as formulas", (_, { cells }) => {
    expect(new Set(cells.map((cell) => cell.at)).size).toBe(cells.length);
    const texts = cells.filter(({ content }) => typeof content === "string");
    expect(texts.filter(({ content }) => String(content).startsWith("="))).toEqual([]);
    expect(cells.filter(({ content }) => content === null || content === "")).toEqual([]);
  });

  it.each(PLANS)("of %s selects the first input, and shows its date", (_, plan) => {
    expect(plan.styles.some(({ range, style }) => style === "input" && range.startsWith(plan.selected))).toBe(true);
    const asOf = plan.cells.find(({ content }) => content === TEXTS.asOf)?.at.replace("A", "B") ?? "";
    expect(at(plan, asOf)).toEqual({ formula: `=FEED.STATUS("asof", "${plan.name}")` });
    expect(at(rename(plan, 'A "free" name'), asOf)).toEqual({ formula: '=FEED.STATUS("asof", "A ""free"" name")' });
  });

  it.each(PLANS)("of %s freezes its headings alone, above what is printed", (kind, plan) => {
    const { headingRow, frozenRows, printed, cells, styles } = withHeadings(plan);
    const first = cells.filter((each) => /^[A-Z]+1$/.test(each.at));
    expect([frozenRows, first.length]).toEqual([1, expect.any(Number)]);
    expect(first.length).toBeGreaterThan(3);
    const row = kind === "comparison over years" ? 14 : headingRow;
    if (row === headingRow) expect(first[1]).toEqual({ at: "B1", content: { formula: `=IFERROR(B${row}&"","")` } });
    const toHeadings = (row: number) =>
      styles.filter(({ range }) => new RegExp(`^[A-Z]+${row}(:|$)`).test(range)).map(({ style }) => style);
    expect(toHeadings(1)).toEqual(toHeadings(row));
    expect(printed).toMatch(/^A2:/);
  });

  it.each(PLANS)("of %s keeps a typed month or year as text", (_, { cells, formats }) => {
    const isPeriod = ({ content }: SheetPlan["cells"][number]) => /^-|^FY|^MTD$/.test(String(content));
    const periods = cells.filter(isPeriod).map((each) => each.at);
    expect(periods.length).toBeGreaterThan(0);
    const texts = formats.filter(({ format }) => format === "@").map(({ range }) => range);
    expect(periods.filter((cell) => !texts.includes(cell))).toEqual([]);
  });

  it.each(PLANS)("of %s keeps formula texts within Excel's length", (_, plan) => {
    const texts = listFormulas(plan).flatMap((formula) => formula.match(/"(?:[^"]|"")*"/g) ?? []);
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(257);
  });
});

describe("a chart", () => {
  const charted = PLANS.filter(([, { chart }]) => chart !== undefined);

  it("is on every sheet but a comparison", () => {
    expect(charted.map(([kind]) => kind)).toEqual([...RANKED, "statement"]);
  });

  it.each(charted)("of %s is visible beside the pane, and covers no cell with content", (_, plan) => {
    const [, left = "", right = "", bottom] = /^([A-Z]+)2:([A-Z]+)(\d+)$/.exec(plan.chart?.at ?? "") ?? [];
    const [from, to] = [COLUMNS.indexOf(left), COLUMNS.indexOf(right)];
    // On a screen of 1440 pixels the pane leaves about 145 characters.
    expect(toLeft(plan, to + 1)).toBeLessThanOrEqual(145);
    expect(toLeft(plan, to + 1) - toLeft(plan, from)).toBeGreaterThanOrEqual(60);
    expect(Number(bottom)).toBeLessThan(plan.headingRow);
    const rowOf = ({ at }: { at: string }) => Number(at.replace(/^[A-Z]+/, ""));
    const noteCells = plan.cells.filter((each) => rowOf(each) > 1 && rowOf(each) <= Number(bottom));
    expect(new Set(noteCells.map((each) => each.at[0]))).toEqual(new Set(["A", "B"]));
    expect(toLongest(noteCells)).toBeLessThanOrEqual(toLeft(plan, from) * 1.1); // notes are in small letters
  });
});

const manyCompanies = (count: number) => Array.from({ length: count }, (_, index) => String(1_000_000 + index));

/** The plans whose cells sheets-plans.json names. */
const NAMED: Readonly<Record<string, SheetPlan>> = {
  "all fields of a ranking": toRankingPlan({ ...options, fields: all("companies") }, TEXTS),
  "two fields of a ranking": toRankingPlan({ ...options, fields: ["companyName", "totalPageViews"] }, TEXTS),
  "a comparison of 60 companies": toComparisonPlan(
    { ...COMPARISON, companies: manyCompanies(60), metrics: ["Revenue", "EBIT"] },
    TEXTS,
  ),
  "a comparison": toComparisonPlan(COMPARISON, TEXTS),
  "a comparison of 2 companies over years": toComparisonPlan(
    { ...COMPARISON, companies: manyCompanies(2), metrics: ["Revenue", "EBIT"], years: FIVE_YEARS },
    TEXTS,
  ),
  "a statement of three years": toStatementPlan({ ...STATEMENT, years: 3 }, TEXTS),
};

it.each(CASES.cells as unknown as [string, Record<string, unknown>][])(
  "the cells of a plan of %s hold what its formulas read",
  (name, cells) => {
    const plan = NAMED[name] as SheetPlan;
    expect(Object.fromEntries(Object.keys(cells).map((cell) => [cell, at(plan, cell)]))).toEqual(cells);
  },
);

describe("a ranking's plan", () => {
  it("charts the first ten by the first measure, and has no chart without one", () => {
    const charted = toRankingPlan({ ...options, fields: ["companyName", "totalUniquePageViews"] }, TEXTS);
    expect(charted.chart).toMatchObject({
      categories: "A14:A23",
      values: "B14:B23",
      title: "Top ten: Unique page views",
    });
    expect(toRankingPlan({ ...options, fields: ["rank", "companyName"] }, TEXTS).chart).toBeUndefined();
    expect(toRankingPlan({ ...options, fields: ["totalPageViews"] }, TEXTS).chart).toBeUndefined();
  });

  it("formats numbers far below the requested rows", () => {
    const plan = toRankingPlan({ ...options, fields: ["rank", "companyName", "engagementTime.avg"] }, TEXTS);
    expect(plan.formats).toContainEqual({ range: "C14:C5013", format: "#,##0.0" });
  });

  it("marks the end date as input only if one is given", () => {
    const listInputs = (end: string) =>
      toRankingPlan({ ...options, end, fields: all("companies") }, TEXTS)
        .styles.filter(({ style }) => style === "input")
        .map(({ range }) => range);
    expect(listInputs("")).toEqual(["B3", "B5"]);
    expect(listInputs("2024-01-31")).toEqual(["B3", "B4", "B5"]);
  });
});

it("a comparison's plan has room for more companies, a few cells of which are marked as input, and narrow, grouped ids", () => {
  expect(toCapacity(60, 1)).toBe(80);
  const { styles } = toComparisonPlan({ ...COMPARISON, companies: ["1234567", "2345678"] }, TEXTS);
  expect(styles).toContainEqual({ range: "C17:C23", style: "input" });
  const plan = toComparisonPlan(COMPARISON, TEXTS);
  expect(plan.widths.C).toBeLessThan(15);
  expect(plan.grouped).toEqual(["C"]);
});

it("a comparison's plan over years prints the chosen years of all tables, and repeats the years of the first", () => {
  const plan = NAMED["a comparison of 2 companies over years"] as SheetPlan;
  expect(plan).toMatchObject({ printed: "A2:I34", headingRow: 1, grouped: ["C"] });
  expect(plan.styles).toContainEqual({ range: "C15:C19", style: "input" });
  expect(plan.styles).toContainEqual({ range: "A31:I34", style: "section" });
  expect(plan.formats).toContainEqual({ range: "D26:D30", format: "yyyy-mm-dd" });
  expect(plan.formats).toContainEqual({ range: "E26:N34", format: "#,##0" });
});

describe("a statement's plan", () => {
  it("gives its chart a row above the years, which are free to grow", () => {
    expect(NAMED["a statement of three years"]?.chart).toMatchObject({ categories: "C14:E14", values: "C13:E13" });
  });

  it("has room for an id in its cell, and the currency under its year", () => {
    const plan = toStatementPlan(STATEMENT, TEXTS);
    expect(plan.widths.B).toBeGreaterThanOrEqual(41);
    expect(plan.formats).toContainEqual({ range: "C15:G15", format: "0;-0;0;* @" });
  });

  it.each([
    ["", "#,##0"],
    ["k", "#,##0"],
    ["m", "#,##0.0"],
    ["bn", "#,##0.00"],
  ] as const)("shows figures in the unit %j with enough decimals", (unit, format) => {
    const { formats } = toStatementPlan({ ...STATEMENT, unit }, TEXTS);
    expect(formats).toContainEqual({ range: "C17:G214", format });
  });
});

describe("the input of a plan", () => {
  it.each(CASES.pasted)("reads companies from lines, commas of either language and cells: %j", (written) => {
    expect(listPasted(written)).toEqual(["a1", "b2", "c3"]);
  });

  /** A first draft with some fields changed. */
  function read<T extends "ranking" | "comparison" | "statement">(template: T, changed: object) {
    const first = toFirstDrafts();
    return readDraft(template, { ...first, [template]: { ...first[template], ...changed } }, toTexts("en"));
  }
  const readYears = (from: string, to: string) =>
    read("comparison", { companies: "1234567890", years: "years", from, to });

  it.each(CASES.years)("reads %j as a year", (year) => expect(readYears(year, year)).toHaveProperty("plan"));

  it.each(CASES.noYears)("rejects %j as a year", (year) => {
    const { noYear } = sheetsTexts.en;
    expect(readYears(year, "2023")).toEqual({ mistakes: { from: noYear } });
    expect(readYears("2023", year)).toEqual({ mistakes: { to: noYear } });
  });

  it.each(CASES.spans as [string, string, string, string][])("reads %j to %j", (from, to, first, last) => {
    const reading = readYears(from, to);
    const cells = "plan" in reading ? ["B3", "B4"].map((cell) => at(reading.plan, cell)) : [];
    expect(cells).toEqual([first, last]);
  });

  it.each(CASES.noSpans as [string, string][])("rejects %j to %j, which a sheet cannot show", (from, to) =>
    expect(readYears(from, to)).toEqual({ mistakes: { to: sheetsTexts.en.noYears(10) } }),
  );

  it("has the numbers of years that the form offers, up to the latest", () => {
    const reading = read("comparison", { companies: "1234567890", years: 10 });
    expect("plan" in reading && ["B3", "B4"].map((cell) => at(reading.plan, cell))).toEqual(["FY-9", "FY0"]);
  });

  it.each(CASES.mistakes as unknown as ["ranking", object, object][])(
    "of a %s is refused: %j",
    (template, changed, mistakes) => {
      expect(read(template, changed)).toEqual({ mistakes });
    },
  );

  it("is refused with a text that is no company's, and with more companies than a sheet compares", () => {
    const refuse = (companies: string, years = 1) => read("comparison", { companies, years });
    expect(refuse("Nobody Foods")).toEqual({ mistakes: { companies: sheetsTexts.en.notCompany("Nobody Foods") } });
    expect(refuse(manyCompanies(500).join())).toHaveProperty("plan");
    expect(refuse(manyCompanies(501).join())).toEqual({
      mistakes: { companies: "A sheet compares 500 companies at most. Take some away." },
    });
    expect(refuse(manyCompanies(100).join(), 3)).toHaveProperty("plan");
    expect(refuse(manyCompanies(101).join(), 3)).toEqual({
      mistakes: { companies: "A sheet compares 100 companies at most. Take some away." },
    });
  });
});

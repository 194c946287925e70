import { beforeAll, expect, it, jest } from "@jest/globals";
import type { CompanyPage } from "../../src/contract/types";
import type { CellContent, SheetPlan } from "../../src/contract/workbook";
import { toComparisonPlan } from "../../src/taskpane/sheets/comparison-plan";
import { describeDraft, readDraft, toFirstDrafts, withStatement } from "../../src/taskpane/sheets/drafts";
import { listFirstFields, toRankingPlan } from "../../src/taskpane/sheets/ranking-plan";
import { toStatementPlan } from "../../src/taskpane/sheets/statement-plan";
import { sheetWords } from "../../src/taskpane/sheets/words";
import { toTexts } from "../../src/taskpane/texts";
import { createDirectReading } from "../support/direct-reading";
import { clearWorkbook, read, readRange, type, waitFor } from "./playground-page";
import { createPlaygroundPage } from "./surroundings";

const TEXTS = sheetWords.en;
/** Companies of the sample provider, whose ids are stable. */
const COMPANIES = [
  "3d1ce6e7-7fd1-463c-ab13-8646d111213d",
  "91c6b211-c4b4-490a-a1f2-3fcde0a6f08f",
  "bca112fc-4390-457f-887d-2e836eaf9ed3",
];

jest.setTimeout(90_000);

const at = createPlaygroundPage({ companies: 1000, isDemo: true });
beforeAll(() => at.page.setDefaultTimeout(30_000)); // a sheet has thousands of formulas

const toText = (content: CellContent) =>
  typeof content === "object" && content !== null ? content.formula : String(content ?? "");

/** Enters a plan's cells, and waits until each FEED formula has a result. */
async function enter({ cells }: SheetPlan): Promise<void> {
  await type(at.page, ...cells.map(({ at: cell, content }): [string, string] => [cell, toText(content)]));
  const formulaCells = cells.filter(({ content }) => toText(content).includes("FEED.")).map(({ at: cell }) => cell);
  await at.page.waitForFunction(
    (all) => all.every((cell) => ![null, "#BUSY!"].includes(window.playground.get(cell).value as string | null)),
    formulaCells,
  );
}

const column = async (range: string) => (await readRange(at.page, range)).flat();
const isNumber = (value: unknown): value is number => typeof value === "number";

it.each(["-7d", "MTD"])(
  "a ranking sheet ranks companies over %s, shows its date, and follows its cells",
  async (start) => {
    const fields = listFirstFields("companies", "");
    await enter(toRankingPlan({ ranked: "companies", pageType: "", start, end: "", top: 25, fields }, TEXTS));
    const ranks = Array.from({ length: 25 }, (_, index) => index + 1);
    expect(await column("A13:A39")).toEqual(["Rank", ...ranks, null]);
    expect((await column("E14:E23")).every(isNumber)).toBe(true);
    const words = start === "MTD" ? "This month" : "Last 7 days";
    expect(await column("B6")).toEqual([expect.stringMatching(`^${words}: \\d{4}-\\d\\d-\\d\\d( – \\S+)?$`)]);
    expect(await read(at.page, "B7")).toMatchObject({ value: expect.any(Number) });
    await type(at.page, ["B5", "50"]);
    await waitFor(at.page, "A63", 50);
  },
);

it("a comparison on the sample data shows names, currency, figures and statistics of one currency, and leaves out what is no figure", async () => {
  const companies = [...COMPANIES, await findForeign(), "1234567890"];
  const years = { from: "FY0", to: "FY0", count: 1 };
  await enter(toComparisonPlan({ companies, metrics: ["Revenue", "Net Income"], years, unit: "m" }, TEXTS));
  expect(await column("A11")).toEqual([TEXTS.otherCurrencies]);
  expect(await readRange(at.page, "A17:E19")).toEqual(
    COMPANIES.map((id) => [expect.any(String), "JPY", id, expect.any(Number), expect.any(Number)]),
  );
  expect(await column("B20:B20")).toEqual(["SGD"]);
  expect(await column("B21:D21")).toEqual(["#N/A", 1234567890, "#N/A"]);
  const revenues = (await column("D17:D19")).map(Number);
  const [least = 0, middle = 0, most = 0] = [...revenues].sort((one, other) => one - other);
  expect(await column("B5")).toEqual(["JPY"]);
  expect(await column("A13:A16")).toEqual([TEXTS.median, TEXTS.mean, TEXTS.upperQuartile, TEXTS.lowerQuartile]);
  expect(await column("B13:B16")).toEqual(["JPY", "JPY", "JPY", "JPY"]);
  const expected = [middle, (least + middle + most) / 3, (middle + most) / 2, (least + middle) / 2];
  expect(await column("D13:D16")).toEqual(expected.map((value) => expect.closeTo(value, 6)));
  await type(at.page, ["B5", "SGD"]); // a person may change it
  const [own = null] = await column("D20");
  await waitFor(at.page, "D13", own);
  expect(await column("D13:D16")).toEqual([own, own, own, own]);
  await type(at.page, ["B5", "XYZ"], ["C22", "559712a9-dd12-4174-a42b-ada188ab2737"]);
  await waitFor(at.page, "D13", "");
  await at.page.waitForFunction(() => typeof window.playground.get("D22").value === "number");
});

it("a comparison over years shows each metric's years and statistics of one currency, and follows its cells", async () => {
  const companies = [...COMPANIES, await findForeign()];
  const years = { from: "FY-2", to: "FY0", count: 3 };
  await enter(toComparisonPlan({ companies, metrics: ["Revenue", "EBIT"], years, unit: "m" }, TEXTS));
  expect(await readRange(at.page, "E14:H14")).toEqual([["FY-2", "FY-1", "FY0", ""]]);
  await type(at.page, ["A60", '=FEED.FINANCIAL(C15:C18,"FY0","periodYear")']);
  await at.page.waitForFunction(() => typeof window.playground.get("A60").value === "number");
  const latest = await column("A60:A63");
  const named = ["FY-2", "FY-1", "FY0"].map((year, index) => `${year} (${Number(latest[0]) - 2 + index})`);
  expect(await readRange(at.page, "A1:H1")).toEqual([
    [TEXTS.company, TEXTS.currency, TEXTS.companyId, TEXTS.yearEnd, ...named, ""],
  ]);
  expect(await readRange(at.page, "A15:D17")).toEqual(
    COMPANIES.map((id) => [expect.any(String), "JPY", id, expect.any(Number)]),
  );
  expect(await column("B18:B19")).toEqual(["SGD", null]);
  const isEven = new Set(latest).size === 1;
  expect(await column("A13")).toEqual([TEXTS.otherCurrencies + (isEven ? "" : TEXTS.otherYears)]);
  expect(await readRange(at.page, "A28:C30")).toEqual([
    [expect.any(String), "JPY", COMPANIES[0]],
    [expect.any(String), "JPY", COMPANIES[1]],
    [expect.any(String), "JPY", COMPANIES[2]],
  ]);
  expect(await column("A22:A25")).toEqual([TEXTS.median, TEXTS.mean, TEXTS.highest, TEXTS.lowest]);
  for (const letter of ["E", "F", "G"]) {
    const figures = (await column(`${letter}15:${letter}17`)).filter(isNumber).sort((one, other) => one - other);
    const mean = figures.reduce((sum, each) => sum + each, 0) / figures.length;
    const [, calculated, most, least] = await column(`${letter}22:${letter}25`);
    expect([calculated, most, least]).toEqual([expect.closeTo(mean, 6), figures.at(-1), figures[0]]);
  }
  const [[later]] = (await readRange(at.page, "F15:F15")) as [[number]];
  await type(at.page, ["B3", "FY-1"], ["A27", "Revenue"], ["B6", "SGD"]);
  await waitFor(at.page, "E15", later);
  await waitFor(at.page, "E28", later);
  expect(await readRange(at.page, "E14:G14")).toEqual([["FY-1", "FY0", ""]]);
  const [own = null] = await column("E18");
  await waitFor(at.page, "E22", own);
  expect(await column("G22:G25")).toEqual(["", "", "", ""]);
});

it("the tables say nothing of other currencies where there is one, and take calendar years", async () => {
  const years = { from: "2019", to: "2021", count: 3 };
  await enter(toComparisonPlan({ companies: COMPANIES, metrics: ["Revenue"], years, unit: "m" }, TEXTS));
  expect(await readRange(at.page, "E14:H14")).toEqual([[2019, 2020, 2021, ""]]);
  expect(await readRange(at.page, "E1:H1")).toEqual([["2019", "2020", "2021", ""]]);
  expect(await column("A13")).toEqual([""]);
  expect(await column("B6")).toEqual(["JPY"]);
});

it.each([
  ["with year-ends in lists", 5, false],
  ["without them", 6, true],
])(
  "ten years of 30 companies take two requests for 25 companies, and no more than told, of a provider %s",
  async (_, page, isWithout) => {
    const { controls, origin } = at.companion;
    const get = await createDirectReading(origin);
    const { data } = await get<CompanyPage>(`/asia/private-markets/v1/companies?country=JPN&page=${page}&page_size=30`);
    controls.postWithoutPeriods = isWithout;
    const first = toFirstDrafts();
    const wanted = {
      ...first,
      comparison: { ...first.comparison, companies: data.map(({ id }) => id).join(), years: 10 as const },
    };
    const reading = readDraft("comparison", wanted, toTexts("en"));
    const [lists, all] = [controls.count("getFinancialsOfMany"), controls.count()];
    if ("plan" in reading) await enter(reading.plan);
    const said = /At most (\d+) requests now/.exec(describeDraft("comparison", wanted, toTexts("en"), "provider"))?.[1];
    expect([1, 2, 3, 4]).toContain(controls.count("getFinancialsOfMany") - lists);
    expect(controls.count() - all).toBeLessThanOrEqual(Number(said));
    controls.postWithoutPeriods = false;
    await clearWorkbook(at.page);
  },
);

/** The id of a company that reports in Singapore dollars, found by a formula. */
async function findForeign(): Promise<string> {
  await type(
    at.page,
    ["A1", '=FEED.COMPANIES("SGP",,20,"id",,FALSE)'],
    ["C1", '=FEED.FINANCIAL(A1:A20,"FY0","currency")'],
  );
  await at.page.waitForFunction(() => window.playground.range("C1:C20").flat().includes("SGD"));
  const rows = await readRange(at.page, "A1:C20");
  await clearWorkbook(at.page);
  return String(rows.find((row) => row[2] === "SGD")?.[0]);
}

it("the pane's cost of a sheet is right for each template", async () => {
  const get = await createDirectReading(at.companion.origin);
  const { data } = await get<CompanyPage>("/asia/private-markets/v1/companies?country=JPN&page=10&page_size=25");
  const ids = data.map(({ id }) => id); // not in the demo, whose answers are cached
  const drafts = withStatement(toFirstDrafts(), ids[0] ?? "");
  const comparison = { ...drafts.comparison, companies: ids.slice(1).join(", ") };
  const ranking = { ...drafts.ranking, range: "dates", from: "2024-03-03", to: "2024-03-17" } as const;
  for (const template of ["ranking", "comparison", "statement"] as const) {
    const wanted = { ...drafts, comparison, ranking };
    const reading = readDraft(template, wanted, toTexts("en"));
    const before = at.companion.controls.count();
    if ("plan" in reading) await enter(reading.plan);
    const said = /(\d+) requests? now/.exec(describeDraft(template, wanted, toTexts("en"), "provider"))?.[1];
    expect([template, at.companion.controls.count() - before]).toEqual([template, Number(said)]);
    await clearWorkbook(at.page);
  }
});

it.each([3, 10])(
  "a statement on the sample data shows %p years, the company's name and the chart's row",
  async (years) => {
    const plan = toStatementPlan({ company: COMPANIES[0] ?? "", companyName: "", years, unit: "m", basis: "" }, TEXTS);
    await enter(plan);
    expect(await column("A2")).toEqual(["株式会社さくら食品"]);
    const [spans = [], revenues = []] = await Promise.all(
      [plan.chart?.categories ?? "", plan.chart?.values ?? ""].map(column),
    );
    expect(spans).toHaveLength(years);
    expect(spans.every(isNumber)).toBe(true);
    const revenue = (await column("B14:B45")).indexOf("Revenue");
    expect(revenue).toBeGreaterThan(0);
    const [stated] = await readRange(at.page, `C${14 + revenue}:${String.fromCharCode(66 + years)}${14 + revenue}`);
    // A figure missing from a statement is #N/A on its own.
    expect(revenues.map((value) => (value === "#N/A" ? "" : value))).toEqual(stated);
    expect(revenues.some(isNumber)).toBe(true);
  },
);

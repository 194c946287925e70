import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { CompanyFinancials, CompanyPage } from "../../src/contract/types";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading, type Read } from "../support/direct-reading";
import { type Formulas, loadFormulas } from "../support/formula-cells";

let companion: RunningCompanion;
let read: Read;
let companies: { id: string; registrationNumber: string }[];
let formulas: Formulas;

beforeAll(async () => {
  companion = await startCompanion();
  read = await createDirectReading(companion.origin);
  const page = await read<CompanyPage>("/asia/private-markets/v1/companies?country=JPN&page_size=5");
  companies = page.data.map(({ id, registrationNumber }) => ({ id, registrationNumber: registrationNumber as string }));
});
beforeEach(async () => {
  companion.controls.reset();
  formulas = await loadFormulas(companion.origin);
});
afterEach(() => formulas.close());
afterAll(() => companion.close());

const show = async (...parameters: unknown[]) => formulas.type("FINANCIAL", ...parameters).next();
const showOne = async (...parameters: unknown[]) => (await show(...parameters))[0]?.[0];
const idOf = (index: number) => companies[index]?.id as string;

/** Figures of a company as the API gives them, read without the feed. */
async function readFigures(id: string, metric: string): Promise<Map<number, number>> {
  const { years } = await read<CompanyFinancials>(`/asia/private-markets/v1/financials/companies/${id}`);
  const figures = years.map(({ year, statements }): [number, number] => {
    const metrics = statements.flatMap((statement) => statement.metrics);
    return [year, metrics.find(({ name }) => name === metric)?.value as number];
  });
  return new Map(figures);
}

describe("FEED.FINANCIAL", () => {
  it("gives a company's figure by id and by registration number as text or number", async () => {
    const revenue = (await readFigures(idOf(0), "Revenue")).get(2023);
    const number = companies[0]?.registrationNumber as string;
    expect(await showOne([[idOf(0)]], [[2023]], [["Revenue"]])).toBe(revenue);
    expect(await showOne([[number]], [[2023]], [["Revenue"]])).toBe(revenue);
    expect(await showOne([[Number(number)]], [[2023]], [["Revenue"]])).toBe(revenue);
    expect(companion.controls.count("getFinancialsOfMany")).toBe(1);
  });

  it("spills a column of companies over a row of years", async () => {
    const grid = await show([[idOf(0)], [idOf(1)]], [[2021, 2022, 2023]], [["Revenue"]]);
    const expected = [await readFigures(idOf(0), "Revenue"), await readFigures(idOf(1), "Revenue")];
    expect(grid).toEqual(expected.map((figures) => [2021, 2022, 2023].map((year) => figures.get(year))));
  });

  it("spreads companies as comma text down and a range of years across", async () => {
    const grid = await show([[`${idOf(0)}, ${idOf(1)}`]], [["2022:2023"]], [["EBIT"]]);
    const expected = [await readFigures(idOf(0), "EBIT"), await readFigures(idOf(1), "EBIT")];
    expect(grid).toEqual(expected.map((figures) => [figures.get(2022), figures.get(2023)]));
  });

  it("counts relative years from each company's latest", async () => {
    const figures = await readFigures(idOf(0), "Net Income");
    const latest = Math.max(...figures.keys());
    expect(await show([[idOf(0)]], [["FY-2:FY0"]], [["Net Income"]])).toEqual([
      [figures.get(latest - 2), figures.get(latest - 1), figures.get(latest)],
    ]);
  });

  it("divides amounts by a unit, and leaves other values", async () => {
    const revenue = (await readFigures(idOf(0), "Revenue")).get(2023) as number;
    const grid = await show([[idOf(0)]], [[2023]], [["Revenue", "currency", "periodYear"]], null, "m");
    expect(grid).toEqual([[revenue / 1e6, "JPY", expect.any(Number)]]);
  });

  it("takes Japanese names of metrics, versions and units", async () => {
    const english = await show([[idOf(0)]], [[2022, 2023]], [["Revenue"], ["EBIT"]], "CONSOLIDATED", "m");
    const japanese = await show([[idOf(0)]], [[2022, 2023]], [["売上高"], ["営業利益"]], "連結", "百万円");
    expect(japanese).toEqual(english);
    expect(await showOne([[idOf(0)]], [[2023]], [["売上高"]])).toBe((await readFigures(idOf(0), "Revenue")).get(2023));
  });

  it("takes a date for its fiscal year, even if only a single company's answer has period bounds", async () => {
    companion.controls.postWithoutPeriods = true;
    const [first, second] = [idOf(0), idOf(1)];
    const { years } = await read<CompanyFinancials>(`/asia/private-markets/v1/financials/companies/${first}`);
    const year = years.find((each) => each.year === 2022);
    const grid = await show([[first], [second]], [[year?.financialPeriodEnd]], [["Revenue"]]);
    expect(grid[0]?.[0]).toBe((await readFigures(first, "Revenue")).get(2022));
    const end = await showOne([[first]], [[2022]], [["periodEnd"]]);
    expect(end).toBe(Date.parse(`${year?.financialPeriodEnd}`) / 86_400_000 + 25_569);
  });

  it("accepts a qualified metric and a basis", async () => {
    const revenue = (await readFigures(idOf(0), "Revenue")).get(2023);
    expect(await showOne([[idOf(0)]], [[2023]], [["INCOME_STATEMENT.revenue"]], "consolidated,fy4")).toBe(revenue);
    expect(await showOne([[idOf(0)]], [[2023]], [["CASH_FLOW.Revenue"]])).toMatch(
      /^#N\/A FEED_NO_VALUE: no "CASH_FLOW.Revenue" in 2023; ask for "INCOME_STATEMENT.Revenue"$/,
    );
    expect(await showOne([[idOf(0)]], [[2023]], [["Revenue"]], "PARENT")).toMatch(
      /no basis "PARENT"; give one of CONSOLIDATED/,
    );
  });

  it("leaves blank cells of a range empty; an invalid cell affects itself alone", async () => {
    const revenue = (await readFigures(idOf(0), "Revenue")).get(2023);
    const bad = new CustomFunctions.Error(CustomFunctions.ErrorCode.divisionByZero);
    const grid = await show([[idOf(0)], [0], [null], [bad], ["no such"], [true]], [[2023]], [["Revenue"]]);
    expect(grid).toEqual([
      [revenue],
      [""],
      [""],
      ["#DIV/0!"],
      [expect.stringMatching(/^#N\/A FEED_NO_VALUE: no company in JPN is called "no such"; /)],
      [expect.stringMatching(/^#VALUE! FEED_ARGUMENT_INVALID: company must be/)],
    ]);
  });

  it.each([
    ["a column", 1_048_576],
    ["a shorter column", 200_000],
  ])("reads %s up to its last company", async (_, rows) => {
    const revenue = (await readFigures(idOf(0), "Revenue")).get(2023);
    companion.controls.reset();
    const column = Array.from({ length: rows }, (_cell, index) => [index === 1 ? idOf(0) : index % 2 ? 0 : null]);
    expect(await show(column, [[2023]], [["Revenue"]])).toEqual([[""], [revenue]]);
    const years = column.map((_row, index) => [index === 1 ? 2023 : ""]);
    expect(await show(column, years, [["Revenue"]])).toEqual([[""], [revenue]]);
    expect(companion.controls.count("getCompanyFinancials")).toBe(1);
  });

  it.each([
    ["no company", [[[null]], [[2023]], [["Revenue"]]], /#VALUE! .*company is missing/],
    ["a blank company", [[[0]], [[2023]], [["Revenue"]]], /#VALUE! .*company is missing/],
    ["an empty company", [[[""]], [[2023]], [["Revenue"]]], /#VALUE! .*company is missing/],
    ["separators for a company", [[[" ,, "]], [[2023]], [["Revenue"]]], /#VALUE! .*company is missing/],
    ["a blank year", [[["x"]], [[0]], [["Revenue"]]], /#VALUE! .*year is missing/],
    ["an empty year", [[["x"]], [[""]], [["Revenue"]]], /#VALUE! .*year is missing/],
    ["no year", [[["x"]], null, [["Revenue"]]], /#VALUE! .*year is missing/],
    ["a blank metric", [[["x"]], [[2023]], [[0]]], /#VALUE! .*metric is missing/],
    ["no metric", [[["x"]], [[2023]], [[null]]], /#VALUE! .*metric is missing/],
    ["text for a year", [[["x"]], [["soon"]], [["Revenue"]]], /#VALUE! .*year must be like 2023/],
    ["year and metric swapped", [[["x"]], [["Revenue"]], [[2023]]], /#VALUE! .*look swapped/],
    ["year and metric swapped as text", [[["x"]], [["EBITDA"]], [["2023"]]], /#VALUE! .*look swapped/],
    ["a wrong unit", [[["x"]], [[2023]], [["Revenue"]], null, "million"], /#VALUE! .*unit must be/],
    [
      "shapes that do not fit",
      [[["a"], ["b"]], [[2021], [2022], [2023]], [["Revenue"]]],
      /#VALUE! .*do not fit together/,
    ],
  ])("reports %s with its remedy, without a request", async (_, parameters, message) => {
    const shown = await showOne(...(parameters as unknown[]));
    expect(shown).toMatch(message);
    expect(companion.controls.requests).toEqual([]);
  });

  it.each([
    ["a year the company lacks", 1990, "Revenue", /^#N\/A FEED_NO_VALUE: no fiscal year 1990; ask for another one/],
    ["a year before all others", "FY-60", "Revenue", /^#N\/A FEED_NO_VALUE: no fiscal year 19\d\d; ask for one of 20/],
    [
      "a metric the year lacks",
      2023,
      "Happiness",
      /^#N\/A FEED_NO_VALUE: no metric "Happiness" in 2023; ask for one of Revenue,/,
    ],
  ])("gives #N/A for %s", async (_, year, metric, message) => {
    expect(await showOne([[idOf(0)]], [[year]], [[metric]])).toMatch(message);
  });

  it.each([
    ["null", null],
    ["0", 0],
    ["empty text", ""],
  ])("treats %s as omitted for basis and unit", async (_, blank) => {
    const revenue = (await readFigures(idOf(0), "Revenue")).get(2023);
    expect(await showOne([[idOf(0)]], [[2023]], [["Revenue"]], blank, blank)).toBe(revenue);
  });

  it("sends no request in the value preview, and shows known values", async () => {
    const typing = formulas.preview("FINANCIAL", [[idOf(0)]], [[2023]], [["Revenue"]]);
    expect((await typing.next())[0]?.[0]).toMatch(/^#N\/A FEED_NO_VALUE: not read yet/);
    expect(companion.controls.requests).toEqual([]);
    const revenue = await showOne([[idOf(0)]], [[2023]], [["Revenue"]]);
    const again = formulas.preview("FINANCIAL", [[idOf(0)]], [[2023]], [["Revenue"]]);
    expect((await again.next())[0]?.[0]).toBe(revenue);
  });

  it("keeps the last value when a refresh fails", async () => {
    const cell = formulas.type("FINANCIAL", [[idOf(0)]], [[2023]], [["Revenue"]]);
    const before = await cell.next();
    companion.controls.answers.getCompanyFinancials = { status: 403, times: Number.POSITIVE_INFINITY };
    await formulas.session.refresh();
    expect(cell.shown).toEqual([before]);
  });

  it("shows a figure that is no number as an error in its own cell", async () => {
    companion.controls.bodyFaults.getCompanyFinancials = "numberTexts";
    const grid = await show([[idOf(0)]], [[2023]], [["Revenue", "currency"]]);
    expect(grid).toEqual([
      [expect.stringMatching(/^#N\/A FEED_RESPONSE_MALFORMED: Revenue of 2023 is no number/), "JPY"],
    ]);
  });
});

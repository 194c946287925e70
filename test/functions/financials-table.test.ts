import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { METRICS } from "../../src/contract/constants";
import type { CompanyFinancials, CompanyPage } from "../../src/contract/types";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading, type Read } from "../support/direct-reading";
import { type Formulas, loadFormulas, type Shown } from "../support/formula-cells";

let companion: RunningCompanion;
let read: Read;
let ids: string[];
let numbers: string[];
let formulas: Formulas;

beforeAll(async () => {
  companion = await startCompanion();
  read = await createDirectReading(companion.origin);
  const page = await read<CompanyPage>("/asia/private-markets/v1/companies?country=JPN&page_size=100");
  ids = page.data.map(({ id }) => id);
  numbers = page.data.map(({ registrationNumber }) => registrationNumber as string);
});
beforeEach(async () => {
  companion.controls.reset();
  formulas = await loadFormulas(companion.origin);
});
afterEach(() => formulas.close());
afterAll(() => companion.close());

const show = async (...parameters: unknown[]) => formulas.type("FINANCIALS", ...parameters).next();
const figure = async (...parameters: unknown[]) => (await formulas.type("FINANCIAL", ...parameters).next())[0]?.[0];
const readFinancials = (id: string) => read<CompanyFinancials>(`/asia/private-markets/v1/financials/companies/${id}`);
const columnOf = (rows: Shown, header: string) =>
  rows.slice(1).map((row) => row[(rows[0] as unknown[]).indexOf(header)]);

/** The expected cell of a table for a result of FINANCIAL. */
const toTableCell = (shown: unknown) => (String(shown).startsWith("#N/A FEED_NO_VALUE") ? "" : shown);

/** FINANCIAL with its error, and the table's cell at the same position. */
async function compare(rows: Shown, options: { basis?: unknown; unit?: unknown } = {}) {
  const [header = [], ...body] = rows;
  const pairs = body.flatMap(([company, year, ...cells]) =>
    cells.map(async (cell, index) => {
      const metric = index === 0 ? "currency" : header[index + 2];
      const single = await figure([[company]], [[year]], [[metric]], options.basis, options.unit);
      return { cell, single: toTableCell(single) };
    }),
  );
  return Promise.all(pairs);
}

describe("FEED.FINANCIALS", () => {
  it("shows all years and metrics of a company, one row a year, in the answer's order", async () => {
    const rows = await show([[ids[0]]]);
    expect(companion.controls.requests.map(({ operationId }) => operationId)).toEqual([
      "createToken",
      "getCompanyFinancials",
    ]);
    const { years } = await readFinancials(ids[0] as string);
    expect(rows[0]).toEqual(["Company", "Year", "Currency", ...Object.values(METRICS).flat()]);
    expect(columnOf(rows, "Year")).toEqual(years.map(({ year }) => year).sort());
    expect(new Set(columnOf(rows, "Company"))).toEqual(new Set([ids[0]]));
  });

  it("equals FINANCIAL in every cell", async () => {
    const rows = await show(ids.slice(0, 12).map((id) => [id]));
    const pairs = await compare(rows);
    expect(pairs.length).toBeGreaterThan(500);
    expect(pairs.map(({ cell }) => cell)).toEqual(pairs.map(({ single }) => single));
    expect(companion.controls.count("getFinancialsOfMany")).toBe(1);
    expect(companion.controls.count("getCompanyFinancials")).toBe(0);
  });

  it("equals FINANCIAL with a basis, a unit and relative years", async () => {
    const rows = await show([[ids[0]], [ids[3]]], "FY-1:FY0", "EBIT, currency, Inventory", null, "consolidated", "m");
    expect(rows[0]).toEqual(["Company", "Year", "Currency", "EBIT", "Currency", "Inventory"]);
    expect(rows).toHaveLength(5);
    const pairs = await compare(rows, { basis: "consolidated", unit: "m" });
    expect(pairs.map(({ cell }) => cell)).toEqual(pairs.map(({ single }) => single));
  });

  it("sends 4 requests for 100 companies, and none for a FINANCIAL beside them", async () => {
    const table = show(ids.map((id) => [id]));
    const single = figure([[ids[7]]], [[2022]], [["Revenue"]]);
    const rows = await table;
    expect(new Set(columnOf(rows, "Company"))).toEqual(new Set(ids));
    expect(await single).toBe(rows.find(([id, year]) => id === ids[7] && year === 2022)?.[3]);
    expect(companion.controls.count("getFinancialsOfMany")).toBe(4);
    expect(companion.controls.count("getCompanyFinancials")).toBe(0);
  });

  it("sends the year if it is the only one requested", async () => {
    const rows = await show([[ids[0]], [ids[1]]], [[2023]], [["Revenue"]]);
    expect(columnOf(rows, "Year")).toEqual([2023, 2023]);
    expect(companion.controls.requests.at(-1)).toMatchObject({ body: { year: 2023 } });
    expect(await show([[ids[0]], [ids[1]]], [[2022]], [["Revenue"]])).toHaveLength(3);
    expect(companion.controls.count("getFinancialsOfMany")).toBe(2);
  });

  it("accepts companies as comma text, a whole column and registration numbers", async () => {
    const text = await show(`${ids[0]}, ${ids[1]} ,`, 2023, "Revenue");
    expect(columnOf(text, "Company")).toEqual([ids[0], ids[1]]);
    const column = Array.from({ length: 1_048_576 }, (_, index) => [
      index === 2 ? Number(numbers[0]) : index % 2 ? 0 : null,
    ]);
    const rows = await show(column, 2023, "Revenue");
    expect(rows).toEqual([
      ["Company", "Year", "Currency", "Revenue"],
      [Number(numbers[0]), 2023, "JPY", text[1]?.[3]],
    ]);
  });

  it("repeats a company given twice, and keeps the order of the years", async () => {
    const rows = await show(
      [[ids[0]], [ids[0]]],
      [[2023, "2021:2022", "FY2020, 2020"]],
      "Revenue",
      null,
      null,
      null,
      false,
    );
    expect(rows.map((row) => row[1])).toEqual([2023, 2021, 2022, 2020, 2020, 2023, 2021, 2022, 2020, 2020]);
    expect(rows.slice(0, 5)).toEqual(rows.slice(5));
    expect(companion.controls.count("getCompanyFinancials")).toBe(1);
  });

  it("requests period bounds if a date or a metric needs them", async () => {
    companion.controls.postWithoutPeriods = true;
    const { years } = await readFinancials(ids[0] as string);
    const end = years.find(({ year }) => year === 2022)?.financialPeriodEnd;
    const two = [[ids[0]], [ids[1]]];
    expect((await show(two, end, "Revenue"))[1]).toEqual([ids[0], 2022, "JPY", expect.any(Number)]);
    const serial = Date.parse(`${end}`) / 86_400_000 + 25_569;
    expect((await show([[ids[0]], [ids[2]]], 2022, "periodEnd")).slice(0, 2)).toEqual([
      ["Company", "Year", "Currency", "Period end"],
      [ids[0], 2022, "JPY", serial],
    ]);
  });

  it("confines a failed company and an invalid cell to their own rows", async () => {
    const broken = new CustomFunctions.Error(CustomFunctions.ErrorCode.divisionByZero);
    const unknown = "00000000-0000-4000-8000-000000000000";
    const rows = await show([[ids[0]], [broken], [unknown], [true], [""]], 2023, "Revenue");
    const revenue = await figure([[ids[0]]], [[2023]], [["Revenue"]]);
    const notFound = expect.stringMatching(/^#N\/A FEED_NOT_FOUND: /);
    const invalid = expect.stringMatching(/^#VALUE! FEED_ARGUMENT_INVALID: companies must be/);
    expect(rows.slice(1)).toEqual([
      [ids[0], 2023, "JPY", revenue],
      ["#DIV/0!", "#DIV/0!", "#DIV/0!", "#DIV/0!"],
      [unknown, notFound, notFound, notFound],
      [true, invalid, invalid, invalid],
    ]);
  });

  it("fails as a whole if its one company fails", async () => {
    expect(await show("00000000-0000-4000-8000-000000000000")).toEqual([
      [expect.stringMatching(/^#N\/A FEED_NOT_FOUND: /)],
    ]);
    const broken = new CustomFunctions.Error(CustomFunctions.ErrorCode.divisionByZero);
    expect(await show([[broken], [null]])).toEqual([["#DIV/0!"]]);
  });

  it("is #N/A with the reason if it has no value at all", async () => {
    expect(await show([[ids[0]], [ids[1]]], 1990)).toEqual([
      [expect.stringMatching(/^#N\/A FEED_NO_VALUE: no fiscal year 1990; ask for /)],
    ]);
    expect(await show(ids[0], 2023, "Revenue", null, "PARENT")).toEqual([
      [expect.stringMatching(/^#N\/A FEED_NO_VALUE: Revenue of 2023 has no basis "PARENT"; give one of CONSOLIDATED/)],
    ]);
    expect(await show(ids[0], 2023, "Revenue", "long", "PARENT")).toEqual([
      [expect.stringMatching(/^#N\/A FEED_NO_VALUE: no number has the basis "PARENT"; give one of CONSOLIDATED/)],
    ]);
    expect(await show(ids[0], 1990, null, "long")).toEqual([
      [expect.stringMatching(/^#N\/A FEED_NO_VALUE: the provider has no such numbers; ask for other years/)],
    ]);
  });

  it("names the closest match of a metric that no answer has", async () => {
    expect(await show(ids[0], null, "Revenu")).toEqual([
      ['#VALUE! FEED_ARGUMENT_INVALID: metrics has "Revenu", which no answer has; the closest is "Revenue"'],
    ]);
    for (const layout of ["statement", "long"]) {
      expect((await show(ids[0], null, "CASH_FLOW.EBIT", layout))[0]?.[0]).toMatch(/the closest is "/);
    }
  });

  it("updates at a refresh, and keeps the table when a refresh fails", async () => {
    const cell = formulas.type("FINANCIALS", [[ids[0]]], null, "Revenue");
    await cell.next();
    companion.controls.answers.getCompanyFinancials = { status: 403, times: Number.POSITIVE_INFINITY };
    await formulas.session.refresh();
    expect(cell.shown).toHaveLength(1);
  });

  it.each([
    ["null", null],
    ["0", 0],
    ["empty text", ""],
  ])("treats %s as omitted for every optional argument", async (_, blank) => {
    expect(await show(ids[0], blank, blank, blank, blank, blank, blank)).toEqual(await show(ids[0]));
    expect(await show(ids[0], "ALL", " all ")).toEqual(await show(ids[0]));
  });

  it.each([
    ["no company", [null], /companies is missing; give a company's name, ticker, registration number or id/],
    ["a blank company", [0], /companies is missing/],
    ["a range of blanks", [[[null], [0], [""]]], /companies is missing/],
    ["separators for companies", [" ,, "], /companies is missing/],
    ["text for a year", ["x", "soon"], /years must be like 2023/],
    ["a flag for a year", ["x", true], /years must be like 2023/],
    ["years the wrong way round", ["x", "2023:2021"], /a range of years is like/],
    ["years and metrics swapped", ["x", "Revenue", 2023], /look swapped: years is "Revenue"/],
    ["a year for a metric", ["x", null, 2023], /look swapped: metrics is 2023/],
    ["a number for a metric", ["x", null, 5], /metrics must be a name such as "Revenue", not 5/],
    ["an unknown layout", ["x", null, null, "tall"], /layout must be "wide", "statement" or "long", not "tall"/],
    ["a flag for a basis", ["x", null, null, null, true], /basis must be text/],
    ["a wrong unit", ["x", null, null, null, null, "million"], /unit must be/],
    ["a wrong flag", ["x", null, null, null, null, null, "yes"], /headers must be TRUE or FALSE/],
    [
      "several companies for a statement",
      ["x,y", null, null, "statement"],
      /layout "statement" shows one company, .* has 2/,
    ],
    [
      "a fact as a number",
      ["x", null, "currency", "long"],
      /metrics has "currency", which is a column of the layout "long"/,
    ],
  ])("reports %s with its remedy, without a request", async (_, parameters, message) => {
    const [[shown] = []] = await show(...parameters);
    expect(shown).toMatch(/^#VALUE! FEED_ARGUMENT_INVALID: /);
    expect(shown).toMatch(message);
    expect(companion.controls.requests).toEqual([]);
  });

  it.each([1, 2, 3, 4, 5, 6])("passes on an error in argument %i", async (place) => {
    const error = new CustomFunctions.Error(CustomFunctions.ErrorCode.invalidNumber);
    const parameters: unknown[] = [ids[0], null, null, null, null, null, null];
    parameters[place] = [[error]];
    expect(await show(...parameters)).toEqual([["#NUM!"]]);
  });

  it("refuses a result that is bound to be too large before a request, and one that grew too large before output", async () => {
    const many = Array.from({ length: 30_000 }, (_, index) => [`${index + 1}`]);
    const message = /^#VALUE! FEED_RESULT_TOO_LARGE: .* give fewer companies, years or metrics$/;
    expect((await show(many, "2000:2023"))[0]?.[0]).toMatch(message);
    expect((await show(many.concat(many), null, null, "long"))[0]?.[0]).toMatch(message);
    expect(companion.controls.requests).toEqual([]);
    expect(
      (
        await show(
          ids.map((id) => [id]),
          null,
          null,
          "long",
        )
      )[0]?.[0],
    ).toMatch(message);
  });

  it("and a grid of FINANCIAL suggest how to make a too large result smaller", async () => {
    const grid = formulas.type(
      "FINANCIAL",
      ids.slice(0, 60).map((id) => [id]),
      "1900:2049",
      "Revenue",
    );
    expect((await grid.next())[0]?.[0]).toMatch(
      /FEED_RESULT_TOO_LARGE: 60 rows .* give fewer companies, years or metrics$/,
    );
  });

  it("sends no request in the value preview, and shows known values", async () => {
    const typing = formulas.preview("FINANCIALS", [[ids[0]]]);
    expect((await typing.next())[0]?.[0]).toMatch(/^#N\/A FEED_NO_VALUE: not read yet/);
    expect(companion.controls.requests).toEqual([]);
    const rows = await show([[ids[0]]]);
    expect(await formulas.preview("FINANCIALS", [[ids[0]]]).next()).toEqual(rows);
  });
});

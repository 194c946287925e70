import { describe, expect, it } from "@jest/globals";
import type { CompanyFinancials, CompanyPage } from "../../src/contract/types";
import type { Shown } from "../support/formula-cells";
import { prepareSandbox } from "./sandbox-formulas";

let ids: string[];
/** Names that end with a legal form; a listed company may have one too. */
let names: string[];
let years: CompanyFinancials["years"];
/** The first company's of 2023. */
let revenue: number | null | undefined;

const sandbox = prepareSandbox(600, async ({ read }) => {
  const page = await read<CompanyPage>("/asia/private-markets/v1/companies?country=JPN&page_size=100");
  ids = page.data.map(({ id }) => id);
  names = page.data.flatMap(({ companyName }) =>
    /\S (?:Inc\.|K\.K\.)$/.test(companyName ?? "") ? [String(companyName)] : [],
  );
  ({ years } = await read<CompanyFinancials>(`/asia/private-markets/v1/financials/companies/${ids[0]}`));
  const metrics = years.find(({ year }) => year === 2023)?.statements.flatMap((statement) => statement.metrics);
  revenue = metrics?.find(({ name }) => name === "Revenue")?.value;
});

const show = (...parameters: unknown[]) => sandbox.show("FINANCIALS", ...parameters);
const figure = (...parameters: unknown[]) => sandbox.showOne("FINANCIAL", ...parameters);
const count = (operation: "getCompanyFinancials" | "getFinancialsOfMany") =>
  sandbox.companion.controls.count(operation);
const columnOf = (rows: Shown, header: string) =>
  rows.slice(1).map((row) => row[(rows[0] as unknown[]).indexOf(header)]);

/** A column with a company in one row, and blanks of all kinds. */
const createColumn = (rows: number, at: number) =>
  Array.from({ length: rows }, (_, index) => [index === at ? ids[0] : index % 2 ? 0 : null]);

describe("FEED.FINANCIAL", () => {
  it("reads a column up to its last company", async () => {
    const column = createColumn(1_048_576, 1);
    expect(await sandbox.show("FINANCIAL", column, [[2023]], [["Revenue"]])).toEqual([[""], [revenue]]);
    const ofYears = column.map((_row, index) => [index === 1 ? 2023 : ""]);
    expect(await sandbox.show("FINANCIAL", column, ofYears, [["Revenue"]])).toEqual([[""], [revenue]]);
    expect(count("getCompanyFinancials")).toBe(1);
  });

  it("reads a text with commas as one company where it is the name of one, else as a list", async () => {
    const all = await sandbox.show(
      "FINANCIAL",
      names.map((name) => [name]),
      2023,
      "Revenue",
    );
    const [one = "", other = ""] = names.filter((_, at) => typeof all[at]?.[0] === "number");
    const single = await figure(one, 2023, "Revenue");
    expect(single).toEqual(expect.any(Number));
    const parted = one.replace(/ (?=\S+$)/, ", ");
    const figures = (text: string) => sandbox.show("FINANCIAL", text, 2023, "Revenue");
    expect(await figures(parted)).toEqual([[single]]);
    expect(await figures(`${one}, ${other}, Nobody`)).toEqual([
      [single],
      [await figure(other, 2023, "Revenue")],
      [expect.stringMatching(/FEED_NO_VALUE: .*"Nobody"/)],
    ]);
    const [, row] = await show(parted, 2023, "Revenue");
    expect([row?.[0], row?.at(-1)]).toEqual([parted, single]);
    expect(await sandbox.showOne("COMPANY", parted, "companyName")).toBe(one);
    expect(await sandbox.show("COMPANY", `${one},${other}`, "companyName")).toEqual([[one], [other]]);
    const many = Array.from({ length: 20 }, () => one); // longer than any name
    expect(await sandbox.show("COMPANY", many.join(","), "companyName")).toEqual(many.map((name) => [name]));
    const listed = await sandbox.formulas.session.formulas.listQueries("FINANCIAL", [`${one},X`, 2023, "Revenue"]);
    expect(listed.map(({ key }) => key[0])).toEqual(["findNames", "financials", "financials"]);
  });

  it("suggests how to make a too large grid smaller", async () => {
    const companies = ids.slice(0, 60).map((id) => [id]);
    expect(await figure(companies, "1900:2049", "Revenue")).toMatch(
      /FEED_RESULT_TOO_LARGE: 60 rows .* give fewer companies, years or metrics$/,
    );
  });
});

/** FINANCIAL's result at the position of each cell of a table, where its error of no value is an empty cell. */
async function compare(rows: Shown, options: { basis?: unknown; unit?: unknown } = {}) {
  const [header = [], ...body] = rows;
  const pairs = body.flatMap(([company, year, ...cells]) =>
    cells.map(async (cell, index) => {
      const metric = index === 0 ? "currency" : header[index + 2];
      const single = await figure([[company]], [[year]], [[metric]], options.basis, options.unit);
      return { cell, single: String(single).startsWith("#N/A FEED_NO_VALUE") ? "" : single };
    }),
  );
  return Promise.all(pairs);
}

describe("FEED.FINANCIALS", () => {
  it("equals FINANCIAL in every cell", async () => {
    const pairs = await compare(await show(ids.slice(0, 12).map((id) => [id])));
    expect(pairs.length).toBeGreaterThan(500);
    expect(pairs.map(({ cell }) => cell)).toEqual(pairs.map(({ single }) => single));
    expect([count("getFinancialsOfMany"), count("getCompanyFinancials")]).toEqual([1, 0]);
  });

  it("equals FINANCIAL with a basis, a unit and relative years", async () => {
    const rows = await show([[ids[0]], [ids[3]]], "FY-1:FY0", "EBIT, currency, Inventory", null, "consolidated", "m");
    expect(rows[0]).toEqual(["Company", "Year", "Currency", "EBIT", "Currency", "Inventory"]);
    expect(rows).toHaveLength(5);
    const pairs = await compare(rows, { basis: "consolidated", unit: "m" });
    expect(pairs.map(({ cell }) => cell)).toEqual(pairs.map(({ single }) => single));
  });

  it("sends 4 requests for 100 companies, and none for a FINANCIAL beside them", async () => {
    expect(new Set(ids).size).toBe(100);
    const table = show(ids.map((id) => [id]));
    const single = figure([[ids[7]]], [[2022]], [["Revenue"]]);
    const rows = await table;
    expect(new Set(columnOf(rows, "Company"))).toEqual(new Set(ids));
    expect(await single).toBe(rows.find(([id, year]) => id === ids[7] && year === 2022)?.[3]);
    expect([count("getFinancialsOfMany"), count("getCompanyFinancials")]).toEqual([4, 0]);
  });

  it("reads a whole column of companies", async () => {
    expect(await show(createColumn(1_048_576, 2), 2023, "Revenue")).toEqual([
      ["Company", "Year", "Currency", "Revenue"],
      [ids[0], 2023, "JPY", revenue],
    ]);
  });

  it("requests period bounds if a date or a metric needs them", async () => {
    sandbox.companion.controls.postWithoutPeriods = true;
    const end = years.find(({ year }) => year === 2022)?.financialPeriodEnd;
    const two = [[ids[0]], [ids[1]]];
    expect((await show(two, end, "Revenue"))[1]).toEqual([ids[0], 2022, "JPY", expect.any(Number)]);
    const serial = Date.parse(`${end}`) / 86_400_000 + 25_569;
    expect((await show([[ids[0]], [ids[2]]], 2022, "periodEnd")).slice(0, 2)).toEqual([
      ["Company", "Year", "Currency", "Period end"],
      [ids[0], 2022, "JPY", serial],
    ]);
  });

  it("refuses a result that is bound to be too large before a request, and one that grew too large before output", async () => {
    const message = /^#VALUE! FEED_RESULT_TOO_LARGE: .* give fewer companies, years or metrics$/;
    const many = Array.from({ length: 30_000 }, (_, index) => [`${index + 1}`]);
    expect((await show(many, "2000:2023"))[0]?.[0]).toMatch(message);
    expect((await show(many.concat(many), null, null, "long"))[0]?.[0]).toMatch(message);
    expect(sandbox.companion.controls.requests).toEqual([]);
    const all = ids.map((id) => [id]);
    expect((await show(all, null, null, "long"))[0]?.[0]).toMatch(message);
  });
});

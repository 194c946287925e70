import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { METRICS } from "../../src/contract/constants";
import type { Company, CompanyFinancials, FinancialYear } from "../../src/contract/types";
import { createFinancialYears } from "../../src/sandbox/data/financials";
import REFUSED_BODIES from "./refused-bodies.json";
import { PRIVATE_MARKETS, type RunningSandbox, startSandbox } from "./running-sandbox";

const PATH = `${PRIVATE_MARKETS}/financials`;

let sandbox: RunningSandbox;
let companies: Company[];
beforeAll(async () => {
  sandbox = await startSandbox({ companies: 300 });
  companies = (await sandbox.read(`${PRIVATE_MARKETS}/companies?country=JPN&page_size=300`)).body.data;
});
afterAll(() => sandbox.close());

const readIds = (body: { data: CompanyFinancials[] }) => body.data.map(({ companyId }) => companyId);

describe("the financials of one company", () => {
  it("are all years, or the requested one, or none if it is missing", async () => {
    const path = `${PATH}/companies/${companies[0]!.id}`;
    const all = (await sandbox.read(path)).body as CompanyFinancials;
    expect(all.years.map(({ year }) => year)).toEqual([2015, 2016, 2017, 2018, 2019, 2020, 2021, 2022, 2023, 2024]);
    expect((await sandbox.read(`${path}?year=2021`)).body.years).toEqual([all.years[6]]);
    const none = await sandbox.read(`${path}?year=1999`);
    expect([none.status, none.body]).toEqual([200, { companyId: companies[0]!.id, years: [] }]);
  });
});

describe("the financials of several companies", () => {
  it("are the union of both lists, each company once, in the requested order", async () => {
    const [first, second, third] = companies;
    const { body } = await sandbox.send(PATH, {
      companyIds: [second!.id, first!.id.toUpperCase(), second!.id],
      identifiers: [first!.registrationNumber, third!.registrationNumber],
    });
    expect(readIds(body)).toEqual([second!.id, first!.id, third!.id]);
    expect([body.page, body.pageSize, body.total]).toEqual([1, 3, 3]);
  });

  it("are the same as one by one", async () => {
    const ids = companies.slice(0, 40).map(({ id }) => id);
    const { body } = await sandbox.send(PATH, { companyIds: ids, year: 2023 });
    const single = await Promise.all(
      ids.map(async (id) => (await sandbox.read(`${PATH}/companies/${id}?year=2023`)).body),
    );
    expect(body.data).toEqual(single);
  });

  it("omit unknown companies", async () => {
    const unknown = "00000000-0000-4000-8000-000000000000";
    const { status, body } = await sandbox.send(PATH, { companyIds: [unknown, companies[0]!.id], identifiers: ["0"] });
    expect([status, readIds(body), body.total]).toEqual([200, [companies[0]!.id], 1]);
  });

  it.each(REFUSED_BODIES as unknown as [string, unknown, string][])(
    "are refused for %s",
    async (_what, body, field) => {
      const reply = await sandbox.send(PATH, body);
      expect(reply.status).toBe(400);
      expect(reply.body.error.details[0].field).toBe(field);
    },
  );
});

const COMPANIES = Array.from({ length: 1_500 }, (_, index) => index);
const everyYear = COMPANIES.flatMap((index) => createFinancialYears(1, index));

/** The amounts of each consolidation of a year, by metric name. */
function readAmounts({ statements }: FinancialYear): Record<string, number>[] {
  const types = [...new Set(statements.map(({ consolidationType }) => consolidationType))];
  return types.map((type) =>
    Object.fromEntries(
      statements
        .filter(({ consolidationType }) => consolidationType === type)
        .flatMap(({ metrics }) => metrics.map(({ name, value }) => [name, value])),
    ),
  );
}

describe("amounts", () => {
  const amounts = everyYear.flatMap(readAmounts);
  const complete = amounts.filter((year) => Object.keys(year).length === 15);

  it("obey the identities of an income statement exactly", () => {
    expect(amounts.filter((year) => year["Gross Profit"] !== year.Revenue! - year["Cost of Goods Sold"]!)).toEqual([]);
    expect(complete.filter((year) => year.EBIT !== year["Gross Profit"]! - year["Operating Expenses"]!)).toEqual([]);
    expect(complete.length).toBeGreaterThan(5_000);
  });

  it("are ordered: EBITDA above EBIT above net income, assets above their parts", () => {
    expect(complete.filter((year) => year.EBITDA! < year.EBIT! || year.EBIT! < year["Net Income"]!)).toEqual([]);
    const sumParts = (year: Record<string, number>) =>
      year["Cash and equivalents"]! + year.Inventory! + year["Accounts Receivable"]!;
    expect(complete.filter((year) => year["Total Assets"]! <= sumParts(year))).toEqual([]);
  });

  it("make the yearly change of cash the sum of the three cash flows", () => {
    const steps = COMPANIES.slice(0, 300).flatMap((index) => {
      const years = createFinancialYears(1, index).map((year) => ({
        year: year.year,
        ...readAmounts(year)[0],
      })) as Record<string, number>[];
      return years.slice(1).map((year, nth) => ({ before: years[nth]!, year }));
    });
    const checked = steps.filter(
      ({ before, year }) =>
        before.year! + 1 === year.year && Object.keys(year).length === 16 && "Cash and equivalents" in before,
    );
    expect(checked.length).toBeGreaterThan(1_000);
    for (const { before, year } of checked) {
      const flows = year["Operating Cash Flow"]! + year["Investing Cash Flow"]! + year["Financing Cash Flow"]!;
      expect(year["Cash and equivalents"]! - before["Cash and equivalents"]!).toBe(flows);
    }
  });

  it("include losses and debts above assets as exceptions", () => {
    const share = (count: number) => count / complete.length;
    const losses = share(complete.filter((year) => year["Net Income"]! < 0).length);
    const indebted = share(complete.filter((year) => year["Total Liabilities"]! > year["Total Assets"]!).length);
    expect(losses).toBeGreaterThan(0.02);
    expect(losses).toBeLessThan(0.35);
    expect(indebted).toBeGreaterThan(0);
    expect(indebted).toBeLessThan(0.1);
  });
});

describe("years", () => {
  it("end in the calendar year of their label and last twelve months", () => {
    const nextDay = (date: string) => new Date(Date.parse(date) + 86_400_000).toISOString().slice(5, 10);
    const wrong = everyYear.filter(
      ({ year, periodYear, financialPeriodStart, financialPeriodEnd }) =>
        periodYear !== year ||
        Number(financialPeriodEnd!.slice(0, 4)) !== year ||
        Date.parse(financialPeriodEnd!) - Date.parse(financialPeriodStart!) < 364 * 86_400_000 ||
        financialPeriodStart!.slice(5) !== nextDay(financialPeriodEnd!),
    );
    expect(wrong).toEqual([]);
    const ends = new Set(everyYear.map(({ financialPeriodEnd }) => financialPeriodEnd!.slice(5)));
    expect(ends).toContain("03-31");
    expect(ends).toContain("12-31");
    expect(ends).toContain("02-29");
  });

  it("of the first 20 Japanese companies are complete, consolidated and in yen", async () => {
    for (const { id } of companies.slice(0, 20)) {
      const { years } = (await sandbox.read(`${PATH}/companies/${id}`)).body as CompanyFinancials;
      expect(years).toHaveLength(10);
      for (const { currency, financialType, statements } of years) {
        expect([currency, financialType]).toEqual(["JPY", "FULL"]);
        expect(statements.map(({ consolidationType }) => consolidationType)).toEqual(Array(3).fill("CONSOLIDATED"));
        expect(
          Object.fromEntries(statements.map((each) => [each.statementType, each.metrics.map(({ name }) => name)])),
        ).toEqual(METRICS);
      }
    }
  });

  it("elsewhere are sometimes missing, partial, unconsolidated or in dollars", () => {
    const counts = COMPANIES.map((index) => createFinancialYears(1, index).length);
    expect(new Set(counts)).toEqual(new Set([0, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
    expect(everyYear.some(({ financialType }) => financialType === "SUMMARY")).toBe(true);
    expect(everyYear.some(({ currency }) => currency === "USD")).toBe(true);
    const types = new Set(
      everyYear.map(({ statements }) => [...new Set(statements.map((each) => each.consolidationType))].join()),
    );
    expect(types).toEqual(new Set(["CONSOLIDATED", "NON_CONSOLIDATED", "CONSOLIDATED,NON_CONSOLIDATED"]));
    expect(everyYear.some(({ statements }) => statements[0]!.metrics.length < METRICS.INCOME_STATEMENT.length)).toBe(
      true,
    );
  });
});

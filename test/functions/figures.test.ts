import { afterEach, describe, expect, it, jest } from "@jest/globals";
import type { CompanyFinancials, CompanyPage } from "../../src/contract/types";
import { Amount } from "../../src/functions/cells";
import { toAmount } from "../../src/functions/figures";
import { type FormulaCell, installOffice, loadFormulas } from "../support/formula-cells";
import { prepareSandbox } from "./sandbox-formulas";

const YEAR = 2023;
/** Days from the first date of Excel to the Unix epoch. */
const EPOCH_SERIAL = 25_569;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

let id: string;
let otherId: string;
let revenue: number;
/** Serial of the last day of the fiscal year. */
let periodEnd: number;

const sandbox = prepareSandbox(100, async ({ read }) => {
  const page = await read<CompanyPage>("/asia/private-markets/v1/companies?country=JPN&page_size=2");
  [id, otherId] = page.data.map((company) => company.id) as [string, string];
  const { years } = await read<CompanyFinancials>(`/asia/private-markets/v1/financials/companies/${id}`);
  const year = years.find((each) => each.year === YEAR);
  const metrics = year?.statements.flatMap((statement) => statement.metrics) ?? [];
  revenue = Number(metrics.find(({ name }) => name === "Revenue")?.value);
  periodEnd = Date.parse(year?.financialPeriodEnd as string) / DAY_MS + EPOCH_SERIAL;
});
afterEach(() => void jest.restoreAllMocks());

/** The Office of each version's host: one that is kept spares loading the sources anew. */
const hosts = new Map<string, unknown>();

/** Types formulas into a workbook on a host of that version. */
async function open(excelapi: string): Promise<void> {
  sandbox.formulas.close();
  if (!hosts.has(excelapi)) await installOffice({ excelapi });
  const surroundings = globalThis as { Office?: unknown };
  surroundings.Office = hosts.get(excelapi) ?? surroundings.Office;
  hosts.set(excelapi, surroundings.Office);
  sandbox.formulas = await loadFormulas(sandbox.companion.origin);
}

/** The same with cards at numbers. */
async function openWithCards(): Promise<void> {
  await open("1.19");
  sandbox.formulas.session.change({ numberProperties: true });
}

const type = (metric: string, unit: unknown = null) =>
  sandbox.formulas.type("FINANCIAL", [[id]], [[YEAR]], [[metric]], null, unit);
const next = async (cell: FormulaCell) => (await cell.next())[0]?.[0];
const text = (basicValue: string) => ({ type: "String", basicType: "String", basicValue });
const day = (basicValue: number) => ({ type: "FormattedNumber", basicValue, numberFormat: "yyyy-mm-dd" });

interface CardNumber {
  basicValue: number;
  properties: Record<string, { basicValue: unknown; numberFormat?: string }>;
}
const fetchedAt = (figure: unknown) => (figure as CardNumber).properties["Fetched at"]?.basicValue as number;

describe("a figure", () => {
  it("is a plain number by default, even on a host with properties", async () => {
    await open("1.19");
    expect(sandbox.formulas.session.settings.numberProperties).toBe(false);
    expect(await next(type("Revenue"))).toBe(revenue);
  });

  it("has properties if the setting is on and the host supports them", async () => {
    await openWithCards();
    const figure = await next(type("Revenue"));
    expect(figure).toEqual({
      type: "Double",
      basicType: "Double",
      basicValue: revenue,
      properties: {
        Currency: text("JPY"),
        "Fiscal year": { type: "Double", basicType: "Double", basicValue: YEAR },
        "Period end": day(periodEnd),
        Statement: text("INCOME_STATEMENT"),
        Consolidation: text("CONSOLIDATED"),
        "Fetched at": { type: "FormattedNumber", basicValue: expect.any(Number), numberFormat: "yyyy-mm-dd hh:mm" },
      },
    });
    const nowMs = Date.now() - new Date().getTimezoneOffset() * MINUTE_MS;
    expect(Math.abs((fetchedAt(figure) - EPOCH_SERIAL) * DAY_MS - nowMs)).toBeLessThan(MINUTE_MS);
  });

  it("omits properties that the answer lacks, without a further request", async () => {
    sandbox.companion.controls.postWithoutPeriods = true;
    await openWithCards();
    const other = sandbox.formulas.type("FINANCIAL", [[id], [otherId]], [[YEAR]], [["Revenue"]]);
    const figure = (await other.next())[0]?.[0] as CardNumber;
    const requestsBefore = sandbox.companion.controls.requests.length;
    expect(figure.basicValue).toBe(revenue);
    expect(figure.properties).toHaveProperty("Currency");
    expect(figure.properties).not.toHaveProperty("Period end");
    expect({ ...((await next(type("Revenue"))) as CardNumber), numberFormat: "#,##0" }).toEqual(figure);
    expect(sandbox.companion.controls.requests).toHaveLength(requestsBefore);
  });

  it("has its unit as a property after division", async () => {
    await openWithCards();
    const { basicValue, properties } = (await next(type("Revenue", "m"))) as CardNumber;
    expect([basicValue, properties.Unit?.basicValue]).toEqual([revenue / 1e6, 1e6]);
  });

  it("has the same properties in a table, by year and by statement, with a format", async () => {
    await openWithCards();
    const figure = { ...((await next(type("Revenue"))) as CardNumber), numberFormat: "#,##0" };
    const [wide, statement] = ["wide", "statement"].map((layout) => {
      return sandbox.formulas.type("FINANCIALS", [[id]], [[YEAR]], [["Revenue"]], layout);
    }) as [FormulaCell, FormulaCell];
    expect((await wide.next())[1]).toEqual([id, YEAR, "JPY", figure]);
    expect((await statement.next()).at(-1)).toEqual(["Revenue", figure]);
  });

  it("stays a plain number on a host without properties", async () => {
    await open("1.16");
    sandbox.formulas.session.change({ numberProperties: true });
    expect(await next(type("Revenue"))).toBe(revenue);
  });

  it("in a live cell follows the setting without a request", async () => {
    await open("1.19");
    const cell = type("Revenue");
    expect(await next(cell)).toBe(revenue);
    const requestsBefore = sandbox.companion.controls.requests.length;
    sandbox.formulas.session.change({ numberProperties: true });
    expect(await next(cell)).toMatchObject({ basicValue: revenue, properties: { Currency: text("JPY") } });
    sandbox.formulas.session.change({ numberProperties: false });
    expect(await next(cell)).toBe(revenue);
    expect(sandbox.companion.controls.requests).toHaveLength(requestsBefore);
  });

  it("unchanged by a refresh is sent again only if its card shows the fetch time", async () => {
    await open("1.19");
    const cell = type("Revenue");
    await next(cell);
    await sandbox.formulas.session.refresh();
    expect(cell.shown).toHaveLength(1);
    sandbox.formulas.session.change({ numberProperties: true });
    const before = await next(cell);
    jest.spyOn(Date, "now").mockReturnValue(Date.now() + MINUTE_MS);
    await sandbox.formulas.session.refresh();
    const after = await next(cell);
    expect(after).toMatchObject({ basicValue: revenue });
    expect((fetchedAt(after) - fetchedAt(before)) * DAY_MS).toBeGreaterThanOrEqual(MINUTE_MS - 1_000);
    await sandbox.formulas.session.refresh();
    expect(cell.shown).toHaveLength(3);
  });
});

describe("a day", () => {
  it("has a date format on a host that supports formats, else is a plain serial", async () => {
    await open("1.16");
    expect(await next(type("periodEnd"))).toEqual(day(periodEnd));
    await open("1.15");
    expect(await next(type("periodEnd"))).toBe(periodEnd);
  });

  it("unchanged by a refresh is not sent again", async () => {
    await open("1.16");
    const cell = type("periodEnd");
    await next(cell);
    await sandbox.formulas.session.refresh();
    expect(cell.shown).toHaveLength(1);
  });

  it("is accepted as an argument of another formula", async () => {
    await open("1.16");
    const cell = sandbox.formulas.type("FINANCIAL", [[id]], [[day(periodEnd)]], [["Revenue"]]);
    expect(await next(cell)).toBe(revenue);
  });

  it("is reread and shown again when the workbook's date system changes", async () => {
    await open("1.16");
    const [end, figure] = [type("periodEnd"), sandbox.formulas.type("FINANCIAL", [[id]], [[periodEnd]], [["Revenue"]])];
    await Promise.all([next(end), next(figure)]);
    sandbox.formulas.session.change({ dateSystem: 1904 });
    expect(await next(end)).toEqual(day(periodEnd - 1_462));
    expect(await next(figure)).not.toBe(revenue);
  });
});

it.each([
  [8_481_130_000, 1, "#,##0"],
  [8_481_130_000, 1e3, "#,##0"],
  [8_481_130_000, 1e6, "#,##0.0"],
  [8_481_130_000, 1e9, "#,##0.00"],
  [1234.5, 1, "#,##0"],
  [-7, 1, "#,##0"],
  [0.153, 1, undefined],
  [12.34, 1, undefined],
  [-400_000, 1e6, "#,##0.0"],
  [-40_000, 1e6, undefined],
  [400, 1e3, undefined],
  [40_000_000, 1e12, undefined],
])("the figure %d in units of %d has the format %s", (value, divisor, format) => {
  const amount = toAmount(value, { divisor, currency: null });
  const number = value / divisor;
  expect(amount).toEqual(format === undefined ? number : new Amount(number, format));
});

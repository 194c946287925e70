import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { CompanyFinancials, CompanyPage } from "../../src/contract/types";
import type { RequirementSets } from "../office/external";
import { createOfficeRuntime, type OfficeRuntime } from "../office/runtime";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";

const BUNDLE = readFileSync(join(__dirname, "../../dist/web/functions.js"), "utf8");
const STREAM = { stream: true, allowErrors: true };
const YEAR = 2023;

let companion: RunningCompanion;
let runtime: OfficeRuntime;
let id: string;
/** Serial of the last day of the fiscal year, and its revenue. */
let periodEnd: number;
let revenue: number;

beforeAll(async () => {
  companion = await startCompanion({ companies: 100 });
  const read = await createDirectReading(companion.origin);
  const page = await read<CompanyPage>("/asia/private-markets/v1/companies?country=JPN&page_size=1");
  id = page.data[0]?.id as string;
  const { years } = await read<CompanyFinancials>(`/asia/private-markets/v1/financials/companies/${id}`);
  const year = years.find((each) => each.year === YEAR);
  const metrics = year?.statements.flatMap((statement) => statement.metrics) ?? [];
  revenue = Number(metrics.find(({ name }) => name === "Revenue")?.value);
  periodEnd = Date.parse(year?.financialPeriodEnd as string) / 86_400_000 + 25_569;
});
afterEach(() => runtime.dispose());
afterAll(() => companion.close());

/** The result sent over the bridge of a host with these requirement sets. */
async function call(
  requirementSets: RequirementSets,
  year: unknown,
  metric: string,
  richData = false,
): Promise<unknown> {
  runtime = createOfficeRuntime({ origin: companion.origin, requirementSets });
  runtime.load(BUNDLE);
  await runtime.ready;
  const parameters = [[[id]], [[year]], [[metric]], null, null];
  return (await runtime.next(runtime.call("FINANCIAL", parameters, { ...STREAM, richData }))).value;
}

describe("a result of the built bundle over the genuine bridge", () => {
  it("is a formatted number for a date with ExcelApi 1.16", async () => {
    const formatted = { type: "FormattedNumber", basicValue: periodEnd, numberFormat: "yyyy-mm-dd" };
    expect(await call({ excelapi: "1.16" }, YEAR, "periodEnd")).toEqual([[formatted]]);
  });

  it("is a plain serial without it", async () => {
    expect(await call({ excelapi: "1.15" }, YEAR, "periodEnd")).toEqual([[periodEnd]]);
  });

  it("is a plain serial where functions have no data types, whatever ExcelApi says", async () => {
    const sets = { excelapi: "1.17", customfunctionsruntime: "1.3" };
    expect(await call(sets, YEAR, "periodEnd")).toEqual([[periodEnd]]);
  });

  it("is a plain number for a figure by default, even if the host supports properties", async () => {
    expect(await call({ excelapi: "1.20" }, YEAR, "Revenue")).toEqual([[revenue]]);
  });

  it("is the figure of the day given as another formula's formatted number", async () => {
    const formatted = {
      type: "FormattedNumber",
      basicType: "Double",
      basicValue: periodEnd,
      numberFormat: "yyyy-mm-dd",
    };
    expect(await call({ excelapi: "1.16" }, formatted, "Revenue")).toEqual([[revenue]]);
  });
});

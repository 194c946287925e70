import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { COMPANIES } from "../../src/playground/sample-workbook";
import { ENUMERATIONS } from "../../src/reference/enumerations";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { type Formulas, loadFormulas } from "../support/formula-cells";

const COMPANY = COMPANIES[0]?.id;
const ANY_YEAR = [["FY0"]];
const REVENUE = [["Revenue"]];

let companion: RunningCompanion;
let formulas: Formulas;

beforeAll(async () => {
  companion = await startCompanion();
});
beforeEach(async () => {
  formulas = await loadFormulas(companion.origin);
});
afterEach(() => formulas.close());
afterAll(() => companion.close());

/** A formula with one of an enumeration's values in its place. */
const CALLS: [enumeration: string, formula: string, toParameters: (value: string) => unknown[]][] = [
  ["METRIC", "FINANCIAL", (value) => [[[COMPANY]], ANY_YEAR, [[value]]]],
  ["METRIC", "FINANCIALS", (value) => [[[COMPANY]], ANY_YEAR, [[value]]]],
  ["BASIS", "FINANCIAL", (value) => [[[COMPANY]], ANY_YEAR, REVENUE, value]],
  ["UNIT", "FINANCIAL", (value) => [[[COMPANY]], ANY_YEAR, REVENUE, null, value]],
  ["LAYOUT", "FINANCIALS", (value) => [[[COMPANY]], null, null, value]],
  ["COMPANY_FIELD", "COMPANY", (value) => [[[COMPANY]], [[value]]]],
  ["NAME_FIELD", "COMPANY.FIND", (value) => ["高島", null, 5, [[value]]]],
  ["MATCH_FIELD", "COMPANY.MATCH", (value) => [[["Sakura Foods"]], "JPN", null, [[value]]]],
  ["LEVEL", "TAXONOMY", (value) => [value]],
  ["LEVEL", "PEERS", (value) => [COMPANY, value, null, null, 5]],
  ["COMPANY_TYPE", "UNIVERSE", (value) => ["JPN", value, 5]],
  ["TAXONOMY_FIELD", "UNIVERSE", (value) => ["JPN", "PUBLIC", 5, [[value]]]],
  ["TAXONOMY_FIELD", "CLASSIFICATION", (value) => [[[COMPANY]], value]],
  ["PAGE_TYPE", "RANKING.PAGES", (value) => ["2024-01", null, value, 5]],
  ["PAGE_RANKING_FIELD", "RANKING.PAGES", (value) => ["2024-01", null, null, 5, [[value]]]],
  ["RANKING_FIELD", "RANKING", (value) => ["2024-01", null, 5, [[value]]]],
  ["RANKING_MEASURE", "RANKING", (value) => ["2024-01", null, 5, null, value]],
  ["INDUSTRY_FIELD", "RANKING.INDUSTRIES", (value) => ["2024-01", null, 5, [[value]]]],
  ["INDUSTRY_MEASURE", "RANKING.INDUSTRIES", (value) => ["2024-01", null, 5, null, value]],
  ["RANKING_KIND", "RANKING.TREND", (value) => [[["top 5"]], [["2024-01"]], null, value]],
  ["RANKING_KIND", "RANKING.MOVERS", (value) => ["2024-02", null, 5, value]],
  ["RANK_OR_MEASURE", "RANKING.TREND", (value) => [[["top 5"]], [["2024-01"]], value]],
  ["RANK_OR_MEASURE", "RANKING.MOVERS", (value) => ["2024-02", null, 5, null, value]],
  ["MOVER_FIELD", "RANKING.MOVERS", (value) => ["2024-02", null, 5, null, null, [[value]]]],
  ["STATUS", "STATUS", (value) => [value]],
];

describe("a suggested value", () => {
  it.each(CALLS)("of %s is accepted by FEED.%s", async (enumeration, formula, toParameters) => {
    const values = [...(ENUMERATIONS.get(enumeration)?.keys() ?? [])];
    const shown = values.map(async (value) => [
      value,
      (await formulas.type(formula, ...toParameters(value)).next())[0]?.[0],
    ]);
    expect(values.length).toBeGreaterThan(1);
    expect((await Promise.all(shown)).filter(([, cell]) => String(cell).startsWith("#VALUE!"))).toEqual([]);
  });

  it("is tested for every enumeration but the countries, which the provider defines", () => {
    const called = new Set(CALLS.map(([enumeration]) => enumeration));
    expect([...ENUMERATIONS.keys()].filter((id) => !called.has(id))).toEqual(["COUNTRY"]);
  });
});

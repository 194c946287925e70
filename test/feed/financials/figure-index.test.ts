import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { decodeFinancials } from "../../../src/feed/decode";
import { FigureIndex } from "../../../src/feed/financials/figure-index";
import { pickMetric } from "../../../src/feed/financials/metrics";
import { toName } from "../../../src/feed/financials/names";

const NAMES = ["Revenue", "revenue", "EBIT", "P.EBIT", "Net Income"];

const metric = fc.record({
  name: fc.constantFrom(...NAMES),
  value: fc.oneof(fc.nat(2), fc.constantFrom(null, "1", undefined)),
});
const statement = fc.record({
  statementType: fc.constantFrom("P", "B"),
  consolidationType: fc.constantFrom("CONSOLIDATED", "consolidated", "NON_CONSOLIDATED", ""),
  metrics: fc.array(metric, { maxLength: 4 }),
});
const version = fc.record({
  year: fc.constantFrom(2021, 2022),
  periodType: fc.constantFrom("ANNUAL", "HY2", undefined),
  statements: fc.array(statement, { maxLength: 3 }),
});

/** The number that the general way picks; null where it explains an error. */
function pick(financials: ReturnType<typeof decodeFinancials>, year: number, name: string): unknown {
  try {
    return pickMetric(financials, year, { name, basis: [] }).value;
  } catch {
    return null;
  }
}

describe("an index of figures", () => {
  it("finds exactly what is picked, or leaves it to be picked", () => {
    let found = 0;
    fc.assert(
      fc.property(fc.array(version, { maxLength: 3 }), (years) => {
        const financials = decodeFinancials({ companyId: "a", years });
        const index = new FigureIndex(financials);
        for (const year of [2021, 2022, 2023]) {
          for (const name of NAMES) {
            const number = index.find(year, toName(name));
            if (number === null) continue;
            expect(number).toBe(pick(financials, year, name));
            found++;
          }
        }
      }),
      { seed: 5, numRuns: 600 },
    );
    expect(found).toBeGreaterThan(200);
  });

  it("finds every figure of a usual answer", () => {
    const metrics = NAMES.slice(2).map((name, value) => ({ name, value }));
    const years = [{ year: 2021, periodType: "ANNUAL", statements: [{ consolidationType: "CONSOLIDATED", metrics }] }];
    const index = new FigureIndex(decodeFinancials({ companyId: "a", years }));
    expect(["ebit", "netincome", "p.ebit", "none"].map((name) => index.find(2021, name))).toEqual([0, 2, null, null]);
  });
});

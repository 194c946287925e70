import { describe, expect, it } from "@jest/globals";
import { toFigureFormat } from "../../src/taskpane/figure-format";
import type { FormulaCall, Given } from "../../src/taskpane/formula-text";

const text = (value: string): Given => ({ kind: "text", value });
const financial = (metric: Given, unit: Given = null): FormulaCall => ({
  name: "FINANCIAL",
  given: [text("7203"), text("FY0"), metric, null, unit],
});

describe("the number format of a formula", () => {
  it.each([
    [financial(text("Revenue")), "#,##0"],
    [financial(text("revenue"), text("M")), "#,##0.0"],
    [financial(text("Revenue, Net Income"), text("bn")), "#,##0.00"],
  ])("groups digits, with decimals in a large unit", (call, format) => {
    expect(toFigureFormat(call)).toBe(format);
  });

  it.each([
    ["a date", financial(text("periodEnd"))],
    ["a year beside a figure", financial(text("Revenue, periodYear"))],
    ["an unknown metric", financial(text("Headcount"))],
    ["a metric of a cell", financial({ kind: "cells", text: "C1" })],
    ["a divisor, which may make figures smaller than one", financial(text("Revenue"), { kind: "number", value: 1e12 })],
    ["a unit of a cell", financial(text("Revenue"), { kind: "cells", text: "C1" })],
    ["another formula", { name: "COMPANY", given: [text("7203"), text("name"), text("Revenue")] }],
  ])("is left alone for %s", (_, call) => {
    expect(toFigureFormat(call)).toBeUndefined();
  });
});

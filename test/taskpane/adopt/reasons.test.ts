import { describe, expect, it } from "@jest/globals";
import type { BlockCell } from "../../../src/taskpane/adopt/block";
import { createFigures } from "../../../src/taskpane/adopt/figures";
import type { Hypothesis } from "../../../src/taskpane/adopt/hypotheses";
import { findReason } from "../../../src/taskpane/adopt/reasons";
import { toAnswer, toYear } from "./sample-answers";

const figures = createFigures([
  toAnswer(
    "a",
    toYear(2022, { CONSOLIDATED: { Revenue: 76_543_000 } }),
    toYear(2023, { CONSOLIDATED: { Revenue: 81_234_000 }, NON_CONSOLIDATED: { Revenue: 31_777_000 } }),
    toYear(2023, { CONSOLIDATED: { Revenue: 40_111_000 } }, { periodType: "HALF", period: "HY2" }),
    toYear(2024, { CONSOLIDATED: { Revenue: 99_888_000 } }),
  ),
]);
const hypothesis: Hypothesis = { metric: "Revenue", basis: null, unit: 1e3, sign: 1, year: { index: 0 } };

function explain(typed: number) {
  const state = { value: typed, formula: "", format: "" };
  const place = { row: 1, column: 1, company: 0, years: [2023], yearCell: null, metricCell: null };
  const cell: BlockCell = { ...place, typed, state };
  return findReason({ cell, hypothesis, decimals: 0, figures });
}

describe("the reason why a typed number differs", () => {
  it.each([
    [31_777, { kind: "basis", basis: "NON_CONSOLIDATED" }],
    [40_111, { kind: "version", version: "HY2, HALF" }],
    [76_543, { kind: "year", year: 2022 }],
    [99_888, { kind: "year", year: 2024 }],
    [-81_234, { kind: "sign" }],
    [81_234_000, { kind: "unit", factor: 1e3 }],
    [812_340, { kind: "unit", factor: 10 }],
    [18_234, { kind: "digits", isSwapped: true }],
    [81_934, { kind: "digits", isSwapped: false }],
    [8_134, { kind: "digits", isSwapped: false }],
    [55_555, { kind: "unknown" }],
  ])("of %i is %j", (typed, reason) => {
    expect(explain(typed)).toEqual(reason);
  });

  it("is another version of the year, as after a restatement", () => {
    const restated = createFigures([
      toAnswer(
        "a",
        toYear(2023, { CONSOLIDATED: { Revenue: 500_000 } }),
        toYear(2023, { CONSOLIDATED: { Revenue: 470_000 } }, { periodType: "LTM", financialType: "ORIGINAL" }),
      ),
    ]);
    const state = { value: 470, formula: "", format: "" };
    const cell = { row: 1, column: 1, typed: 470, state, company: 0, years: [2023], yearCell: null, metricCell: null };
    expect(findReason({ cell, hypothesis, decimals: 0, figures: restated })).toMatchObject({ kind: "version" });
  });
});

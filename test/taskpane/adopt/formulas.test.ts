import { describe, expect, it } from "@jest/globals";
import type { BlockCell } from "../../../src/taskpane/adopt/block";
import { toCellFormula } from "../../../src/taskpane/adopt/formulas";
import type { Hypothesis } from "../../../src/taskpane/adopt/hypotheses";

const hypothesis: Hypothesis = { metric: "Revenue", basis: null, unit: 1e6, sign: 1, year: { index: 0 } };
const cell: BlockCell = {
  ...{ row: 2, column: 2, typed: 12, state: { value: 12, formula: "", format: "" }, company: 0, years: [2023] },
  yearCell: { row: 0, column: 2 },
  metricCell: null,
};
const named = { id: "c-1", label: { text: "Sakura", cell: { row: 2, column: 0 } } };

const write = (
  changed: Partial<BlockCell>,
  other: Partial<Hypothesis> = {},
  company: Parameters<typeof toCellFormula>[2] = named,
  label = "",
) => toCellFormula({ ...cell, ...changed }, { ...hypothesis, ...other }, company, () => label);

describe("the formula of a typed number", () => {
  it("refers to the labels of its row and column, so that it can be copied", () => {
    expect(write({})).toBe('=FEED.FINANCIAL($A3, C$1, "Revenue", , "m")');
  });

  it("refers to a title by its row and column", () => {
    const title = { id: "c-1", label: { text: "Sakura", cell: { row: 0, column: 0 } } };
    expect(write({}, {}, title)).toBe('=FEED.FINANCIAL($A$1, C$1, "Revenue", , "m")');
  });

  it.each(["Revenue", "売上高", "REVENUE"])("takes the metric from the label %s, which the formula reads", (label) => {
    expect(write({ metricCell: { row: 1, column: 2 } }, {}, named, label)).toBe(
      '=FEED.FINANCIAL($A3, C$1, C$2, , "m")',
    );
  });

  it.each(["Net sales", "Revenue (¥m)", "Revenue, net"])("names the metric where the label is %s", (label) => {
    expect(write({ metricCell: { row: 1, column: 2 } }, {}, named, label)).toContain('"Revenue"');
  });

  it("names id and year where no label is an argument", () => {
    const unread = { id: "c-1", label: { text: "Sakura", cell: null } };
    expect(write({ yearCell: null }, {}, unread)).toBe('=FEED.FINANCIAL("c-1", 2023, "Revenue", , "m")');
  });

  it("has the year that the figures told, though the label says another", () => {
    expect(write({ years: [2024, 2023] }, { year: { index: 1 } })).toContain("$A3, 2023,");
  });

  it("has basis, unit and sign", () => {
    expect(write({}, { basis: "NON_CONSOLIDATED", unit: 1e8, sign: -1 })).toBe(
      '=-FEED.FINANCIAL($A3, C$1, "Revenue", "NON_CONSOLIDATED", 100000000)',
    );
    expect(write({}, { unit: 1 })).toBe('=FEED.FINANCIAL($A3, C$1, "Revenue")');
  });
});

import { describe, expect, it } from "@jest/globals";
import type { BlockCell } from "../../../src/taskpane/adopt/block";
import { toCellFormula } from "../../../src/taskpane/adopt/formulas";
import type { Hypothesis } from "../../../src/taskpane/adopt/hypotheses";
import { isRatioWord, isSummaryWord, readConsolidation, readMetricWord } from "../../../src/taskpane/adopt/label-words";
import { compare, countDecimals, readTypedNumber } from "../../../src/taskpane/adopt/typed-numbers";
import { readUnitLabel } from "../../../src/taskpane/adopt/units";
import { isDateFormat, readYearLabel } from "../../../src/taskpane/adopt/year-labels";
import labels from "./labels.json";

describe("labels of years", () => {
  it.each(labels.years as [string | number, number[], boolean][])("%s may mean %j", (label, years, isArgument) => {
    expect(readYearLabel(label)).toEqual({ years, isArgument });
  });

  it.each(["CAGR", "Total", "7203", "24", 1234567, 12.5])("%s means none", (label) => {
    expect(readYearLabel(label)).toBeNull();
  });

  it("reads a date by its format, in both date systems", () => {
    expect(readYearLabel(45382, "yyyy/m/d")).toEqual({ years: [2024, 2023], isArgument: false });
    expect(readYearLabel(45382 - 1462, "yyyy/m/d", 1904)).toEqual({ years: [2024, 2023], isArgument: false });
    expect(["General", "#,##0_);[Red](#,##0)", '0.0"days"'].map(isDateFormat)).toEqual([false, false, false]);
  });
});

describe("labels of units", () => {
  it.each(labels.units as [string, number | null][])("%s means %s", (label, unit) => {
    expect(readUnitLabel(label)).toBe(unit);
  });
});

describe("labels of metrics", () => {
  it.each(labels.metrics as [string, string | null][])("%s means %s", (label, metric) => {
    expect(readMetricWord(label)).toBe(metric);
  });

  it("tells ratios, sums and consolidations from companies", () => {
    expect(["EBIT margin", "YoY", "営業利益率", "ROE"].map(isRatioWord)).toEqual([true, true, true, true]);
    expect(["Sakura Corporation", "Net sales", "Total assets"].map(isRatioWord)).toEqual([false, false, false]);
    expect(["Total", "合計", "Average", "Total assets", "Totalis Inc."].map(isSummaryWord)).toEqual([
      ...[true, true, true, false, false],
    ]);
    expect(["単体", "Non-consolidated", "連結", "Sakura"].map(readConsolidation)).toEqual([
      ...["NON_CONSOLIDATED", "NON_CONSOLIDATED", "CONSOLIDATED", null],
    ]);
  });
});

describe("typed numbers", () => {
  it.each(labels.numbers as [string | number, string, number | null][])(
    "%s under the format %s is %s",
    (value, format, number) => {
      expect(readTypedNumber({ value, formula: "", format })).toBe(number);
    },
  );

  it("are no results of formulas", () => {
    expect(readTypedNumber({ value: 5, formula: "=SUM(2,3)", format: "" })).toBeNull();
  });

  it("agree with a figure that is equal, rounded or cut to their decimals", () => {
    expect([12.3, 1234, 0.1 + 0.2].map(countDecimals)).toEqual([1, 0, 1]);
    expect(compare(1234, 1234, 0)).toBe("equal");
    expect(compare(1234, 1233.5, 0)).toBe("rounded");
    expect(compare(1234, 1234.9, 0)).toBe("rounded");
    expect(compare(-1234, -1234.9, 0)).toBe("rounded");
    expect(compare(1234, 1233.4, 0)).toBe("differs");
    expect(compare(12.3, 12.351, 1)).toBe("rounded");
    expect(compare(12.3, 12.41, 1)).toBe("differs");
  });
});

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

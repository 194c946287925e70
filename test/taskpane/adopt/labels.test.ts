import { describe, expect, it } from "@jest/globals";
import type { BlockCell } from "../../../src/taskpane/adopt/block";
import { toCellFormula } from "../../../src/taskpane/adopt/formulas";
import type { Hypothesis } from "../../../src/taskpane/adopt/hypotheses";
import { isRatioWord, isSummaryWord, readConsolidation, readMetricWord } from "../../../src/taskpane/adopt/label-words";
import { compare, countDecimals, readTypedNumber } from "../../../src/taskpane/adopt/typed-numbers";
import { readUnitLabel } from "../../../src/taskpane/adopt/units";
import { isDateFormat, readYearLabel } from "../../../src/taskpane/adopt/year-labels";

describe("labels of years", () => {
  it.each([
    [2023, [2023], true],
    ["2023", [2023], true],
    ["FY2023", [2023], true],
    ["FY23", [2023], false],
    ["FY2023A", [2023], false],
    ["2023年度", [2023], false],
    ["FY2023 (¥m)", [2023], false],
    ["2024年3月期", [2024, 2023], false],
    ["2024/3", [2024, 2023], false],
    ["Mar-24", [2024, 2023], false],
    ["Dec 2024", [2024], false],
    ["31/12/2024", [2024], false],
  ])("%s may mean %j", (label, years, isArgument) => {
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
  it.each([
    ["(¥m)", 1e6],
    ["百万円", 1e6],
    ["単位:億円", 1e8],
    ["(JPY bn)", 1e9],
    ["in thousands", 1e3],
    ["Net sales (千円)", 1e3],
    ["Peers, JPY m", 1e6],
    ["(円)", 1],
    ["億万商事", null],
    ["Sakura Foods", null],
    ["Mori", null],
    ["Kumo", null],
    ["US$m", 1e6],
  ])("%s means %s", (label, unit) => {
    expect(readUnitLabel(label)).toBe(unit);
  });
});

describe("labels of metrics", () => {
  it.each([
    ["Net sales", "Revenue"],
    ["売上高(百万円)", "Revenue"],
    ["SG&A", "Operating Expenses"],
    ["Operating income", "EBIT"],
    ["営業活動によるキャッシュ・フロー", "Operating Cash Flow"],
    ["連結売上高", "Revenue"],
    ["EBIT margin", null],
  ])("%s means %s", (label, metric) => {
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
  it.each([
    [1234.5, "", 1234.5],
    ["(1,234.5)", "@", -1234.5],
    ["△1,234", "", -1234],
    ["1,234", "", 1234],
    ["12345", "@", 12345],
    ["7203", "@", null],
    ["1234567890123", "@", null],
    ["n/a", "", null],
    [0.12, "0.0%", null],
    [45382, "yyyy-mm-dd", null],
  ])("%s under the format %s is %s", (value, format, number) => {
    expect(readTypedNumber({ value, formula: "", format })).toBe(number);
  });

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

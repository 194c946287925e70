import { describe, expect, it } from "@jest/globals";
import type { CellState } from "../../../src/contract/workbook";
import type { Financials, FinancialYear } from "../../../src/feed/decode";
import { finishInSlices } from "../../../src/taskpane/slices";
import { type Block, type BlockCell, readBlock } from "../../../src/tools/adopt/block";
import {
  compare,
  countDecimals,
  isDateFormat,
  isRatioWord,
  isSummaryWord,
  readConsolidation,
  readMetricWord,
  readTypedNumber,
  readUnitLabel,
  readYearLabel,
} from "../../../src/tools/adopt/cell-texts";
import {
  compareCells,
  isAgreeing,
  toCellAddress,
  toCellFormula,
  toFirstChoices,
} from "../../../src/tools/adopt/comparison";
import { createFigures, type Hypothesis, type Proposal, proposeLines } from "../../../src/tools/adopt/proposals";
import { findReason } from "../../../src/tools/adopt/reasons";
import type { SheetPart } from "../../../src/tools/adopt/sides";
import cases from "./blocks.json";
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

it.each(labels.units as [string, number | null][])("labels of units %s means %s", (label, unit) => {
  expect(readUnitLabel(label)).toBe(unit);
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

const IN_MILLIONS: Hypothesis = { metric: "Revenue", basis: null, unit: 1e6, sign: 1, year: { index: 0 } };
const TYPED: BlockCell = {
  ...{ row: 2, column: 2, typed: 12, state: { value: 12, formula: "", format: "" }, company: 0, years: [2023] },
  yearCell: { row: 0, column: 2 },
  metricCell: null,
};
const BESIDE = { row: 2, column: 0 };

interface Written {
  title: string;
  cell?: Partial<BlockCell>;
  hypothesis?: Partial<Hypothesis>;
  /** Where the company's label stands; default beside the cell. */
  company?: BlockCell["yearCell"];
  /** What a label of metrics says, which stands above the cell. */
  metric?: string;
  formula: string;
}

it.each(labels.formulas as unknown as Written[])(
  "the formula of a typed number $title: $formula",
  ({ metric, company = BESIDE, formula, ...changed }) => {
    const of = { id: "c-1", label: { text: "Sakura", cell: company } };
    const metricCell = metric === undefined ? null : { row: 1, column: 2 };
    const written = toCellFormula(
      { ...TYPED, metricCell, ...changed.cell },
      { ...IN_MILLIONS, ...changed.hypothesis },
      of,
      () => metric ?? "",
    );
    expect(written).toBe(formula);
  },
);

/** A version of a fiscal year: figures by consolidation and metric. */
function toYear(
  year: number,
  figures: Readonly<Record<string, Readonly<Record<string, number>>>>,
  fields: Record<string, unknown> = {},
): FinancialYear {
  const statements = Object.entries(figures).map(([consolidationType, metrics]) => ({
    statementType: "INCOME_STATEMENT",
    consolidationType,
    metrics: Object.entries(metrics).map(([name, value]) => ({ name, value })),
  }));
  const own = { year, currency: "JPY", periodType: "ANNUAL", period: "FY4", financialType: "FULL", ...fields };
  return { year, fields: own, statements };
}

const toAnswer = (companyId: string, ...years: FinancialYear[]): Financials => ({ companyId, years });

type Typed = string | number | null | Partial<CellState>;

function toPart(rows: readonly (readonly Typed[])[]): SheetPart {
  const width = Math.max(...rows.map((row) => row.length));
  const toState = (typed: Typed = null): CellState =>
    typeof typed === "object" && typed !== null
      ? { value: null, formula: "", format: "", ...typed }
      : { value: typed, formula: "", format: "" };
  const cells = rows.map((row) => Array.from({ length: width }, (_, c) => toState(row[c])));
  const selection = { row: 0, column: 0, rows: rows.length, columns: width };
  return { sheet: "Model", row: 0, column: 0, cells, selection, dateSystem: 1900 };
}

/** What would be replaced at once: each cell's address with its metric, year, unit and sign. */
async function adopt(rows: readonly (readonly Typed[])[], answers: readonly Financials[]): Promise<string[]> {
  const part = toPart(rows);
  const block = readBlock(part) as Block;
  if (typeof block === "string") return [block];
  const figures = createFigures(answers);
  const proposals = await finishInSlices(proposeLines(block, figures));
  const companies = answers.map((answer) => ({ answer, label: { text: "", cell: null } }));
  const comparison = { part, block, companies, figures, proposals };
  return compareCells(comparison, toFirstChoices(comparison)).map((each) => {
    const { metric, unit, sign } = each.hypothesis;
    const state = isAgreeing(each) ? "" : ` ${each.agreement}`;
    return `${toCellAddress(each.cell)} ${metric} ${each.year}${unit === 1 ? "" : ` /${unit}`}${sign === 1 ? "" : " negative"}${state}`;
  });
}

const FIGURES = [
  [987_654_321, -45_678_912, 123_456_789],
  [876_543_210, 34_567_891, 98_765_432],
  [765_432_109, 23_456_789, 87_654_321],
];

const toName = (company: number) => `Company ${company}`;
const COMPANIES = [0, 1, 2];
const at = (company: number, metric: number, year = 2023) =>
  (FIGURES[company]?.[metric] ?? 0) + (year - 2023) * ([11_111_111, 1_111_111, 7_654_321][metric] ?? 0);
const k = (figure: number) => Math.round(figure / 1e3);
const m = (figure: number) => Math.round(figure / 1e5) / 10;

/** Three companies with figures of 2022 and 2023. */
const ANSWERS = COMPANIES.map((c) => {
  const toFigures = (year: number) => ({
    CONSOLIDATED: { Revenue: at(c, 0, year), "Net Income": at(c, 1, year), "Total Assets": at(c, 2, year) },
  });
  return toAnswer(`c${c}`, ...[2022, 2023].map((year) => toYear(year, toFigures(year))));
});

it.each(cases.years as unknown as [string, Typed, Typed][])(
  "years above typed numbers are read from %s",
  async (_, one, two) => {
    const rows = COMPANIES.map((c) => [toName(c), k(at(c, 0, 2022)), k(at(c, 0))]);
    const adopted = await adopt([["売上高", one, two], ...rows], ANSWERS);
    expect(adopted).toEqual([2, 3, 4].flatMap((row) => [`B${row} Revenue 2022 /1000`, `C${row} Revenue 2023 /1000`]));
  },
);

describe("typed numbers that a block has besides the figures", () => {
  const REVENUE_AND_INCOME = [2, 3, 4].flatMap((row) => [`B${row} Revenue`, `C${row} Net Income`]);
  const own = (columns: readonly string[]) => columns.map((each) => `${each} 2023 /1000`);
  const rowOf = (c: number) => [toName(c), k(at(c, 0)), k(at(c, 1))];

  it("stay: totals, averages and growth", async () => {
    const below = [
      ["Total", 123_456, 4_567],
      ["平均", 123, 456],
      ["Growth", { value: 0.1, format: "0%" }],
    ];
    const adopted = await adopt([["FY2023", "Revenue", "Net income"], ...COMPANIES.map(rowOf), ...below], ANSWERS);
    expect(adopted).toEqual(own(REVENUE_AND_INCOME));
  });

  it("stay: percentages, as numbers, formats and texts", async () => {
    const rows = COMPANIES.map((c) => [...rowOf(c), 12.5, { value: 0.125, format: "0.0%" }, "12.5%"]);
    const heads = ["FY2023", "Revenue", "Net income", "EBIT margin", "Share", "Growth"];
    const adopted = await adopt([heads, ...rows], ANSWERS);
    expect(adopted).toEqual(own(REVENUE_AND_INCOME));
  });

  it("stay: formulas of the person among the numbers, and blanks", async () => {
    const rows = COMPANIES.map((c) => [
      toName(c),
      c === 1 ? { value: 5, formula: "=2+3" } : k(at(c, 0)),
      c === 2 ? null : k(at(c, 1)),
      { value: 7, formula: `=B${c + 2}+C${c + 2}` },
    ]);
    const adopted = await adopt([["FY2023", "Revenue", "Net income", "Both"], ...rows], ANSWERS);
    expect(adopted).toEqual(own(["B2 Revenue", "C2 Net Income", "C3 Net Income", "B4 Revenue"]));
  });
});

describe("typed numbers", () => {
  it("may have a unit in each column", async () => {
    const rows = COMPANIES.map((c) => [toName(c), k(at(c, 0)), m(at(c, 1)), at(c, 2)]);
    const adopted = await adopt([["FY2023", "Revenue (¥k)", "Net income (¥m)", "Total Assets"], ...rows], ANSWERS);
    const first = ["B2 Revenue 2023 /1000", "C2 Net Income 2023 /1000000", "D2 Total Assets 2023"];
    expect(adopted.slice(0, 3)).toEqual(first);
    expect(adopted.filter((each) => each.endsWith("differs"))).toEqual([]);
  });

  it("may be texts, with brackets and triangles for negative ones", async () => {
    const write = (figure: number) => Math.abs(figure).toLocaleString("en");
    const signed = (figure: number, negative: string) =>
      figure < 0 ? negative.replace("0", write(figure)) : write(figure);
    for (const negative of ["(0)", "△0", "▲ 0", "-0"]) {
      const rows = COMPANIES.map((c) => [toName(c), { value: signed(k(at(c, 1)), negative), format: "@" }]);
      const adopted = await adopt([["FY2023 (千円)", "当期純利益"], ...rows], ANSWERS);
      expect([negative, adopted]).toEqual([negative, [2, 3, 4].map((row) => `B${row} Net Income 2023 /1000`)]);
    }
  });
});

function propose(rows: readonly (readonly Typed[])[], answers: readonly Financials[]): Promise<Proposal[]> {
  return finishInSlices(proposeLines(readBlock(toPart(rows)) as Block, createFigures(answers)));
}

type Years = Record<number, Parameters<typeof toYear>[1]>;

/** Answers of three companies, and the number that is typed for each. */
function toCase(toYears: (company: number) => Years, toNumber: (company: number) => number) {
  const toYearsOf = (c: number) => Object.entries(toYears(c)).map(([year, own]) => toYear(Number(year), own));
  return { answers: COMPANIES.map((c) => toAnswer(`c${c}`, ...toYearsOf(c))), toNumber };
}

const toEbit = (c: number) => 4_321 + c * 77;
/** Companies whose EBITDA equals their EBIT. */
const SAME = toCase((c) => {
  const equal = { EBITDA: toEbit(c), EBIT: toEbit(c) };
  return { 2023: { CONSOLIDATED: { Revenue: 70_000 + c, ...equal } } };
}, toEbit);
const NO_FIGURES = { ...SAME, toNumber: (c: number) => 51 + c * 13 };
const OWN_EBIT = toCase((c) => ({ 2023: { CONSOLIDATED: { Revenue: 70_000 + c, EBIT: toEbit(c) } } }), toEbit);
const TWO_UNITS = toCase(
  (c) => ({ 2023: { CONSOLIDATED: { Revenue: 2e6 + c, "Gross Profit": 2e9 + c } } }),
  () => 2,
);
const OWN_STATEMENT = toCase(
  () => ({ 2023: { CONSOLIDATED: { Revenue: 9_876_000 }, NON_CONSOLIDATED: { Revenue: 1_234_000 } } }),
  () => 1234,
);
const TWO_YEARS = toCase(
  (c) => ({
    2023: { CONSOLIDATED: { Revenue: 81_234 + c * 991 } },
    2024: { CONSOLIDATED: { Revenue: 91_555 + c * 17 } },
  }),
  (c) => 81_234 + c * 991,
);

/** Three companies below their headings, with a number each. */
const proposeColumn = (heads: Typed[][], { answers, toNumber }: typeof SAME) =>
  propose([...heads, ...COMPANIES.map((c) => [toName(c), toNumber(c)])], answers);

describe("what is proposed", () => {
  it("is a choice where the figures fit two metrics", async () => {
    const [proposal] = await proposeColumn([[null, 2023]], SAME);
    expect(proposal?.choices.map(({ metric }) => metric).sort()).toEqual(["EBIT", "EBITDA"]);
    expect(proposal?.isCertain).toBe(false);
  });

  const underYear = (metric: string) => [["FY2023"], [null, metric]];
  const under = (...years: Typed[]) => [[null, ...years]];
  const certain = (...choices: object[]) => ({ isCertain: true, choices });
  const open = (...choices: object[]) => ({ isCertain: false, choices });
  const EBIT = { metric: "EBIT", unit: 1, sign: 1 };
  const PARENT = { basis: "NON_CONSOLIDATED", unit: 1e3 };

  it.each<[string, Typed[][], typeof SAME, object]>([
    ["follows a label that names one of the two", underYear("営業利益"), SAME, certain(EBIT)],
    ["is left to the person where the label names another metric", underYear("Revenue"), OWN_EBIT, open(EBIT)],
    ["follows the figures where the label is not known", underYear("Own words"), OWN_EBIT, certain(EBIT)],
    ["is a choice where so few digits fit two units", under(2023), TWO_UNITS, { isCertain: false }],
    ["is nothing for numbers that fit no figure", underYear("Stores"), NO_FIGURES, open()],
    [
      "is a company's own statement where its title says so",
      [["単体 (千円)"], ...under(2023)],
      OWN_STATEMENT,
      certain(PARENT),
    ],
    [
      "is the year before where a label by the year's end means it",
      under("2024年3月期"),
      TWO_YEARS,
      certain({ year: { index: 1 } }),
    ],
  ])("%s", async (_, heads, given, proposal) => {
    expect(await proposeColumn(heads, given)).toMatchObject([proposal]);
  });

  it("is left to the person where half of a few digits differ", async () => {
    const names = ["Sakura", "Fuji", "Hoshi", "Mori", "Kumo", "Umi"];
    const answers = names.map((id, index) => toAnswer(id, toYear(2023, { CONSOLIDATED: { Revenue: 30 + index } })));
    const heads = [["FY2023"], [null, "Revenue"]];
    const rows = (differing: number) => [
      ...heads,
      ...names.map((name, r) => [name, 30 + r + (r < differing ? 40 : 0)]),
    ];
    expect(await propose(rows(0), answers)).toMatchObject([{ isCertain: true }]);
    expect(await propose(rows(3), answers)).toMatchObject([{ isCertain: false }]);
  });
});

describe("a selection", () => {
  it("without a typed number, or without a company, is no block", () => {
    expect(readBlock(toPart([["Sakura", "Fuji"]]))).toBe("noNumbers");
    const years = [2022, 2023];
    expect(readBlock(toPart([years, [12.5, 13.5]]))).toBe("noCompanies");
  });

  const [ONE, TWO] = [
    [12.5, 13.5],
    [12.5, 13.5, 14.5, 15.5],
  ];
  it.each<[string, Typed[][], string]>([
    [
      "a company's statement",
      [["Sakura Foods"], [null, 2022, 2023], ["Revenue", ...ONE], ["EBIT", ...ONE]],
      "noCompanies",
    ],
    [
      "companies that stand once for each year",
      [
        [null, null, "Revenue", "EBIT"],
        ...["Sakura", "Fuji"].flatMap((name) => [2022, 2023].map((year) => [name, year, ...ONE])),
      ],
      "severalBlocks",
    ],
    [
      "years that come again for another metric",
      [
        [null, "Revenue", null, "EBIT"],
        [null, 2022, 2023, 2022, 2023],
        ["Sakura", ...TWO],
        ["Fuji", ...TWO],
      ],
      "severalBlocks",
    ],
    [
      "metrics that come again for another year",
      [
        [null, 2022, null, 2023],
        [null, "Revenue", "EBIT", "Revenue", "EBIT"],
        ["Sakura", ...TWO],
        ["Fuji", ...TWO],
      ],
      "severalBlocks",
    ],
    [
      "metrics beside the companies",
      [
        [null, null, 2022, 2023],
        ["Sakura", "Revenue", ...ONE],
        ["Fuji", "EBIT", ...ONE],
      ],
      "severalBlocks",
    ],
  ])("with %s is no block", (_, rows, why) => {
    expect(readBlock(toPart(rows))).toBe(why);
  });

  it("of one metric's years is a block by its own heading, though others stand beside it", () => {
    const rows = [
      [null, "Revenue", null, "EBIT"],
      [null, 2022, 2023, 2022, 2023],
      ["Sakura", ...TWO],
      ["Fuji", ...TWO],
    ];
    const part = toPart(rows);
    const toWord = (column: number) =>
      (readBlock({ ...part, selection: { ...part.selection, column, columns: 2 } }) as Block).lines.map(
        ({ metricWord, cells }) => [metricWord, cells.length],
      );
    expect([toWord(1), toWord(3)]).toEqual([[["Revenue", 4]], [["EBIT", 4]]]);
  });

  it("of companies, each with its own year, has a line for each metric", () => {
    const rows = [
      [null, "FY", "Revenue", "EBIT"],
      ["Sakura", 2022, ...ONE],
      ["Fuji", 2023, ...ONE],
    ];
    const { lines } = readBlock(toPart(rows)) as Block;
    expect(lines.map(({ label, cells }) => [label, cells.map(({ years }) => years)])).toEqual(
      ["Revenue", "EBIT"].map((label) => [label, [[2022], [2023]]]),
    );
  });

  it("leaves sums and ratios alone, and counts them", () => {
    const rows = [
      [null, 2022, 2023, "CAGR"],
      ["Sakura", 12.5, 13.5, 8],
      ["Total", 12.5, 13.5, null],
    ];
    const block = readBlock(toPart(rows)) as Block;
    expect(block.lines.flatMap(({ cells }) => cells.map(({ typed }) => typed))).toEqual([12.5, 13.5]);
    expect(block.leftAlone).toBe(3);
  });

  it("leaves a ratio alone though its numbers equal a figure", () => {
    const rows = [["FY2023"], [null, "Revenue", "Revenue growth", "Total"], ["Sakura", 4321, 4321, 4321]];
    const block = readBlock(toPart(rows)) as Block;
    expect(block.lines.map(({ label }) => label)).toEqual(["Revenue"]);
    expect(block.leftAlone).toBe(2);
  });
});

const VERSIONS = createFigures([
  toAnswer(
    "a",
    toYear(2022, { CONSOLIDATED: { Revenue: 76_543_000 } }),
    toYear(2023, { CONSOLIDATED: { Revenue: 81_234_000 }, NON_CONSOLIDATED: { Revenue: 31_777_000 } }),
    toYear(2023, { CONSOLIDATED: { Revenue: 40_111_000 } }, { periodType: "HALF", period: "HY2" }),
    toYear(2024, { CONSOLIDATED: { Revenue: 99_888_000 } }),
  ),
]);
const hypothesis: Hypothesis = { metric: "Revenue", basis: null, unit: 1e3, sign: 1, year: { index: 0 } };

function explain(typed: number, figures = VERSIONS) {
  const state = { value: typed, formula: "", format: "" };
  const place = { row: 1, column: 1, company: 0, years: [2023], yearCell: null, metricCell: null };
  const cell: BlockCell = { ...place, typed, state };
  return findReason({ cell, hypothesis, decimals: 0, figures });
}

describe("the reason why a typed number differs", () => {
  it.each(cases.reasons as unknown as [number, object][])("of %i is %j", (typed, reason) => {
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
    expect(explain(470, restated)).toMatchObject({ kind: "version" });
  });
});

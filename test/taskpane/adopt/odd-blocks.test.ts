import { describe, expect, it } from "@jest/globals";
import type { CellState } from "../../../src/contract/workbook";
import type { Financials } from "../../../src/feed/decode";
import { type Block, readBlock } from "../../../src/taskpane/adopt/block";
import { compareCells, isAgreeing, toCellAddress, toFirstChoices } from "../../../src/taskpane/adopt/comparison";
import { createFigures } from "../../../src/taskpane/adopt/figures";
import { proposeLines } from "../../../src/taskpane/adopt/proposals";
import type { SheetPart } from "../../../src/taskpane/adopt/regions";
import { finishInSlices } from "../../../src/taskpane/slices";
import { toAnswer, toYear } from "./sample-answers";

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

/** Three companies with figures of 2022 and 2023. */
const ANSWERS = FIGURES.map(([revenue = 0, income = 0, assets = 0], at) =>
  toAnswer(
    `c${at}`,
    ...[2022, 2023].map((year) =>
      toYear(year, {
        CONSOLIDATED: {
          Revenue: revenue + (year - 2023) * 11_111_111,
          "Net Income": income + (year - 2023) * 1_111_111,
          "Total Assets": assets + (year - 2023) * 7_654_321,
        },
      }),
    ),
  ),
);
const at = (company: number, metric: number, year = 2023) =>
  (FIGURES[company]?.[metric] ?? 0) + (year - 2023) * ([11_111_111, 1_111_111, 7_654_321][metric] ?? 0);
const k = (figure: number) => Math.round(figure / 1e3);
const m = (figure: number) => Math.round(figure / 1e5) / 10;

const label = (company: number) => `Company ${company}`;
const COMPANIES = [0, 1, 2];

describe("years above typed numbers", () => {
  it.each([
    ["a prefix", "FY2022", "FY2023"],
    ["a prefix and two digits", "FY22A", "FY23A"],
    ["the end of a fiscal year", "2022年3月期", "2023年3月期"],
    ["a fiscal year", "2022年度", "2023年度"],
    ["full width", "２０２２年", "２０２３年"],
    ["a short year and a month", "22年12月期", "23年12月期"],
    ["a month before the year", "FY12/22", "FY12/23"],
    ["a month's name", "Dec-22", "Dec-23"],
    ["dates", { value: 44_926, format: "yyyy/mm/dd" }, { value: 45_291, format: "yyyy/mm/dd" }],
    ["dates in Japanese", { value: 44_926, format: 'yyyy"年"m"月期"' }, { value: 45_291, format: 'yyyy"年"m"月期"' }],
    ["formulas", { value: 2022, formula: "=C1-1" }, { value: 2023, formula: "=2023" }],
  ] as const)("are read from %s", async (_, one, two) => {
    const rows = COMPANIES.map((c) => [label(c), k(at(c, 0, 2022)), k(at(c, 0))]);
    const adopted = await adopt([["売上高", one, two], ...rows], ANSWERS);
    expect(adopted).toEqual([2, 3, 4].flatMap((row) => [`B${row} Revenue 2022 /1000`, `C${row} Revenue 2023 /1000`]));
  });
});

describe("typed numbers that a block has besides the figures", () => {
  const REVENUE_AND_INCOME = [
    "B2 Revenue",
    "C2 Net Income",
    "B3 Revenue",
    "C3 Net Income",
    "B4 Revenue",
    "C4 Net Income",
  ];
  const own = (columns: readonly string[]) => columns.map((each) => `${each} 2023 /1000`);
  const rowOf = (c: number) => [label(c), k(at(c, 0)), k(at(c, 1))];

  it.each([
    [
      "totals, averages and growth",
      [
        ["Total", 123_456, 4_567],
        ["平均", 123, 456],
        ["Growth", { value: 0.1, format: "0%" }],
      ],
    ],
    ["a total in Japanese", [["合計", 123_456, 4_567]]],
  ] as const)("stay: %s", async (_, below) => {
    const adopted = await adopt([["FY2023", "Revenue", "Net income"], ...COMPANIES.map(rowOf), ...below], ANSWERS);
    expect(adopted).toEqual(own(REVENUE_AND_INCOME));
  });

  it("stay: percentages, as numbers, formats and texts", async () => {
    const rows = COMPANIES.map((c) => [...rowOf(c), 12.5, { value: 0.125, format: "0.0%" }, "12.5%"]);
    const adopted = await adopt(
      [["FY2023", "Revenue", "Net income", "EBIT margin", "Share", "Growth"], ...rows],
      ANSWERS,
    );
    expect(adopted).toEqual(own(REVENUE_AND_INCOME));
  });

  it("stay: formulas of the person among the numbers, and blanks", async () => {
    const rows = COMPANIES.map((c) => [
      label(c),
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
    const rows = COMPANIES.map((c) => [label(c), k(at(c, 0)), m(at(c, 1)), at(c, 2)]);
    const adopted = await adopt([["FY2023", "Revenue (¥k)", "Net income (¥m)", "Total Assets"], ...rows], ANSWERS);
    expect(adopted.slice(0, 3)).toEqual([
      "B2 Revenue 2023 /1000",
      "C2 Net Income 2023 /1000000",
      "D2 Total Assets 2023",
    ]);
    expect(adopted.filter((each) => each.endsWith("differs"))).toEqual([]);
  });

  it("may be texts, with brackets and triangles for negative ones", async () => {
    const write = (figure: number) => Math.abs(figure).toLocaleString("en");
    const signed = (figure: number, negative: string) =>
      figure < 0 ? negative.replace("0", write(figure)) : write(figure);
    for (const negative of ["(0)", "△0", "▲ 0", "-0"]) {
      const rows = COMPANIES.map((c) => [label(c), { value: signed(k(at(c, 1)), negative), format: "@" }]);
      const adopted = await adopt([["FY2023 (千円)", "当期純利益"], ...rows], ANSWERS);
      expect([negative, adopted]).toEqual([negative, [2, 3, 4].map((row) => `B${row} Net Income 2023 /1000`)]);
    }
  });

  it("of a statement have their labels in Japanese", async () => {
    const rows = (
      [
        ["売上高", 0],
        ["当期純利益", 1],
        ["総資産", 2],
      ] as const
    ).map(([name, metric]) => [name, k(at(0, metric, 2022)), k(at(0, metric))]);
    const adopted = await adopt(
      [["Company 0(単位:千円)", 2022, 2023], ...rows, ["利益率", 12, 13]],
      ANSWERS.slice(0, 1),
    );
    expect(adopted).toEqual(
      ["Revenue", "Net Income", "Total Assets"].flatMap((metric, row) => [
        `B${row + 2} ${metric} 2022 /1000`,
        `C${row + 2} ${metric} 2023 /1000`,
      ]),
    );
  });
});

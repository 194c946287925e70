import { describe, expect, it } from "@jest/globals";
import type { CellState } from "../../../src/contract/workbook";
import type { Financials } from "../../../src/feed/decode";
import { type Block, readBlock } from "../../../src/taskpane/adopt/block";
import { createFigures } from "../../../src/taskpane/adopt/figures";
import { type Proposal, proposeLines } from "../../../src/taskpane/adopt/proposals";
import type { SheetPart } from "../../../src/taskpane/adopt/regions";
import { finishInSlices } from "../../../src/taskpane/slices";
import { toAnswer, toYear } from "./sample-answers";

type Typed = string | number | null;

function toPart(rows: readonly (readonly Typed[])[]): SheetPart {
  const width = Math.max(...rows.map((row) => row.length));
  const cells = rows.map((row) =>
    Array.from({ length: width }, (_, c): CellState => ({ value: row[c] ?? null, formula: "", format: "" })),
  );
  const selection = { row: 0, column: 0, rows: rows.length, columns: width };
  return { sheet: "Model", row: 0, column: 0, cells, selection, dateSystem: 1900 };
}

function propose(rows: readonly (readonly Typed[])[], answers: readonly Financials[]): Promise<Proposal[]> {
  return finishInSlices(proposeLines(readBlock(toPart(rows)) as Block, createFigures(answers)));
}

const toMetrics = ({ choices }: Proposal) => choices.map(({ metric }) => metric).sort();

/** Three companies whose EBITDA equals their EBIT. */
const SAME = ["a", "b", "c"].map((id, index) =>
  toAnswer(
    id,
    toYear(2023, { CONSOLIDATED: { Revenue: 70_000 + index, EBITDA: 4_321 + index * 77, EBIT: 4_321 + index * 77 } }),
  ),
);
const COMPANIES = ["Sakura Foods", "Fuji Motors", "Hoshi Optics"];
const EQUALS = [4321, 4398, 4475];

describe("what is proposed", () => {
  it("is a choice where the figures fit two metrics", async () => {
    const [proposal] = await propose([[null, 2023], ...COMPANIES.map((name, r) => [name, EQUALS[r] ?? 0])], SAME);
    expect(toMetrics(proposal as Proposal)).toEqual(["EBIT", "EBITDA"]);
    expect(proposal?.isCertain).toBe(false);
  });

  it("follows a label that names one of the two", async () => {
    const rows = [["FY2023"], [null, "営業利益"], ...COMPANIES.map((name, r) => [name, EQUALS[r] ?? 0])];
    const [proposal] = await propose(rows, SAME);
    expect(proposal).toMatchObject({ isCertain: true, choices: [{ metric: "EBIT", unit: 1, sign: 1 }] });
  });

  it("is left to the person where the figures are of another metric than the label", async () => {
    const answers = ["a", "b", "c"].map((id, index) =>
      toAnswer(id, toYear(2023, { CONSOLIDATED: { Revenue: 70_000 + index, EBIT: 4_321 + index * 77 } })),
    );
    const rows = (label: string) => [["FY2023"], [null, label], ...COMPANIES.map((name, r) => [name, EQUALS[r] ?? 0])];
    const [wrong] = await propose(rows("Revenue"), answers);
    expect(wrong).toMatchObject({ isCertain: false, choices: [{ metric: "EBIT" }] });
    const [unknown] = await propose(rows("Own words"), answers);
    expect(unknown).toMatchObject({ isCertain: true, choices: [{ metric: "EBIT" }] });
  });

  it("is left to the person where half of a few digits differ", async () => {
    const names = ["Sakura", "Fuji", "Hoshi", "Mori", "Kumo", "Umi"];
    const answers = names.map((id, index) => toAnswer(id, toYear(2023, { CONSOLIDATED: { Revenue: 30 + index } })));
    const rows = (differing: number) => [
      ["FY2023"],
      [null, "Revenue"],
      ...names.map((name, r) => [name, 30 + r + (r < differing ? 40 : 0)]),
    ];
    expect(await propose(rows(0), answers)).toMatchObject([{ isCertain: true }]);
    expect(await propose(rows(3), answers)).toMatchObject([{ isCertain: false }]);
  });

  it("is a choice where so few digits fit two units", async () => {
    const answers = ["a", "b", "c"].map((id, index) =>
      toAnswer(id, toYear(2023, { CONSOLIDATED: { Revenue: 2e6 + index, "Gross Profit": 2e9 + index } })),
    );
    const rows = [[null, 2023], ...COMPANIES.map((name) => [name, 2])];
    const [proposal] = await propose(rows, answers);
    expect(proposal?.isCertain).toBe(false);
  });

  it("is nothing for numbers that fit no figure", async () => {
    const rows = [["FY2023"], [null, "Stores"], ...COMPANIES.map((name, r) => [name, 51 + r * 13])];
    expect(await propose(rows, SAME)).toMatchObject([{ choices: [], isCertain: false }]);
  });

  it("is the single company's own statement where its title says so", async () => {
    const both = { CONSOLIDATED: { Revenue: 9_876_000 }, NON_CONSOLIDATED: { Revenue: 1_234_000 } };
    const answers = ["a", "b", "c"].map((id) => toAnswer(id, toYear(2023, both)));
    const rows = [["単体 (千円)"], [null, 2023], ...COMPANIES.map((name) => [name, 1234])];
    expect(await propose(rows, answers)).toMatchObject([
      { isCertain: true, choices: [{ basis: "NON_CONSOLIDATED", unit: 1e3 }] },
    ]);
  });

  it("takes the year before, where a label by the year's end means it", async () => {
    const answers = ["a", "b", "c"].map((id, index) =>
      toAnswer(
        id,
        toYear(2023, { CONSOLIDATED: { Revenue: 81_234 + index * 991 } }),
        toYear(2024, { CONSOLIDATED: { Revenue: 91_555 + index * 17 } }),
      ),
    );
    const rows = [[null, "2024年3月期"], ...COMPANIES.map((name, r) => [name, 81_234 + r * 991])];
    expect(await propose(rows, answers)).toMatchObject([{ isCertain: true, choices: [{ year: { index: 1 } }] }]);
  });
});

describe("a selection", () => {
  it("without a typed number, or without a company, is no block", () => {
    expect(readBlock(toPart([["Sakura", "Fuji"]]))).toBe("noNumbers");
    expect(
      readBlock(
        toPart([
          [2022, 2023],
          [12.5, 13.5],
        ]),
      ),
    ).toBe("noCompanies");
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

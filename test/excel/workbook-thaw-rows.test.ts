import { beforeEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { openExcel } from "../office/adapter-page";
import { type Block, readBlock } from "../office/addresses";
import type { ExcelWorkbook } from "../office/workbook";

const { open, workbook } = openExcel();
let excel: ExcelWorkbook;

beforeEach(() => {
  excel = open();
});

const look = (reference: string) => {
  const { formula, value } = excel.cell(reference);
  return formula ?? value;
};

describe("thawing formulas with a literal company, on the genuine Office.js", () => {
  const enterRows = (...values: (string | number)[]) => {
    values.forEach((value, index) => {
      excel.enter(`A${index + 2}`, `c${index + 2}`);
      excel.enterFormula(`B${index + 2}`, toFormula(`c${index + 2}`), value);
    });
  };
  const toFormula = (company: unknown) => `=FEED.FINANCIAL("${company}",2023,"currency")`;
  /** The value in column A beside each formula, and the formula's company. */
  const listBack = () =>
    [2, 3, 4, 5, 6, 7, 8].flatMap((row) => {
      const [, company] = /"(\w+)"/.exec(excel.cell(`B${row}`).formula ?? "") ?? [];
      return company === undefined ? [] : [`${look(`A${row}`)}: ${company}`];
    });
  /** Reorders the rows from row 2 on like Excel's sort: names do not move. */
  const sort = (order: readonly number[]) => {
    const before = order.map((row) => [excel.cell(`A${row}`).value, excel.cell(`B${row}`).value]);
    for (const [index, [name = "", value = ""]] of before.entries()) {
      excel.enter(`A${index + 2}`, name);
      excel.enter(`B${index + 2}`, value);
    }
  };
  /** Cuts a cell and pastes it elsewhere: names go along. */
  const cut = (from: string, to: string) => {
    const [source, target] = [readBlock(from), readBlock(to)] as [Block, Block];
    excel.enter(to, excel.cell(from).value);
    excel.enter(from, "");
    for (const name of excel.names.values()) {
      if (name.block?.top === source.top && name.block.left === source.left) name.block = target;
    }
  };
  const isLeft = (company: string) => ({ formula: toFormula(company), isAsFrozen: false });

  it("finds rows of equal values after one was deleted and another one inserted", async () => {
    enterRows(...Array<string>(6).fill("JPY"));
    await workbook.freeze("workbook");
    excel.shift(excel.sheet("Sheet1"), "row", 3, -1);
    excel.shift(excel.sheet("Sheet1"), "row", 6, 1);
    expect(await workbook.thaw("workbook")).toEqual({ formulas: 5, left: [], gone: 1 });
    expect(listBack()).toEqual(["c2: c2", "c4: c4", "c5: c5", "c6: c6", "c7: c7"]);
  });

  it("lists sorted rows, and gives no row another row's formula", async () => {
    enterRows(10, 20, 20, 30);
    await workbook.freeze("workbook");
    sort([5, 4, 3, 2]);
    const left = ["c2", "c3", "c4", "c5"].map(isLeft);
    expect(await workbook.thaw("workbook")).toMatchObject({ formulas: 0, left, gone: 0 });
    sort([5, 4, 3, 2]);
    expect((await workbook.thaw("workbook")).formulas).toBe(4);
    expect(listBack()).toEqual(["c2: c2", "c3: c3", "c4: c4", "c5: c5"]);
  });

  it("lists two rows of equal values that a sort exchanged, and brings back the others", async () => {
    enterRows(10, 0, 0, 30);
    await workbook.freeze("workbook");
    sort([2, 4, 3, 5]);
    expect(await workbook.thaw("workbook")).toMatchObject({ formulas: 2, left: [isLeft("c3"), isLeft("c4")], gone: 0 });
    expect(listBack()).toEqual(["c2: c2", "c5: c5"]);
  });

  it("lists equal values without neighbours once another cell of their column has changed", async () => {
    enterRows(10, 0, 0, 30);
    for (const row of [2, 3, 4, 5]) excel.enter(`A${row}`, "");
    await workbook.freeze("workbook");
    sort([5, 4, 3, 2]);
    const left = ["c2", "c3", "c4", "c5"].map(isLeft);
    expect(await workbook.thaw("workbook")).toMatchObject({ formulas: 0, left });
    sort([5, 4, 3, 2]);
    expect((await workbook.thaw("workbook")).formulas).toBe(4);
  });

  it("lists equal values without neighbours that were frozen one after the other", async () => {
    enterRows(10, 0, 0, 30);
    for (const row of [2, 3, 4, 5]) {
      excel.enter(`A${row}`, "");
      await excel.select(`B${row}`);
      await workbook.freeze("selection");
    }
    sort([5, 4, 3, 2]);
    expect(await workbook.thaw("workbook")).toMatchObject({ formulas: 0, left: [{}, {}, {}, {}] });
  });

  it("brings back no formula beside another company's name after any sort", async () => {
    const rows = [0, 1, 2, 3, 4];
    const order = fc.shuffledSubarray(rows, { minLength: rows.length });
    const values = fc.array(fc.constantFrom(0, 10, "JPY"), { minLength: rows.length, maxLength: rows.length });
    await fc.assert(
      fc.asyncProperty(values, order, fc.boolean(), async (shown, sorted, isNamed) => {
        excel = open();
        enterRows(...shown);
        if (!isNamed) for (const row of rows) excel.enter(`A${row + 2}`, "");
        await workbook.freeze("workbook");
        sort(sorted.map((row) => row + 2));
        await workbook.thaw("workbook");
        const stayed = rows.filter((row) => sorted[row] === row);
        const back = rows.filter((row) => excel.cell(`B${row + 2}`).formula !== null);
        // Without names, a sort that changes nothing cannot be seen.
        if (isNamed) expect(back).toEqual(stayed);
        else if (sorted.some((from, row) => shown[from] !== shown[row]))
          expect(stayed).toEqual(expect.arrayContaining(back));
      }),
      { numRuns: 25 },
    );
  });

  it("brings back a formula that refers to its row's company name, sorted or not", async () => {
    for (const row of [2, 3, 4]) {
      excel.enter(`A${row}`, `c${row}`);
      excel.enterFormula(`B${row}`, `=FEED.FINANCIAL($A${row},2023,"currency")`, "JPY");
    }
    await workbook.freeze("workbook");
    sort([4, 3, 2]);
    expect(await workbook.thaw("workbook")).toEqual({ formulas: 3, left: [], gone: 0 });
    expect(["A2", "B2"].map(look)).toEqual(["c4", '=FEED.FINANCIAL($A2,2023,"currency")']);
  });

  it("brings back the only formula of a column, which refers to its row's company, after that was entered again", async () => {
    excel.enter("A2", "c2");
    excel.enterFormula("B2", '=FEED.FINANCIAL($A2,2023,"currency")', "JPY");
    await workbook.freeze("workbook");
    excel.enter("A2", "c9");
    expect((await workbook.thaw("workbook")).formulas).toBe(1);
  });

  it("lists the only formula of a column, with a literal company, if a sort brings an equal value there", async () => {
    enterRows(20);
    excel.enter("A3", "Fuji");
    excel.enter("B3", 20);
    await workbook.freeze("workbook");
    sort([3, 2]);
    expect(await workbook.thaw("workbook")).toMatchObject({ formulas: 0, left: [isLeft("c2")] });
  });

  it("finds a cell that was cut and pasted elsewhere, with its name or without", async () => {
    enterRows("JPY", "JPY", "JPY");
    await workbook.freeze("workbook");
    cut("B3", "D9");
    cut("A4", "C20");
    cut("B4", "D20");
    expect(await workbook.thaw("workbook")).toEqual({ formulas: 3, left: [], gone: 0 });
    expect(["B2", "B3", "B4", "D9", "D20"].map(look)).toEqual([
      toFormula("c2"),
      "",
      "",
      toFormula("c3"),
      toFormula("c4"),
    ]);
  });

  it("leaves a renamed row, and any other row that it could be", async () => {
    enterRows("JPY", "JPY", "JPY", "JPY");
    await workbook.freeze("workbook");
    excel.enter("A3", "c9");
    expect(await workbook.thaw("workbook")).toMatchObject({ formulas: 3, left: [isLeft("c3")], gone: 0 });
    expect(listBack()).toEqual(["c2: c2", "c4: c4", "c5: c5"]);
    excel.enter("A3", "c3");
    expect(await workbook.thaw("workbook")).toEqual({ formulas: 1, left: [], gone: 0 });
  });

  it("retains a formula that was left while other cells of its column are frozen again", async () => {
    excel = open({ calculate: () => [["JPY"]] });
    enterRows("JPY", "JPY", "JPY");
    await workbook.freeze("workbook");
    excel.enter("A3", "c9");
    await workbook.thaw("workbook");
    await workbook.freeze("workbook");
    expect(await workbook.thaw("workbook")).toMatchObject({ formulas: 2, left: [isLeft("c3")], gone: 0 });
  });

  it("drops the formulas of a deleted row, and reports that", async () => {
    enterRows("JPY", "JPY", "JPY", "JPY");
    await workbook.freeze("workbook");
    excel.shift(excel.sheet("Sheet1"), "row", 3, -1);
    expect(await workbook.thaw("workbook")).toEqual({ formulas: 3, left: [], gone: 1 });
    expect(listBack()).toEqual(["c2: c2", "c4: c4", "c5: c5"]);
  });

  it("brings back a formula that also refers to its row, unless the rows were sorted", async () => {
    for (const row of [2, 3, 4]) {
      excel.enter(`A${row}`, `c${row}`);
      excel.enterFormula(`B${row}`, `=FEED.FINANCIAL("c${row}",$C${row})`, "JPY");
    }
    await workbook.freeze("workbook");
    excel.shift(excel.sheet("Sheet1"), "row", 3, 1);
    for (const [row, name] of [
      [4, "c4"],
      [5, "c3"],
    ] as const)
      excel.enter(`A${row}`, name);
    expect(await workbook.thaw("workbook")).toMatchObject({ formulas: 1, left: [{}, {}] });
    for (const [row, name] of [
      [4, "c3"],
      [5, "c4"],
    ] as const)
      excel.enter(`A${row}`, name);
    expect(await workbook.thaw("workbook")).toEqual({ formulas: 2, left: [], gone: 0 });
    expect(["B2", "B4", "B5"].map(look)).toEqual(
      [
        [2, 2],
        [3, 4],
        [4, 5],
      ].map(([company, row]) => `=FEED.FINANCIAL("c${company}",$C${row})`),
    );
  });

  it("brings back a formula after numbers and notes were entered beside it", async () => {
    enterRows("JPY", "JPY", "JPY");
    excel.enter("C2", 1);
    await workbook.freeze("workbook");
    excel.enter("C2", 2);
    excel.enter("C3", 3);
    excel.enter("D3", "ask again");
    expect(await workbook.thaw("workbook")).toEqual({ formulas: 3, left: [], gone: 0 });
  });

  it("finds rows with equal texts by the numbers before them, and lists rows without a difference", async () => {
    for (const [index, year] of [2021, 2022, 2022].entries()) {
      excel.enter(`A${index + 2}`, "Fuji");
      excel.enter(`B${index + 2}`, year);
      excel.enterFormula(`C${index + 2}`, `=FEED.FINANCIAL("c1",${year},"currency",${index})`, "JPY");
    }
    await workbook.freeze("workbook");
    for (const [index, year] of [2022, 2022, 2021].entries()) excel.enter(`B${index + 2}`, year);
    expect(await workbook.thaw("workbook")).toMatchObject({ formulas: 0, left: [{}, {}, {}], gone: 0 });
    for (const [index, year] of [2021, 2022, 2022].entries()) excel.enter(`B${index + 2}`, year);
    expect((await workbook.thaw("workbook")).formulas).toBe(3);
  });

  it("finds rows by texts and numbers together where neither is unique", async () => {
    const rows = [
      ["Fuji", 2021],
      ["Fuji", 2022],
      ["Sakura", 2021],
      ["Sakura", 2022],
    ] as const;
    const enterNames = (names: readonly (readonly [string, number])[]) => {
      names.forEach(([company, year], index) => {
        excel.enter(`A${index + 2}`, company);
        excel.enter(`B${index + 2}`, year);
      });
    };
    enterNames(rows);
    rows.forEach(([company, year], index) => {
      excel.enterFormula(`C${index + 2}`, `=FEED.FINANCIAL("${company}",${year},"currency")`, "JPY");
    });
    await workbook.freeze("workbook");
    enterNames([rows[0], rows[2], rows[1], rows[3]]);
    const left = [{ address: "C3" }, { address: "C4" }];
    expect(await workbook.thaw("workbook")).toMatchObject({ formulas: 2, left });
    expect(["C2", "C5"].map(look)).toEqual(
      [rows[0], rows[3]].map(([company, year]) => `=FEED.FINANCIAL("${company}",${year},"currency")`),
    );
  });
});

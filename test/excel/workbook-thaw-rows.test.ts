import { beforeEach, describe, expect, it } from "@jest/globals";
import { openExcel } from "../support/excel-page";
import type { ExcelWorkbook } from "../support/excel-workbook";

const { open, workbook } = openExcel();
let excel: ExcelWorkbook;

beforeEach(() => {
  excel = open();
});

const look = (reference: string) => {
  const { formula, value } = excel.cell(reference);
  return formula ?? value;
};

describe("thawing formulas that name their company themselves, on the genuine Office.js", () => {
  const enterRows = (...values: (string | number)[]) => {
    values.forEach((value, index) => {
      excel.enter(`A${index + 2}`, `c${index + 2}`);
      excel.enterFormula(`B${index + 2}`, toFormula(`c${index + 2}`), value);
    });
  };
  const toFormula = (company: unknown) => `=FEED.FINANCIAL("${company}",2023,"currency")`;
  /** What stands in column A beside each formula, and whose formula it is. */
  const listBack = () =>
    [2, 3, 4, 5, 6, 7, 8].flatMap((row) => {
      const [, company] = /"(\w+)"/.exec(excel.cell(`B${row}`).formula ?? "") ?? [];
      return company === undefined ? [] : [`${look(`A${row}`)}: ${company}`];
    });
  const isLeft = (company: string) => ({ formula: toFormula(company), isAsFrozen: false });

  it("follows rows of equal values where one was deleted and another one inserted", async () => {
    enterRows(...Array<string>(6).fill("JPY"));
    await workbook.freeze("workbook");
    excel.shift(excel.sheet("Sheet1"), "row", 3, -1);
    excel.shift(excel.sheet("Sheet1"), "row", 6, 1);
    expect(await workbook.thaw("workbook")).toMatchObject({ formulas: 5, left: [isLeft("c3")], gone: 0 });
    expect(listBack()).toEqual(["c2: c2", "c4: c4", "c5: c5", "c6: c6", "c7: c7"]);
  });

  it("follows rows that were sorted, by their names", async () => {
    enterRows(10, 20, 20, 30);
    await workbook.freeze("workbook");
    [30, 20, 20, 10].forEach((value, index) => {
      excel.enter(`A${index + 2}`, `c${5 - index}`);
      excel.enter(`B${index + 2}`, value);
    });
    expect(await workbook.thaw("workbook")).toEqual({ formulas: 4, left: [], gone: 0 });
    expect(listBack()).toEqual(["c5: c5", "c4: c4", "c3: c3", "c2: c2"]);
  });

  it("leaves a row that is called otherwise by now, and whatever it could be besides", async () => {
    enterRows("JPY", "JPY", "JPY", "JPY");
    await workbook.freeze("workbook");
    excel.enter("A3", "c9");
    expect(await workbook.thaw("workbook")).toMatchObject({ formulas: 3, left: [isLeft("c3")], gone: 0 });
    expect(listBack()).toEqual(["c2: c2", "c4: c4", "c5: c5"]);
    excel.enter("A3", "c3");
    expect(await workbook.thaw("workbook")).toEqual({ formulas: 1, left: [], gone: 0 });
  });

  it("goes on keeping what was left while other cells of its block are frozen anew", async () => {
    excel = open({ calculate: () => [["JPY"]] });
    enterRows("JPY", "JPY", "JPY");
    await workbook.freeze("workbook");
    excel.enter("A3", "c9");
    await workbook.thaw("workbook");
    await workbook.freeze("workbook");
    expect(await workbook.thaw("workbook")).toMatchObject({ formulas: 2, left: [isLeft("c3")], gone: 0 });
  });

  it("drops a row that was deleted, and says so", async () => {
    enterRows("JPY", "JPY", "JPY", "JPY");
    await workbook.freeze("workbook");
    excel.shift(excel.sheet("Sheet1"), "row", 3, -1);
    expect(await workbook.thaw("workbook")).toEqual({ formulas: 3, left: [], gone: 1 });
    expect(listBack()).toEqual(["c2: c2", "c4: c4", "c5: c5"]);
  });

  it("stays with its row where it refers to that too, unless the rows were sorted", async () => {
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
    expect(await workbook.thaw("workbook")).toMatchObject({ formulas: 0, left: [{}, {}, {}] });
    for (const [row, name] of [
      [4, "c3"],
      [5, "c4"],
    ] as const)
      excel.enter(`A${row}`, name);
    expect(await workbook.thaw("workbook")).toEqual({ formulas: 3, left: [], gone: 0 });
    expect(["B2", "B4", "B5"].map(look)).toEqual(
      [
        [2, 2],
        [3, 4],
        [4, 5],
      ].map(([company, row]) => `=FEED.FINANCIAL("c${company}",$C${row})`),
    );
  });

  it("comes back whatever numbers and notes were entered beside it", async () => {
    enterRows("JPY", "JPY", "JPY");
    excel.enter("C2", 1);
    await workbook.freeze("workbook");
    excel.enter("C2", 2);
    excel.enter("C3", 3);
    excel.enter("D3", "ask again");
    expect(await workbook.thaw("workbook")).toEqual({ formulas: 3, left: [], gone: 0 });
  });

  it("goes by the numbers to the left where texts do not tell rows apart, and leaves what nothing tells", async () => {
    for (const [index, year] of [2021, 2022, 2022].entries()) {
      excel.enter(`A${index + 2}`, "Fuji");
      excel.enter(`B${index + 2}`, year);
      excel.enterFormula(`C${index + 2}`, `=FEED.FINANCIAL("c1",${year},"currency",${index})`, "JPY");
    }
    await workbook.freeze("workbook");
    for (const [index, year] of [2022, 2022, 2021].entries()) excel.enter(`B${index + 2}`, year);
    expect(await workbook.thaw("workbook")).toMatchObject({ formulas: 1, left: [{}, {}], gone: 0 });
    expect(["C2", "C3", "C4"].map(look)).toEqual(["JPY", "JPY", '=FEED.FINANCIAL("c1",2021,"currency",0)']);
  });
});

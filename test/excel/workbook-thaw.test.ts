import { beforeEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { openExcel } from "../office/adapter-page";
import { type Block, readBlock } from "../office/addresses";
import { HostError } from "../office/errors";
import type { ExcelWorkbook } from "../office/workbook";

const RANKING = '=FEED.RANKING("-7d",,3)';
const TABLE = [
  ["Rank", "Name"],
  [1, "=cmd()"],
  [2, "Fuji"],
];

const { open, workbook } = openExcel();
let excel: ExcelWorkbook;

beforeEach(() => {
  excel = open();
});

const look = (reference: string) => {
  const { formula, value } = excel.cell(reference);
  return formula ?? value;
};

const readAll = (...references: string[]) => references.map(look);

/** The formula of a cell of the grid. */
const toFigure = (address: string) => `=FEED.FINANCIAL($A${address.slice(1)},${address[0]}$1)`;

/** Companies in column A, years in row 1, and figures where they meet. */
function enterGrid(companies = 3, sheet = "Sheet1") {
  for (let row = 2; row < 2 + companies; row += 1) {
    excel.enter(`${sheet}!A${row}`, `c${row}`);
    for (const [index, column] of ["B", "C"].entries()) {
      excel.enterFormula(`${sheet}!${column}${row}`, toFigure(`${column}${row}`), row * 10 + index);
    }
  }
}

describe("thawing, on the genuine Office.js", () => {
  it("brings back every formula, and leaves no stored data", async () => {
    enterGrid();
    excel.enterFormula("E2", RANKING, TABLE);
    expect(await workbook.freeze("workbook")).toEqual({ formulas: 7, left: [] });
    expect(readAll("B2", "C4", "E2", "F3")).toEqual([20, 41, "Rank", "=cmd()"]);
    expect(await workbook.listFrozen("workbook")).toHaveLength(7);
    expect(await workbook.thaw("workbook")).toEqual({ formulas: 7, left: [], gone: 0 });
    expect(readAll("B2", "C4", "E2", "F2")).toEqual([toFigure("B2"), toFigure("C4"), RANKING, ""]);
    expect([excel.xmlParts.size, excel.names.size]).toEqual([0, 0]);
    expect(await workbook.listFrozen("workbook")).toEqual([]);
  });

  it("brings back a formula whose cell holds a text that looks like a formula", async () => {
    excel.enterFormula("A1", "=FEED.COMPANY(B1)", "=cmd()");
    await workbook.freeze("workbook");
    expect(excel.cell("A1")).toMatchObject({ formula: null, value: "=cmd()", format: "@" });
    expect((await workbook.thaw("workbook")).formulas).toBe(1);
    expect(excel.cell("A1")).toMatchObject({ formula: "=FEED.COMPANY(B1)", format: "General" });
  });

  it("stores a hidden name for each cell, and no value", async () => {
    enterGrid(100);
    excel.enterFormula("B2", toFigure("B2"), "Sakura");
    await workbook.freeze("workbook");
    const names = [...excel.names.values()];
    expect(names).toHaveLength(200 + 100 + 2); // formulas, companies and years
    expect(names.filter(({ isVisible }) => isVisible)).toEqual([]);
    const [xml = ""] = excel.xmlParts.values();
    expect(xml).not.toContain("Sakura");
    expect(xml.length / 200).toBeLessThan(110);
  });

  it("sends no request per cell", async () => {
    enterGrid(600);
    await workbook.freeze("workbook");
    expect(excel.names.size).toBe(1200 + 600 + 2);
    const before = excel.requests;
    expect(await workbook.listFrozen("workbook")).toHaveLength(1200);
    expect(excel.requests - before).toBe(9);
    expect((await workbook.thaw("workbook")).formulas).toBe(1200);
    expect(excel.requests - before).toBe(24);
  });

  it("stores the formulas before it writes the first value", async () => {
    enterGrid();
    excel.active.isProtected = true;
    await expect(workbook.freeze("workbook")).rejects.toMatchObject({ fault: "protected" });
    expect(excel.xmlParts.size).toBe(1);
    expect(await workbook.listFrozen("workbook")).toEqual([]);
    excel.active.isProtected = false;
    expect(await workbook.thaw("workbook")).toEqual({ formulas: 0, left: [], gone: 0 });
    expect([excel.xmlParts.size, excel.names.size]).toEqual([0, 0]);
  });

  it("finds its cells and their references after rows and columns were inserted and sheets renamed", async () => {
    excel.addSheet("Inputs");
    enterGrid();
    excel.enterFormula("B9", "=FEED.COMPANY.ID(Inputs!$A$1)&SUM(B2:B4,A:A)", "x");
    await workbook.freeze("workbook");
    excel.shift(excel.sheet("Sheet1"), "row", 1, 1);
    excel.shift(excel.sheet("Sheet1"), "row", 4, 2);
    excel.shift(excel.sheet("Sheet1"), "column", 1, 1);
    excel.shift(excel.sheet("Inputs"), "row", 1, 4);
    excel.sheet("Inputs").name = "My inputs";
    expect(await workbook.thaw("workbook")).toEqual({ formulas: 7, left: [], gone: 0 });
    expect(readAll("C3", "C6", "D7", "C4")).toEqual([
      "=FEED.FINANCIAL($B3,C$2)",
      "=FEED.FINANCIAL($B6,C$2)",
      "=FEED.FINANCIAL($B7,D$2)",
      "",
    ]);
    expect(look("C12")).toBe("=FEED.COMPANY.ID('My inputs'!$A$5)&SUM(C3:C7,B:B)");
  });

  it("drops the formulas of deleted cells, and reports that", async () => {
    excel.addSheet("Other");
    enterGrid(5);
    enterGrid(1, "Other");
    await workbook.freeze("workbook");
    excel.shift(excel.sheet("Sheet1"), "row", 3, -2);
    excel.removeSheet(excel.sheet("Other"));
    expect(await workbook.thaw("workbook")).toEqual({ formulas: 6, left: [], gone: 6 });
    expect(readAll("B2", "B3", "C4")).toEqual(["B2", "B3", "C4"].map(toFigure));
    expect([excel.xmlParts.size, excel.names.size]).toEqual([0, 0]);
  });

  it("works in batches, and so does freezing", async () => {
    excel = open({ calculate: () => [[1]] });
    excel.addSheet("Other");
    enterGrid();
    enterGrid(1, "Other");
    await excel.select("B2:B3");
    expect((await workbook.freeze("selection")).formulas).toBe(2);
    expect((await workbook.freeze("workbook")).formulas).toBe(6);
    await excel.select("B3:C3");
    expect((await workbook.listFrozen("selection")).map(({ address }) => address)).toEqual(["B3", "C3"]);
    expect((await workbook.thaw("selection")).formulas).toBe(2);
    expect((await workbook.freeze("selection")).formulas).toBe(2);
    expect((await workbook.thaw("sheet")).formulas).toBe(6);
    expect([look("B2"), look("Other!B2")]).toEqual([toFigure("B2"), 20]);
    expect((await workbook.thaw("workbook")).formulas).toBe(2);
    expect([excel.xmlParts.size, excel.names.size]).toEqual([0, 0]);
  });

  it("accepts a value that changed while values were written", async () => {
    enterGrid(1);
    const sheet = excel.sheet("Sheet1");
    const freezeValues = sheet.freezeValues.bind(sheet);
    sheet.freezeValues = (block) => {
      Object.assign(sheet.at(2, 2), { value: 99 });
      freezeValues(block);
    };
    await workbook.freeze("workbook");
    expect(look("B2")).toBe(99);
    expect((await workbook.thaw("workbook")).formulas).toBe(2);
  });

  it("freezes nothing if the workbook refuses the names, and leaves no stored data", async () => {
    enterGrid(1);
    excel.names.set = () => {
      throw new HostError("GeneralException");
    };
    await expect(workbook.freeze("workbook")).rejects.toMatchObject({ fault: "refused" });
    expect([look("B2"), excel.xmlParts.size]).toEqual([toFigure("B2"), 0]);
  });

  it("finds inserted and changed rows among many by the values of the others", async () => {
    enterGrid(50);
    await workbook.freeze("workbook");
    excel.shift(excel.sheet("Sheet1"), "row", 10, 3);
    excel.shift(excel.sheet("Sheet1"), "row", 40, -5);
    excel.enter("B30", "changed");
    expect(await workbook.thaw("workbook")).toMatchObject({ formulas: 89, left: [{ address: "B30" }], gone: 10 });
    const found = ["B9", "B13", "B29", "C30", "B48"];
    expect(readAll(...found, "B30")).toEqual([...found.map(toFigure), "changed"]);
  });

  it("brings back no formula whose stored data was changed", async () => {
    enterGrid(1);
    await workbook.freeze("workbook");
    for (const [id, xml] of excel.xmlParts) excel.xmlParts.set(id, xml.replace(">{", ">"));
    expect(await workbook.listFrozen("workbook")).toEqual([]);
    expect((await workbook.thaw("workbook")).formulas).toBe(0);
    expect(readAll("B2", "C2")).toEqual([20, 21]);
  });
});

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

  it("brings back no formula beside another company's name after any sort, and all once the rows are back", async () => {
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
        const { left } = await workbook.thaw("workbook");
        const stayed = rows.filter((row) => sorted[row] === row);
        const back = rows.filter((row) => excel.cell(`B${row + 2}`).formula !== null);
        expect(left).toMatchObject(rows.filter((row) => !back.includes(row)).map((row) => isLeft(`c${row + 2}`)));
        // Without names, a sort that changes nothing cannot be seen.
        if (isNamed) expect(back).toEqual(stayed);
        else if (sorted.some((from, row) => shown[from] !== shown[row]))
          expect(stayed).toEqual(expect.arrayContaining(back));
        if (back.length > 0) return;
        sort(rows.map((row) => sorted.indexOf(row) + 2));
        expect((await workbook.thaw("workbook")).formulas).toBe(rows.length);
      }),
      {
        seed: 36,
        numRuns: 25,
        examples: [
          [[10, 0, 0, "JPY", 10], [4, 3, 1, 2, 0], true], // all rows are sorted
          [[10, 0, 0, "JPY", 10], [0, 2, 1, 3, 4], true], // two rows of equal values are exchanged
          [[10, 0, 0, "JPY", 10], [4, 3, 1, 2, 0], false], // another cell of the column has changed
        ],
      },
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

  it("finds a cell that was cut and pasted elsewhere, with its name or without", async () => {
    enterRows("JPY", "JPY", "JPY");
    await workbook.freeze("workbook");
    cut("B3", "D9");
    cut("A4", "C20");
    cut("B4", "D20");
    expect(await workbook.thaw("workbook")).toEqual({ formulas: 3, left: [], gone: 0 });
    expect(readAll("B2", "D9", "D20", "B3", "B4")).toEqual([...["c2", "c3", "c4"].map(toFormula), "", ""]);
  });

  it("stores labels that a person typed, and none that a formula of the add-in gives", async () => {
    enterRows("JPY", "EUR");
    await workbook.freeze("workbook");
    expect([...excel.xmlParts.values()].join()).toContain('"label":"c3"');
    await workbook.thaw("workbook");
    for (const row of [2, 3]) excel.enterFormula(`A${row}`, `=FEED.COMPANY("c${row}")`, `Sakura ${row}`);
    await workbook.freeze("workbook");
    expect([...excel.xmlParts.values()].join()).not.toContain("Sakura");
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

  it("brings back a formula that also refers to its row, unless the rows were sorted", async () => {
    const toBoth = (company: number, row: number) => `=FEED.FINANCIAL("c${company}",$C${row})`;
    for (const row of [2, 3, 4]) {
      excel.enter(`A${row}`, `c${row}`);
      excel.enterFormula(`B${row}`, toBoth(row, row), "JPY");
    }
    await workbook.freeze("workbook");
    excel.shift(excel.sheet("Sheet1"), "row", 3, 1);
    excel.enter("A4", "c4");
    excel.enter("A5", "c3");
    expect(await workbook.thaw("workbook")).toMatchObject({ formulas: 1, left: [{}, {}] });
    excel.enter("A4", "c3");
    excel.enter("A5", "c4");
    expect(await workbook.thaw("workbook")).toEqual({ formulas: 2, left: [], gone: 0 });
    expect(readAll("B2", "B4", "B5")).toEqual([toBoth(2, 2), toBoth(3, 4), toBoth(4, 5)]);
  });
});

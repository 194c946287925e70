import { describe, expect, it } from "@jest/globals";
import { toAddress } from "../../src/taskpane/addresses";
import {
  listReferences,
  type RelativeFormula,
  showFormula,
  toMeaning,
  toRelative,
} from "../../src/taskpane/workbook/relative-formulas";

const CELL = { sheet: "Model", row: 9, column: 2 }; // C10

/** The formula after cells have moved: everything two rows down and one column to the right, Inputs being renamed. */
const show = (formula: RelativeFormula, to = { ...CELL, row: 11, column: 3 }) =>
  showFormula(formula, CELL, to, (area) => ({
    ...area,
    sheet: area.sheet === "Inputs" ? "My inputs" : area.sheet,
    row: area.rows > 1_000_000 ? area.row : area.row + 2,
    column: area.columns > 10_000 ? area.column : area.column + 1,
  }));

const list = (formula: string) =>
  listReferences(toRelative(formula, CELL), CELL).map((area) => `${area.sheet}!${toAddress(area)}`);

describe("the stored form of a formula", () => {
  it.each([
    ["=FEED.FINANCIAL($A10,C$1)", "=FEED.FINANCIAL($B12,D$3)"],
    ["=FEED.COMPANY.ID(Inputs!B2:B9)", "=FEED.COMPANY.ID('My inputs'!C4:C11)"],
    ['=FEED.COMPANY.ID(\'Inputs\'!$B$2)&"A1 is ""B2"""', '=FEED.COMPANY.ID(\'My inputs\'!$C$4)&"A1 is ""B2"""'],
    ["=SUM(A:A,$3:5,B9:$A$1)", "=SUM(B:B,$5:7,C11:$B$3)"],
    ["=FEED.LIST(A1#)+@B2", "=FEED.LIST(B3#)+@C4"],
    ["=A1:Inputs!B2", "=B3:'My inputs'!C4"],
  ])("follows the cells of %s", (formula, moved) => {
    const relative = toRelative(formula, CELL);
    expect(show(relative)).toBe(moved);
    expect(showFormula(relative, CELL, CELL, (area) => area)).toBe(formula.replace("'Inputs'", "Inputs"));
  });

  it.each([
    '="A1"',
    "=LOG10(5)+FEED.X2(1)",
    "=Table1[[#This Row],[A1]]+Table1[B2]",
    "=[Book.xlsx]Sheet1!A1+'[Book 2.xlsx]Sheet 1'!A1",
    "=SUM(Sheet1:Sheet3!A1,'Sheet 1:Sheet 3'!B2)",
    "=rate.A1+_A1+A1b+1E5",
    "=XFE1048577_x",
  ])("leaves %s unchanged", (formula) => {
    expect(list(formula)).toEqual([]);
    expect(show(toRelative(formula, CELL))).toBe(formula);
  });

  it("is equal for all cells of a filled range", () => {
    const other = { ...CELL, row: 19, column: 4 };
    expect(toRelative("=FEED.FINANCIAL($A20,E$1)", other)).toEqual(toRelative("=FEED.FINANCIAL($A10,C$1)", CELL));
    expect(toRelative("=FEED.FINANCIAL($A21,E$1)", other)).not.toEqual(toRelative("=FEED.FINANCIAL($A10,C$1)", CELL));
  });

  it("names the sheet of cells that moved to another one, and is null where they cannot be found", () => {
    const relative = toRelative("=A1", CELL);
    expect(showFormula(relative, CELL, CELL, (area) => ({ ...area, sheet: "Q1" }))).toBe("='Q1'!A1");
    expect(showFormula(relative, CELL, CELL, () => null)).toBeNull();
  });

  it.each<[string, string, boolean]>([
    ["=FEED.FINANCIAL($A10,C$1)", "=FEED.FINANCIAL($A11,C$1)", true],
    ["=FEED.FINANCIAL(A:A,$B$1)", "=FEED.FINANCIAL(A:A,$B$1)", true],
    ['=FEED.FINANCIAL("c1",C$1)', '=FEED.FINANCIAL("c2",C$1)', false],
    ["=FEED.FINANCIAL($A9,C$1)", "=FEED.FINANCIAL($A10,C$1)", false],
    ["=FEED.FINANCIAL(Inputs!$A10,C$1)", "=FEED.FINANCIAL(Inputs!$A11,C$1)", false],
  ])("compares %s in row 10 with %s in row 11 relative to their rows: %s", (here, below, isSame) => {
    const other = { ...CELL, row: CELL.row + 1 };
    expect(toMeaning(toRelative(here, CELL), CELL) === toMeaning(toRelative(below, other), other)).toBe(isSame);
  });
});

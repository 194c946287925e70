import { describe, expect, it } from "@jest/globals";
import { toAddress } from "../../src/taskpane/addresses";
import { alignLines } from "../../src/taskpane/workbook/kept/alignment";
import { createMove, joinAreas } from "../../src/taskpane/workbook/kept/moves";
import {
  listAreas,
  type SheetArea,
  showTemplate,
  type Template,
  toTemplate,
} from "../../src/taskpane/workbook/kept/templates";

const CELL = { sheet: "Model", row: 9, column: 2 }; // C10

/** The formula after cells have moved: everything two rows down and one column to the right, Inputs being renamed. */
const show = (template: Template, to = { ...CELL, row: 11, column: 3 }) =>
  showTemplate(template, CELL, to, (area) => ({
    ...area,
    sheet: area.sheet === "Inputs" ? "My inputs" : area.sheet,
    row: area.rows > 1_000_000 ? area.row : area.row + 2,
    column: area.columns > 10_000 ? area.column : area.column + 1,
  }));

const list = (formula: string) =>
  listAreas(toTemplate(formula, CELL), CELL).map((area) => `${area.sheet}!${toAddress(area)}`);

describe("a formula that is taken apart", () => {
  it.each([
    ["=FEED.FINANCIAL($A10,C$1)", "=FEED.FINANCIAL($B12,D$3)"],
    ["=FEED.ID(Inputs!B2:B9)", "=FEED.ID('My inputs'!C4:C11)"],
    ['=FEED.ID(\'Inputs\'!$B$2)&"A1 is ""B2"""', '=FEED.ID(\'My inputs\'!$C$4)&"A1 is ""B2"""'],
    ["=SUM(A:A,$3:5,B9:$A$1)", "=SUM(B:B,$5:7,C11:$B$3)"],
    ["=FEED.LIST(A1#)+@B2", "=FEED.LIST(B3#)+@C4"],
    ["=A1:Inputs!B2", "=B3:'My inputs'!C4"],
  ])("follows the cells of %s", (formula, moved) => {
    const template = toTemplate(formula, CELL);
    expect(show(template)).toBe(moved);
    expect(showTemplate(template, CELL, CELL, (area) => area)).toBe(formula.replace("'Inputs'", "Inputs"));
  });

  it.each([
    '="A1"',
    "=LOG10(5)+FEED.X2(1)",
    "=Table1[[#This Row],[A1]]+Table1[B2]",
    "=[Book.xlsx]Sheet1!A1+'[Book 2.xlsx]Sheet 1'!A1",
    "=SUM(Sheet1:Sheet3!A1,'Sheet 1:Sheet 3'!B2)",
    "=rate.A1+_A1+A1b+1E5",
    "=XFE1048577_x",
  ])("leaves %s as it is", (formula) => {
    expect(list(formula)).toEqual([]);
    expect(show(toTemplate(formula, CELL))).toBe(formula);
  });

  it("is the same for all cells that it was filled to", () => {
    const other = { ...CELL, row: 19, column: 4 };
    expect(toTemplate("=FEED.FINANCIAL($A20,E$1)", other)).toEqual(toTemplate("=FEED.FINANCIAL($A10,C$1)", CELL));
    expect(toTemplate("=FEED.FINANCIAL($A21,E$1)", other)).not.toEqual(toTemplate("=FEED.FINANCIAL($A10,C$1)", CELL));
  });

  it("names the sheet of cells that have gone to another one, and is none where they cannot be told", () => {
    const template = toTemplate("=A1", CELL);
    expect(showTemplate(template, CELL, CELL, (area) => ({ ...area, sheet: "Q1" }))).toBe("='Q1'!A1");
    expect(showTemplate(template, CELL, CELL, () => null)).toBeNull();
  });
});

describe("lines that are found again", () => {
  const align = (before: string, now: string) => alignLines([...before], [...now]);

  it.each<[string, string, string, (number | string)[]]>([
    ["others in between", "abc", "axbyc", [0, 2, 4]],
    ["others in front and behind", "ab", "xaby", [1, 2]],
    ["some gone", "abcd", "ad", [0, "gone", "gone", 3 - 2]],
    ["some gone and others come", "abcde", "abXde_".replace("_", "Y"), [0, 1, 2, 3, 4]],
    ["a changed one beside a new one", "abc", "aXYc", [0, "unknown", 3]],
    ["equal ones, of which it does not matter which", "aaa", "aa", [0, 1, "gone"]],
  ])("are where they show the same, with %s", (_, before, now, lines) => {
    expect(align(before, now)).toEqual(lines);
  });

  it("count as changed where there are as many as before", () => {
    expect(align("abc", "xyz")).toEqual([0, 1, 2]);
  });
});

describe("cells that are followed", () => {
  const area = (row: number, column: number, rows = 1, columns = 1, sheet = "Model"): SheetArea => ({
    sheet,
    row,
    column,
    rows,
    columns,
  });

  it("are joined where they lie beside one another, ranges apart", () => {
    const cells = [0, 1, 2].flatMap((row) => [0, 1].map((column) => area(row, column)));
    expect(joinAreas([...cells, area(9, 9), area(0, 0, 5), ...cells])).toEqual([
      area(0, 0, 3, 2),
      area(9, 9),
      area(0, 0, 5),
    ]);
  });

  it("tell where others within them are, unless rows came among them of which nothing is known", () => {
    const move = createMove([
      { before: area(0, 0, 10), now: area(5, 2, 10) },
      { before: area(0, 1, 4), now: area(5, 3, 5) },
    ]);
    expect(move(area(3, 0))).toEqual(area(8, 2));
    expect(move(area(1, 1))).toBeNull();
    expect(move(area(0, 1, 4))).toEqual(area(5, 3, 5));
    expect(move(area(3, 5))).toBeNull();
    expect(move(area(3, 0, 1, 1, "Other"))).toBeNull();
  });

  it("tell it by cells of the same row that were found again", () => {
    const move = createMove([
      { before: area(0, 0, 3), now: area(0, 0, 4) },
      { before: area(0, 1, 3), now: area(0, 1, 4), rows: [0, 2, "gone"], columns: [0] },
    ]);
    expect(move(area(1, 0))).toEqual(area(2, 0));
    expect(move(area(2, 0))).toBeNull();
  });

  it("are gone with all that lay in them", () => {
    expect(createMove([{ before: area(0, 0, 3), now: null }])(area(1, 0))).toBeNull();
  });
});

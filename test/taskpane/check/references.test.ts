import { describe, expect, it } from "@jest/globals";
import type { Call } from "../../../src/session/calls";
import { toKey } from "../../../src/taskpane/check/cell-keys";
import { Evaluation } from "../../../src/taskpane/check/evaluation";
import { extendReference } from "../../../src/taskpane/check/extending";
import type { CheckInput } from "../../../src/taskpane/check/input";
import { CheckedModel } from "../../../src/taskpane/check/model";
import { readYearsBack } from "../../../src/taskpane/check/years-back";
import { Book, createCompany, toFigure } from "./book";
import cases from "./references.json";

function createInput(formula: string): CheckInput {
  const book = new Book();
  const company = createCompany();
  book.spill("Data 1", "B2", '=FEED.FINANCIAL(A2:A3,"FY-1:FY0","Revenue")', [
    [2023, 2024].map((year) => toFigure(company, "Revenue", year)),
    [2023, 2024].map((year) => toFigure(company, "EBIT", year)),
  ]);
  book.type("Model", "F9", 1);
  book.enter("Model", "D5", formula);
  book.names.push({ name: "Sales", sheet: null, formula: "='Data 1'!$B$2:$C$2" });
  book.names.push({ name: "Sales", sheet: "Model", formula: "=Model!$A$1" });
  book.names.push({ name: "Twice", sheet: null, formula: "=SUM('Data 1'!$B$2#)*2" });
  book.tables.push({
    name: "Peers",
    sheet: "Model",
    address: "C4:E8",
    columns: ["Company", "Revenue", "EBIT"],
    hasHeaders: true,
    hasTotals: true,
  });
  return book.toInput();
}

/** The blocks that a formula in Model!D5 refers to. */
function follow(formula: string): string[] {
  const model = new CheckedModel(createInput(formula));
  const evaluation = new Evaluation(model);
  const cell = [...model.formulas.values()].find(({ text }) => text === formula);
  return evaluation.listBlocks(cell?.tree ?? null, cell?.key ?? 0).map((block) => {
    const { sheet, address } = model.toBlockPlace(block);
    return `${sheet}!${address}`;
  });
}

describe("references of a formula", () => {
  it.each(cases.blocks as [string, string[]][])("%s", (formula, blocks) => {
    expect(follow(formula)).toEqual(blocks);
  });

  it("ends where formulas refer to one another in a circle", () => {
    const book = new Book();
    book.enter("Model", "A1", "=B1+1");
    book.enter("Model", "B1", "=A1+1");
    book.names.push({ name: "Loop", sheet: null, formula: "=Loop+1" });
    book.enter("Model", "C1", "=Loop");
    expect(() => new Evaluation(new CheckedModel(book.toInput())).run()).not.toThrow();
  });

  it("follow a chain of 20,000 cells", () => {
    const book = new Book();
    for (let row = 1; row < 20_000; row++) book.enter("Model", `A${row}`, `=A${row + 1}+1`);
    expect(() => new Evaluation(new CheckedModel(book.toInput())).run()).not.toThrow();
  });
});

const B = 1;

describe("a range that reaches to a further cell", () => {
  it.each(cases.extended as [string, string, string, number, string | null][])(
    "%s",
    (_, formula, range, row, extended) => {
      expect(extendReference(formula, range, toKey(0, row, B))).toBe(extended);
    },
  );
});

const toCall = (year: unknown, shown: unknown[][] = [[1]], name = "FINANCIAL") =>
  ({ name, given: { year }, shown }) as unknown as Call;

describe("how many years back a cell looks", () => {
  it.each([
    ["FY0", 0],
    [[["FY-2"]], -2],
    [[["fy 0"]], 0],
    [2024, null],
    ["FY2024", null],
    ["2024-03-31", null],
  ])("%j is %j", (year, back) => {
    expect(readYearsBack(toCall(year), 0, 0)).toBe(back);
  });

  it("is each column's own in a span, a row and a column of years", () => {
    const shown = [[1, 2, 3]];
    expect([0, 1, 2].map((column) => readYearsBack(toCall("FY-2:FY0", shown), 0, column))).toEqual([-2, -1, 0]);
    expect(readYearsBack(toCall([["FY-1", "FY0", 2020]], shown), 0, 1)).toBe(0);
    expect(readYearsBack(toCall([["FY-1", "FY0", 2020]], shown), 0, 2)).toBeNull();
    expect(readYearsBack(toCall([["FY-1"], ["FY0"]], [[1], [2]]), 1, 0)).toBe(0);
  });

  it("is not known where a table has other columns than years", () => {
    expect(readYearsBack(toCall("FY-2:FY0", [[1, 2]]), 0, 0)).toBeNull();
    expect(readYearsBack(toCall("FY0", [[1, 2]], "FINANCIALS"), 0, 0)).toBeNull();
  });
});

import { describe, expect, it } from "@jest/globals";
import { Book } from "../../src/refresh/book";
import { CellGrid } from "../../src/refresh/grid";
import { GridCell } from "../../src/refresh/grid-cell";
import { judge, PROVEN } from "../../src/refresh/library";
import { translate } from "../../src/refresh/translation";
import { createFunctionNames } from "../../src/xlsx/names";
import { createBook } from "./book-of-cells";
import golden from "./excel-results.json";

const { workbook } = createBook({ S: {} });
const book = new Book(workbook, createFunctionNames("FEED", []), "FEED");

/** The cells A1:C4 that the formulas read. */
const CELLS = golden.cells as (string | number | boolean | null)[][];

/** Calculates an array formula of E1 over them; null where Excel's result may be another. */
function run(formula: string) {
  const grid = new CellGrid(book);
  for (const [row, values] of CELLS.entries())
    for (const [column, value] of values.entries())
      if (value !== null) grid.add(new GridCell(0, row, column, value, null, undefined));
  const translation = translate(formula, { sheet: 0, row: 0, column: 4, isArray: true }, book);
  const array = { rows: 1, columns: 1, isDynamic: true };
  const cell = grid.add(new GridCell(0, 0, 4, null, translation, array));
  if (translation.run === null) return "unreadable";
  cell.isLive = true;
  grid.calculate([cell]);
  if (cell.isDoubtful) return "doubtful";
  const rows = Array.from({ length: cell.rows }, (_, row) =>
    Array.from({ length: cell.columns }, (_, column) => grid.cell(0, row, 4 + column).value),
  );
  return cell.rows === 1 && cell.columns === 1 ? rows[0]?.[0] : rows;
}

describe("the functions that are relied on without a value of Excel", () => {
  it.each(Object.entries(golden.results))("give what Excel gives: %s", (formula, result) => {
    const given = run(formula);
    if (typeof result === "number") expect(given).toBeCloseTo(result, 12);
    else expect(given).toEqual(result);
  });

  it("each have results of Excel to be compared with", () => {
    const formulas = Object.keys(golden.results);
    const missing = [...PROVEN].filter(
      (name) => !formulas.some((formula) => new RegExp(`(^|[^A-Z.])${name.replace(".", "\\.")}\\(`).test(formula)),
    );
    expect(missing.filter((name) => !["NOW", "TODAY"].includes(name))).toEqual([]);
    expect([...PROVEN].filter((name) => judge(name, false) !== "proven")).toEqual([]);
  });

  it.each(golden.doubtful)("leave to Excel what it may show otherwise: %s", (formula) => {
    expect(["doubtful", "unreadable"]).toContain(run(formula));
  });
});

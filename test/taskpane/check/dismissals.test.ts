import { describe, expect, it } from "@jest/globals";
import { toDismissals } from "../../../src/session/persisted-settings";
import { checkModel } from "../../../src/taskpane/check/check";
import { createChance } from "../../support/chance";
import { Book, createCompany, toFigure } from "./book";
import { FAULTS } from "./faults";

const keys = (book: Book) => checkModel(book.toInput()).findings.map(({ key }) => key);

describe("a dismissed finding", () => {
  it("has one key in each check, and another than other findings", () => {
    const book = new Book();
    const chance = createChance(5);
    for (const [index, fault] of FAULTS.typedNumber.entries()) fault(book, chance, `Sheet${index}`);
    const first = keys(book);
    expect(new Set(first).size).toBe(FAULTS.typedNumber.length);
    expect(keys(book)).toEqual(first);
  });

  it("keeps its key when rows are inserted above, and comes back when its number changes", () => {
    const companies = Array.from({ length: 4 }, createCompany);
    const build = (top: number, typed: number) => {
      const book = new Book();
      for (const [index, company] of companies.entries()) {
        const row = top + 1 + index;
        const formula = `=FEED.FINANCIAL($A${row},B$${top},"Revenue")`;
        book.type("Model", `A${row}`, company.name);
        if (index === 2) book.type("Model", `B${row}`, typed);
        else book.feed("Model", `B${row}`, formula, toFigure(company, "Revenue", 2024));
      }
      book.type("Model", `B${top}`, 2024);
      const last = top + companies.length;
      book.enter("Model", `B${last + 1}`, `=SUM(B${top + 1}:B${last})`);
      return keys(book);
    };
    expect(build(1, 7)).toHaveLength(1);
    expect(build(9, 7)).toEqual(build(1, 7));
    expect(build(1, 8)).not.toEqual(build(1, 7));
  });

  it("keeps its key when rows and columns come in anywhere, and when its sheet is renamed", () => {
    const build = (sheet: string, [head, side]: [number, string], [row, column]: [number, string]) => {
      const book = new Book();
      book.ids.set(sheet, "the sheet");
      book.type(sheet, `${side}${row}`, "Sakura Foods");
      book.type(sheet, `${column}${head}`, 2024);
      const call = `FEED.FINANCIAL('${sheet}'!$${side}${row},${column}$${head},"Revenue")`;
      book.hide(sheet, `${column}${row}`, `=IFERROR(${call},0)`, 0);
      return keys(book);
    };
    const first = build("Model", [1, "A"], [3, "C"]);
    expect(first).toHaveLength(1);
    expect(build("Model", [4, "A"], [6, "C"])).toEqual(first); // rows above
    expect(build("Model", [1, "A"], [5, "C"])).toEqual(first); // rows between head and cell
    expect(build("Model", [1, "A"], [3, "D"])).toEqual(first); // a column between
    expect(build("Model 2025", [1, "A"], [3, "C"])).toEqual(first);
  });

  it("is not dismissed on a sheet with the same cells", () => {
    const build = (sheet: string) => {
      const book = new Book();
      book.hide(sheet, "C3", '=IFERROR(FEED.FINANCIAL("a",2024,"Revenue"),0)', 0);
      return keys(book);
    };
    expect(build("Base")).not.toEqual(build("Bull"));
  });

  it("comes back when its cell has another fault: another reference, error, or number of cells", () => {
    const build = (formula: string, code: string, more: readonly string[] = []) => {
      const book = new Book();
      book.hide("Model", "C3", formula, 0, code);
      for (const place of more) book.hide("Model", place, formula.replace(/A3/, `A${place.slice(1)}`), 0, code);
      return keys(book);
    };
    const ask = (cell: string) => `=IFERROR(FEED.FINANCIAL(${cell},2024,"Revenue"),0)`;
    const first = build(ask("A3"), "FEED_NO_VALUE");
    expect(first).toHaveLength(1);
    expect(build(ask("A3"), "FEED_NO_VALUE")).toEqual(first);
    expect(build(ask("B3"), "FEED_NO_VALUE")).not.toEqual(first);
    expect(build(ask("A3"), "FEED_NETWORK_FAILED")).not.toEqual(first);
    expect(build(ask("A3"), "FEED_NO_VALUE", ["C4"])).not.toEqual(first);
  });

  it.each([
    [undefined, []],
    ["x", []],
    [
      [{ key: "a", reason: "because", atMs: 5 }, null, { reason: "no key" }],
      [{ key: "a", reason: "because", atMs: 5 }],
    ],
    [[{ key: "a", reason: 4 }], [{ key: "a", reason: "", atMs: 0 }]],
  ])("is read from what a file holds: %j", (stored, read) => {
    expect(toDismissals(stored)).toEqual(read);
  });
});

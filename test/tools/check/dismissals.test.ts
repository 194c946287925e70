import { describe, expect, it } from "@jest/globals";
import { toDismissals } from "../../../src/session/persisted-settings";
import { checkModel } from "../../../src/tools/check/check";
import { createChance } from "../../support/chance";
import { Book, toCompany, toFigure } from "./book";
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
    const companies = [1, 2, 3, 4].map(toCompany);
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

  interface Mixed {
    sheet?: string;
    /** The row and the column of the figures that are added. */
    head?: number;
    side?: string;
    /** The cell of their sum. */
    row?: number;
    column?: string;
    /** Number of the second company. */
    other?: number;
  }

  /** Adds a figure of the sum's row and one of its column, which are of two currencies. */
  function build({ sheet = "Model", head = 1, side = "A", row = 3, column = "C", other = 2 }: Mixed): string[] {
    const book = new Book();
    if (sheet.startsWith("Model")) book.ids.set(sheet, "the sheet");
    const dollars = toFigure(toCompany(other), "Revenue", 2024, { currency: "USD" });
    book.feed(sheet, `${side}${row}`, '=FEED.FINANCIAL("a",2024,"Revenue")', toFigure(toCompany(1), "Revenue", 2024));
    book.feed(sheet, `${column}${head}`, '=FEED.FINANCIAL("b",2024,"Revenue")', dollars);
    book.enter(sheet, `${column}${row}`, `='${sheet}'!$${side}${row}+${column}$${head}`);
    return keys(book);
  }

  it("keeps its key when rows and columns come in anywhere, and when its sheet is renamed", () => {
    const first = build({});
    expect(first).toHaveLength(1);
    expect(build({ head: 4, row: 6 })).toEqual(first); // rows above
    expect(build({ row: 5 })).toEqual(first); // rows between head and cell
    expect(build({ column: "D" })).toEqual(first); // a column between
    expect(build({ sheet: "Model 2025" })).toEqual(first);
  });

  it("has one key in all versions, since workbooks store it", () => {
    expect(build({})).toEqual(["mixedCurrency c9cfd7bb595ad625"]);
  });

  it("is not dismissed on a sheet with the same cells", () => {
    expect(build({ sheet: "Base" })).not.toEqual(build({ sheet: "Bull" }));
  });

  it("comes back when its cell reads another figure, or another number of cells has its fault", () => {
    expect(build({ other: 3 })).not.toEqual(build({}));
    const findOdd = (parents: number) => {
      const book = new Book();
      for (let year = 2020; year < 2025; year++) {
        const own = year < 2020 + parents ? { consolidation: "NON_CONSOLIDATED" } : {};
        const place = `${"BCDEF"[year - 2020]}2`;
        book.feed(
          "Model",
          place,
          `=FEED.FINANCIAL("a",${year},"Revenue")`,
          toFigure(toCompany(1), "Revenue", year, own),
        );
      }
      return keys(book);
    };
    expect(findOdd(1)).toHaveLength(1);
    expect(findOdd(2)).not.toEqual(findOdd(1));
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

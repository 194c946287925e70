import { describe, expect, it } from "@jest/globals";
import { toDismissals } from "../../../src/session/persisted-settings";
import { checkModel } from "../../../src/tools/check/check";
import type { Fix } from "../../../src/tools/check/finding";
import type { Figure } from "../../../src/tools/check/input";
import { createChance } from "../../support/chance";
import { Book, toCompany, toFigure } from "./book";
import { FAULTS } from "./faults";

const check = (book: Book) => checkModel(book.toInput()).findings;
const show = (fix: Fix | null | undefined) =>
  fix?.cells.map(({ address, formula, shown }) => [address, formula, shown]);

/** A company's revenues in a row from B2 on, in units of their own. */
function createRow(units: readonly (string | null)[], write = toUnits): Book {
  const book = new Book();
  const company = book.createCompany();
  for (const [index, unit] of units.entries()) {
    const column = "BCDEFG"[index] ?? "";
    const own: Partial<Figure> = { divisor: unit === null ? 1 : (DIVISORS[unit] ?? 1) };
    book.type("Model", `${column}1`, 2019 + index);
    book.feed("Model", `${column}2`, write(column, unit), toFigure(company, "Revenue", 2019 + index, own));
  }
  return book;
}

const DIVISORS: Readonly<Record<string, number>> = { k: 1e3, m: 1e6 };
const toUnits = (column: string, unit: string | null) =>
  `=FEED.FINANCIAL($A2,${column}$1,"Revenue"${unit === null ? "" : `,,"${unit}"`})`;

describe("a fix of a unit", () => {
  it("enters the unit of the others in the odd formula alone, and knows the value that it then shows", () => {
    const book = createRow(["m", "m", "k", "m"]);
    const [finding] = check(book);
    const { amount } = book.figureAt("Model", "D2");
    expect(finding?.rule).toBe("mixedUnit");
    expect(show(finding?.fix)).toEqual([["D2", '=FEED.FINANCIAL($A2,D$1,"Revenue",,"m")', amount / 1e6]]);
    expect(finding?.fix?.cells[0]?.before).toEqual({ formula: book.formulaAt("Model", "D2"), value: amount / 1e3 });
  });

  it("takes the unit away where the others have none", () => {
    expect(show(check(createRow([null, "k", null]))[0]?.fix)).toEqual([
      ["C2", '=FEED.FINANCIAL($A2,C$1,"Revenue")', expect.any(Number)],
    ]);
  });

  it.each<[string, Book]>([
    ["as many cells have one unit as another", createRow(["m", "k"])],
    [
      "a unit stands in a cell",
      createRow(["m", "k", "m"], (column) => `=FEED.FINANCIAL($A2,${column}$1,"Revenue",,${column}$9)`),
    ],
    [
      "a formula is more than its call",
      createRow(["m", "k", "m"], (column, unit) => `=ROUND(${toUnits(column, unit).slice(1)},0)`),
    ],
  ])("is none where %s", (_, book) => {
    expect(check(book).map(({ rule, fix }) => [rule, fix])).toEqual([["mixedUnit", null]]);
  });
});

describe("a fix of a hidden error", () => {
  const hide = (formula: string, value: string | number, more: readonly string[] = []) => {
    const book = new Book();
    book.hide("Model", "C3", formula, value);
    for (const place of more) book.hide("Model", place, formula.replaceAll("A3", `A${place.slice(1)}`), value);
    return check(book).map(({ rule, fix }) => [rule, show(fix) ?? null]);
  };
  const call = 'FEED.FINANCIAL(A3,2024,"Cash, net")';

  it("shows the error in each of the formula's copies", () => {
    const below = ["C4", `=${call.replace("A3", "A4")}`, null];
    expect(hide(`=IFERROR( ${call} ,0)`, 0, ["C4"])).toEqual([["hiddenError", [["C3", `=${call}`, null], below]]]);
  });

  it.each([
    ["a text is shown, which everybody reads", `=IFERROR(${call},"n/a")`, "n/a"],
    ["the formula goes on", `=IFERROR(${call},0)*2`, 0],
    ["the formula ends with another call", `=IFERROR(${call},0)+SUM(B1)`, 0],
    ["a condition hides it", `=IF(ISERROR(${call}),0,${call})`, 0],
  ])("is none where %s", (_, formula, value) => {
    expect(hide(formula, value)).toEqual([["hiddenError", null]]);
  });
});

describe("a fix of a total", () => {
  const total = (formula: string, value = 100) => {
    const book = new Book();
    for (let row = 2; row < 6; row++) {
      const figure = toFigure(book.createCompany(), "Revenue", 2024, { amount: 7e6 });
      book.feed("Model", `B${row}`, `=FEED.FINANCIAL(A${row},2024,"Revenue",,"m")`, figure);
    }
    book.enter("Model", "B6", formula, value);
    return show(check(book)[0]?.fix);
  };

  it("adds the figure beside its range, and that alone", () => {
    expect(total("=SUM(B2:B4)")).toEqual([["B6", "=SUM(B2:B5)", 107]]);
  });

  it("does not say what a rounded total comes to", () => {
    expect(total("=ROUND(SUM(B2:B4),-2)")).toEqual([["B6", "=ROUND(SUM(B2:B5),-2)", null]]);
  });
});

it("a latest year that differs has no fix, since a year in place of FY0 changes what the model means; its sentence names both years", () => {
  const book = new Book();
  for (const [index, year] of [2024, 2024, 2022].entries()) {
    const figure = toFigure(book.createCompany(), "Revenue", year, { yearsBack: 0 });
    book.feed("Model", `B${index + 2}`, `=FEED.FINANCIAL($A${index + 2},"FY0","Revenue")`, figure);
  }
  expect(check(book).map(({ rule, fix, values }) => [rule, fix, values])).toEqual([
    ["latestYearDiffers", null, { usual: "2024", odd: "2022" }],
  ]);
});

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

import { describe, expect, it } from "@jest/globals";
import { checkModel } from "../../../src/taskpane/check/check";
import type { RuleId } from "../../../src/taskpane/check/finding";
import { CheckedModel, type ParsedFormulas } from "../../../src/taskpane/check/model";
import { RULES } from "../../../src/taskpane/check/rules";
import { createChance } from "../../support/chance";
import { Book, createCompany, toFigure } from "./book";
import { FAULTS } from "./faults";

const LONG = 50_000;

/** A workbook with one fault and some formulas. */
function createBook(...formulas: string[]): Book {
  const book = new Book();
  FAULTS.typedNumber[0]?.(book, createChance(3), "Model");
  for (const [index, formula] of formulas.entries()) book.enter("Odd", `C${index + 1}`, formula);
  return book;
}

const check = (book: Book, rules = RULES) => {
  const { findings, unchecked } = checkModel(book.toInput(), undefined, rules);
  return { rules: findings.map(({ rule }) => rule), unchecked };
};

describe("a formula that calls no function by its name", () => {
  it.each([
    "=LAMBDA(x,x)(5)",
    "=INDEX(A1)(2)",
    "=IFERROR(LAMBDA(x,x)(A1),0)",
    "=IF(LAMBDA(x,x)(A1),1,0)",
    "=ROUND(LAMBDA(x,x)(A1),2)",
    "=LAMBDA(x,LAMBDA(y,x+y))(1)(2)",
  ])("%s is checked like any other", (formula) => {
    expect(check(createBook(formula))).toEqual({ rules: ["typedNumber"], unchecked: 0 });
  });
});

/** Checks a workbook with one fault and a sheet of one column of formulas. */
function checkColumn(formulas: readonly string[]): ReturnType<typeof check> {
  const input = createBook().toInput();
  const [values, column] = [formulas.map(() => [1]), formulas.map((formula) => [formula])];
  const sheets = [...input.sheets, { id: "2", sheet: "Long", row: 0, column: 0, values, formulas: column }];
  const { findings, unchecked } = checkModel({ ...input, sheets });
  return { rules: findings.map(({ rule }) => rule), unchecked };
}

describe("a long model", () => {
  it("sums 150,000 formulas", () => {
    const formulas = ["=SUM(A2:A150000)", ...Array<string>(149_999).fill("=1+1")];
    expect(checkColumn(formulas)).toEqual({ rules: ["typedNumber"], unchecked: 0 });
  });

  it.each([
    ["downwards", (row: number) => `=A${row - 1}+1`],
    ["upwards", (row: number) => `=A${row + 1}+1`],
  ])("follows a chain of 50,000 cells %s", (_, write) => {
    const formulas = Array.from({ length: LONG }, (_each, index) => write(index + 2));
    expect(checkColumn(["=0", ...formulas])).toEqual({ rules: ["typedNumber"], unchecked: 0 });
  });

  it("reads a formula of 2,000 terms to its first", () => {
    const book = new Book();
    const [yen, dollars] = [createCompany(), createCompany()];
    book.feed("Model", "A1", '=FEED.FINANCIAL("a",2024,"Revenue")', toFigure(yen, "Revenue", 2024));
    const own = { currency: "USD" };
    book.feed("Model", "C1", '=FEED.FINANCIAL("b",2024,"Revenue")', toFigure(dollars, "Revenue", 2024, own));
    const zeros = Array.from({ length: 2_000 }, () => "+0");
    book.enter("Model", "E1", `=A1+C1${zeros.join("")}`);
    expect(check(book)).toEqual({ rules: ["mixedCurrency"], unchecked: 0 });
  });

  it("follows names that refer to one another, twice each", () => {
    const book = createBook("=Loop");
    book.names.push({ name: "Loop", sheet: null, formula: "=Other+Other" });
    book.names.push({ name: "Other", sheet: null, formula: "=Loop+Loop" });
    expect(check(book)).toEqual({ rules: ["typedNumber"], unchecked: 0 });
  });
});

/** A tree that fails whoever reads it. */
const createBroken = () =>
  ({
    get type() {
      throw new Error("not to be read");
    },
  }) as never;

/** Formulas at which each rule that reads trees fails, and their cells. */
const UNREADABLE: [RuleId, (book: Book) => readonly string[]][] = [
  ["mixedCurrency", (book) => enterAll(book, ["C90"], ["=A1+1"])],
  ["hiddenError", (book) => enterAll(book, ["C90"], ["=IFERROR(A1,0)"])],
  ["leftOut", (book) => enterAll(book, ["C90"], ["=SUM(A1:A2)"])],
  [
    "slippedReference",
    (book) => {
      enterAll(book, ["C90", "D90", "F90", "G90"], ["=C80*2", "=D80*2", "=F80*2", "=G80*2"]);
      return enterAll(book, ["E90"], ["=D80*2"]);
    },
  ],
  [
    "typedNumber",
    (book) => {
      const company = createCompany();
      for (const row of [90, 92]) {
        book.spill("Odd", `B${row}`, `=FEED.FINANCIAL($A${row},2024,"Revenue")`, [[toFigure(company, "Revenue", row)]]);
      }
      book.type("Odd", "B91", 7);
      return ["B90", "B92"];
    },
  ],
];

function enterAll(book: Book, places: readonly string[], formulas: readonly string[]): readonly string[] {
  for (const [index, place] of places.entries()) book.enter("Odd", place, formulas[index] ?? "");
  return places;
}

describe("a formula that cannot be checked", () => {
  it("is counted where its text is none of Excel's grammar", () => {
    expect(check(createBook("=SUM(A1", "=1+1"))).toEqual({ rules: ["typedNumber"], unchecked: 1 });
  });

  it("is counted where its signs nest deeper than calls may", () => {
    expect(check(createBook(`=${"-".repeat(60_000)}A1`))).toEqual({ rules: ["typedNumber"], unchecked: 1 });
  });

  it("is none where a name's expression alone is none of Excel's grammar", () => {
    const book = createBook("=Broken+1");
    book.names.push({ name: "Broken", sheet: null, formula: "=SUM(A1" });
    expect(check(book)).toEqual({ rules: ["typedNumber"], unchecked: 0 });
  });

  it.each(UNREADABLE)("ends no rule: %s", (id, enter) => {
    const book = createBook();
    const broken = enter(book);
    const parsed: ParsedFormulas = new Map();
    const input = book.toInput();
    checkModel(input, parsed);
    for (const [place, known] of parsed) {
      if (broken.includes(place.split(" ")[0] ?? "")) parsed.set(place, { ...known, tree: createBroken() });
    }
    const rules = RULES.filter((rule) => rule.id === id || rule.id === "typedNumber");
    const { findings, unchecked } = checkModel(input, parsed, rules);
    expect(findings.map(({ rule }) => rule)).toEqual(["typedNumber"]);
    expect(unchecked).toBe(1);
  });

  it("is counted once where rules fail at it", () => {
    const model = new CheckedModel(createBook("=1+1").toInput());
    const [key = 0] = model.formulas.keys();
    const fail = () => model.attempt(key, () => JSON.parse("no JSON"));
    expect([fail(), fail()]).toEqual([null, null]);
    expect([...model.unchecked]).toEqual([key]);
  });
});

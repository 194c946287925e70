import { describe, expect, it } from "@jest/globals";
import type { Call } from "../../../src/session/calls";
import { checkModel, RULES } from "../../../src/tools/check/check";
import { Evaluation } from "../../../src/tools/check/evaluation";
import { readYearsBack } from "../../../src/tools/check/facts";
import type { CheckInput } from "../../../src/tools/check/finding";
import { CheckedModel, type ParsedFormulas } from "../../../src/tools/check/model";
import { RULE_IDS, type RuleId } from "../../../src/tools/check/texts";
import { createChance } from "../../support/chance";
import { Book, toFigure } from "./book";
import { FAULTS } from "./faults";
import CASES from "./references.json";
import { addTable, addTotals } from "./seeded-tables";

function createInput(formula: string): CheckInput {
  const book = new Book();
  const company = book.createCompany();
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
  it.each(CASES.blocks as [string, string[]][])("%s", (formula, blocks) => {
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
});

const toCall = (year: unknown, shown: unknown[][] = [[1]], name = "FINANCIAL") =>
  ({ name, given: { year }, shown }) as unknown as Call;

describe("how many years back a cell looks", () => {
  it.each(CASES.yearsBack as [unknown, number | null][])("%j is %j", (year, back) => {
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

describe("the rules", () => {
  it("are all listed, each once and in one order", () => {
    expect(RULES.map(({ id }) => id).toSorted()).toEqual(RULE_IDS.toSorted());
  });

  it.each([
    ["mixedConsolidation", 7, () => ({ consolidation: "NON_CONSOLIDATED" })],
    ["yearEndsApart", 1, (year: number) => ({ periodEnd: `${2018 + year}-12-31` })],
  ] as const)("name a mixture once, where it begins and not in each total: %s in %d cells", (rule, count, toOdd) => {
    const book = new Book();
    const own = (company: number, year: number) => (company === 1 ? toOdd(year) : {});
    const table = addTable(book, createChance(23), "Model", { own, years: 7 });
    addTotals(table);
    const found = checkModel(book.toInput()).findings;
    const said = found.map((each) => [each.rule, each.place.address, each.count]);
    expect(said).toEqual([[rule, table.at(1, 0), count]]);
  });

  it("name two companies with other year-ends once on a sheet, for all of their tables", () => {
    const book = new Book();
    const [one, other] = [book.createCompany(), book.createCompany()];
    for (const [index, metric] of ["Revenue", "EBIT", "Net Income"].entries()) {
      const row = 1 + index * 4;
      const ask = (at: number) => `=FEED.FINANCIAL($A${at},2024,"${metric}")`;
      book.feed("Model", `B${row}`, ask(row), toFigure(one, metric, 2024));
      book.feed("Model", `B${row + 1}`, ask(row + 1), toFigure(other, metric, 2024, { periodEnd: "2024-12-31" }));
    }
    const found = checkModel(book.toInput()).findings;
    expect(found.map(({ rule, count }) => [rule, count])).toEqual([["yearEndsApart", 3]]);
  });

  it.each([
    ["sum", "SUM(B2:B5)", "error"],
    ["sum of two", "SUM(B4:B5)", "error"],
    ["average", "AVERAGE(B2:B5)", "note"],
  ])("find a figure beyond a %s, %s, as its %s", (_, total, expected) => {
    const book = new Book();
    for (let row = total.includes("B4") ? 4 : 2; row < 7; row++) {
      const figure = toFigure(book.createCompany(), "Revenue", 2024);
      book.feed("Model", `B${row}`, `=FEED.FINANCIAL(A${row},2024,"Revenue")`, figure);
    }
    book.enter("Model", "B7", `=${total}`);
    const found = checkModel(book.toInput()).findings;
    expect(found.map(({ rule, gravity }) => [rule, gravity])).toEqual([["leftOut", expected]]);
  });

  it("name both years in the sentence of a latest year that differs", () => {
    const book = new Book();
    for (const [index, year] of [2024, 2024, 2022].entries()) {
      const figure = toFigure(book.createCompany(), "Revenue", year, { yearsBack: 0 });
      book.feed("Model", `B${index + 2}`, `=FEED.FINANCIAL($A${index + 2},"FY0","Revenue")`, figure);
    }
    expect(checkModel(book.toInput()).findings.map(({ rule, values }) => [rule, values])).toEqual([
      ["latestYearDiffers", { usual: "2024", odd: "2022" }],
    ]);
  });
});

/** More cells than calls may nest. */
const LONG = 15_000;

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

it.each(CASES.nameless)("a formula that calls no function by its name %s is checked like any other", (formula) => {
  expect(check(createBook(formula))).toEqual({ rules: ["typedNumber"], unchecked: 0 });
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
  ])("follows a chain of 15,000 cells %s", (_, write) => {
    const formulas = Array.from({ length: LONG }, (_each, index) => write(index + 2));
    expect(checkColumn(["=0", ...formulas])).toEqual({ rules: ["typedNumber"], unchecked: 0 });
  });

  it("reads a formula of 2,000 terms to its first", () => {
    const book = new Book();
    const [yen, dollars] = [book.createCompany(), book.createCompany()];
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
  ["leftOut", (book) => enterAll(book, ["C90"], ["=SUM(A1:A2)"])],
  [
    "typedNumber",
    (book) => {
      const company = book.createCompany();
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

import { describe, expect, it } from "@jest/globals";
import { checkModel } from "../../../src/taskpane/check/check";
import { RULE_IDS } from "../../../src/taskpane/check/finding";
import type { Figure } from "../../../src/taskpane/check/input";
import { RULES } from "../../../src/taskpane/check/rules";
import { createChance } from "../../support/chance";
import { Book, createCompany, toFigure } from "./book";
import { addStatements, addTable, addTotals } from "./seeded-tables";

const find = (book: Book) => checkModel(book.toInput()).findings.map(({ rule, place }) => `${rule} ${place.address}`);

describe("the rules", () => {
  it("are all listed, each once and in one order", () => {
    expect(RULES.map(({ id }) => id)).toEqual(RULE_IDS);
  });

  it("leave a typed line alone, though its label is a metric: an analyst has put in figures of their own", () => {
    const book = new Book();
    const { at } = addStatements(book, "Model", 4);
    for (let year = 0; year < 4; year++) book.type("Model", at("EBIT", year), 100 + year);
    expect(find(book)).toEqual([]);
  });

  it("leave the sum of a row of totals alone", () => {
    const book = new Book();
    const table = addTable(book, createChance(21), "Model", { years: 6, companies: 4 });
    const totals = addTotals(table);
    const end = table.at(table.companies.length, table.years.length);
    book.enter("Model", end, `=SUM(${totals[0]}:${totals.at(-1)})`);
    expect(find(book)).toEqual([]);
  });

  it("leave a column alone that reads another cell in each of its rows", () => {
    const book = new Book();
    const table = addTable(book, createChance(22), "Model", { years: 7, companies: 5 });
    for (let company = 0; company < 5; company++) {
      for (let year = 1; year < 7; year++) {
        const base = table.at(company, year === 3 ? 0 : year - 1);
        book.enter("Growth", `${"BCDEFGH"[year]}${company + 2}`, `=Model!${table.at(company, year)}/Model!${base}-1`);
      }
    }
    expect(find(book)).toEqual([]);
  });

  it("name a mixture once: in the cells where it begins, not in each of their totals", () => {
    const book = new Book();
    const own = (company: number) => (company === 1 ? { consolidation: "NON_CONSOLIDATED" } : {});
    addTotals(addTable(book, createChance(23), "Model", { own }));
    const found = checkModel(book.toInput()).findings;
    expect(found.map(({ rule }) => rule)).toEqual(["mixedConsolidation"]);
    expect(found[0]?.count).toBeGreaterThan(3);
  });

  it("name two companies with other year-ends once on a sheet, for all of their tables", () => {
    const book = new Book();
    const [one, other] = [createCompany(), createCompany()];
    for (const [index, metric] of ["Revenue", "EBIT", "Net Income"].entries()) {
      const row = 1 + index * 4;
      const ask = (at: number) => `=FEED.FINANCIAL($A${at},2024,"${metric}")`;
      book.feed("Model", `B${row}`, ask(row), toFigure(one, metric, 2024));
      book.feed("Model", `B${row + 1}`, ask(row + 1), toFigure(other, metric, 2024, { periodEnd: "2024-12-31" }));
    }
    const found = checkModel(book.toInput()).findings;
    expect(found.map(({ rule, count }) => [rule, count])).toEqual([["yearEndsApart", 3]]);
  });

  it("name the first formula that mixes currencies, not those that go on with its result", () => {
    const book = new Book();
    const own = (company: number) => (company === 1 ? { currency: "USD" } : {});
    const table = addTable(book, createChance(24), "Model", { companies: 4, own });
    book.enter("Model", "Z30", `=SUM(${table.ofYear(0)})`);
    book.enter("Model", "Z31", `=Z30+${table.at(0, 1)}`);
    book.enter("Model", "Z32", "=AVERAGE(Z30:Z31)");
    expect(find(book)).toEqual(["mixedCurrency Z30"]);
  });

  it.each([
    ["in both formulas", "=FEED.FINANCIAL(A1,2024,E1)-FEED.FINANCIAL(A2,2024,E1)", ["mixedCurrency C1"]],
    ["one divided by the other", "=FEED.FINANCIAL(A1,2024,E1)/FEED.FINANCIAL(A2,2024,E1)", ["mixedCurrency C1"]],
    ["compared", "=FEED.FINANCIAL(A1,2024,E1)>FEED.FINANCIAL(A2,2024,E1)", ["mixedCurrency C1"]],
    ["converted", "=FEED.FINANCIAL(A1,2024,E1)-FEED.FINANCIAL(A2,2024,E1)*151.4", []],
    ["chosen", "=IF(D1,FEED.FINANCIAL(A1,2024,E1),FEED.FINANCIAL(A2,2024,E1))", []],
    ["as text", '=FEED.FINANCIAL(A1,2024,E1)&"/"&FEED.FINANCIAL(A2,2024,E1)', []],
  ])("read the figures of several calls in one formula, %s", (_, formula, found) => {
    const book = new Book();
    const company = (id: string) => ({ id, name: id, size: 2_000 });
    const yen = toFigure(company("one"), "Revenue", 2024);
    const dollars = toFigure(company("two"), "Revenue", 2024, { currency: "USD" });
    book.feed("Model", "C1", formula, yen, dollars);
    expect(find(book)).toEqual(found);
  });
});

const ask = (row: number, metric = "Revenue") => `FEED.FINANCIAL(A${row},2024,"${metric}")`;

const revenue = (own: Partial<Figure> = {}, metric = "Revenue") => toFigure(createCompany(), metric, 2024, own);
const dollars = { currency: "USD" };

/** A workbook whose cells below B1 show revenues of companies. */
function createColumn(companies: number): Book {
  const book = new Book();
  for (let row = 2; row < companies + 2; row++) book.feed("Model", `B${row}`, `=${ask(row)}`, revenue());
  return book;
}

describe("a ratio", () => {
  it("of one metric needs one unit", () => {
    const book = new Book();
    book.feed("Model", "B2", `=${ask(2)}`, revenue());
    book.feed("Model", "D2", `=${ask(3)}`, revenue({ divisor: 1e3 }));
    book.enter("Model", "F2", "=B2/D2");
    expect(find(book)).toEqual(["mixedUnit F2"]);
  });

  it("of a sum of two metrics may have two units", () => {
    const book = new Book();
    book.feed("Model", "B2", `=${ask(2)}`, revenue());
    book.feed("Model", "D2", `=${ask(3, "EBIT")}`, revenue({}, "EBIT"));
    book.feed("Model", "F2", `=${ask(4)}`, revenue({ divisor: 1e3 }));
    book.enter("Model", "H2", "=B2+D2");
    book.enter("Model", "J2", "=H2/F2");
    expect(find(book)).toEqual([]);
  });
});

describe("a figure beyond a sum", () => {
  const totals: [string, [string, string][], string[]][] = [
    ["is left out though an average counts it", [["B11", "=AVERAGE(B2:B6)"]], ["leftOut B10"]],
    ["is left out though the sum of its row counts it", [["H6", "=SUM(B6:G6)"]], ["leftOut B10"]],
    ["is counted by a subtotal", [["B11", "=SUBTOTAL(9,B6:B7)"]], []],
  ];
  it.each(totals)("%s", (_, others, found) => {
    const book = createColumn(5);
    book.enter("Model", "B10", "=SUM(B2:B5)");
    for (const [place, formula] of others) book.enter("Model", place, formula);
    expect(find(book)).toEqual(found);
  });

  it("is an error with a fix, and beyond an average a note without one", () => {
    const gravities = ["SUM", "AVERAGE"].map((name) => {
      const book = createColumn(5);
      book.enter("Model", "B7", `=${name}(B2:B5)`);
      return checkModel(book.toInput()).findings.map(({ gravity, fix }) => [gravity, fix?.cells[0]?.formula ?? null]);
    });
    expect(gravities).toEqual([[["error", "=SUM(B2:B6)"]], [["note", null]]]);
  });
});

describe("a line of copies", () => {
  it("may begin with a formula of its own", () => {
    const book = new Book();
    book.type("Model", "A10", "Cash");
    for (const [index, column] of [..."BCDEFG"].entries()) {
      book.feed("Model", `${column}3`, `=${ask(3 + index)}`, revenue());
      book.feed("Model", `${column}5`, `=${ask(50 + index)}`, revenue());
      book.enter("Model", `${column}10`, index === 0 ? "=B3+B5" : `=${"ABCDEF"[index]}10+${column}3`);
    }
    expect(find(book)).toEqual([]);
  });
});

describe("an error that is tested for", () => {
  it.each([
    ["with another figure in its place", "=IF(ISERROR(B3),B2,B3)", 5, []],
    ["with a zero in its place", "=IF(ISERROR(B3),0,B3)", 0, ["hiddenError D3"]],
    ["with a text for both", '=IF(ISERROR(B3),"no report","report")', "no report", []],
    ["with a text for both, the other way round", '=IF(ISNUMBER(B3),"report","no report")', "no report", []],
  ])("%s", (_, formula, shown, found) => {
    const book = createColumn(1);
    book.feed("Model", "B3", `=${ask(3)}`);
    book.enter("Model", "D3", formula, shown);
    expect(find(book)).toEqual(found);
  });
});

describe("a balance sheet", () => {
  it("need not balance with shareholders' equity, which leaves out minorities", () => {
    const book = new Book();
    const company = createCompany();
    const amounts = { "Total Assets": 100e6, "Total Liabilities": 55e6, "Shareholders' Equity": 40e6 };
    for (const [index, [metric, amount]] of Object.entries(amounts).entries()) {
      book.feed("Model", `B${index + 2}`, `=${ask(1, metric)}`, toFigure(company, metric, 2024, { amount }));
    }
    expect(find(book)).toEqual([]);
  });
});

describe("what a formula reads", () => {
  const parts = [revenue(), revenue(dollars)];

  it("is no call of a name, whose figures are not known", () => {
    const book = new Book();
    book.names.push({ name: "Ask", sheet: null, formula: `=${ask(9)}` });
    book.feed("Model", "C1", `=Ask-${ask(1)}&${ask(2)}`, ...parts);
    expect(find(book)).toEqual([]);
  });

  it("is no outer value where a lambda has a name for its own", () => {
    const book = new Book();
    book.feed("Model", "C1", `=LET(x,${ask(1)},LAMBDA(x,x+${ask(2)})(1))`, ...parts);
    expect(find(book)).toEqual([]);
  });

  it("is a whole range, though one of its cells was read in a circle before", () => {
    const book = new Book();
    book.enter("Model", "A1", "=ROUND(F1,C1)");
    book.feed("Model", "A2", `=${ask(2)}`, revenue(dollars));
    book.enter("Model", "C1", "=SUM(A1:A2)");
    book.enter("Model", "D1", "=SUM(A1:A2)");
    book.feed("Model", "F1", `=${ask(1)}`, revenue());
    expect(find(book)).toEqual(["mixedCurrency D1"]);
  });
});

import { describe, expect, it } from "@jest/globals";
import { checkModel } from "../../../src/taskpane/check/check";
import { RULE_IDS } from "../../../src/taskpane/check/finding";
import { RULES } from "../../../src/taskpane/check/rules";
import { createChance } from "../../support/chance";
import { Book, createCompany, toFigure } from "./book";
import { addTable, addTotals } from "./seeded-tables";

describe("the rules", () => {
  it("are all listed, each once and in one order", () => {
    expect(RULES.map(({ id }) => id)).toEqual(RULE_IDS);
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

  it("find a figure beyond a sum with a fix, and beyond an average a note without one", () => {
    const gravities = ["SUM", "AVERAGE"].map((name) => {
      const book = new Book();
      for (let row = 2; row < 7; row++) {
        const figure = toFigure(createCompany(), "Revenue", 2024);
        book.feed("Model", `B${row}`, `=FEED.FINANCIAL(A${row},2024,"Revenue")`, figure);
      }
      book.enter("Model", "B7", `=${name}(B2:B5)`);
      return checkModel(book.toInput()).findings.map(({ gravity, fix }) => [gravity, fix?.cells[0]?.formula ?? null]);
    });
    expect(gravities).toEqual([[["error", "=SUM(B2:B6)"]], [["note", null]]]);
  });
});

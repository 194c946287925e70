import { describe, expect, it } from "@jest/globals";
import { checkModel } from "../../../src/taskpane/check/check";
import type { Figure } from "../../../src/taskpane/check/input";
import { Book, type Company, createCompany, toFigure } from "./book";

const find = (book: Book) => {
  const { findings, unchecked } = checkModel(book.toInput());
  return { found: findings.map(({ rule, place }) => `${rule} ${place.sheet}!${place.address}`), unchecked };
};

const ID = "b19898a4-0d5e-4c52-9c39-6a5a4f3e2d1c";

/** Revenues of companies down a column from B2 on, in millions. */
function createPeers(count: number, own: (index: number) => Partial<Figure> = () => ({}), sheet = "Model"): Book {
  const book = new Book();
  book.type(sheet, "B1", 2024);
  for (let index = 0; index < count; index++) {
    const row = index + 2;
    book.type(sheet, `A${row}`, `${ID.slice(0, -2)}${10 + index}`);
    const formula = `=FEED.FINANCIAL($A${row},B$1,"Revenue",,"m")`;
    book.feed(sheet, `B${row}`, formula, toFigure(createCompany(), "Revenue", 2024, own(index)));
  }
  return book;
}

const dollars = (index: number) => (index === 1 ? { currency: "USD" } : {});

/** A company's revenue in two versions, which both formulas name. */
function createVersions(companies: readonly Company[], hasBasis = true): Book {
  const book = new Book();
  for (const [index, consolidation] of ["CONSOLIDATED", "NON_CONSOLIDATED"].entries()) {
    const company = companies[index % companies.length] as Company;
    const place = `${"BD"[index]}2`;
    const formula = `=FEED.FINANCIAL(${place[0]}$1,2024,"Revenue",${hasBasis ? `"${consolidation}"` : ""},"m")`;
    book.feed("Model", place, formula, toFigure(company, "Revenue", 2024, { consolidation, hasBasis }));
  }
  book.enter("Model", "F2", "=B2/D2");
  return book;
}

describe("a clean model of an analyst", () => {
  const enter = (book: Book, ...formulas: (readonly [string, string, (string | number)?])[]) => {
    for (const [place, formula, value = 1] of formulas) book.enter("Model", place, formula, value);
    return book;
  };
  const CLEAN: Readonly<Record<string, () => Book>> = {
    "a sum that is made only of one currency": () =>
      enter(
        createPeers(2, dollars),
        ["D2", '=IF(C2=C3,B2+B3,"n/a")', "n/a"],
        ["D3", '=IFS(C2=C3,SUM(B2:B3),TRUE,"")', ""],
      ),
    "rates that are looked up, chosen, per hundred, or of a name": () => {
      const book = createPeers(2, dollars);
      book.names.push({ name: "Rate", sheet: null, formula: "=FX!$B$1" });
      book.type("FX", "B1", 151.4);
      return enter(
        book,
        ["D2", "=B2+B3*XLOOKUP(C3,FX!A:A,FX!B:B)"],
        ["D3", '=B2+B3*IF(C3="USD",FX!$B$1,1)'],
        ["D4", "=B2/100*Rate+B3"],
        ["D5", "=B2/Rate+B3"],
        ["D6", "=SUM(B2,PRODUCT(B3,Rate))"],
        ["D7", "=LET(rate,Rate,B2+B3*rate)"],
        ["D8", "=SUMPRODUCT(B2:B3,FX!B1:B2)"],
      );
    },
    "the group over its parent, both named": () => createVersions([createCompany()]),
    "the sum of the first three of ten, far below": () => enter(createPeers(10), ["B14", "=SUM(B2:B4)"]),
    "halves of a year below whole years": () => {
      const book = createPeers(4, (index) => (index === 3 ? { period: "HY1" } : {}));
      return enter(book, ["B6", "=SUM(B2:B4)"]);
    },
    "a typed company among those with ids": () => {
      const book = createPeers(5);
      book.type("Model", "A4", "Ourselves");
      book.type("Model", "B4", 950);
      return book;
    },
    "a typed plan between actual years of one company": () => {
      const book = new Book();
      const company = createCompany();
      book.type("Model", "A2", company.name);
      for (const [index, column] of [..."BCDEF"].entries()) {
        if (column === "D") {
          book.type("Model", "D1", "Plan");
          book.type("Model", "D2", 1_200);
          continue;
        }
        book.type("Model", `${column}1`, 2020 + index);
        const formula = `=FEED.FINANCIAL($A2,${column}$1,"Revenue",,"m")`;
        book.feed("Model", `${column}2`, formula, toFigure(company, "Revenue", 2020 + index));
      }
      return book;
    },
    "what cannot be followed": () =>
      enter(
        createPeers(3, dollars),
        ["D2", '=INDIRECT("B"&2)+B3'],
        ["D3", "=SUM(OFFSET(B1,1,0,2,1))"],
        ["D4", "=SUM(B2:OFFSET(B5,-1,0))"],
        ["D5", "=SUM(B2:INDEX(B:B,ROW()-1))"],
        ["D6", "=CHOOSE(1,B2,B3)"],
        ["D7", "=TABLE(B1,)"],
        ["D8", "=SUM(Jan:Mar!B2)"],
      ),
    "other workbooks, closed ones too, and references that are gone": () => {
      const book = createPeers(2);
      book.names.push({ name: "Elsewhere", sheet: null, formula: "='C:\\Models\\[Old.xlsx]Data'!$B$2" });
      return enter(
        book,
        ["D2", "='C:\\Models\\[Old.xlsx]Data'!$B$2+B2"],
        ["D3", "='https://firm.sharepoint.com/sites/A B/[Plan.xlsx]P&L'!C4*2"],
        ["D4", "=Model!#REF!+B2"],
        ["D5", "='Old model'!#REF!"],
        ["D6", "=[Plan.xlsx]Data!$B$2+Plan.xlsx!Total+'C:\\Models\\Old.xlsx'!Total"],
        ["D7", "=Elsewhere+B2"],
      );
    },
  };

  it.each(Object.entries(CLEAN))("raises no alarm, and all of it is read: %s", (_, write) => {
    expect(find(write())).toEqual({ found: [], unchecked: 0 });
  });
});

describe("a fault beside what is meant", () => {
  it("is a group over another company's parent, though both are named", () => {
    expect(find(createVersions([createCompany(), createCompany()])).found).toEqual(["mixedConsolidation Model!F2"]);
  });

  it("is a group over a parent that nobody named", () => {
    expect(find(createVersions([createCompany()], false)).found).toEqual(["mixedConsolidation Model!F2"]);
  });

  it("is a sum of two currencies that its condition lets pass", () => {
    const book = createPeers(2, dollars);
    book.enter("Model", "D2", '=IF(B2>0,B2+B3,"n/a")', 5);
    expect(find(book).found).toEqual(["mixedCurrency Model!D2"]);
  });

  it("is a total that leaves out the last two", () => {
    const book = createPeers(6);
    book.enter("Model", "B9", "=SUM(B2:B5)");
    expect(find(book).found).toEqual(["leftOut Model!B9"]);
  });

  it("is followed to sheets with Japanese names, quotes and blanks", () => {
    const book = createPeers(2, dollars, "連結 '24年度'");
    book.enter("Model", "D2", "=SUM('連結 ''24年度'''!B2:B3)");
    expect(find(book).found).toEqual(["mixedCurrency Model!D2"]);
  });

  it("is followed from a formula beside a closed workbook's cell", () => {
    const book = createPeers(2, dollars);
    book.enter("Model", "D2", "=SUM(B2:B3)+'C:\\Models\\[Old.xlsx]Data'!$B$2");
    expect(find(book).found).toEqual(["mixedCurrency Model!D2"]);
  });
});

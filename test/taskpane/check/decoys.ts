import { toLetters } from "../../../src/taskpane/addresses";
import type { Chance } from "../../support/chance";
import { type Book, createCompany, toFigure } from "./book";
import { addStatements, addTable, addTotals } from "./seeded-tables";

/** Enters something on a sheet that looks like a fault and is none. */
export type Decoy = (book: Book, chance: Chance, sheet: string) => void;

const dollars = (company: number) => (company === 1 ? { currency: "USD" } : {});

export const DECOYS: Readonly<Record<string, Decoy>> = {
  "amounts converted before they are added"(book, chance, sheet) {
    const table = addTable(book, chance, sheet, { companies: 4, own: dollars });
    book.type(sheet, "Z1", 151.4);
    book.enter(sheet, "Z30", `=${table.at(0, 0)}+${table.at(1, 0)}*$Z$1`);
  },
  "currencies in one table without a total"(book, chance, sheet) {
    addTable(book, chance, sheet, { own: dollars });
  },
  "a sum by currency"(book, chance, sheet) {
    const table = addTable(book, chance, sheet, { own: dollars });
    book.enter(sheet, "Z30", `=SUMIF(Y1:Y9,"JPY",${table.ofYear(0)})`);
  },
  "a typed year of estimates beside the figures"(book, chance, sheet) {
    const table = addTable(book, chance, sheet);
    for (const company of table.companies.keys()) {
      book.type(sheet, table.at(company, table.years.length), 1_000 + company);
    }
  },
  "a typed line among labelled figures"(book, _, sheet) {
    const company = createCompany();
    book.type(sheet, "B1", company.name);
    book.type(sheet, "B3", 2024);
    for (const [index, metric] of ["Revenue", "Employees", "EBIT", "Net Income"].entries()) {
      const row = index + 4;
      book.type(sheet, `A${row}`, metric);
      if (metric === "Employees") book.type(sheet, `B${row}`, 1_250);
      else book.feed(sheet, `B${row}`, `=FEED.FINANCIAL($B$1,B$3,$A${row},,"m")`, toFigure(company, metric, 2024));
    }
  },
  "rolling averages"(book, chance, sheet) {
    const table = addTable(book, chance, sheet, { years: 7 });
    for (let year = 2; year < 7; year++) {
      book.enter(sheet, table.at(table.companies.length + 1, year), `=AVERAGE(${table.ofCompany(0, year - 2, year)})`);
    }
  },
  "an average of peers without the company above"(book, chance, sheet) {
    const table = addTable(book, chance, sheet);
    const last = table.companies.length - 1;
    book.enter(sheet, table.at(last + 2, 0), `=AVERAGE(${table.ofYear(0, 1, last)})`);
  },
  "a guard whose error has not occurred"(book, chance, sheet) {
    const table = addTable(book, chance, sheet);
    for (const [year] of table.years.entries()) {
      const place = table.at(0, year);
      book.feed(sheet, place, `=IFERROR(${table.formula(0, year).slice(1)},0)`, book.figureAt(sheet, place));
    }
  },
  "a parent company asked for beside its group"(book, _, sheet) {
    const company = createCompany();
    for (let row = 2; row < 7; row++) {
      const year = 2018 + row;
      const ask = (basis: string) => `=FEED.FINANCIAL("${company.id}",$A${row},"Revenue","${basis}","m")`;
      book.type(sheet, `A${row}`, year);
      book.feed(sheet, `B${row}`, ask("CONSOLIDATED"), toFigure(company, "Revenue", year, { hasBasis: true }));
      const alone = { hasBasis: true, consolidation: "NON_CONSOLIDATED" };
      book.feed(sheet, `C${row}`, ask("NON_CONSOLIDATED"), toFigure(company, "Revenue", year, alone));
    }
  },
  "year-ends three months apart"(book, chance, sheet) {
    const own = (company: number, year: number) => (company === 1 ? { periodEnd: `${2021 + year}-06-30` } : {});
    addTotals(book, addTable(book, chance, sheet, { years: 4, own }));
  },
  "totals that meet in a corner"(book, chance, sheet) {
    const table = addTable(book, chance, sheet, { years: 6 });
    addTotals(book, table);
    for (const [company] of [...table.companies, null].entries()) {
      book.enter(sheet, table.at(company, 6), `=SUM(${table.ofCompany(company)})`);
    }
  },
  "units brought together by powers of ten"(book, chance, sheet) {
    const table = addTable(book, chance, sheet, { own: (company) => (company === 1 ? { divisor: 1e3 } : {}) });
    book.enter(sheet, "Z30", `=${table.at(0, 0)}+${table.at(1, 0)}/1000`);
  },
  "subtotals, one below the other"(book, chance, sheet) {
    const table = addTable(book, chance, sheet, { companies: 8, years: 4 });
    for (let year = 0; year < 4; year++) {
      book.enter(sheet, table.at(9, year), `=SUM(${table.ofYear(year, 0, 4)})`);
      book.enter(sheet, table.at(10, year), `=SUM(${table.ofYear(year, 5, 7)})`);
    }
  },
  "an opening balance before a line of copies"(book, chance, sheet) {
    const table = addTable(book, chance, sheet, { companies: 4, years: 7 });
    book.enter(sheet, table.at(6, 0), `=${table.at(1, 0)}+${table.at(0, 0)}`);
    for (let year = 1; year < 7; year++) {
      book.enter(sheet, table.at(6, year), `=${table.at(6, year - 1)}+${table.at(0, year)}`);
    }
  },
  "another figure where the first is missing"(book, chance, sheet) {
    const table = addTable(book, chance, sheet);
    const [call, other] = [table.formula(1, 1), table.formula(1, 0)].map((formula) => formula.slice(1));
    book.hide(sheet, table.at(1, 1), `=IFERROR(${call},${other})`, 5);
    book.feed(sheet, table.at(2, 1), table.formula(2, 1));
    book.enter(sheet, "Z30", `=IFERROR(${table.at(2, 1)},${table.at(2, 0)})`, 5);
    book.enter(sheet, "Z32", `=IF(ISNUMBER(${table.at(2, 1)}),${table.at(2, 1)},${table.at(2, 0)})`, 5);
  },
  "a company that reports zero"(book, chance, sheet) {
    const table = addTable(book, chance, sheet, { own: (company) => (company === 1 ? { amount: 0 } : {}) });
    addTotals(book, table);
  },
  "sales in millions for each employee"(book, _, sheet) {
    const company = createCompany();
    for (const [index, year] of [2022, 2023, 2024].entries()) {
      const row = index + 2;
      const ask = (metric: string, unit: string) => `=FEED.FINANCIAL("${company.id}",$A${row},"${metric}"${unit})`;
      book.type(sheet, `A${row}`, year);
      book.feed(sheet, `B${row}`, ask("Revenue", ',,"m"'), toFigure(company, "Revenue", year));
      const staff = { divisor: 1, amount: 1_200 + year, currency: null };
      book.feed(sheet, `D${row}`, ask("Employees", ""), toFigure(company, "Employees", year, staff));
      book.enter(sheet, `F${row}`, `=B${row}/D${row}`);
    }
  },
  "ratios and growth rates, and their compound at the end"(book, chance, sheet) {
    const table = addTable(book, chance, sheet, { years: 6, companies: 4 });
    for (let year = 1; year < 6; year++) {
      book.enter(sheet, table.at(6, year), `=${table.at(0, year)}/${table.at(0, year - 1)}-1`);
      book.enter(sheet, table.at(8, year), `=${table.at(0, year)}/${table.at(1, year)}`);
    }
    book.enter(sheet, table.at(6, 6), `=(${table.at(0, 5)}/${table.at(0, 0)})^(1/5)-1`);
  },
  "accounts that are rounded, and cash that exchange rates move"(book, _, sheet) {
    const own = (metric: string, year: number) => ({
      ...(metric === "Gross Profit" && { amount: 4_999e6 + year * 1e6 }),
      ...(metric === "Revenue" && { amount: 10_000e6 + year * 1e6 }),
      ...(metric === "Cost of Goods Sold" && { amount: 5_000e6 }),
    });
    const { at } = addStatements(book, sheet, 4, own);
    const flow = book.figureAt(sheet, at("Financing Cash Flow", 2));
    const place = at("Financing Cash Flow", 2);
    book.feed(sheet, place, book.formulaAt(sheet, place), { ...flow, amount: flow.amount + 10e6 });
  },
  "an index on the first year"(book, chance, sheet) {
    const table = addTable(book, chance, sheet, { years: 6, companies: 5 });
    for (const [company] of table.companies.entries()) {
      for (let year = 0; year < 6; year++) {
        const base = table.at(company, 0).replace(/([A-Z]+)(\d+)/, "$$$1$$$2");
        book.enter(sheet, `${toLetters(40 + year)}${company + 2}`, `=${table.at(company, year)}/${base}*100`);
      }
    }
  },
};

import type { Chance } from "../../support/chance";
import { type Book, toFigure } from "./book";
import { addStatements, addTotals, inTable } from "./seeded-tables";

/** Enters something on a sheet that looks like a fault and is none. */
export type Decoy = (book: Book, chance: Chance, sheet: string) => void;

const dollars = (company: number) => (company === 1 ? { currency: "USD" } : {});

export const DECOYS: Readonly<Record<string, Decoy>> = {
  "amounts converted before they are added": inTable(
    { companies: 4, own: dollars },
    ({ at, enter }, { book, sheet }) => {
      book.type(sheet, "Z1", 151.4);
      enter("Z30", `=${at(0, 0)}+${at(1, 0)}*$Z$1`);
    },
  ),
  "currencies in one table without a total": inTable({ own: dollars }, () => {}),
  "a sum by currency": inTable({ own: dollars }, ({ enter, ofYear }) =>
    enter("Z30", `=SUMIF(Y1:Y9,"JPY",${ofYear(0)})`),
  ),
  "a typed year of estimates beside the figures": inTable({}, ({ companies, years, at }, { book, sheet }) => {
    for (const company of companies.keys()) book.type(sheet, at(company, years.length), 1_000 + company);
  }),
  "a typed line among labelled figures"(book, _, sheet) {
    const company = book.createCompany();
    book.type(sheet, "B1", company.name);
    book.type(sheet, "B3", 2024);
    for (const [index, metric] of ["Revenue", "Employees", "EBIT", "Net Income"].entries()) {
      const row = index + 4;
      book.type(sheet, `A${row}`, metric);
      if (metric === "Employees") book.type(sheet, `B${row}`, 1_250);
      else book.feed(sheet, `B${row}`, `=FEED.FINANCIAL($B$1,B$3,$A${row},,"m")`, toFigure(company, metric, 2024));
    }
  },
  "rolling averages": inTable({ years: 7 }, ({ companies, at, enter, ofCompany }) => {
    for (let year = 2; year < 7; year++)
      enter(at(companies.length + 1, year), `=AVERAGE(${ofCompany(0, year - 2, year)})`);
  }),
  "an average of peers without the company above": inTable({}, ({ companies, at, enter, ofYear }) => {
    const last = companies.length - 1;
    enter(at(last + 2, 0), `=AVERAGE(${ofYear(0, 1, last)})`);
  }),
  "a parent company asked for beside its group"(book, _, sheet) {
    const company = book.createCompany();
    for (let row = 2; row < 7; row++) {
      const year = 2018 + row;
      book.type(sheet, `A${row}`, year);
      for (const [column, consolidation] of [
        ["B", "CONSOLIDATED"],
        ["C", "NON_CONSOLIDATED"],
      ] as const) {
        const formula = `=FEED.FINANCIAL("${company.id}",$A${row},"Revenue","${consolidation}","m")`;
        const figure = toFigure(company, "Revenue", year, { hasBasis: true, consolidation });
        book.feed(sheet, `${column}${row}`, formula, figure);
      }
    }
  },
  "year-ends three months apart": inTable(
    { years: 4, own: (company, year) => (company === 1 ? { periodEnd: `${2021 + year}-06-30` } : {}) },
    (table) => addTotals(table),
  ),
  "totals that meet in a corner": inTable({ years: 6 }, (table) => {
    addTotals(table);
    for (const company of [...table.companies, null].keys())
      table.enter(table.at(company, 6), `=SUM(${table.ofCompany(company)})`);
  }),
  "units brought together by powers of ten": inTable(
    { own: (company) => (company === 1 ? { divisor: 1e3 } : {}) },
    ({ at, enter }) => enter("Z30", `=${at(0, 0)}+${at(1, 0)}/1000`),
  ),
  "subtotals, one below the other": inTable({ companies: 8, years: 4 }, ({ at, enter, ofYear }) => {
    for (let year = 0; year < 4; year++) {
      enter(at(9, year), `=SUM(${ofYear(year, 0, 4)})`);
      enter(at(10, year), `=SUM(${ofYear(year, 5, 7)})`);
    }
  }),
  "a company that reports zero": inTable({ own: (company) => (company === 1 ? { amount: 0 } : {}) }, (table) =>
    addTotals(table),
  ),
  "sales in millions for each employee"(book, _, sheet) {
    const company = book.createCompany();
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
  "ratios and growth rates, and their compound at the end": inTable({ years: 6, companies: 4 }, ({ at, enter }) => {
    for (let year = 1; year < 6; year++) {
      enter(at(6, year), `=${at(0, year)}/${at(0, year - 1)}-1`);
      enter(at(8, year), `=${at(0, year)}/${at(1, year)}`);
    }
    enter(at(6, 6), `=(${at(0, 5)}/${at(0, 0)})^(1/5)-1`);
  }),
  "accounts that are rounded, and cash that exchange rates move"(book, _, sheet) {
    const own = (metric: string, year: number) => ({
      ...(metric === "Gross Profit" && { amount: 4_999e6 + year * 1e6 }),
      ...(metric === "Revenue" && { amount: 10_000e6 + year * 1e6 }),
      ...(metric === "Cost of Goods Sold" && { amount: 5_000e6 }),
    });
    const place = addStatements(book, sheet, 4, own).at("Financing Cash Flow", 2);
    const flow = book.figureAt(sheet, place);
    book.feed(sheet, place, book.formulaAt(sheet, place), { ...flow, amount: flow.amount + 10e6 });
  },
};

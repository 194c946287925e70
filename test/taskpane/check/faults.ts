import type { RuleId } from "../../../src/taskpane/check/finding";
import type { Chance } from "../../support/chance";
import type { Book } from "./book";
import { addStatements, addTable, addTotals, toWhole } from "./seeded-tables";

/** Enters a table with one fault on a sheet; gives the cells of which one must be named. */
export type Fault = (book: Book, chance: Chance, sheet: string) => readonly string[];

const dollars = (odd: number) => (company: number) => (company === odd ? { currency: "USD" } : {});

const mixedCurrency: Fault[] = [
  (book, chance, sheet) => addTotals(book, addTable(book, chance, sheet, { own: dollars(1) })),
  (book, chance, sheet) => {
    const table = addTable(book, chance, sheet, { own: dollars(0) });
    return addTotals(book, table, (range) => `=ROUND(AVERAGE(${range}),1)`);
  },
  (book, chance, sheet) => {
    const table = addTable(book, chance, sheet, { companies: 4, own: dollars(2) });
    book.enter(sheet, "Z30", `=${table.at(2, 0)}+${table.at(0, 0)}`);
    return ["Z30"];
  },
  (book, chance, sheet) => {
    const table = addTable(book, chance, sheet, { own: dollars(3) });
    book.names.push({ name: `Peers_${sheet}`, sheet: null, formula: `='${sheet}'!${table.ofYear(1)}` });
    book.enter(sheet, "Z30", `=MAX(Peers_${sheet})`);
    return ["Z30"];
  },
  (book, chance, sheet) => {
    const table = addTable(book, chance, sheet, { own: dollars(1) });
    book.enter(sheet, "Z30", `=${table.at(1, 0)}*1`);
    book.enter(sheet, "Z32", `=LET(other,${table.at(0, 0)}+0,Z30/other)`);
    return ["Z32"];
  },
];

const mixedUnit: Fault[] = [
  (book, chance, sheet) => {
    const own = (company: number, year: number) => (company === 1 && year === 2 ? { divisor: 1e3 } : {});
    const table = addTable(book, chance, sheet, { own });
    return [table.at(1, 2)];
  },
  (book, chance, sheet) => {
    const own = (company: number) => (company === 0 ? { divisor: 1e3 } : {});
    return addTotals(book, addTable(book, chance, sheet, { own }));
  },
  (book, chance, sheet) => {
    const table = addTable(book, chance, sheet);
    book.enter(sheet, "Z30", `=${table.at(0, 1)}/1000+${table.at(1, 1)}`);
    return ["Z30"];
  },
];

const mixedConsolidation: Fault[] = [
  (book, chance, sheet) => {
    const own = (company: number, year: number) =>
      company === 1 && year === 0 ? { consolidation: "NON_CONSOLIDATED" } : {};
    return [addTable(book, chance, sheet, { own }).at(1, 0)];
  },
  (book, chance, sheet) => {
    const own = (company: number) => (company === 2 ? { consolidation: "NON_CONSOLIDATED" } : {});
    const table = addTable(book, chance, sheet, { own });
    return table.years.map((_, year) => table.at(2, year));
  },
];

const yearEndsApart: Fault[] = [
  (book, chance, sheet) => {
    const years = toWhole(chance, 4, 6);
    const own = (company: number, year: number) =>
      company === 2 ? { periodEnd: `${2024 - years + 1 + year}-12-31` } : {};
    const table = addTable(book, chance, sheet, { years, own });
    return table.years.map((_, year) => table.at(2, year));
  },
];

const latestYearDiffers: Fault[] = [
  (book, chance, sheet) => {
    const years = toWhole(chance, 2, 4);
    const odd = (year: number) => 2024 - years + 1 + year - 2;
    const own = (company: number, year: number) =>
      company === 1 ? { year: odd(year), periodEnd: `${odd(year)}-03-31` } : {};
    const table = addTable(book, chance, sheet, { years, own, isRelative: true });
    return table.years.map((_, year) => table.at(1, year));
  },
];

const staleBesideFresh: Fault[] = [
  (book, chance, sheet) => {
    const table = addTable(book, chance, sheet, { own: (company) => ({ isStale: company === 3 }) });
    return table.years.map((_, year) => table.at(3, year));
  },
];

const twoValues: Fault[] = [
  (book, chance, sheet) => {
    const table = addTable(book, chance, sheet, { metric: "Revenue" });
    const [company] = table.companies;
    const last = table.years.length - 1;
    const figure = book.figureAt(sheet, table.at(0, last));
    book.feed(sheet, "Z40", `=FEED.FINANCIAL("${company?.id}",2024,"Revenue",,"m")`, {
      ...figure,
      amount: figure.amount * 1.01,
    });
    return ["Z40", table.at(0, last)];
  },
];

const statement =
  (metric: string, factor: number): Fault =>
  (book, chance, sheet) => {
    const odd = toWhole(chance, 1, 3);
    const { at } = addStatements(book, sheet, 5);
    const figure = book.figureAt(sheet, at(metric, odd));
    const amount = figure.amount * factor;
    book.feed(sheet, at(metric, odd), book.formulaAt(sheet, at(metric, odd)), { ...figure, amount });
    return [at(metric, odd), at("Cash and equivalents", odd)];
  };

const hiddenError: Fault[] = [
  (book, chance, sheet) => {
    const table = addTable(book, chance, sheet);
    const place = table.at(1, 1);
    const call = table.formula(1, 1).slice(1);
    book.hide(sheet, place, `=${chance.pick(["IFERROR", "IFNA"])}(${call},0)`, 0);
    return [place];
  },
  (book, chance, sheet) => {
    const table = addTable(book, chance, sheet);
    book.feed(sheet, table.at(2, 1), table.formula(2, 1));
    book.enter(sheet, "Z30", `=IFERROR(${table.at(2, 2)}/${table.at(2, 1)}-1,"n/a")`, "n/a");
    return ["Z30"];
  },
  (book, chance, sheet) => {
    const table = addTable(book, chance, sheet);
    book.feed(sheet, table.at(0, 0), table.formula(0, 0));
    book.enter(sheet, "Z30", `=AGGREGATE(9,6,${table.ofYear(0)})`);
    return ["Z30"];
  },
  (book, chance, sheet) => {
    const table = addTable(book, chance, sheet);
    book.feed(sheet, table.at(3, 0), table.formula(3, 0));
    book.enter(sheet, "Z30", `=IF(ISERROR(${table.at(3, 0)}),0,${table.at(3, 0)})`, 0);
    return ["Z30"];
  },
];

const typedNumber: Fault[] = [
  (book, chance, sheet) => {
    const table = addTable(book, chance, sheet);
    const place = table.at(toWhole(chance, 1, 2), toWhole(chance, 1, 2));
    book.type(sheet, place, 12_345);
    return [place];
  },
  (book, chance, sheet) => {
    const table = addTable(book, chance, sheet);
    const place = table.at(toWhole(chance, 1, 2), table.years.length - 1);
    book.type(sheet, place, 777);
    return [place];
  },
  (book, chance, sheet) => {
    const { at } = addStatements(book, sheet, toWhole(chance, 3, 5));
    const place = at(chance.pick(["EBIT", "Net Income"]), 1);
    book.type(sheet, place, 999);
    return [place];
  },
];

const leftOut: Fault[] = [
  (book, chance, sheet) => {
    const table = addTable(book, chance, sheet);
    const last = table.companies.length - 1;
    book.enter(sheet, table.at(last + 1, 0), `=SUM(${table.ofYear(0, 0, last - 1)})`);
    return [table.at(last + 1, 0)];
  },
  (book, chance, sheet) => {
    const table = addTable(book, chance, sheet);
    const last = table.companies.length - 1;
    book.enter(sheet, table.at(last + 2, 1), `=SUM(${table.ofYear(1, 1)})`);
    return [table.at(last + 2, 1)];
  },
  (book, chance, sheet) => {
    const table = addTable(book, chance, sheet);
    const last = table.years.length - 1;
    book.enter(sheet, table.at(2, last + 1), `=AVERAGE(${table.ofCompany(2, 0, last - 1)})`);
    return [table.at(2, last + 1)];
  },
];

const slippedReference: Fault[] = [
  (book, chance, sheet) => {
    const table = addTable(book, chance, sheet, { companies: toWhole(chance, 5, 8) });
    const [company, year] = [toWhole(chance, 1, 3), toWhole(chance, 1, 2)];
    const side = /\$([A-Z]+)(\d+)/.exec(table.formula(company, year)) ?? [];
    const formula = table.formula(company, year).replace(side[0] ?? "", `$${side[1]}${Number(side[2]) + 1}`);
    const figure = book.figureAt(sheet, table.at(company, year));
    book.feed(sheet, table.at(company, year), formula, figure);
    return [table.at(company, year)];
  },
  (book, chance, sheet) => {
    const table = addTable(book, chance, sheet, { years: toWhole(chance, 5, 7) });
    const totals = addTotals(book, table);
    const year = toWhole(chance, 1, table.years.length - 2);
    book.enter(sheet, totals[year] as string, `=SUM(${table.ofYear(year - 1)})`);
    return [totals[year] as string];
  },
  (book, chance, sheet) => {
    const table = addTable(book, chance, sheet, { years: 7, companies: 4 });
    const growth = (year: number, before: number) => `=${table.at(0, year)}/${table.at(0, before)}-1`;
    for (let year = 1; year < 7; year++) book.enter(sheet, table.at(6, year), growth(year, year - 1));
    book.enter(sheet, table.at(6, 6), growth(6, 4));
    return [table.at(6, 6)];
  },
];

/** Faults of each rule, in several forms. */
export const FAULTS: Readonly<Record<RuleId, readonly Fault[]>> = {
  mixedCurrency,
  mixedUnit,
  mixedConsolidation,
  yearEndsApart,
  latestYearDiffers,
  twoValues,
  grossProfit: [statement("Gross Profit", 0.9)],
  balanceSheet: [statement("Total Assets", 1.2)],
  cashFlow: [statement("Operating Cash Flow", -3)],
  hiddenError,
  typedNumber,
  leftOut,
  slippedReference,
  staleBesideFresh,
};

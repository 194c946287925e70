import type { RuleId } from "../../../src/tools/check/texts";
import type { Chance } from "../../support/chance";
import type { Book } from "./book";
import { addStatements, addTotals, type FigureTable, inTable, toWhole } from "./seeded-tables";

/** Enters a table with one fault on a sheet; gives the cells of which one must be named. */
export type Fault = (book: Book, chance: Chance, sheet: string) => readonly string[];

/** A result below the table of the formula that `write` gives. */
const inResult =
  (write: (table: FigureTable) => string) =>
  (table: FigureTable): string[] => {
    table.enter("Z30", write(table));
    return ["Z30"];
  };
/** The figures of one company, which are odd. */
const ofOdd =
  (company: number) =>
  ({ years, at }: FigureTable): string[] =>
    years.map((_, year) => at(company, year));
const dollars = (odd: number) => (company: number) => (company === odd ? { currency: "USD" } : {});
const alone = { consolidation: "NON_CONSOLIDATED" };

const mixedCurrency: Fault[] = [
  inTable({ own: dollars(1) }, (table) => addTotals(table)),
  inTable({ own: dollars(0) }, (table) => addTotals(table, (range) => `=ROUND(AVERAGE(${range}),1)`)),
  inTable(
    { companies: 4, own: dollars(2) },
    inResult(({ at }) => `=${at(2, 0)}+${at(0, 0)}`),
  ),
  inTable({ own: dollars(3) }, (table, { book, sheet }) => {
    book.names.push({ name: `Peers_${sheet}`, sheet: null, formula: `='${sheet}'!${table.ofYear(1)}` });
    return inResult(() => `=MAX(Peers_${sheet})`)(table);
  }),
  inTable({ own: dollars(1) }, ({ at, enter }) => {
    enter("Z30", `=${at(1, 0)}*1`);
    enter("Z32", `=LET(other,${at(0, 0)}+0,Z30/other)`);
    return ["Z32"];
  }),
];

const mixedUnit: Fault[] = [
  inTable({ own: (company, year) => (company === 1 && year === 2 ? { divisor: 1e3 } : {}) }, ({ at }) => [at(1, 2)]),
  inTable({ own: (company) => (company === 0 ? { divisor: 1e3 } : {}) }, (table) => addTotals(table)),
  inTable(
    {},
    inResult(({ at }) => `=${at(0, 1)}/1000+${at(1, 1)}`),
  ),
];

const mixedConsolidation: Fault[] = [
  inTable({ own: (company, year) => (company === 1 && year === 0 ? alone : {}) }, ({ at }) => [at(1, 0)]),
  inTable({ own: (company) => (company === 2 ? alone : {}) }, ofOdd(2)),
];

const yearEndsApart: Fault[] = [
  inTable((chance) => {
    const years = toWhole(chance, 4, 6);
    return { years, own: (company, year) => (company === 2 ? { periodEnd: `${2025 - years + year}-12-31` } : {}) };
  }, ofOdd(2)),
];

const latestYearDiffers: Fault[] = [
  inTable((chance) => {
    const years = toWhole(chance, 2, 4);
    const toOdd = (year: number) => ({ year, periodEnd: `${year}-03-31` });
    const own = (company: number, year: number) => (company === 1 ? toOdd(2023 - years + year) : {});
    return { years, own, isRelative: true };
  }, ofOdd(1)),
];

const staleBesideFresh: Fault[] = [inTable({ own: (company) => ({ isStale: company === 3 }) }, ofOdd(3))];

const twoValues: Fault[] = [
  inTable({ metric: "Revenue" }, ({ companies, years, at }, { book, sheet }) => {
    const place = at(0, years.length - 1);
    const figure = book.figureAt(sheet, place);
    book.feed(sheet, "Z40", `=FEED.FINANCIAL("${companies[0]?.id}",2024,"Revenue",,"m")`, {
      ...figure,
      amount: figure.amount * 1.01,
    });
    return ["Z40", place];
  }),
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

const typedNumber: Fault[] = [
  inTable({}, ({ at }, { book, chance, sheet }) => {
    const place = at(toWhole(chance, 1, 2), toWhole(chance, 1, 2));
    book.type(sheet, place, 12_345);
    return [place];
  }),
  inTable({}, ({ at, years }, { book, chance, sheet }) => {
    const place = at(toWhole(chance, 1, 2), years.length - 1);
    book.type(sheet, place, 777);
    return [place];
  }),
  (book, chance, sheet) => {
    const { at } = addStatements(book, sheet, toWhole(chance, 3, 5));
    const place = at(chance.pick(["EBIT", "Net Income"]), 1);
    book.type(sheet, place, 999);
    return [place];
  },
];

/** A total at a place that `find` gives by the last company and year. */
const total = (find: (table: FigureTable, company: number, year: number) => [place: string, formula: string]) =>
  inTable({}, (table) => {
    const [place, formula] = find(table, table.companies.length - 1, table.years.length - 1);
    table.enter(place, formula);
    return [place];
  });

const leftOut: Fault[] = [
  total(({ at, ofYear }, last) => [at(last + 1, 0), `=SUM(${ofYear(0, 0, last - 1)})`]),
  total(({ at, ofYear }, last) => [at(last + 2, 1), `=SUM(${ofYear(1, 1)})`]),
  total(({ at, ofCompany }, _, last) => [at(2, last + 1), `=AVERAGE(${ofCompany(2, 0, last - 1)})`]),
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
  typedNumber,
  leftOut,
  staleBesideFresh,
};

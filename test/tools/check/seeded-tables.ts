import { toLetters } from "../../../src/taskpane/addresses";
import type { Figure } from "../../../src/tools/check/finding";
import type { Chance } from "../../support/chance";
import { type Book, type Company, METRICS, toFigure } from "./book";

/** A table of one metric: companies in one direction, years in the other. */
export interface FigureTable {
  sheet: string;
  companies: readonly Company[];
  years: readonly number[];
  /** Address of a figure, by company and year; beyond the last one it is the cell after. */
  at(company: number, year: number): string;
  /** A range of one year's figures, from one company to another. */
  ofYear(year: number, from?: number, to?: number): string;
  /** A range of one company's figures. */
  ofCompany(company: number, from?: number, to?: number): string;
  formula(company: number, year: number): string;
  /** Enters a formula on the table's sheet. */
  enter(place: string, formula: string, shown?: string | number): void;
}

interface TableOptions {
  companies?: number;
  years?: number;
  metric?: string;
  /** "FY0" and earlier years in place of numbers. */
  isRelative?: boolean;
  /** Own facts of a figure. */
  own?: (company: number, year: number) => Partial<Figure>;
}

const LAST_YEAR = 2024;

/** Enters a table of figures on a sheet of its own, in one of the ways that analysts lay them out. */
export function addTable(book: Book, chance: Chance, sheet: string, options: TableOptions = {}): FigureTable {
  const { own = () => ({}), isRelative = false, metric = chance.pick(METRICS.slice(0, 6)) } = options;
  const companies = Array.from({ length: options.companies ?? toWhole(chance, 4, 8) }, () => book.createCompany());
  const count = options.years ?? toWhole(chance, 4, 7);
  const years = Array.from({ length: count }, (_, index) => LAST_YEAR - count + 1 + index);
  const [top, left, isDown] = [toWhole(chance, 3, 6), toWhole(chance, 1, 3), chance.happens(0.7)];
  const unit = chance.pick([', , "m"', ', "", "m"']);
  const cell = (across: number, down: number) => `${toLetters(left + across)}${top + down}`;
  const at = (company: number, year: number) => (isDown ? cell(year + 1, company + 1) : cell(company + 1, year + 1));
  const formula = (company: number, year: number) => {
    const place = at(company, year);
    const [column = "", row = ""] = [place.replace(/\d+/, ""), place.replace(/\D+/, "")];
    const [side, head] = [`$${toLetters(left)}${row}`, `${column}$${top}`];
    const [name, when] = isDown ? [side, head] : [head, side];
    return `=FEED.FINANCIAL(${name},${when},"${metric}"${unit})`;
  };
  const label = (place: number, isAside: boolean) => (isAside ? cell(0, place + 1) : cell(place + 1, 0));
  for (const [index, { name }] of companies.entries()) book.type(sheet, label(index, isDown), name);
  for (const [y, year] of years.entries()) {
    const back = y - years.length + 1;
    book.type(sheet, label(y, !isDown), isRelative ? `FY${back}` : year);
    for (const [c, company] of companies.entries()) {
      const facts: Partial<Figure> = { ...(isRelative && { yearsBack: back }), ...own(c, y) };
      book.feed(sheet, at(c, y), formula(c, y), toFigure(company, metric, facts.year ?? year, facts));
    }
  }
  return {
    sheet,
    companies,
    years,
    at,
    ofYear: (year, from = 0, to = companies.length - 1) => `${at(from, year)}:${at(to, year)}`,
    ofCompany: (company, from = 0, to = years.length - 1) => `${at(company, from)}:${at(company, to)}`,
    formula,
    enter: (place, text, shown) => book.enter(sheet, place, text, shown),
  };
}

/** What enters a table, and then what `act` adds to it. @param options of the table, or what draws them */
export const inTable =
  <T>(
    options: TableOptions | ((chance: Chance) => TableOptions),
    act: (table: FigureTable, on: { book: Book; chance: Chance; sheet: string }) => T,
  ) =>
  (book: Book, chance: Chance, sheet: string): T =>
    act(addTable(book, chance, sheet, typeof options === "function" ? options(chance) : options), {
      book,
      chance,
      sheet,
    });

/** Enters the statements of one company: metrics down, named by their labels, and years across. */
export function addStatements(
  book: Book,
  sheet: string,
  years: number,
  own: (metric: string, year: number) => Partial<Figure> = () => ({}),
): { at(metric: string, year: number): string } {
  const company = book.createCompany();
  const at = (metric: string, year: number) => `${toLetters(year + 1)}${METRICS.indexOf(metric as "Revenue") + 4}`;
  book.type(sheet, "B1", company.name);
  for (let y = 0; y < years; y++) {
    const year = LAST_YEAR - years + 1 + y;
    book.type(sheet, `${toLetters(y + 1)}3`, year);
    for (const metric of METRICS) {
      const row = METRICS.indexOf(metric) + 4;
      book.type(sheet, `A${row}`, metric);
      const formula = `=FEED.FINANCIAL($B$1,${toLetters(y + 1)}$3,$A${row},,"m")`;
      book.feed(sheet, at(metric, y), formula, toFigure(company, metric, year, own(metric, y)));
    }
  }
  return { at };
}

/** Totals below or beside a table, one for each year. */
export function addTotals(table: FigureTable, write = (range: string) => `=SUM(${range})`): string[] {
  return table.years.map((_, year) => {
    const place = table.at(table.companies.length, year);
    table.enter(place, write(table.ofYear(year)));
    return place;
  });
}

export const toWhole = (chance: Chance, from: number, to: number): number => from + chance.below(to - from + 1);

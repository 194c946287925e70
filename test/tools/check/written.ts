import type { CellValue, NamedTable } from "../../../src/contract/workbook";
import { readArea, toLetters } from "../../../src/taskpane/addresses";
import type { Figure } from "../../../src/tools/check/finding";
import type { RuleId } from "../../../src/tools/check/texts";
import { Book, toCompany, toFigure } from "./book";
import clean from "./clean-workbooks.json";
import small from "./small-workbooks.json";
import twoFaults from "./two-faults.json";
import faulty from "./written-workbooks.json";

/** A workbook and its faults. */
export interface Written {
  name: string;
  book: Book;
  seeds: { rule: RuleId; sheet: string; cells: string[] }[];
}

/** What stands behind a FEED cell: the number of its company, the metric, the year, and what is its own. */
type Source = { company: number; metric: string; year: number } & Partial<Omit<Figure, "company">>;

/** A workbook as a file holds it. */
interface Stored extends Pick<Written, "name"> {
  about?: string;
  seeds?: Written["seeds"];
  /** Names with their formulas. */
  names?: string[][];
  tables?: NamedTable[];
  /** Rows from A1 on: a text that begins with "=" is a formula, null leaves a cell empty. */
  sheets: Record<string, CellValue[][]>;
  /** By place: what stands behind a FEED cell, or behind its calls; null for none, "missing" where it shows. */
  figures: Record<string, Source | Source[] | "missing" | null>;
  /** What formulas show other than 1 or their figure. */
  shown?: Record<string, CellValue>;
  /** Rows and columns of the tables that formulas fill. */
  spills?: Record<string, number[]>;
}

const readFigure = ({ company, metric, year, ...own }: Source) => toFigure(toCompany(company), metric, year, own);

function enter(book: Book, sheet: string, at: string, content: CellValue, { figures, shown = {} }: Stored): void {
  const [place, source] = [`${sheet}!${at}`, figures[`${sheet}!${at}`]];
  if (typeof content !== "string" || !content.startsWith("=")) book.type(sheet, at, content);
  else if (source === undefined) book.enter(sheet, at, content, shown[place]);
  else if (source === null) book.hide(sheet, at, content, shown[place] ?? null);
  else book.feed(sheet, at, content, ...(source === "missing" ? [] : [source].flat().map(readFigure)));
}

/** Enters the formula of a table that it fills, with what its cells show. */
function spill(book: Book, place: string, [height = 0, width = 0]: number[], { sheets, figures, shown }: Stored): void {
  const [sheet = "", address = ""] = place.split("!");
  const { row, column } = readArea(address);
  const rows = Array.from({ length: height }, (_, r) =>
    Array.from({ length: width }, (_, c) => {
      const at = `${sheet}!${toLetters(column + c)}${row + r + 1}`;
      const source = figures[at] as Source | undefined;
      return source ? readFigure(source) : (shown?.[at] ?? sheets[sheet]?.[row + r]?.[column + c] ?? null);
    }),
  );
  book.spill(sheet, address, String(sheets[sheet]?.[row]?.[column]), rows);
}

function read(stored: Stored): Written {
  const book = new Book();
  for (const [sheet, rows] of Object.entries(stored.sheets)) {
    for (const [r, row] of rows.entries())
      for (const [c, content] of row.entries())
        if (content !== null) enter(book, sheet, `${toLetters(c)}${r + 1}`, content, stored);
  }
  for (const [place, size] of Object.entries(stored.spills ?? {})) spill(book, place, size, stored);
  book.names.push(...(stored.names ?? []).map(([name = "", formula = ""]) => ({ name, sheet: null, formula })));
  book.tables.push(...(stored.tables ?? []));
  return { name: stored.name, book, seeds: stored.seeds ?? [] };
}

const readAll = (stored: unknown): Written[] => (stored as Stored[]).map(read);

/** Workbooks as an analyst would write them, without a fault. */
export const readClean = () => readAll(clean);
/** Small ones with one fault or none, each for one rule of the check. */
export const readSmall = () => readAll(small);
/** Those with two faults each. */
export const readTwoFaults = () => readAll(twoFaults);
/** Ten with faults of all rules. */
export const readFaulty = () => readAll(faulty);

import type { CellValue, DefinedName, NamedTable } from "../../../src/contract/workbook";
import { readArea, toLetters } from "../../../src/taskpane/addresses";
import type { CheckInput, FeedFact, Figure } from "../../../src/tools/check/finding";

/** A company whose accounts are made up by its number: every identity holds. */
export interface Company {
  id: string;
  name: string;
  size: number;
}

export const toCompany = (number: number): Company => ({
  id: `company-${number}`,
  name: `Company ${number}`,
  size: 1000 + ((number * 7919) % 9000),
});

export const METRICS = [
  "Revenue",
  "Cost of Goods Sold",
  "Gross Profit",
  "EBIT",
  "Net Income",
  "Total Assets",
  "Total Liabilities",
  "Total Equity",
  "Cash and equivalents",
  "Operating Cash Flow",
  "Investing Cash Flow",
  "Financing Cash Flow",
] as const;

const MILLION = 1e6;

/** The amounts of a company's year, whole millions. */
export function toAmounts({ size }: Company, year: number): Record<string, number> {
  const revenue = size + (year - 2010) * Math.round(size / 20);
  const cash = Math.round(revenue / 8);
  const cashBefore = Math.round((revenue - Math.round(size / 20)) / 8);
  const [cost, assets] = [Math.round(revenue * 0.6), revenue * 2];
  const [operating, investing] = [Math.round(revenue / 10), -Math.round(revenue / 15)];
  const amounts = {
    Revenue: revenue,
    "Cost of Goods Sold": cost,
    "Gross Profit": revenue - cost,
    EBIT: Math.round(revenue / 9),
    "Net Income": Math.round(revenue / 14),
    "Total Assets": assets,
    "Total Liabilities": Math.round(assets * 0.55),
    "Total Equity": assets - Math.round(assets * 0.55),
    "Cash and equivalents": cash,
    "Operating Cash Flow": operating,
    "Investing Cash Flow": investing,
    "Financing Cash Flow": cash - cashBefore - operating - investing,
  };
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, amount * MILLION]));
}

const STATEMENTS: [RegExp, string][] = [
  [/Flow/, "CASH_FLOW"],
  [/Total|Cash and|Equity/, "BALANCE_SHEET"],
];

/** What stands behind a figure; as in a page, a zero does not show its unit. */
export function toFigure(company: Company, metric: string, year: number, own: Partial<Figure> = {}): Figure {
  const amount = own.amount ?? toAmounts(company, year)[metric] ?? 0;
  const figure = {
    companyId: company.id,
    company: company.name,
    metric,
    statement: STATEMENTS.find(([names]) => names.test(metric))?.[1] ?? "INCOME_STATEMENT",
    year,
    period: null,
    periodEnd: `${year}-03-31`,
    currency: "JPY",
    consolidation: "CONSOLIDATED",
    divisor: MILLION,
    amount,
    yearsBack: null,
    hasBasis: false,
    asOfMs: Date.UTC(2024, 5, 1),
    isStale: false,
    ...own,
  };
  return amount === 0 ? { ...figure, divisor: null } : figure;
}

/** The cell's number; a zero has the same in each unit. */
const toShown = ({ amount, divisor }: Figure) => amount / (divisor ?? 1);

interface BookCell {
  value: CellValue;
  formula: string | null;
}

/** A workbook for the rules, whose formulas are not calculated: a cell shows what it is given. */
export class Book {
  readonly #sheets = new Map<string, Map<string, BookCell>>();
  readonly #facts = new Map<string, FeedFact>();
  readonly names: DefinedName[] = [];
  readonly tables: NamedTable[] = [];
  /** Ids of sheets that have been renamed, by their names. */
  readonly ids = new Map<string, string>();
  #companies = 0;

  /** Creates a company that the book does not have yet. */
  createCompany(): Company {
    return toCompany(++this.#companies);
  }

  type(sheet: string, address: string, value: CellValue): void {
    this.#put(sheet, address, { value, formula: null });
    this.#facts.delete(`${sheet}!${address}`);
  }

  /** @param value what the formula shows; default a number */
  enter(sheet: string, address: string, formula: string, value: CellValue = 1): void {
    this.#put(sheet, address, { value, formula });
  }

  /** Enters a FEED formula and what stands behind it. */
  feed(sheet: string, address: string, formula: string, ...parts: Figure[]): void {
    const [figure] = parts;
    this.enter(sheet, address, formula, figure === undefined ? "#N/A" : toShown(figure));
    this.#state(sheet, address, { parts });
  }

  /** Enters a formula around a FEED call that fails. */
  hide(sheet: string, address: string, formula: string, value: CellValue): void {
    this.enter(sheet, address, formula, value);
    this.#state(sheet, address, { parts: [null] });
  }

  /** Enters a FEED formula whose table fills rows of figures, or of other values. */
  spill(sheet: string, address: string, formula: string, rows: readonly (readonly (Figure | CellValue)[])[]): void {
    const anchor = readArea(address);
    for (const [r, row] of rows.entries()) {
      for (const [c, content] of row.entries()) {
        const at = `${toLetters(anchor.column + c)}${anchor.row + r + 1}`;
        const isAnchor = r + c === 0;
        const figure = typeof content === "object" ? content : null;
        const value = typeof content === "object" ? figure && toShown(figure) : content;
        this.#put(sheet, at, { value, formula: isAnchor ? formula : null });
        const spill = isAnchor ? ([rows.length, row.length] as const) : null;
        this.#state(sheet, at, { parts: [figure], spill, isSpilled: true });
      }
    }
  }

  formulaAt(sheet: string, address: string): string {
    return this.#sheets.get(sheet)?.get(address)?.formula ?? "";
  }

  /** The figure of a cell with one. */
  figureAt(sheet: string, address: string): Figure {
    return this.#facts.get(`${sheet}!${address}`)?.parts[0] as Figure;
  }

  get feedCells(): number {
    return this.#facts.size;
  }

  toInput(): CheckInput {
    const sheets = [...this.#sheets].map(([name, cells]) => {
      const places = [...cells].map(([address, cell]) => ({ ...readArea(address), cell }));
      const rows = places.reduce((most, { row }) => Math.max(most, row + 1), 0);
      const columns = places.reduce((most, { column }) => Math.max(most, column + 1), 0);
      const values = Array.from({ length: rows }, () => Array<CellValue>(columns).fill(null));
      const formulas = Array.from({ length: rows }, () => Array<string | null>(columns).fill(null));
      for (const { row, column, cell } of places) {
        (values[row] as CellValue[])[column] = cell.value;
        (formulas[row] as (string | null)[])[column] = cell.formula;
      }
      return { id: this.ids.get(name) ?? name, sheet: name, row: 0, column: 0, values, formulas };
    });
    const { names, tables } = this;
    return { sheets, names, tables, facts: [...this.#facts.values()], namespace: "FEED" };
  }

  #put(sheet: string, address: string, cell: BookCell): void {
    const cells = this.#sheets.get(sheet) ?? new Map<string, BookCell>();
    this.#sheets.set(sheet, cells);
    cells.set(address, cell);
  }

  #state(sheet: string, address: string, fact: Partial<FeedFact>): void {
    const { row, column } = readArea(address);
    const plain = { sheet, row, column, parts: [], spill: null, isSpilled: false };
    this.#facts.set(`${sheet}!${address}`, { ...plain, ...fact });
  }
}
